/** Adds what was spent, by attempt and day (P7). */
import { createIndex, type MigrationDatabase } from './schema-builders.ts';

export const spendingMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema
      .createTable('spending')
      .addColumn('attempt_id', 'bigint', (c) => c.notNull())
      .addColumn('day', 'bigint', (c) => c.notNull())
      .addColumn('run_id', 'text', (c) => c.notNull())
      .addColumn('person', 'text', (c) => c.notNull())
      .addColumn('person_name', 'text', (c) => c.notNull())
      .addColumn('campaign', 'text')
      .addColumn('repo', 'text', (c) => c.notNull())
      .addColumn('engine', 'text', (c) => c.notNull())
      .addColumn('cost_usd', 'double precision', (c) => c.notNull())
      .addColumn('tokens', 'bigint', (c) => c.notNull())
      .addColumn('pending_usd', 'double precision', (c) => c.notNull())
      .addColumn('pending_tokens', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('spending_attempt_day', ['attempt_id', 'day'])
      .execute();
    await createIndex(db, 'spending_day', 'spending', ['day']);
    await createIndex(db, 'spending_campaign', 'spending', ['campaign', 'day']);
    await createIndex(db, 'spending_run', 'spending', ['run_id']);
    await createIndex(db, 'spending_pending', 'spending', ['attempt_id'], 'pending_tokens > 0');
  },
};
