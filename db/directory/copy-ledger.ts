/** Copies a ledger between SQLite and Postgres, row by row; neither may be in use (L7). */
import { hash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { assertLedgerExists, ledgerKeyFile, keysFolder, ledgerFile } from '../data-directory-paths.ts';
import { readTablePages, TABLE_NAMES, type LedgerRow, type TableName } from '../sql/table-pages.ts';
import { createPostgresStore } from '../sql/postgres-store.ts';
import { createSqliteStore } from '../sql/sqlite-store.ts';
import { createStatementDefiner, type SqlScript } from '../sql/statements.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import { createTableWriter } from '../sql/table-writer.ts';
import { DatabaseFailure, explainDatabaseError } from '../sql/database-failures.ts';
import { lockDirectory } from './directory-lock.ts';
import { makeDirectory } from './make-directory.ts';
import { openDatabaseFile } from './open-ledger.ts';
import { backUpBeforeUpgrade } from './prepare-upgrade.ts';

export type CopyEnd = { dir: string } | { database: string };
type CopyRequest = {
  from: CopyEnd;
  to: CopyEnd;
  /** Directory of the keys, when `from` is a Postgres. */
  dataDir: string;
  onPage?: (table: string, rows: number) => void;
};
type CopyResult = { rows: number; resumed: boolean };

const AT_ONCE = 500;

/** Resumes an interrupted copy; the installation comes last. Throws when the target holds other rows. */
export const copyLedger = async ({ from, to, dataDir, onPage }: CopyRequest): Promise<CopyResult> => {
  if ('dir' in from) assertLedgerExists(from.dir);
  const source = await openEnd(from, (dir) => backUpBeforeUpgrade(dir));
  try {
    if ((await source.read(source.builder.selectFrom('installation').select('id'))).length === 0)
      throw new DatabaseFailure({ kind: 'copy_source_empty' });
    const target = await openEnd(to, async () => undefined);
    try {
      if ((await target.read(target.builder.selectFrom('installation').select('id'))).length > 0)
        throw new DatabaseFailure({ kind: 'copy_target_taken' });
      const copied = await copyAll(source, target, onPage);
      if ('dir' in to) keepKeys('dir' in from ? from.dir : dataDir, to.dir);
      return copied;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

const copyAll = async (
  source: SqlStore,
  target: SqlStore,
  onPage: CopyRequest['onPage'],
): Promise<CopyResult> => {
  let rows = 0;
  let resumed = false;
  const last = TABLE_NAMES.at(-1);
  for (const table of TABLE_NAMES) {
    if (table === last) await assertSame(source, target);
    const skip = await countOf(target, table);
    resumed ||= skip > 0;
    let done = skip;
    for await (const page of readTablePages(source, table, { skip })) {
      const insert = createInserter(target, table, page);
      for (let i = 0; i < page.length; i += AT_ONCE)
        await target.transact(insert(page.slice(i, i + AT_ONCE)));
      onPage?.(table, (done += page.length));
    }
    rows += done;
  }
  return { rows, resumed };
};

const createInserter = (target: SqlStore, name: TableName, [first = {}]: readonly LedgerRow[]) => {
  const columns = Object.keys(first);
  const table = createTableWriter<LedgerRow>(createStatementDefiner(target.builder), {
    table: name,
    key: columns[0] ?? '',
    columns,
  });
  return function* (rows: readonly LedgerRow[]): SqlScript<void> {
    for (const row of rows) yield* table.insert(row);
  };
};

const countOf = async ({ builder, read }: SqlStore, table: TableName): Promise<number> => {
  const [found] = await read(builder.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n')));
  return found?.n ?? 0;
};

/** Ignores row order, as engines sort text differently. */
const digestOf = async (store: SqlStore, table: TableName): Promise<string> => {
  const all = Buffer.alloc(32);
  let rows = 0;
  for await (const page of readTablePages(store, table))
    for (const row of page) {
      rows += 1;
      const text = JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
      hash('sha256', text, 'buffer').forEach((byte, i) => (all[i] = (all[i] ?? 0) ^ byte));
    }
  return `${rows} ${all.toString('hex')}`;
};

const assertSame = async (source: SqlStore, target: SqlStore): Promise<void> => {
  for (const table of TABLE_NAMES.slice(0, -1)) {
    if ((await digestOf(source, table)) === (await digestOf(target, table))) continue;
    throw new DatabaseFailure({ kind: 'copy_rows_differ', table });
  }
};

const keepKeys = (from: string, to: string): void => {
  if (!existsSync(ledgerKeyFile(to)) && existsSync(ledgerKeyFile(from)))
    cpSync(keysFolder(from), keysFolder(to), { recursive: true, mode: 0 });
};

const openEnd = async (end: CopyEnd, keep: (dir: string) => Promise<unknown>): Promise<SqlStore> => {
  if ('database' in end) {
    const store = createPostgresStore(end.database);
    try {
      await store.migrate();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }
  makeDirectory(end.dir);
  const lock = lockDirectory(end.dir);
  try {
    const store = createSqliteStore(await openDatabaseFile(ledgerFile(end.dir), () => keep(end.dir)));
    return { ...store, close: () => store.close().finally(() => lock.release()) };
  } catch (error) {
    lock.release();
    throw explainDatabaseError(error);
  }
};
