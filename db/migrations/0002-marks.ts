/** Marks on what the log alone cannot account for, the books over them, and what housekeeping looks for. */
import { sql, type Kysely } from 'kysely';

type Db = Kysely<unknown>;

export const marks = {
  up: async (db: Db): Promise<void> => {
    for (const table of ['effects', 'step_attempts', 'artifacts', 'users', 'settings', 'inbox'])
      await db.schema.alterTable(table).addColumn('mark', 'text').execute();
    await db.schema
      .createTable('books')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('changes', 'bigint', (c) => c.notNull())
      .addColumn('sums', 'text', (c) => c.notNull())
      .addColumn('mark', 'text', (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex('inbox_handled')
      .on('inbox')
      .column('handled_at')
      .where(sql.raw<boolean>('handled_at is not null'))
      .execute();
  },
};
