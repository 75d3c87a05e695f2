/** L7: the loop of a worker: when it takes jobs, and what it says of that. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EffectHandlers, createSubmitInput } from '#runtime';
import { createWorker } from '../../orchestrator/workers/job-worker.ts';
import { openInMemory, type Opened } from '../support/ledger.ts';
import { createClock, settle } from '../support/timers.ts';

let opened: Opened;
beforeEach(async () => void (opened = await openInMemory()));
afterEach(() => opened.close());

const loop = (take: () => Promise<[]>, hasRoom: () => boolean) => {
  const clock = createClock();
  const { ledger } = opened;
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const ids = { runId: () => 'r', nonce: () => 'n'.repeat(16) };
  const worker = createWorker({
    ledger,
    clock,
    log,
    hasRoom,
    timers: clock,
    submit: createSubmitInput({ ledger, clock, ids }),
    jobs: { take },
    heavyCap: 2,
    touchMs: 4_000,
    handlers: {} as EffectHandlers,
    before: async () => undefined,
    report: async () => undefined,
  });
  return { worker, clock };
};

it('L8: takes nothing while its disk is full, and goes on when it has room', async () => {
  let [room, asked] = [false, 0];
  const { worker, clock } = loop(
    async () => ((asked += 1), []),
    () => room,
  );
  worker.wake();
  await clock.pass(10_000);
  expect(asked).toBe(0);
  room = true;
  await clock.pass(4_000);
  expect(asked).toBeGreaterThan(0);
  await worker.stop();
});

it('O4: knows when jobs could be asked for last', async () => {
  let there = false;
  const { worker, clock } = loop(
    async () => {
      if (!there) throw new Error('Postgres is away');
      return [];
    },
    () => true,
  );
  worker.wake();
  await clock.pass(5_000);
  expect(worker.tookAt()).toBeNull();
  there = true;
  await clock.pass(4_000);
  await settle();
  expect(clock.now() - (worker.tookAt() ?? 0)).toBeLessThan(2_001);
  expect(worker.places()).toEqual([
    { pool: 'outside', busy: 0, most: 16 },
    { pool: 'heavy', busy: 0, most: 2 },
  ]);
  await worker.stop();
});
