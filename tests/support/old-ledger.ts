/** Ledgers that earlier versions left on people's disks, as files to open: see tests/fixtures/ledgers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openLedger } from '../../db/open.ts';

export const OLD_KEY = new Uint8Array(32).fill(1);

export type OldLedger = 'v1' | 'v2-1' | 'v2-2' | 'v2-3';

/** Makes the data directory that a version left, with its key. */
export const writeOldLedger = (dataDir: string, version: OldLedger): void => {
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'keys', 'ledger.key'), `${Buffer.from(OLD_KEY).toString('hex')}\n`, {
    mode: 0o600,
  });
  const sql = readFileSync(join(import.meta.dirname, '../fixtures/ledgers', `${version}.sql`), 'utf8');
  const db = new Database(join(dataDir, 'ledger.db'));
  // A dump names tables before they are there.
  db.pragma('foreign_keys = OFF');
  // Together: each row by itself would take a write to the disk of its own.
  db.exec(`begin;\n${sql}\ncommit;`);
  db.close();
};

/** The same, brought to today's schema. */
export const writeLedger = async (dataDir: string): Promise<void> => {
  writeOldLedger(dataDir, 'v1');
  const ledger = await openLedger({ dataDir, now: () => 0 });
  await ledger.close();
};
