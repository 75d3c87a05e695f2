/** E18: what a run may have been billed by the time that its process died. */
import type { MigrationDatabase } from './schema-builders.ts';

export const billedMigration = {
  up: async (db: MigrationDatabase): Promise<void> => {
    await db.schema.alterTable('step_attempts').addColumn('billed_json', 'text').execute();
  },
};
