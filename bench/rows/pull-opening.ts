/** Time from Confirm to “PR opened” if the code host needs 200 ms per answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { sampleDirectory, TELEGRAM_LIMITS, delay } from '#playground';
import { createRandom, type Random } from '../../tests/prove/random.ts';
import { startHost, type Host } from '../host.ts';
import { quantile, round } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';

const HOST_MS = 200;
/** Reading time before a tap (ms), random so that taps do not align with edits. */
const READS_MS = { least: 1_200, spread: 2_000 };
const ORDER = 'Mend the first wait check="grep -q failed src/waits.js"';
const DEADLINE = { deadlineMs: 120_000 };

const oneOpening = async ({ github, ana }: Host, n: number, random: Random): Promise<number> => {
  const { fullName } = await github.addRepo({ owner: 'acme', name: `opens${n}`, from: sampleDirectory() });
  ana.sends(`/new ${fullName} ${ORDER}`);
  const has = (button: string) => (one: { text: string; buttons: { text: string }[][] }) =>
    one.text.includes(fullName) && one.buttons.flat().some(({ text }) => text.startsWith(button));
  const card = await ana.waitForMessage(has('Open PR'), DEADLINE);
  await pause(READS_MS.least + random.int(READS_MS.spread));
  await ana.taps({ message: card.messageId, text: /^Open PR/ }).answered(DEADLINE);
  await ana.waitForMessage(has('Confirm'), DEADLINE);
  await pause(READS_MS.least + random.int(READS_MS.spread));
  const began = performance.now();
  ana.taps({ message: card.messageId, text: /^Confirm/ });
  await ana.waitForMessage(
    (one) => one.text.startsWith('Pull request #') && one.text.includes(fullName),
    DEADLINE,
  );
  return performance.now() - began;
};

export const opening: Measurement = {
  name: 'opening',
  about: 'Confirm to “PR opened” on the card, with a code host that takes 200 ms',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost({ limits: TELEGRAM_LIMITS });
    try {
      host.github.faults.always('*', delay(HOST_MS));
      const product = await host.start();
      const random = createRandom(20);
      const waits: number[] = [];
      for (let n = 0; n < (quick ? 3 : 20); n += 1)
        waits.push(
          await oneOpening(host, n, random).catch((error: unknown) => {
            throw new Error(`It was not opened:\n${product.stderr().slice(-2_000)}`, { cause: error });
          }),
        );
      const note = `median ${round(quantile(waits, 0.5))}, most ${round(Math.max(...waits))} ms over ${waits.length} pull requests; every request to the code host, git included, takes ${HOST_MS} ms more`;
      return [
        {
          name: 'confirm-to-opened',
          value: quantile(waits, 0.95) / 1_000,
          unit: 's',
          note,
          bar: { is: '<=', at: 1.5 },
        },
      ];
    } finally {
      await host.close();
    }
  },
};
