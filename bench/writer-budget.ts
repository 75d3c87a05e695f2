/** Part of `npm run bench:looks`: F5: time to open many pull requests. */
import { MAX_WRITES_PER_MINUTE, MAX_WRITES_PER_HOUR } from '../model/limits/write-slots.ts';
import { MIN_WRITE_GAP_MS } from '#model/limits';
import { HOUR, MINUTE } from '#model/values';
import { createDispatch } from '../orchestrator/kernel/runtime/dispatch.ts';
import type { EffectHandlers } from '#runtime';
import { createWriteScheduler } from '../orchestrator/limits/write-limiter.ts';
import { openInMemory, write } from '../tests/support/ledger.ts';
import { createClock, settle } from '../tests/support/timers.ts';

const STEP = 250;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const soonest = (many: number): number => {
  const times: number[] = [];
  const back = (by: number, window: number): number => (times.at(-by) ?? -Infinity) + window;
  for (let i = 0; i < many; i += 1)
    times.push(
      Math.max(
        0,
        back(1, MIN_WRITE_GAP_MS),
        back(MAX_WRITES_PER_MINUTE, MINUTE),
        back(MAX_WRITES_PER_HOUR, HOUR),
      ),
    );
  return times.at(-1) ?? 0;
};

const open = async (many: number): Promise<{ took: number; refused: number; opened: number }> => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const from = clock.now();
  const writers = createWriteScheduler({
    books: ledger.writers,
    clock,
    timers: clock,
    identity: async () => 'me',
  });
  const created: number[] = [];
  let refused = 0;
  /** GitHub refuses requests within a second of another, or past its windows. */
  const create = async (): Promise<void> => {
    const now = clock.now();
    const within = (window: number): number => created.filter((at) => at > now - window).length;
    const tooMuch =
      within(MIN_WRITE_GAP_MS) > 0 ||
      within(MINUTE) >= MAX_WRITES_PER_MINUTE ||
      within(HOUR) >= MAX_WRITES_PER_HOUR;
    if (tooMuch) refused += 1;
    else created.push(now);
    if (tooMuch) await writers.limiter.refused('me', now + 5 * MINUTE);
  };
  const opens = async () => {
    await writers.limiter.write('me', create);
    return { kind: 'done', result: null } as const;
  };
  const dispatch = createDispatch({
    ledger,
    clock,
    timers: clock,
    log: silent,
    heavyCap: 1,
    writers,
    report: async () => undefined,
    submit: async () => ({ kind: 'ignored', reason: 'nothing to do in this state' }),
    handlers: new Proxy({} as EffectHandlers, { get: () => opens }),
  });
  for (let i = 0; i < many; i += 1) {
    const opening = { kind: 'open_pr', approvalId: 'a', digest: 'd' } as const;
    await write(ledger, `r${i}`, { effects: [{ do: opening, dueAt: 0 }] });
  }
  dispatch.wake();
  while (created.length < many && clock.now() - from < 2 * soonest(many) + HOUR) {
    for (let i = 0; i < 20; i += 1) await settle();
    await clock.pass(STEP);
  }
  await dispatch.stop();
  await close();
  return { took: (created.at(-1) ?? from) - from, refused, opened: created.length };
};

for (const many of [500, 1_000]) {
  const { took, refused, opened } = await open(many);
  const share = soonest(many) / took;
  const good = opened === many && refused === 0 && share >= 0.95;
  if (!good) process.exitCode = 1;
  console.log(
    `${good ? '✔' : '✘'} writer-budget: ${opened} of ${many} pull requests opened in ${(took / MINUTE).toFixed(1)} min, ` +
      `${(share * 100).toFixed(1)} % of the allowed rate, ${refused} refusals`,
  );
}
