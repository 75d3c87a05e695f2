/** Retention in small steps, so that chats do not wait (L8). */
import { sql as raw } from 'kysely';
import { runStatements } from './step-statements.ts';
import type { LedgerTables } from './row-tables.ts';
import { selectAll, callStatement, type DefineStatement, type SqlScript } from '../sql/statements.ts';
import { DAY, GB } from '#model/values';

/** Retention of keys (ms); hosts repeat deliveries for at most three days. */
const INBOX_RETENTION_MS = 7 * DAY;
const CONTENT_RETENTION_MS = 30 * DAY;
/** Database size above which the retention is one day (bytes). */
export const MAX_ROOMY_LEDGER_BYTES = 2 * GB;
const MAX_REMOVED_ROWS = 200;
const MAX_REMOVED_RUNS = 10;

const defineStatements = (define: DefineStatement) => ({
  handled: define((db, a: { before: number }) =>
    db
      .selectFrom('inbox')
      .select(['id', 'state'])
      .where('handled_at', 'is not', raw.lit(null))
      .where('handled_at', '<', a.before)
      .orderBy('handled_at')
      .limit(raw.lit(MAX_REMOVED_ROWS)),
  ),
  drop: define((db, a: { id: number }) => db.deleteFrom('inbox').where('id', '=', a.id)),
  ended: define((db, a: { after: number; before: number }) =>
    db
      .selectFrom('run_states')
      .select(['run_id', 'updated_at'])
      .where('live', '=', raw.lit(0))
      .where('updated_at', '>', a.after)
      .where('updated_at', '<', a.before)
      .orderBy('updated_at')
      .limit(raw.lit(MAX_REMOVED_RUNS)),
  ),
  attempts: define((db, a: { run_id: string }) =>
    db
      .selectFrom('step_attempts')
      .selectAll()
      .where('run_id', '=', a.run_id)
      .where((eb) =>
        eb.or([eb('stdout_log', 'is not', raw.lit(null)), eb('stderr_log', 'is not', raw.lit(null))]),
      ),
  ),
  turns: define((db, a: { run_id: string }) =>
    db
      .updateTable('turns')
      .set({ texts_json: raw.lit('') })
      .where('run_id', '=', a.run_id)
      .where('texts_json', '!=', raw.lit('')),
  ),
  artifacts: define((db, a: { run_id: string }) =>
    db.selectFrom('artifacts').selectAll().where('run_id', '=', a.run_id).where('content', '!=', raw.lit('')),
  ),
});

export const createRetention = (define: DefineStatement, { attempts, artifacts }: LedgerTables) => {
  const sql = { ...defineStatements(define), count: runStatements(define).count };
  let seen = -1;

  function* removeInbox(before: number): SqlScript<boolean> {
    const rows = yield* selectAll(sql.handled, { before });
    for (const { id, state } of rows) {
      yield callStatement(sql.drop, { id });
      yield callStatement(sql.count, { scope: 'inbox', state, by: -1 });
    }
    return rows.length === MAX_REMOVED_ROWS;
  }

  /** The rows stay, with the hash of their content. */
  function* clearContents(before: number): SqlScript<boolean> {
    const runs = yield* selectAll(sql.ended, { after: seen, before });
    for (const { run_id, updated_at } of runs) {
      for (const row of yield* selectAll(sql.attempts, { run_id }))
        yield* attempts.change(row, { stdout_log: null, stderr_log: null });
      for (const row of yield* selectAll(sql.artifacts, { run_id }))
        yield* artifacts.change(row, { content: '' });
      yield callStatement(sql.turns, { run_id });
      seen = updated_at;
    }
    return runs.length === MAX_REMOVED_RUNS;
  }

  return {
    *removeSome(now: number, size: number): SqlScript<boolean> {
      const more = yield* removeInbox(now - INBOX_RETENTION_MS);
      return (
        (yield* clearContents(now - (size > MAX_ROOMY_LEDGER_BYTES ? DAY : CONTENT_RETENTION_MS))) || more
      );
    },
  };
};
