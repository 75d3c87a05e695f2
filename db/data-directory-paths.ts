/** Paths of ledger and keys in a data directory. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseFailure, explainDatabaseError } from './sql/database-failures.ts';

export const ledgerFile = (dataDir: string): string => join(dataDir, 'ledger.db');
/** Throws for a folder that this user may not read, in which a ledger may be. */
export const isThere = (file: string): boolean => {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainDatabaseError(error);
  }
};
export const assertLedgerExists = (dataDir: string, file = ledgerFile(dataDir)): void => {
  if (!isThere(file)) throw new DatabaseFailure({ kind: 'no_ledger_in', directory: dataDir });
};
export const keysFolder = (dataDir: string): string => join(dataDir, 'keys');
export const ledgerKeyFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.key');
export const anchorFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.anchor');
/** Beside the data directory: a copy of the whole directory that is put back does not contain it. */
export const witnessFile = (dataDir: string): string => `${dataDir.replace(/(?<!\/)\/+$/, '')}.anchor`;
export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups');
export const scratchFile = (dataDir: string, what: 'backup' | 'trial'): string =>
  join(dataDir, `${what}-${process.pid}.tmp.db`);
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');
