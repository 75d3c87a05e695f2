/** Counts effects by kind and state (O4). */
import { sql as raw } from 'kysely';
import type { QueueDepth } from '#ports/ledger';
import type { SqlBuilder, RunQuery } from '../sql/statements.ts';

export const readQueueDepths = async (read: RunQuery, db: SqlBuilder, now: number): Promise<QueueDepth[]> => {
  // Literals, so that partial indexes apply.
  const selectCounts = (state: 'pending' | 'claimed') =>
    db
      .selectFrom('effects')
      .select(['kind', (eb) => eb.fn.countAll<number | string>().as('n')])
      .where('state', '=', raw.lit(state))
      .groupBy('kind')
      .orderBy('kind');
  const [due, later, atWork] = await Promise.all([
    read(selectCounts('pending').where('due_at', '<=', now)),
    read(selectCounts('pending').where('due_at', '>', now)),
    read(selectCounts('claimed')),
  ]);
  const toDepths = (state: QueueDepth['state'], rows: typeof due): QueueDepth[] =>
    rows.map(({ kind, n }) => ({ kind, state, n: Number(n) }));
  return [...toDepths('due', due), ...toDepths('later', later), ...toDepths('at_work', atWork)];
};
