/** Cached figures of runs; rebuildable, so without a MAC (O4). */
import type { LedgerQueries, StoredFigures } from '#ports/ledger';
import type { FiguresTable } from '../sql/schema.ts';
import {
  toCompiledQuery,
  callStatement,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';

const defineStatements = (define: DefineStatement) => ({
  put: define((db, a: FiguresTable) => {
    const row = { seq: a.seq, version: a.version, upto: a.upto, created_at: a.created_at, body: a.body };
    return db
      .insertInto('run_figures')
      .values({ run_id: a.run_id, ...row })
      .onConflict((c) => c.column('run_id').doUpdateSet(row));
  }),
  since: define((db, a: { since: number; version: number }) =>
    db
      .selectFrom('run_figures')
      .select(['run_id', 'seq', 'created_at', 'body'])
      .where('version', '=', a.version)
      .where('created_at', '>=', a.since),
  ),
  upto: define((db, a: { version: number }) =>
    db
      .selectFrom('run_figures')
      .select((eb) => eb.fn.max('upto').as('upto'))
      .where('version', '=', a.version),
  ),
  moved: define((db, a: { after: number; limit: number; version: number }) =>
    db
      .selectFrom('events as e')
      .leftJoin('run_figures as f', (join) =>
        join.onRef('f.run_id', '=', 'e.run_id').on('f.version', '=', a.version),
      )
      .select(['e.event_id', 'e.run_id', 'e.seq', 'f.seq as kept'])
      .where('e.event_id', '>', a.after)
      .orderBy('e.event_id')
      .limit(a.limit),
  ),
});

export const createFigureScripts = (define: DefineStatement) => {
  const sql = defineStatements(define);
  return {
    *storeFigures(rows: readonly StoredFigures[], upto: number, version: number): SqlScript<void> {
      for (const { runId, seq, createdAt, body } of rows)
        yield callStatement(sql.put, { run_id: runId, seq, version, upto, created_at: createdAt, body });
    },
  };
};

export const createFigureQueries = (
  define: DefineStatement,
  read: RunQuery,
): Pick<LedgerQueries, 'figures' | 'figuresUpto' | 'moved'> => {
  const sql = defineStatements(define);
  return {
    figures: async (since, version) =>
      (await read(toCompiledQuery(sql.since, { since, version }))).map((row) => ({
        runId: row.run_id,
        seq: row.seq,
        createdAt: row.created_at,
        body: row.body,
      })),
    figuresUpto: async (version) =>
      Number((await read(toCompiledQuery(sql.upto, { version })))[0]?.upto ?? 0),
    moved: async (filter) =>
      (await read(toCompiledQuery(sql.moved, filter))).map((row) => ({
        event: row.event_id,
        runId: row.run_id,
        seq: row.seq,
        kept: row.kept,
      })),
  };
};
