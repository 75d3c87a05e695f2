import type { MigrationDatabase } from './schema-builders.ts';

/** S8: there is one way of working, so nobody reads which one a run was ordered with. */
export const unreadModeMigration = {
  up: (db: MigrationDatabase): Promise<void> => db.schema.alterTable('runs').dropColumn('mode').execute(),
};
