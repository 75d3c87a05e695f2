/** Exports the ledger as JSON lines, byte for byte, and imports them into memory for an audit. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import Database from 'better-sqlite3';
import { sql as raw } from 'kysely';
import { Kysely, SqliteDialect } from 'kysely';
import type { LedgerQueries } from '#ports/ledger';
import { DatabaseFailure } from '../sql/database-failures.ts';
import { migrateSchema } from '../sql/migrate-schema.ts';
import { createQueries } from '../ledger/ledger-queries.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { createSqliteStore } from '../sql/sqlite-store.ts';
import { readTablePages, type RowReader, type LedgerRow } from '../sql/table-pages.ts';

export type ExportLine = { table: string; row: LedgerRow };

/** Parents before children; unhandled inputs are not exported. */
const TABLES = [
  'runs', 'run_states', 'run_records', 'events', 'effects', 'approvals', 'approval_signatures', 'step_attempts', 'turns', 'artifacts',
  'installation', 'installation_events', 'campaigns', 'state_counts',
] as const; // oxfmt-ignore
const OF_NO_RUN: ReadonlySet<string> = new Set([
  ...['installation', 'installation_events', 'campaigns', 'state_counts'],
]);

export async function* exportRows(store: RowReader, only?: string): AsyncGenerator<ExportLine> {
  for (const table of TABLES) {
    if (only !== undefined && OF_NO_RUN.has(table)) continue;
    const own =
      only === undefined
        ? raw`1 = 1`
        : table === 'approval_signatures'
          ? raw`approval_id in (select id from approvals where run_id = ${only})`
          : raw`run_id = ${only}`;
    for await (const rows of readTablePages(store, table, { where: own }))
      for (const row of rows) yield { table, row };
  }
}

/** A wrong MAC is expected without the key; then only chains can be judged. */
export const importRows = async (
  lines: AsyncIterable<ExportLine> | Iterable<ExportLine>,
  key: KeyObject | null,
): Promise<{ query: LedgerQueries; close(): Promise<void> }> => {
  const db = new Database(':memory:');
  await migrateSchema(new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) }), 'sqlite');
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  db.exec('begin');
  for await (const { table, row } of lines) {
    if (!(TABLES as readonly string[]).includes(table))
      throw new DatabaseFailure({ kind: 'export_table_unknown', table });
    const names = Object.keys(row);
    if (!names.every((name) => /^[a-z_]{1,40}$/.test(name)))
      throw new DatabaseFailure({ kind: 'export_row_unreadable', table });
    db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(
      Object.values(row),
    );
  }
  db.exec('commit');
  const store = createSqliteStore(db);
  const seal = createRowMac(key ?? createSecretKey(new Uint8Array(32)));
  return { query: createQueries(store.builder, store.read, seal), close: () => store.close() };
};
