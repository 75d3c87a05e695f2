/** Campaigns: what each is to do, and which runs are a part of it. */
import type { Db } from './building.ts';
import { index } from './building.ts';

export const campaigns = {
  up: async (db: Db): Promise<void> => {
    await db.schema
      .createTable('campaigns')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('order_json', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await db.schema.alterTable('runs').addColumn('campaign', 'text').execute();
    await index(db, 'runs_campaign', 'runs', ['campaign'], 'campaign is not null');
  },
};
