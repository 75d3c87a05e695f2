/** Where a data directory keeps its ledger and its keys. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const ledgerFile = (dataDir: string): string => join(dataDir, 'ledger.db');
/** Nothing was ever kept there. */
export class NoLedger extends Error {}
export const assertLedger = (dataDir: string, file = ledgerFile(dataDir)): void => {
  if (!existsSync(file)) throw new NoLedger(`There is no ledger in ${dataDir}. Start agentpr there first.`);
};
export const keysFolder = (dataDir: string): string => join(dataDir, 'keys');
/** Of the MACs of the ledger. */
export const ledgerKeyFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.key');
export const anchorFile = (dataDir: string): string => join(keysFolder(dataDir), 'ledger.anchor');
/** Automatic backups: one before each migration. */
export const backupsFolder = (dataDir: string): string => join(dataDir, 'backups');
/** A database that is being copied or tried: of no use to anybody when its process is gone. */
export const scratchFile = (dataDir: string, what: 'backup' | 'trial'): string =>
  join(dataDir, `${what}-${process.pid}.tmp.db`);
/** There as long as a restore has not ended. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');
