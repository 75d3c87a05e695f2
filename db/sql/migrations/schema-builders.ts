/** Helpers of the migrations. */
import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { DatabaseEngine } from '../database-engine.ts';

export type MigrationDatabase = Kysely<unknown>;

type Table = CreateTableBuilder<string>;

/** Ids are the largest plus one in both engines, which is safe with one writer at a time. */
export const createNumberedTable = async (
  db: MigrationDatabase,
  engine: DatabaseEngine,
  { table, id }: { table: string; id: string },
  columns: (table: Table) => Table,
): Promise<void> => {
  const made = db.schema.createTable(table);
  if (engine === 'sqlite') return columns(made.addColumn(id, 'integer', (c) => c.primaryKey())).execute();
  await columns(made.addColumn(id, 'bigint', (c) => c.primaryKey().notNull())).execute();
  const next = sql.ref(`next_${table}`);
  await sql`create function ${next}() returns bigint language plpgsql as
    ${sql.lit(`begin return (select coalesce(max(${id}), 0) + 1 from ${table}); end`)}`.execute(db);
  await sql`alter table ${sql.table(table)} alter ${sql.ref(id)} set default ${next}()`.execute(db);
};

export const createIndex = (
  db: MigrationDatabase,
  name: string,
  table: string,
  columns: string[],
  where?: string,
): Promise<void> => {
  const plain = db.schema.createIndex(name).on(table).columns(columns);
  return (where ? plain.where(sql.raw<boolean>(where)) : plain).execute();
};
