/** A clock that is put back keeps nobody waiting for what it was put back by. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '#ports/ledger';
import { wake, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const HOUR = 3_600_000;
const NOON = 12 * HOUR;

export const clockContract = (open: Open): void => {
  describe('a clock that is put back', () => {
    const { ledger, restart } = useLedger(open);
    beforeEach(async () => {
      await ledger().recover(NOON);
      await write(ledger(), 'r1', { now: NOON, effects: [wake(NOON + 1_000)] });
    });
    const due = (one: Ledger = ledger()): Promise<number | null> => one.nextDue();
    const look = (now: number): Promise<unknown[]> => ledger().claim({ now, leaseMs: 100, limit: 9 });

    it('S6: makes what waits due as much earlier, when we run meanwhile', async () => {
      expect(await look(NOON - HOUR)).toEqual([]);
      expect(await due()).toBe(NOON - HOUR + 1_000);
      expect(await look(NOON - HOUR + 1_000)).toHaveLength(1);
    });

    it('S6: and when it was put back while we were away', async () => {
      const after = await restart();
      await after.recover(NOON - HOUR);
      expect(await due(after)).toBe(NOON - HOUR + 1_000);
    });

    it('S6: makes nothing due earlier when it only corrects itself', async () => {
      await look(NOON - 30_000);
      expect(await due()).toBe(NOON + 1_000);
    });
  });
};
