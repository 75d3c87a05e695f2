/** Opens a Postgres ledger; key, anchor and process lock stay in the data directory (L7). */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { anchorFile, ledgerKeyFile, ledgerFile } from '../data-directory-paths.ts';
import type { LedgerSurroundings } from '../ledger/ledger.ts';
import { sql as raw } from 'kysely';
import { openInstallationLog } from '../ledger/installation-log.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import type { DatabaseFault } from '#model/failure';
import { DatabaseFailure } from '../sql/database-failures.ts';
import { isPooled } from '../sql/postgres-pooler.ts';
import { createPostgresReader, createPostgresStore, type PostgresStore } from '../sql/postgres-store.ts';
import { allMigrations } from '../sql/migrations/all-migrations.ts';
import { createStatementDefiner } from '../sql/statements.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import { openLedgerAnchor, markLedgerOlder } from './open-anchor.ts';
import { loadOrCreateKey } from './ledger-key.ts';
import { retryWhileUnavailable, type ConnectionListeners } from './retry-connection.ts';

export type PostgresPlace = ConnectionListeners & {
  dataDir: string;
  database: string;
  key?: KeyObject | undefined;
};

export const openPostgresWhenThere = async ({
  dataDir,
  database,
  key: given,
  onWaiting,
  onTaken,
}: PostgresPlace): Promise<{ store: SqlStore; key: KeyObject; beside: LedgerSurroundings }> => {
  const store = createPostgresStore(database, { onTaken, onOlder: createOlderMarker(dataDir, given) });
  try {
    return { store, ...(await readyStore(store, { dataDir, key: given, onWaiting })) };
  } catch (error) {
    await store.close();
    throw error;
  }
};

/** Marks the anchor, so that the next start reports the rollback. */
export const createOlderMarker = (dataDir: string, given?: KeyObject) => (): void =>
  markLedgerOlder(
    openLedgerAnchor(dataDir, given ?? loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false })),
  );

export const readyStore = async (
  store: PostgresStore,
  { dataDir, key: given, onWaiting }: Pick<PostgresPlace, 'dataDir' | 'key' | 'onWaiting'>,
): Promise<{ key: KeyObject; beside: LedgerSurroundings }> => {
  const { made, encoding } = await whenThere(store, onWaiting);
  if (encoding !== 'UTF8') throw new DatabaseFailure({ kind: 'not_utf8' });
  const key = given ?? loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: !made });
  const anchor = openLedgerAnchor(dataDir, key);
  if (!made && anchor.reached() !== null) throw new DatabaseFailure(missingLedgerFault(dataDir));
  await store.migrate();
  mkdirSync(dirname(ledgerKeyFile(dataDir)), { recursive: true, mode: 0o700 });
  await store.transact(openInstallationLog(createStatementDefiner(store.builder), createRowMac(key)));
  // Postgres runs on a host that looks after its own disk.
  const reserve = { free: () => {}, low: () => false, refill: () => {} };
  return { key, beside: { anchor, reserve, size: () => store.size() } };
};

const missingLedgerFault = (dataDir: string): DatabaseFault =>
  existsSync(ledgerFile(dataDir))
    ? { kind: 'ledger_in_file', file: ledgerFile(dataDir), directory: dataDir }
    : { kind: 'postgres_ledger_lost', anchor: anchorFile(dataDir) };

export const whenThere = (
  store: Pick<PostgresStore, 'inspect'>,
  onWaiting: ConnectionListeners['onWaiting'],
): Promise<{ made: boolean; encoding: string }> => retryWhileUnavailable(() => store.inspect(), onWaiting);

export const inspectPostgres = async (
  dataDir: string,
  database: string,
): Promise<{ wrong: Error } | { version: string; isMade: boolean }> => {
  const { builder, read, close } = createPostgresReader(database, { snapshot: false });
  const queryRows = async <R>(sql: string): Promise<R[]> =>
    read<R>({ compile: () => raw<R>`${raw.raw(sql)}`.compile(builder) });
  try {
    const [found] = await queryRows<{ version: string; encoding: string; readonly: string; made: boolean }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        case when pg_is_in_recovery() then 'on' else current_setting('default_transaction_read_only') end as readonly,
        to_regclass('kysely_migration') is not null as made`,
    );
    if (!found) return { wrong: new DatabaseFailure({ kind: 'no_answer' }) };
    if (found.encoding !== 'UTF8') return { wrong: new DatabaseFailure({ kind: 'not_utf8' }) };
    if (found.readonly === 'on') return { wrong: new DatabaseFailure({ kind: 'read_only' }) };
    if (await isPooled(database)) return { wrong: new DatabaseFailure({ kind: 'pooled' }) };
    if (!found.made) return { version: found.version, isMade: false };
    const executed = await queryRows<{ name: string }>('select name from kysely_migration');
    const newer = executed.find(({ name }) => !(name in allMigrations('postgres')));
    if (newer) return { wrong: new DatabaseFailure({ kind: 'newer_found', migration: newer.name }) };
    loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false });
    return { version: found.version, isMade: true };
  } catch (error) {
    return { wrong: error instanceof Error ? error : new Error(String(error)) };
  } finally {
    await close();
  }
};
