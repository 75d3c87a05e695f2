/** Reads a ledger beside the process that writes it. */
import type { KeyObject } from 'node:crypto';
import Database from 'better-sqlite3';
import type { Queries } from '../../orchestrator/ports.ts';
import { assertLedger, keyFile, ledgerFile } from '../backup/places.ts';
import { createSeal } from '../integrity/seal.ts';
import { createQueries } from '../ledger/queries.ts';
import { explained } from '../sql/failures.ts';
import { createPostgresReader } from '../sql/postgres-store.ts';
import { createSqliteStore } from '../sql/sqlite-store.ts';
import type { Store } from '../sql/store.ts';
import { anchorOf } from './anchored.ts';
import { exportRows, type ExportLine } from './export.ts';
import { createKey } from './key.ts';

/**
 * Reads beside a running agentpr, without its lock: for the command line. A snapshot shows one
 * moment, however long it is read.
 */
export const openReader = (
  dataDir: string,
  { snapshot = false, database }: { snapshot?: boolean; database?: string | null | undefined } = {},
): {
  query: Queries;
  rows: (only?: string) => AsyncGenerator<ExportLine>;
  key: KeyObject;
  close(): Promise<void>;
} => {
  const file = ledgerFile(dataDir);
  assertLedger(dataDir, database ? keyFile(dataDir) : file);
  const key = createKey(keyFile(dataDir), { mayMake: false });
  // Before the first look at the database: what a running agentpr anchors later is about later
  // changes.
  const reached = anchorOf(dataDir, key).reached();
  const store = database ? createPostgresReader(database, { snapshot }) : openFileToRead(file, snapshot);
  return {
    query: createQueries(store.builder, store.read, createSeal(key), () => reached),
    rows: (only) => exportRows(store, only),
    key,
    close: () => store.close(),
  };
};

const openFileToRead = (file: string, snapshot: boolean): Store => {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    if (snapshot) db.exec('begin');
    return createSqliteStore(db);
  } catch (error) {
    throw explained(error);
  }
};
