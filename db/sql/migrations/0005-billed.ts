/** E18: what a run may have been billed by the time that its process died. */
import type { Db } from './building.ts';

export const billed = {
  up: async (db: Db): Promise<void> => {
    await db.schema.alterTable('step_attempts').addColumn('billed_json', 'text').execute();
  },
};
