/** What keeps one chat from starving the others: how fast each is spoken to, and lanes of what comes in. */
import { sql, type Kysely } from 'kysely';

type Db = Kysely<unknown>;

export const fairness = {
  up: async (db: Db): Promise<void> => {
    await paces(db);
    await lanes(db);
  },
};

const paces = async (db: Db): Promise<void> => {
  let table = db.schema.createTable('paces').addColumn('chat', 'bigint', (c) => c.primaryKey().notNull());
  for (const column of [
    'owed_at',
    'strict_until',
    'card_at',
    'answer_at',
    'message_at',
    'progress_at',
  ] as const)
    table = table.addColumn(column, 'bigint', (c) => c.notNull());
  await table.execute();
  await db.schema
    .createIndex('effects_chat')
    .on('effects')
    .columns(['chat', 'prio', 'due_at'])
    .where(sql.raw<boolean>("state = 'pending' and chat is not null"))
    .execute();
};

const lanes = async (db: Db): Promise<void> => {
  await db.schema.alterTable('inbox').addColumn('lane', 'text').execute();
  for (const column of ['prio', 'turn'])
    await db.schema
      .alterTable('inbox')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema.dropIndex('inbox_new').execute();
  for (const [name, columns] of [
    ['inbox_new', ['turn', 'prio', 'id']],
    ['inbox_lane', ['lane', 'prio', 'turn']],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('inbox')
      .columns([...columns])
      .where(sql.raw<boolean>("state = 'new'"))
      .execute();
};
