/** L7: the ledger in a real Postgres, under the contract of every ledger. */
import { afterAll, beforeAll } from 'vitest';
import { telegramLimits as limits } from '../../bot/pace.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open.ts';
import type { Ledger } from '../../orchestrator/ports.ts';
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { temporaryDirectory, type Open } from '../support/ledger.ts';
import { startPostgres, type Server } from '../support/postgres.ts';

const KEY = new Uint8Array(32).fill(7);
let server: Server;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.database();
});
afterAll(() => server.stop());

/** As in production: a directory of its own, and an empty database, opened anew at each restart. */
const openPostgres: Open = async () => {
  const { dir, remove } = temporaryDirectory();
  await server.empty(database);
  let boots = 0;
  let clock = 0;
  const open = async (): Promise<Ledger> => {
    const { store, key, beside } = await openStore({ dataDir: dir, database, key: KEY });
    const parts = { store, key, ...(beside ? { beside } : {}) };
    const ledger = createLedger({ ...parts, boot: `boot-${(boots += 1)}`, now: () => clock, limits });
    return { ...ledger, recover: (now) => ledger.recover((clock = now)) };
  };
  let ledger = await open();
  return {
    ledger,
    restart: async () => {
      await ledger.close();
      return (ledger = await open());
    },
    close: async () => {
      try {
        await ledger.close();
      } finally {
        remove();
      }
    },
  };
};

ledgerContract('in Postgres', openPostgres);
