/** Paths of ledger and keys in a data directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const ledgerFile = (dataDir: string): string => join(dataDir, 'ledger.db');
export class NoLedger extends Error {}
export const assertLedger = (dataDir: string, file = ledgerFile(dataDir)): void => {
  if (!existsSync(file)) throw new NoLedger(`There is no ledger in ${dataDir}. Start agentpr there first.`);
};
export const keysFolder = (dataDir: string): string => join(dataDir, 'keys');
export const ledgerKeyFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.key');
export const anchorFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.anchor');
export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups');
/** Temporary database, useless after its process ended. */
export const scratchFile = (dataDir: string, what: 'backup' | 'trial'): string =>
  join(dataDir, `${what}-${process.pid}.tmp.db`);
/** Exists while a restore is incomplete. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');
