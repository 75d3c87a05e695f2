/** Time from a tap to its acknowledgement, which follows the commit. */
import type { Moment } from '#playground';
import { startHost, type Host } from '../host.ts';
import { quantile } from '../measure.ts';
import type { Measurement, Row } from '../row.ts';
import { waitingRuns } from '../story.ts';

const RUNS = 20;

/** Returns the time, and whether the tap's row was closed by then. */
const tapOnce = async (
  host: Host,
  button: string,
  message: number,
): Promise<{ ms: number; after: boolean }> => {
  const { telegram, ana } = host;
  const acknowledged = new Promise<{ at: number; after: boolean }>((resolve) => {
    const stop = telegram.onRequest(({ phase, call }: Moment) => {
      if (phase !== 'before' || call.route !== 'answerCallbackQuery') return undefined;
      const at = performance.now();
      stop();
      const [last] = host.look<{ state: string }>(
        "select state from inbox where source = 'chat' order by id desc limit 1",
      );
      resolve({ at, after: last?.state === 'done' });
      return undefined;
    });
  });
  const began = performance.now();
  ana.taps({ message, text: button });
  const { at, after } = await acknowledged;
  return { ms: at - began, after };
};

export const taps: Measurement = {
  name: 'taps',
  about: 'tap to acknowledgement after commit, on buttons of /status, through the real process',
  run: async ({ quick }): Promise<Row[]> => {
    const host = await startHost();
    try {
      await waitingRuns(host.dataDir, { count: RUNS, named: 'tap' });
      await host.start();
      host.ana.sends('/status');
      const screen = await host.ana.waitForMessage((one) => one.buttons.flat().length > 0, {
        deadlineMs: 60_000,
      });
      const [first] = screen.buttons.flat();
      if (!first) throw new Error('/status has no button');
      const waits: number[] = [];
      let early = 0;
      for (let i = 0; i < (quick ? 60 : 300) + 10; i += 1) {
        const { ms, after } = await tapOnce(host, first.text, screen.messageId);
        if (i < 10) continue;
        waits.push(ms);
        if (!after) early += 1;
      }
      const at = (q: number): string => quantile(waits, q).toFixed(1);
      const note = `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms over ${waits.length} taps on “${first.text}”, ${RUNS} live runs, each tap also answered by a message`;
      return [
        { name: 'tap-to-ack', value: quantile(waits, 0.95), unit: 'ms', bar: { is: '<=', at: 60 }, note },
        {
          name: 'acks-before-commit',
          value: early,
          unit: 'taps',
          bar: { is: '=', at: 0 },
          note: 'taps whose row in the inbox was still open when the acknowledgement arrived',
        },
      ];
    } finally {
      await host.close();
    }
  },
};
