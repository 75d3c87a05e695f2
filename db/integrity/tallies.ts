/** L5: which tables bear marks, and what their rows come to, beside what was written. */
import type { Fault, Seen } from '../../orchestrator/ports.ts';
import type { StoredRow } from '../audit/compare.ts';
import { MARKED, STATE_COLUMNS } from './marked.ts';
import { sameMark, type Mark, type Seal } from './seal.ts';

export type Watched = {
  table: string;
  key: string;
  markOf: (row: StoredRow) => Mark;
  /** The column of the mark. */
  column: string;
};

/** What the rows of a table come to that were seen so far. */
type Tally = { count: number; sum: bigint; most: number };

export const watchedBy = (seal: Seal): Record<string, Watched> =>
  Object.fromEntries(
    [
      { table: 'run_states', key: 'run_id', column: 'head_mac', columns: STATE_COLUMNS },
      ...MARKED.map(({ table, key, columns }) => ({ table, key, column: 'mark', columns })),
    ].map(({ columns, ...of }) => [of.table, { ...of, markOf: (row) => seal(of.table, columns, row) }]),
  );

/** Looks at marks, and adds up what it has seen. */
export const createTallies = (watched: Record<string, Watched>) => {
  const tallies = new Map(
    Object.keys(watched).map((table): [string, Tally] => [table, { count: 0, sum: 0n, most: 0 }]),
  );
  const see = (of: Watched, row: StoredRow): Fault | null => {
    const { mark, share } = of.markOf(row);
    const tally = tallies.get(of.table);
    const number = Number(row[of.key]);
    if (tally) {
      tally.count += 1;
      tally.sum += share;
      if (number > tally.most) tally.most = number;
    }
    if (sameMark(mark, row[of.column])) return null;
    const runId = typeof row['run_id'] === 'string' ? row['run_id'] : null;
    return {
      table: of.table,
      row: String(row[of.key]),
      runId,
      says: 'was changed or put in by somebody else',
      forged: true,
    };
  };
  const add = (others: readonly Seen[]): void => {
    for (const [table, { count, sum, most }] of others.flatMap((seen) => [...seen])) {
      const tally = tallies.get(table);
      if (!tally) continue;
      tally.count += count;
      tally.sum += sum;
      tally.most = Math.max(tally.most, most);
    }
  };
  return { tallies, see, add };
};
