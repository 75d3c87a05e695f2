/** What was spent, in the memory ledger. */
import { startOfDay, type SpendingTotal } from '#model/spending';
import type { SpendingBook, SpendingEntry } from '#ports/ledger';
import { transact, type MemoryStore, type Tx } from './store.ts';

export type SpendingRow = Omit<SpendingEntry, 'at'> & { day: number };
const keyOf = ({ attempt, day }: Pick<SpendingRow, 'attempt' | 'day'>): string => `${attempt}:${day}`;
const NOTHING = { costUsd: 0, tokens: 0 };

export const totalsOf = (store: MemoryStore, since: number, campaign: string | null): SpendingTotal[] =>
  [...store.spending.values()]
    .filter((row) => row.day >= since || (campaign !== null && row.campaign === campaign))
    .map(({ attempt: _, runId: __, ...row }) => row);

const countPending = (tx: Tx, store: MemoryStore, isOver: (row: SpendingRow) => boolean): void => {
  for (const row of store.spending.values())
    if (row.pending.tokens > 0 && isOver(row))
      tx.put(store.spending, keyOf(row), {
        ...row,
        used: {
          costUsd: row.used.costUsd + row.pending.costUsd,
          tokens: row.used.tokens + row.pending.tokens,
        },
        pending: NOTHING,
      });
};

export const countDeadSpending = (tx: Tx, store: MemoryStore, boot: string): void =>
  countPending(tx, store, ({ attempt }) => store.attempts.get(attempt)?.boot !== boot);

export const createMemorySpending = (store: MemoryStore, boot: string): SpendingBook => ({
  charge: async ({ at, ...entry }, asks) =>
    transact(store, (tx) => {
      const row: SpendingRow = { ...entry, day: startOfDay(at) };
      const isElsewhere = ({ attempt }: SpendingRow): boolean => store.attempts.get(attempt)?.boot !== boot;
      countPending(
        tx,
        store,
        (one) => one.attempt !== entry.attempt && (one.runId === entry.runId || isElsewhere(one)),
      );
      const answer = asks ? asks.admits(totalsOf(store, asks.since, entry.campaign)) : 'go';
      if (answer !== 'go') return answer;
      const earlier = [...store.spending.values()].filter(
        (one) => one.attempt === row.attempt && one.day !== row.day,
      );
      const sum = (unit: 'costUsd' | 'tokens'): number =>
        Math.max(0, entry.used[unit] - earlier.reduce((all, one) => all + one.used[unit], 0));
      const used = { costUsd: sum('costUsd'), tokens: sum('tokens') };
      const pending = { costUsd: 0, tokens: 0 };
      for (const one of earlier) tx.put(store.spending, keyOf(one), { ...one, pending });
      tx.put(store.spending, keyOf(row), { ...row, used });
      return answer;
    }),
});
