/** A store that outlives crashes, in memory or SQLite, and can be forked for a trial. */
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import { createSqliteStore } from '../../db/sql/sqlite-store.ts';
import type { Ledger } from '#ports/ledger';
import {
  createMemoryLedger,
  createMemoryStore,
  forkStore,
  type MemoryStore,
} from '../support/memory-ledger.ts';

const BYTES = new Uint8Array(32).fill(7);
const KEY = createSecretKey(BYTES);

export type Kept<S = unknown> = {
  store: S;
  slow: boolean;
  ledger: (boot: string, now: () => number) => Ledger;
  fork: () => Kept<S>;
  states: () => { id: string; state: string }[];
  /** Only a fork that was played to its end is closed. */
  close: () => void;
};

export const keptInMemory = (store: MemoryStore = createMemoryStore()): Kept<MemoryStore> => ({
  store,
  slow: false,
  ledger: (boot, now) => createMemoryLedger({ store, key: KEY, boot, now }),
  fork: () => keptInMemory(forkStore(store)),
  states: () =>
    [...store.runs.values()].map(
      ({
        run: {
          id,
          lifecycle: { state },
        },
      }) => ({ id, state }),
    ),
  close: () => undefined,
});

const overImage = (image: Buffer): Kept<Database.Database> => {
  const db = new Database(image);
  db.pragma('foreign_keys = ON');
  const store = createSqliteStore(db);
  const states = db.prepare<[], { id: string; state: string }>(
    `select run_id as id, json_extract(body_json, '$.state') as state from run_records
     where record = 'lifecycle'`,
  );
  return {
    store: db,
    slow: true,
    ledger: (boot, now) => createLedger({ store, key: KEY, boot, now }),
    fork: () => overImage(db.serialize()),
    states: () => states.all(),
    close: () => void db.close(),
  };
};

/** Created on disk as at a start, then kept in memory. */
export const keptInSqlite = async (): Promise<Kept<Database.Database>> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'agentpr-kept-'));
  try {
    const { store } = await openStore({ dataDir, key: BYTES });
    await store.close();
    const image = readFileSync(join(dataDir, 'ledger.db'));
    // Disables WAL: an in-memory database has no log file (SQLite file format, bytes 18 and 19).
    image.fill(1, 18, 20);
    return overImage(image);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
