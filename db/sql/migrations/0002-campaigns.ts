/** Adds campaigns and the runs that belong to them. */
import type { MigrationDatabase } from './schema-builders.ts';
import { createIndex } from './schema-builders.ts';

export const campaignsMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema
      .createTable('campaigns')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('order_json', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.alterTable('runs').addColumn('campaign', 'text').execute();
    await createIndex(db, 'runs_campaign', 'runs', ['campaign'], 'campaign is not null');
  },
};
