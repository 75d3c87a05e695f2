/** Opens a ledger read-only beside the process that writes it. */
import type { KeyObject } from 'node:crypto';
import Database from 'better-sqlite3';
import type { LedgerQueries } from '#ports/ledger';
import { assertLedgerExists, ledgerKeyFile, ledgerFile } from '../data-directory-paths.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { createQueries } from '../ledger/ledger-queries.ts';
import { explainDatabaseError } from '../sql/database-failures.ts';
import { createPostgresReader } from '../sql/postgres-store.ts';
import { createSqliteStore } from '../sql/sqlite-store.ts';
import type { SqlStore } from '../sql/sql-store.ts';
import { GENESIS_HASH } from '../integrity/hash-chain.ts';
import type { AnchoredEvent } from '../integrity/anchor.ts';
import { openLedgerAnchor } from './open-anchor.ts';
import { exportRows, type ExportLine } from './export-ledger.ts';
import { loadOrCreateKey } from './ledger-key.ts';

/** `snapshot` pins one moment for all reads. */
export const openReader = (
  dataDir: string,
  { snapshot = false, database }: { snapshot?: boolean; database?: string | null | undefined } = {},
): {
  query: LedgerQueries;
  rows: (only?: string) => AsyncGenerator<ExportLine>;
  key: KeyObject;
  close(): Promise<void>;
} => {
  const file = ledgerFile(dataDir);
  assertLedgerExists(dataDir, database ? ledgerKeyFile(dataDir) : file);
  const key = loadOrCreateKey(ledgerKeyFile(dataDir), { mayMake: false });
  const anchor = openLedgerAnchor(dataDir, key);
  // Read before the database, as later anchors belong to later changes.
  const reached = anchor.reached();
  // The first anchor may be set while we read: it is not lost.
  const findAnchoredEvent = (): AnchoredEvent | null =>
    reached ?? (anchor.reached() && { seq: 0, hash: GENESIS_HASH });
  const store = database ? createPostgresReader(database, { snapshot }) : openFileToRead(file, { snapshot });
  return {
    query: createQueries(store.builder, store.read, createRowMac(key), findAnchoredEvent),
    rows: (only) => exportRows(store, only),
    key,
    close: () => store.close(),
  };
};

const openFileToRead = (file: string, { snapshot }: { snapshot: boolean }): SqlStore => {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    if (snapshot) db.exec('begin');
    return createSqliteStore(db);
  } catch (error) {
    throw explainDatabaseError(error);
  }
};
