/** Adds cached figures of runs (O4). */
import { createIndex, type MigrationDatabase } from './schema-builders.ts';

export const figuresMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema
      .createTable('run_figures')
      .addColumn('run_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('seq', 'integer', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull())
      .addColumn('upto', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .execute();
    await createIndex(db, 'run_figures_since', 'run_figures', ['version', 'created_at']);
    await createIndex(db, 'run_figures_upto', 'run_figures', ['version', 'upto']);
  },
};
