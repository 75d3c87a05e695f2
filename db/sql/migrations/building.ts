/** What migrations are written with. */
import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Engine } from '../engine.ts';

export type Db = Kysely<unknown>;

/** A table whose first column is a small integer of the database's own. */
export const numbered = (db: Db, engine: Engine, table: string, id: string): CreateTableBuilder<string> =>
  db.schema
    .createTable(table)
    .addColumn(id, engine === 'sqlite' ? 'integer' : 'bigint', (c) =>
      engine === 'sqlite' ? c.primaryKey() : c.primaryKey().generatedByDefaultAsIdentity(),
    );

export const index = (
  db: Db,
  name: string,
  table: string,
  columns: string[],
  where?: string,
): Promise<void> => {
  const plain = db.schema.createIndex(name).on(table).columns(columns);
  return (where ? plain.where(sql.raw<boolean>(where)) : plain).execute();
};
