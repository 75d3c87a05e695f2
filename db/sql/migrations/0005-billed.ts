/** Adds the upper bound of an attempt's bill (E18). */
import type { MigrationDatabase } from './schema-builders.ts';

export const billedMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema.alterTable('step_attempts').addColumn('billed_json', 'text').execute();
  },
};
