import type { MigrationDatabase } from './schema-builders.ts';

export const unreadModeMigration = {
  up: (db: MigrationDatabase): Promise<void> => db.schema.alterTable('runs').dropColumn('mode').execute(),
};
