/** What was spent, in the memory ledger. */
import type { SpendingTotal } from '#model/spending';
import type { SpendingBook, SpendingEntry } from '#ports/ledger';
import { transact, type MemoryStore, type Tx } from './store.ts';

const keyOf = ({ attempt, day }: Pick<SpendingEntry, 'attempt' | 'day'>): string => `${attempt}:${day}`;
const NOTHING = { costUsd: 0, tokens: 0 };

export const totalsOf = (store: MemoryStore, since: number, campaign: string | null): SpendingTotal[] =>
  [...store.spending.values()]
    .filter((row) => row.day >= since || (campaign !== null && row.campaign === campaign))
    .map(({ attempt: _, runId: __, ...row }) => row);

const countPending = (tx: Tx, store: MemoryStore, isOver: (row: SpendingEntry) => boolean): void => {
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

export const countRunSpending = (tx: Tx, store: MemoryStore, runId: string | null): void =>
  countPending(tx, store, (row) => row.runId === runId);

export const createMemorySpending = (store: MemoryStore): SpendingBook => ({
  charge: async (entry, asks) =>
    transact(store, (tx) => {
      countPending(tx, store, (row) => row.runId === entry.runId && row.attempt !== entry.attempt);
      const answer = asks ? asks.admits(totalsOf(store, asks.since, entry.campaign)) : 'go';
      if (answer !== 'go') return answer;
      const earlier = [...store.spending.values()].filter(
        (row) => row.attempt === entry.attempt && row.day !== entry.day,
      );
      const sum = (unit: 'costUsd' | 'tokens'): number =>
        Math.max(0, entry.used[unit] - earlier.reduce((all, row) => all + row.used[unit], 0));
      const used = { costUsd: sum('costUsd'), tokens: sum('tokens') };
      const pending = { costUsd: 0, tokens: 0 };
      for (const row of earlier) tx.put(store.spending, keyOf(row), { ...row, pending });
      tx.put(store.spending, keyOf(entry), { ...entry, used });
      return answer;
    }),
});
