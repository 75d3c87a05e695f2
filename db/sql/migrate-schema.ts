/** Migrates a database, and refuses one made by a newer version. */
import { type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { DatabaseEngine } from './database-engine.ts';
import { DatabaseFailure, explainDatabaseError } from './database-failures.ts';
import { allMigrations } from './migrations/all-migrations.ts';

/** The caller holds a transaction if the engine supports transactional schema changes. */
export const migrateSchema = async <T>(
  db: Kysely<T>,
  engine: DatabaseEngine,
  known: Record<string, Migration> = allMigrations(engine),
): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { foreign } = await schemaStanding(db, engine, known);
  if (foreign !== null) {
    throw new DatabaseFailure({ kind: 'newer_schema', migration: foreign });
  }
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const said = explainDatabaseError(error);
  if (said !== error) throw said;
  const failed = results?.find((r) => r.status === 'Error')?.migrationName;
  const says = error instanceof Error ? error.message : JSON.stringify(error);
  throw new DatabaseFailure(
    failed ? { kind: 'migration_failed', migration: failed, says } : { kind: 'schema_failed', says },
    error,
  );
};

export type SchemaStanding = {
  done: readonly string[];
  lacks: readonly string[];
  foreign: string | null;
};

export const schemaStanding = async <T>(
  db: Kysely<T>,
  engine: DatabaseEngine,
  known: Record<string, Migration> = allMigrations(engine),
): Promise<SchemaStanding> => {
  const names = Object.keys(known);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((t) => t.name === 'kysely_migration')) return { done: [], lacks: names, foreign: null };
  const executed = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const done = executed.map(({ name }) => name).sort();
  return {
    done,
    lacks: names.filter((name) => !done.includes(name)),
    foreign: done.find((name) => !names.includes(name)) ?? null,
  };
};
