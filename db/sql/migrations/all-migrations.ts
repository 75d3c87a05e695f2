/** All migrations, oldest first; a released one never changes. */
import type { Migration } from 'kysely/migration';
import type { DatabaseEngine } from '../database-engine.ts';
import { ledgerMigration } from './0001-ledger.ts';
import { campaignsMigration } from './0002-campaigns.ts';
import { figuresMigration } from './0003-figures.ts';
import { lastTransactionsMigration } from './0004-last-transactions.ts';
import { billedMigration } from './0005-billed.ts';
import { turnsMigration } from './0006-turns.ts';
import { activityMigration } from './0009-activity.ts';
import { spendingMigration } from './0008-spending.ts';
import { unreadModeMigration } from './0007-drop-mode.ts';

export const allMigrations = (engine: DatabaseEngine): Record<string, Migration> => ({
  '0001-ledger': ledgerMigration(engine),
  '0002-campaigns': campaignsMigration,
  '0003-figures': figuresMigration,
  '0004-commits': lastTransactionsMigration(engine),
  '0005-billed': billedMigration,
  '0006-turns': turnsMigration,
  '0007-unread-mode': unreadModeMigration,
  '0008-spending': spendingMigration,
  '0009-activity': activityMigration,
});
