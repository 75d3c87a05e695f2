/** Adds what an attempt does while it runs (E21). */
import type { MigrationDatabase } from './schema-builders.ts';

export const activityMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema.alterTable('step_attempts').addColumn('activity_json', 'text').execute();
  },
};
