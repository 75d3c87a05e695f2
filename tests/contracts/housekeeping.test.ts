/** Housekeeping: by itself, for as long as the process runs, and in nobody's way. */
import { expect, it } from 'vitest';
import { startHousekeeping } from '../../app/background-jobs.ts';

const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};
const world = (tidy: () => Promise<boolean>) => {
  const alarms: { ms: number; ring: () => void; cancelled: boolean }[] = [];
  const errors: string[] = [];
  const timers = {
    after: (ms: number, ring: () => void) => {
      const alarm = { ms, ring, cancelled: false };
      alarms.push(alarm);
      return { cancel: () => void (alarm.cancelled = true) };
    },
  };
  const log = { error: (_: object, text: string) => void errors.push(text) };
  return {
    alarms,
    errors,
    start: () =>
      startHousekeeping({
        ledger: { tidy },
        figures: { refresh: async () => true },
        clock: { now: () => 1 },
        timers,
        log,
      }),
  };
};

it('L8: begins at the start, takes what there is in small steps, and comes again within minutes', async () => {
  let left = 3;
  const { alarms, start } = world(async () => (left -= 1) > 0);
  const keeping = start();
  await turns();
  expect(left).toBe(0);
  expect(alarms.map(({ ms }) => ms)).toEqual([180_000]);
  left = 2;
  alarms[0]?.ring();
  await turns();
  expect([left, alarms.length]).toEqual([0, 2]);
  await keeping.stop();
  expect(alarms[1]?.cancelled).toBe(true);
});

it('L8: a round that fails is logged, and tried again with the next', async () => {
  let calls = 0;
  const { alarms, errors, start } = world(() => {
    calls += 1;
    return calls === 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve(false);
  });
  const keeping = start();
  await turns();
  expect(errors).toEqual(['the ledger could not be tidied']);
  alarms[0]?.ring();
  await turns();
  expect([calls, errors.length]).toEqual([2, 1]);
  await keeping.stop();
});

it('L8: stops with the step that is under way, however much there is to remove', async () => {
  const step = Promise.withResolvers<boolean>();
  let calls = 0;
  const { alarms, start } = world(() => {
    calls += 1;
    return step.promise;
  });
  const keeping = start();
  let stopped = false;
  const stopping = keeping.stop().then(() => (stopped = true));
  await turns();
  expect(stopped).toBe(false);
  step.resolve(true);
  await stopping;
  expect([calls, alarms.length]).toEqual([1, 0]);
});
