/** Reads the runs of a product's ledger, in Postgres too, as they are stored. */
import { openReader } from '../../db/directory/open-reader.ts';
import type { Run } from '#run';

export const storedRuns = async (dataDir: string, database: string): Promise<readonly Run[]> => {
  const ledger = openReader(dataDir, { database });
  try {
    return await ledger.query.runs({ live: false, limit: 10_000 });
  } finally {
    await ledger.close();
  }
};
