/**
 * L4: a lease that ran out while the machine slept starts no second agent beside the first, and
 * opens nothing beside an opening.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDispatch } from '../../orchestrator/kernel/runtime/dispatch.ts';
import { LEASE_MS } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { type EffectHandler, type EffectHandlers, createSubmitInput } from '#runtime';
import type { Effect } from '#effects';
import { openInMemory, write, type Opened } from '../support/ledger.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';

let opened: Opened;
let at = 1_000;
beforeEach(async () => {
  opened = await openInMemory();
  at = 1_000;
});
afterEach(() => opened.close());
const clock = { now: () => at };
const ids = { runId: () => 'r', nonce: () => 'n'.repeat(16) };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const turns = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A handler that works until it is let go, or is stopped, and says how many of it are at work. */
const createWork = () => {
  const seen = { begun: 0, stopped: 0, atOnce: 0, most: 0 };
  let finish = (): void => {};
  const handler: EffectHandler = async (_, signal) => {
    seen.begun += 1;
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    await new Promise<void>((resolve) => {
      finish = resolve;
      // What is told to stop takes a moment.
      signal.addEventListener('abort', () => void ((seen.stopped += 1), setImmediate(resolve)));
    });
    seen.atOnce -= 1;
    return { kind: 'done', result: null };
  };
  return { seen, handler, finish: () => finish() };
};

const IMPLEMENT = { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK } as const;
const OPEN = { kind: 'open_pr', approvalId: 'a', digest: 'd' } as const;

it.each([
  ['an agent is stopped first', IMPLEMENT, 1],
  ['an opening is waited for', OPEN, 0],
])('L4: %s', async (_, what, stopped) => {
  const { ledger } = opened;
  const work = createWork();
  const effect: Effect = { do: what, dueAt: at };
  await write(ledger, 'r1', { effects: [effect] });
  const dispatch = createDispatch({
    ledger,
    clock,
    log: silent,
    heavyCap: 3,
    report: async () => undefined,
    // Timers that never ring: this machine sleeps.
    timers: { after: () => ({ cancel: () => {} }) },
    submit: createSubmitInput({ ledger, clock, ids }),
    handlers: { [what.kind]: work.handler } as unknown as EffectHandlers,
  });
  dispatch.wake();
  await turns();
  expect(work.seen).toMatchObject({ begun: 1, atOnce: 1 });
  at += LEASE_MS + 1;
  dispatch.wake();
  await turns();
  if (stopped === 0) {
    expect(work.seen).toMatchObject({ begun: 1, stopped: 0 });
    work.finish();
    await turns();
  }
  expect(work.seen).toMatchObject({ begun: 2, stopped, atOnce: 1, most: 1 });
  work.finish();
  await turns();
  expect((await ledger.query.effects({ runId: 'r1' })).map((e) => e.state)).toEqual(['done']);
  await dispatch.stop();
});
