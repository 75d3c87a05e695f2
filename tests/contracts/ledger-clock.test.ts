/** A clock that is put back keeps nobody waiting for what it was put back by. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInMemory, wake, write, type Opened } from '../support/ledger.ts';

const HOUR = 3_600_000;
const NOON = 12 * HOUR;
let opened: Opened;
beforeEach(async () => {
  opened = await openInMemory();
  await opened.ledger.recover(NOON);
  await write(opened.ledger, 'r1', { now: NOON, effects: [wake(NOON + 1_000)] });
});
afterEach(() => opened.close());
const due = (ledger = opened.ledger): Promise<number | null> => ledger.nextDue();
const look = (now: number): Promise<unknown[]> => opened.ledger.claim({ now, leaseMs: 100, limit: 9 });

it('S6: what waits is due as much earlier, when it was put back while we run', async () => {
  expect(await look(NOON - HOUR)).toEqual([]);
  expect(await due()).toBe(NOON - HOUR + 1_000);
  expect(await look(NOON - HOUR + 1_000)).toHaveLength(1);
});

it('S6: and when it was put back while we were away', async () => {
  const after = await opened.restart();
  await after.recover(NOON - HOUR);
  expect(await due(after)).toBe(NOON - HOUR + 1_000);
});

it('S6: nothing is due earlier for a clock that only corrects itself', async () => {
  await look(NOON - 30_000);
  expect(await due()).toBe(NOON + 1_000);
});
