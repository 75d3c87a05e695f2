/** F5: what everything goes through that writes on a code host, and what lies behind it. */
import { expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { createEffectRunner } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { createWriteScheduler } from '../../orchestrator/limits/write-limiter.ts';
import { type WriteScheduler, OutsideFailure, TurnAwaited } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { openInMemory, openOnDisk, write } from '../support/ledger.ts';
import { createClock, settle, type TestClock } from '../support/timers.ts';

const ME = 'token';
const at = (
  ledger: Ledger,
  clock: TestClock,
  identity = async (_claim: ClaimedEffect) => ME,
): WriteScheduler => createWriteScheduler({ books: ledger.writers, clock, timers: clock, identity });
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** What becomes of a promise, by the time that is asked. */
const watch = <T>(promise: Promise<T>) => {
  const seen: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => void (seen.value = value),
    (error: unknown) => void (seen.error = error),
  );
  return seen;
};
const waits = async (ms: number, clock: TestClock): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await settle();
  await clock.pass(ms);
  for (let i = 0; i < 20; i += 1) await settle();
};

it('F5: sends one request after the other, a second apart, and those that are not soon come back later', async () => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const { limiter } = at(ledger, clock);
  const [start, sent]: [number, number[]] = [clock.now(), []];
  const all = Array.from({ length: 9 }, () =>
    watch(limiter.write(ME, async () => sent.push(clock.now() - start))),
  );
  for (let i = 0; i < 12; i += 1) await waits(SECOND, clock);
  expect(sent.length).toBeGreaterThanOrEqual(6);
  sent.slice(1).forEach((ms, i) => expect(ms - (sent[i] ?? 0)).toBeGreaterThanOrEqual(SECOND));
  for (const { value, error } of all) if (value === undefined) expect(error).toBeInstanceOf(TurnAwaited);
  await close();
});

it('F5: after a refusal nobody of the identity writes, neither in this process nor after it was killed', async () => {
  const opened = await openOnDisk();
  const clock = createClock();
  const first = at(opened.ledger, clock);
  let sent = 0;
  const refused = watch(
    first.limiter.write(ME, async () => {
      sent += 1;
      await first.limiter.refused(ME, clock.now() + HOUR);
      throw new Error('refused');
    }),
  );
  const others = Array.from({ length: 12 }, () => watch(first.limiter.write(ME, async () => (sent += 1))));
  await waits(30 * SECOND, clock);
  expect([sent, String(refused.error)]).toEqual([1, 'Error: refused']);
  for (const { error } of others) expect(error).toMatchObject({ at: clock.now() - 30 * SECOND + HOUR });

  const again = at(await opened.restart(), clock);
  const late = watch(again.limiter.write(ME, async () => (sent += 1)));
  await waits(59 * MINUTE, clock);
  expect([sent, late.error]).toEqual([1, expect.any(TurnAwaited)]);
  const other = watch(again.limiter.write('somebody else', async () => 'goes'));
  await waits(30 * SECOND, clock);
  expect(other.value).toBe('goes');
  const last = watch(again.limiter.write(ME, async () => (sent += 1)));
  await waits(SECOND, clock);
  expect(last.value).toBe(2);
  await opened.close();
});

it('F5: counts what a killed process had let go, whether or not it arrived', async () => {
  const opened = await openOnDisk();
  const clock = createClock();
  void watch(at(opened.ledger, clock).limiter.write(ME, () => new Promise<never>(() => {})));
  await waits(0, clock);
  const { sentAt: sent } = await (await opened.restart()).writers.of(ME);
  expect(sent).toEqual([clock.now()]);
  await opened.close();
});

const PUSH = { kind: 'push', commitSha: 'c', expectedHead: null, approvalId: null } as const;
const ofPush = (n: number): ClaimedEffect => ({
  n,
  id: `r:${n}:0`,
  runId: 'r',
  epoch: 0,
  leaseEpoch: 1,
  tries: 1,
  do: PUSH,
});

it('F5: whoever comes back says how long the line is, and reads nothing before its turn', async () => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const writers = at(ledger, clock);
  await writers.limiter.refused(ME, clock.now() + 2 * MINUTE);
  const until = clock.now() + 2 * MINUTE;
  expect(await writers.comesBack(ofPush(1))).toEqual({
    at: until - 5 * SECOND,
    turn: { action: 'push', why: 'retry_after', readyAt: until, position: 1 },
  });
  expect(await writers.comesBack(ofPush(2))).toMatchObject({
    at: until - 4 * SECOND,
    turn: { readyAt: until + SECOND, position: 2 },
  });
  expect(await writers.comesBack({ ...ofPush(3), do: { kind: 'remove_workspace' } })).toBeNull();
  await clock.pass(2 * MINUTE);
  expect(await writers.comesBack(ofPush(1))).toBeNull();
  await close();
});

it('F5: one identity that has to wait keeps no other waiting, and who cannot be told is not held back', async () => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const writers = at(ledger, clock, async ({ runId }) => {
    if (runId === 'unknown') throw new OutsideFailure('forge_unavailable', 'down');
    return runId === 'r' ? 'installation:1' : 'account';
  });
  await writers.limiter.refused('installation:1', clock.now() + HOUR);
  expect(await writers.comesBack(ofPush(1))).toMatchObject({ turn: { why: 'retry_after' } });
  expect(await writers.comesBack({ ...ofPush(2), runId: 'elsewhere' })).toBeNull();
  expect(await writers.comesBack({ ...ofPush(3), runId: 'unknown' })).toBeNull();
  expect(await writers.limiter.write('account', async () => 'goes')).toBe('goes');
  await close();
});

it('F5: an effect that waits for its turn uses up no try, and its handler is not called', async () => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const writers = at(ledger, clock);
  let called = 0;
  const told: number[] = [];
  const handlers = new Proxy({} as never, {
    get: () => async () => {
      called += 1;
      return writers.limiter.write(ME, () => Promise.reject(new OutsideFailure('rate_limited', 'wait')));
    },
  });
  const perform = createEffectRunner({
    ledger,
    clock,
    handlers,
    writers,
    log: quiet,
    report: async () => undefined,
    submit: async ({ input }) => {
      if (input.type === 'worker.slot.awaited') told.push(input.readyAt);
      return { kind: 'ignored', reason: 'nothing to do in this state' };
    },
  });
  await write(ledger, 'r', { effects: [{ do: PUSH, dueAt: 0 }] });
  const ends = clock.now() + HOUR;
  await writers.limiter.refused(ME, ends);
  for (let i = 0; i < 20; i += 1) {
    const [claim] = await ledger.claim({ now: clock.now(), leaseMs: MINUTE, limit: 1 });
    if (claim) {
      expect(claim.tries).toBe(1);
      await perform(claim, new AbortController().signal);
    }
    await clock.pass(3 * MINUTE - 1);
  }
  expect(called).toBe(0);
  // The machine hears until when, and of no failure.
  expect(new Set(told)).toEqual(new Set([ends]));
  const [row] = await ledger.query.effects({ runId: 'r', kind: 'push' });
  expect(row).toMatchObject({ state: 'pending', tries: 0 });
  await close();
});

it('G1: what lost its lease while it waited for its turn sends nothing', async () => {
  const { ledger, close } = await openInMemory();
  const clock = createClock();
  const writers = at(ledger, clock);
  let sent = 0;
  await writers.limiter.write(ME, async () => undefined);
  const mine = { claim: ofPush(1), live: async () => false, signal: new AbortController().signal };
  const lost = watch(writers.within(mine, () => writers.limiter.write(ME, async () => (sent += 1))));
  await waits(2 * SECOND, clock);
  expect([sent, lost.error]).toEqual([0, expect.any(TurnAwaited)]);
  await close();
});
