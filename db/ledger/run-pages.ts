/** Pages of runs, filtered in the database, so that only the shown ones are parsed (O5). */
import { sql as raw } from 'kysely';
import type { LedgerQueries, RunFilter } from '#ports/ledger';
import { storedFold } from '../sql/stored-rows.ts';
import type { RunCache } from './run-cache.ts';
import type { RunQuery, SqlBuilder } from '../sql/statements.ts';

const escapeLike = (text: string): string => text.toLowerCase().replace(/[\\%_]/g, '\\$&');
/** As JSON writes it, without the quotation marks around it. */
const inJson = (text: string): string => escapeLike(JSON.stringify(text).slice(1, -1));

const RUN_COLUMNS = {
  order: raw<string>`lower(runs.order_json)`,
  repo: raw<string>`lower(run_states.repo)`,
  state: raw<string>`lower(run_states.current_state)`,
  campaign: raw<string>`lower(coalesce(runs.campaign, ''))`,
  id: raw<string>`lower(runs.run_id)`,
};
const likeCondition = (column: keyof typeof RUN_COLUMNS, pattern: string) =>
  raw<boolean>`${RUN_COLUMNS[column]} like ${pattern} escape '\\'`;

const CONDITIONS: Readonly<Record<keyof RunFilter, (text: string) => ReturnType<typeof likeCondition>>> = {
  repo: (text) => likeCondition('repo', `%${escapeLike(text)}%`),
  owner: (text) => likeCondition('repo', `${escapeLike(text)}/%`),
  state: (text) => likeCondition('state', `%${escapeLike(text)}%`),
  campaign: (text) => likeCondition('campaign', escapeLike(text)),
  engine: (text) => likeCondition('order', `%"engine":"${inJson(text)}%`),
  person: (text) => likeCondition('order', `%"requester":{"id":%"name":"%${inJson(text)}%"}%`),
  text: (text) =>
    raw<boolean>`(${likeCondition('order', `%${inJson(text)}%`)} or ${likeCondition('repo', `%${escapeLike(text)}%`)} or ${likeCondition('id', `${escapeLike(text)}%`)})`,
};

export const createRunPages =
  (db: SqlBuilder, read: RunQuery, runReader: RunCache): LedgerQueries['runPage'] =>
  async ({ live, limit, filter, after }) => {
    let rows = db
      .selectFrom('run_states')
      .innerJoin('runs', 'runs.run_id', 'run_states.run_id')
      .where('run_states.live', '=', live ? 1 : 0)
      .orderBy('run_states.updated_at', 'desc')
      .orderBy('run_states.run_id', 'desc')
      .limit(limit);
    for (const [part, condition] of Object.entries(CONDITIONS)) {
      const text = filter[part as keyof RunFilter];
      if (text !== undefined && text !== '') rows = rows.where(condition(text));
    }
    if (after)
      rows = rows.where((eb) =>
        eb.or([
          eb('run_states.updated_at', '<', after.at),
          eb.and([eb('run_states.updated_at', '=', after.at), eb('run_states.run_id', '<', after.id)]),
        ]),
      );
    return runReader(await read(rows.select(['run_states.run_id', 'run_states.version'])), () =>
      read(rows.select(['run_states.run_id', 'run_states.version', storedFold])),
    );
  };
