/** The ledger on SQLite or Postgres, its audit, backups and copies. */
export { makeBackup } from './backup/backup.ts';
export { assertLedgerExists, ledgerFile } from './data-directory-paths.ts';
export { type BackupOpener, type BackupRecipients, isAgeRecipient } from './backup/backup-encryption.ts';
export { type CopyEnd, copyLedger } from './directory/copy-ledger.ts';
export { type ExportLine, importRows } from './directory/export-ledger.ts';
export type { OpenedFleet } from './directory/shared-ledger.ts';
export { loadOrCreateKey, readLedgerKey } from './directory/ledger-key.ts';
export { createWitnessFile } from './directory/open-anchor.ts';
export { assertDataDirUsable, openLedger, checkStoredLedger } from './directory/open-ledger.ts';
export { inspectPostgres } from './directory/open-postgres.ts';
export { openReader } from './directory/open-reader.ts';
export { restoreBackup } from './directory/restore-backup.ts';
export { retryWhileUnavailable } from './directory/retry-connection.ts';
export { tryMigrations } from './directory/prepare-upgrade.ts';
export { DatabaseFailure, isDatabaseFault } from './sql/database-failures.ts';
export { TOUCH_MS } from './queue/pg-boss-queue.ts';
