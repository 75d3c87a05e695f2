/** Opens the ledger of a data directory: lock, key, database, schema. `:memory:` gives one that nobody else sees. */
import { createSecretKey, randomUUID, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Ledger, Queries } from '../orchestrator/ports.ts';
import { explained } from './failures.ts';
import { createKey, randomKey } from './key.ts';
import { createLedger, type Store } from './ledger.ts';
import { lockDirectory } from './lock.ts';
import { migrate } from './migrate.ts';
import { createQueries } from './queries.ts';
import { createSqliteStore } from './sqlite-store.ts';

export type OpenRequest = {
  /** An absolute path, or `:memory:`. */
  dataDir: string;
  now: () => number;
  /** For the MACs of chain heads; without one, `keys/ledger.key` below the data directory. */
  key?: Uint8Array;
};

export const openLedger = async ({ now, ...where }: OpenRequest): Promise<Ledger> => {
  const { store, key } = await openStore(where);
  return createLedger({ store, key, now, boot: randomUUID() });
};

/** The store below a ledger. A second ledger over the same store, with another boot, is what a restart would see. */
export const openStore = async ({
  dataDir,
  key,
}: Omit<OpenRequest, 'now'>): Promise<{ store: Store; key: KeyObject }> => {
  const given = key && createSecretKey(key);
  if (dataDir === ':memory:') {
    const db = new Database(':memory:');
    await prepare(db);
    return { store: createSqliteStore(db), key: given ?? randomKey() };
  }
  makeDirectory(dataDir);
  const lock = orSay(() => lockDirectory(dataDir));
  try {
    const file = join(dataDir, 'ledger.db');
    const own = given ?? createKey(join(dataDir, 'keys', 'ledger.key'), { mayMake: !existsSync(file) });
    const db = await openFile(file);
    const store = createSqliteStore(db);
    const close = async (): Promise<void> => {
      await store.close();
      lock.release();
    };
    return { store: { ...store, close }, key: own };
  } catch (error) {
    lock.release();
    throw explained(error);
  }
};

/** Reads beside a running agentpr, without its lock: for the command line. */
export const openReader = (dataDir: string): { query: Queries; close(): Promise<void> } => {
  const file = join(dataDir, 'ledger.db');
  if (!existsSync(file)) throw new Error(`There is no ledger in ${dataDir}. Start agentpr there first.`);
  const db = orSay(() => new Database(file, { readonly: true, fileMustExist: true }));
  const store = createSqliteStore(db);
  const key = createKey(join(dataDir, 'keys', 'ledger.key'), { mayMake: false });
  return { query: createQueries(store.builder, store.read, key), close: () => store.close() };
};

const openFile = async (file: string): Promise<Database.Database> => {
  const db = new Database(file, { timeout: 5_000 });
  try {
    // SQLite gives its journals the mode of the database; the folder may be open to others.
    chmodSync(file, 0o600);
    await prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

const prepare = async (db: Database.Database): Promise<void> => {
  // The page size counts only before the first table; larger pages hold a whole fold.
  db.pragma('page_size = 8192');
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal' && mode !== 'memory') {
    throw new Error(
      'The file system of the data directory cannot share memory between handles. Use a local disk, not a network one.',
    );
  }
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('wal_autocheckpoint = 4000');
  db.exec('begin immediate');
  try {
    await migrate(new Kysely<unknown>({ dialect: new SqliteDialect({ database: db }) }), 'sqlite');
    db.exec('commit');
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
};

const makeDirectory = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw new Error(
      `The data directory ${dataDir} cannot be made (${why}). Choose one that this user may write.`,
      {
        cause: error,
      },
    );
  }
};

const orSay = <T>(f: () => T): T => {
  try {
    return f();
  } catch (error) {
    throw explained(error);
  }
};
