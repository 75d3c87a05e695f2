/** Adds the newest commit of each program, to detect a Postgres that lost it (L7). */
import { sql } from 'kysely';
import type { DatabaseEngine } from '../database-engine.ts';
import type { MigrationDatabase } from './schema-builders.ts';

/** SQLite has a single writer and an anchor instead. */
export const lastTransactionsMigration = (engine: DatabaseEngine) => ({
  up: async (db: MigrationDatabase): Promise<void> => {
    if (engine === 'sqlite') return;
    await db.schema
      .createTable('commits')
      .addColumn('program', 'text', (c) => c.primaryKey().notNull())
      .addColumn('n', 'bigint', (c) => c.notNull())
      .execute();
    const body = `begin
      if pg_current_xact_id_if_assigned() is null then return false; end if;
      insert into commits values (program, n) on conflict on constraint commits_pkey do update set n = excluded.n;
      return true;
    end`;
    await sql`create function committing(program text, n bigint) returns boolean language plpgsql as
      ${sql.lit(body)}`.execute(db);
  },
});
