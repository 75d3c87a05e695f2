/** O4: how much there is to do, by kind of effect. */
import { sql as raw } from 'kysely';
import type { Depth } from '../../orchestrator/ports.ts';
import type { Builder, RunQuery } from '../sql/statements.ts';

export const depthsOf = async (read: RunQuery, db: Builder, now: number): Promise<Depth[]> => {
  // Literals, so that the indexes over one state serve them.
  const among = (state: 'pending' | 'claimed') =>
    db
      .selectFrom('effects')
      .select(['kind', (eb) => eb.fn.countAll<number | string>().as('n')])
      .where('state', '=', raw.lit(state))
      .groupBy('kind')
      .orderBy('kind');
  const [due, later, atWork] = await Promise.all([
    read(among('pending').where('due_at', '<=', now)),
    read(among('pending').where('due_at', '>', now)),
    read(among('claimed')),
  ]);
  const as = (state: Depth['state'], rows: typeof due): Depth[] =>
    rows.map(({ kind, n }) => ({ kind, state, n: Number(n) }));
  return [...as('due', due), ...as('later', later), ...as('at_work', atWork)];
};
