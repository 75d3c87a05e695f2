/** P7: several workers over one ledger of spending: the slow, the dead, and what they had reserved. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../db/directory/open-ledger.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { createSpendingGuard } from '#limits';
import { SpendingBudgets } from '#model/spending';
import { MINUTE, SECOND } from '#model/values';
import type { Ledger } from '#ports/ledger';
import { telegramLimits as limits } from '../../bot/telegram-limits.ts';
import { at } from '../support/core.ts';
import { enter, write } from '../support/ledger.ts';
import { asks, attemptOf, soon, usd } from './ledger-spending.ts';

const BEGIN = Date.UTC(2026, 10, 29, 12);
const [MOST, COSTS] = [1.5, 0.4];

let now: number;
let close: () => Promise<void>;
let workerAt: (place: string, start?: string) => Promise<Ledger>;
beforeEach(async () => {
  now = BEGIN;
  const { store, key } = await openStore({ dataDir: ':memory:' });
  close = () => store.close();
  workerAt = async (id, start = '1') => {
    const others = { place: { role: 'worker', id } as const, outgoing: { errands: [], news: null } };
    const boot = `worker:${id}:${start}`;
    const ledger = createLedger({ store, key, boot, now: () => now, limits, others });
    await ledger.recover(now);
    return ledger;
  };
});
afterEach(() => close());

const runNamed = (id: string) => ({ ...at('IMPLEMENTING').run, id });
const opens = async (ledger: Ledger, runId: string) => {
  const guard = createSpendingGuard({
    ledger,
    clock: { now: () => now },
    timers: soon,
    budgets: async () => SpendingBudgets.parse({ month: MOST }),
  });
  return guard.open(runNamed(runId), await ledger.attempt.start(attemptOf(runId, now)));
};
const amounts = async (ledger: Ledger) => {
  const rows = await ledger.query.spent({ since: 0 });
  const sum = (of: 'used' | 'pending') => rows.reduce((all, row) => all + row[of].costUsd, 0);
  return { used: sum('used'), pending: sum('pending') };
};
const calls = async (ledger: Ledger) =>
  (await ledger.inbox(100)).filter(({ key }) => key.includes(':used_up:')).length;
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Two runs; the first worker has a request under way for the whole budget, and its lease ends. */
const takenOver = async () => {
  const first = await workerAt('one');
  const second = await workerAt('two');
  const round = at('IMPLEMENTING').run.agent.round;
  await write(first, 'r1', { effects: [{ do: { kind: 'implement', round }, dueAt: 0 }] });
  await write(first, 'r2');
  const claim = { leaseMs: 30 * SECOND, limit: 1, kinds: ['implement'] } as const;
  expect(await first.claim({ ...claim, now })).toMatchObject([{ runId: 'r1' }]);
  const slow = await opens(first, 'r1');
  expect(await slow.reserve(asks(MOST, 0))).toBeNull();
  now += 40 * SECOND;
  expect(await second.claim({ ...claim, now })).toMatchObject([{ runId: 'r1' }]);
  const next = await opens(second, 'r1');
  return { first, second, slow, waits: next.reserve(asks(MOST, 0)) };
};

it('P7: a slow worker that another takes over from may still settle: nobody is told that a budget is used up', async () => {
  const { second, slow, waits } = await takenOver();
  await turns();
  expect(await amounts(second)).toEqual({ used: 0, pending: MOST });
  await slow.settled(usd(COSTS), usd(COSTS));
  expect(await waits).toBeNull();
  expect(await amounts(second)).toEqual({ used: COSTS, pending: MOST });
  expect(await calls(second)).toBe(0);
});

it('P7: what a worker had reserved counts once it gives no sign of life, and is told', async () => {
  const { second, waits } = await takenOver();
  await turns();
  now += MINUTE;
  await turns();
  expect(await amounts(second)).toEqual({ used: 0, pending: MOST });
  now += MINUTE;
  expect(await waits).toMatchObject({ says: expect.any(String) as string });
  expect(await amounts(second)).toEqual({ used: MOST, pending: 0 });
  expect(await calls(second)).toBe(1);
});

it('P7: what a worker left behind counts although it lives, a while after another began', async () => {
  const { first, second, waits } = await takenOver();
  for (let minutes = 0; minutes < 2; minutes += 1) {
    expect((await amounts(second)).used).toBe(0);
    now += MINUTE;
    await first.claim({ now, leaseMs: MINUTE, limit: 1, kinds: ['push'] });
    await turns();
  }
  expect(await waits).toMatchObject({ says: expect.any(String) as string });
  expect((await amounts(second)).used).toBe(MOST);
});

it('P7: what a cancelled run had reserved counts a while later, although its worker lives and could not settle it', async () => {
  const first = await workerAt('one');
  const second = await workerAt('two');
  const round = at('IMPLEMENTING').run.agent.round;
  await write(first, 'r1', { effects: [{ do: { kind: 'implement', round }, dueAt: 0 }] });
  await write(first, 'r2');
  const claim = { leaseMs: 30 * SECOND, limit: 1, kinds: ['implement'] } as const;
  await first.claim({ ...claim, now });
  expect(await (await opens(first, 'r1')).reserve(asks(MOST, 0))).toBeNull();
  await enter(second, 'r1', 'FAILED_TERMINAL', { now });
  const waits = (await opens(second, 'r2')).reserve(asks(MOST, 0));
  for (const _ of [1, 2, 3]) {
    expect((await amounts(second)).pending).toBe(MOST);
    now += MINUTE;
    await first.claim({ ...claim, now });
    await turns();
  }
  expect(await waits).toMatchObject({ says: expect.any(String) as string });
  expect(await amounts(second)).toEqual({ used: MOST, pending: 0 });
});

it('P7: a worker that starts again in its place counts at once what it had reserved there', async () => {
  const { waits } = await takenOver();
  const again = await workerAt('one', '2');
  expect(await amounts(again)).toEqual({ used: MOST, pending: 0 });
  await waits;
});
