/** Lists missing migrations, backs up the ledger, and tries them on a copy. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Migration } from 'kysely/migration';
import { makeBackup } from '../backup/backup.ts';
import { backupsFolder, ledgerFile, scratchFile } from '../data-directory-paths.ts';
import { copyDatabase, removeDatabase, removeAbandonedCopies } from '../backup/snapshot.ts';
import { explainDatabaseError } from '../sql/database-failures.ts';
import { migrateSchema, schemaStanding, type SchemaStanding } from '../sql/migrate-schema.ts';

type Known = Record<string, Migration>;

export const readFileSchemaStanding = async (file: string, known?: Known): Promise<SchemaStanding> => {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 });
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  try {
    return await schemaStanding(db, 'sqlite', known);
  } finally {
    await db.destroy();
  }
};

export const backUpBeforeUpgrade = async (dataDir: string, known?: Known): Promise<string | null> => {
  const { done, lacks, foreign } = await readFileSchemaStanding(ledgerFile(dataDir), known);
  // guard: S6-backup-before-migration
  if (done.length === 0 || lacks.length === 0 || foreign !== null) return null;
  const folder = backupsFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `before-${lacks[0] ?? ''}.tar.gz`;
  const [fresh, file] = [join(folder, `${name}.new`), join(folder, name)];
  rmSync(fresh, { force: true });
  const request = { dataDir, file: fresh, to: { kind: 'plain' }, keys: false, now: Date.now() } as const;
  await makeBackup({ ...request, version: `before ${lacks.join(', ')}` });
  renameSync(fresh, file);
  return file;
};

/** Migrates a temporary copy. Throws the error that the real migration would throw. */
export const tryMigrations = async (dataDir: string, known?: Known): Promise<readonly string[]> => {
  const file = ledgerFile(dataDir);
  if (!existsSync(file)) return [];
  removeAbandonedCopies(dataDir);
  const copy = scratchFile(dataDir, 'trial');
  try {
    await copyDatabase(file, copy);
    const { lacks } = await readFileSchemaStanding(copy, known);
    const database = new Database(copy, { fileMustExist: true });
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    try {
      database.pragma('foreign_keys = ON');
      await migrateSchema(db, 'sqlite', known);
    } finally {
      await db.destroy();
    }
    return lacks;
  } catch (error) {
    throw explainDatabaseError(error);
  } finally {
    removeDatabase(copy);
  }
};
