/** Opens the ledger of a data directory, or a private one in memory (`:memory:`). */
import { createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Ledger } from '#ports/ledger';
import type { ChatLimits } from '#ports/chat';
import { openInstallationLog } from '../ledger/installation-log.ts';
import { DatabaseFailure, explainDatabaseError } from '../sql/database-failures.ts';
import { openLedgerAnchor } from './open-anchor.ts';
import { loadOrCreateKey, randomLedgerKey } from './ledger-key.ts';
import { makeDirectory } from './make-directory.ts';
import type { ConnectionListeners } from './retry-connection.ts';
import { createLedger, type LedgerSurroundings } from '../ledger/ledger.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import { lockDirectory, type DirectoryLock } from './directory-lock.ts';
import { migrateSchema } from '../sql/migrate-schema.ts';
import { anchorFile, isThere, ledgerKeyFile, ledgerFile, restoringFolder } from '../data-directory-paths.ts';
import { createDiskReserve } from '../sql/disk-reserve.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { createSqliteStore } from '../sql/sqlite-store.ts';
import { createStatementDefiner } from '../sql/statements.ts';
import { backUpBeforeUpgrade } from './prepare-upgrade.ts';
import { MB } from '#model/values';

type LedgerPlace = {
  dataDir: string;
  database?: string | null | undefined;
};

type OpenRequest = LedgerPlace &
  ConnectionListeners & {
    now: () => number;
    /** Default: `keys/ledger.key` in the data directory. */
    key?: Uint8Array;
    limits?: ChatLimits;
  };

export const openLedger = async ({ now, limits, ...where }: OpenRequest): Promise<Ledger> => {
  const { store, key, beside } = await openStore(where);
  const more = { ...(beside ? { beside } : {}), ...(limits ? { limits } : {}) };
  return createLedger({ store, key, now, boot: randomUUID(), ...more });
};

/** A second ledger on the same store, with another boot, simulates a restart. */
export const openStore = async ({
  dataDir,
  database,
  key,
  ...hearing
}: LedgerPlace & ConnectionListeners & Pick<OpenRequest, 'key'>): Promise<{
  store: SqlStore;
  key: KeyObject;
  beside?: LedgerSurroundings;
}> => {
  const given = key && createSecretKey(key);
  if (dataDir === ':memory:') {
    const own = given ?? randomLedgerKey();
    const db = new Database(':memory:');
    await prepareDatabase(db);
    const store = createSqliteStore(db);
    await store.transact(openInstallationLog(createStatementDefiner(store.builder), createRowMac(own)));
    return { store, key: own };
  }
  makeDirectory(dataDir);
  assertDataDirUsable(dataDir);
  const lock = orSay(() => lockDirectory(dataDir));
  try {
    if (database) {
      const { openPostgresWhenThere } = await import('./open-postgres.ts');
      const opened = await openPostgresWhenThere({ dataDir, database, key: given, ...hearing });
      const close = (): Promise<void> => opened.store.close().finally(() => lock.release());
      return { ...opened, store: { ...opened.store, close } };
    }
    const file = ledgerFile(dataDir);
    const own = given ?? loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: !existsSync(file) });
    assertNotLost(dataDir, own);
    return { ...(await openOwn(dataDir, file, own, lock)), key: own };
  } catch (error) {
    lock.release();
    throw explainDatabaseError(error);
  }
};

const openOwn = async (
  dataDir: string,
  file: string,
  key: KeyObject,
  lock: DirectoryLock,
): Promise<{ store: SqlStore; beside: LedgerSurroundings }> => {
  const db = await openDatabaseFile(file, () => backUpBeforeUpgrade(dataDir));
  const reserve = createDiskReserve(join(dataDir, 'reserve'));
  const plain = createSqliteStore(db, { onFull: () => reserve.free() });
  const anchor = openLedgerAnchor(dataDir, key);
  try {
    // Throws on an invalid anchor before anything is written.
    anchor.reached();
    await plain.transact(openInstallationLog(createStatementDefiner(plain.builder), createRowMac(key)));
  } catch (error) {
    db.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await plain.close();
    lock.release();
  };
  mkdirSync(dirname(ledgerKeyFile(dataDir)), { recursive: true, mode: 0o700 });
  const beside = { anchor, reserve, size: async () => statSync(file).size };
  return { store: { ...plain, close }, beside };
};

export const openDatabaseFile = async (
  file: string,
  keep: () => Promise<unknown>,
): Promise<Database.Database> => {
  const db = new Database(file, { timeout: 5_000 });
  try {
    assertWhole(db, { check: statSync(file).size <= QUICKLY_CHECKED });
    await keep();
    // The folder may be open to others; SQLite gives journals the mode of the database.
    chmodSync(file, 0o600);
    await prepareDatabase(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const prepareDatabase = async (db: Database.Database): Promise<void> => {
  // Page size must be set before the first table; a larger one holds a whole fold.
  db.pragma('page_size = 8192');
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal' && mode !== 'memory') {
    throw new DatabaseFailure({ kind: 'no_shared_memory' });
  }
  // guard: L3-commit-on-disk
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('wal_autocheckpoint = 4000');
  db.exec('begin immediate');
  try {
    await migrateSchema(new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) }), 'sqlite');
    db.exec('commit');
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
};

/** Larger files are checked by `agentpr doctor` only, at about a second per GiB (bytes). */
const QUICKLY_CHECKED = 32 * MB;

const assertWhole = (db: Database.Database, { check }: { check: boolean }): void => {
  const found = check ? db.pragma('quick_check(1)', { simple: true }) : 'ok';
  if (found === 'ok') return;
  throw new DatabaseFailure({ kind: 'damaged', detail: String(found).replaceAll('\n', ' ').slice(0, 200) });
};

/** Replacing a lost ledger would delete the files of all its runs. */
const assertNotLost = (dataDir: string, key: KeyObject): void => {
  const { size = 0 } = statSync(ledgerFile(dataDir), { throwIfNoEntry: false }) ?? {};
  if (size > 0 || openLedgerAnchor(dataDir, key).reached() === null) return;
  throw new DatabaseFailure({ kind: 'ledger_lost', file: ledgerFile(dataDir), anchor: anchorFile(dataDir) });
};

export const checkStoredLedger = (dataDir: string): Error | null => {
  const file = ledgerFile(dataDir);
  try {
    if (existsSync(ledgerKeyFile(dataDir)))
      assertNotLost(dataDir, loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false }));
    if (!isThere(file)) return null;
    const db = new Database(file, { readonly: true, fileMustExist: true });
    try {
      assertWhole(db, { check: true });
    } finally {
      db.close();
    }
    loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false });
    return null;
  } catch (error) {
    const said = explainDatabaseError(error);
    return said instanceof Error ? said : new Error(String(said));
  }
};

export const assertDataDirUsable = (dataDir: string): void => {
  assertOurs(dataDir);
  assertRestored(dataDir);
};

/** Files owned by another user could be changed by that user. Root in a container is exempt. */
const assertOurs = (dataDir: string): void => {
  const uid = process.getuid?.();
  const { uid: owner } = statSync(dataDir);
  if (uid === undefined || uid === 0 || owner === uid) return;
  const ids = { owner: String(owner), user: String(uid) };
  throw new DatabaseFailure({ kind: 'directory_of_other', directory: dataDir, ...ids });
};

const assertRestored = (dataDir: string): void => {
  // guard: S6-half-restored
  if (!existsSync(restoringFolder(dataDir))) return;
  throw new DatabaseFailure({ kind: 'restore_unfinished', directory: dataDir });
};

const orSay = <T>(action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw explainDatabaseError(error);
  }
};
