import type { MigrationDatabase } from './schema-builders.ts';

export const turnsMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema
      .createTable('turns')
      .addColumn('run_id', 'text', (c) => c.notNull().references('runs.run_id'))
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('attempt_id', 'bigint', (c) => c.notNull())
      .addColumn('ended', 'integer', (c) => c.notNull())
      .addColumn('facts_json', 'text', (c) => c.notNull())
      .addColumn('texts_json', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('mac', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('turns_key', ['run_id', 'seq'])
      .execute();
  },
};
