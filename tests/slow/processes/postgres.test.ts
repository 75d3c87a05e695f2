/** L7: the ledger in a real Postgres, under the contract of every ledger. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { telegramLimits as limits } from '../../../bot/telegram-limits.ts';
import { createLedger } from '../../../db/ledger/ledger.ts';
import { exportRows } from '../../../db/directory/export-ledger.ts';
import { openStore } from '../../../db/directory/open-ledger.ts';
import type { SqlStore } from '../../../db/sql/sql-store.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { ledgerContract } from '../../contracts/ledger-contract.ts';
import { createRandom } from '../../prove/random.ts';
import { randomAct, type Past } from '../../support/ledger-acts.ts';
import { temporaryDirectory, type Open } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';

const KEY = new Uint8Array(32).fill(7);
let server: Server;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.database();
});
afterAll(() => server.stop());

/** As in production: a directory of its own, and an empty database, opened anew at each restart. */
const openPostgresWhenThere: Open = async () => {
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

ledgerContract('in Postgres', openPostgresWhenThere);

/** What a ledger answers; of a bug or a broken constraint, only that it was refused. */
const answer = async (asked: Promise<unknown>): Promise<unknown> => {
  try {
    return { is: await asked };
  } catch (error) {
    return { failed: error instanceof Error };
  }
};
const rowsOf = async (store: SqlStore): Promise<string[]> => {
  const rows: string[] = [];
  for await (const { table, row } of exportRows(store))
    rows.push(JSON.stringify([table, Object.entries(row).sort()]));
  return rows.sort();
};

it.each([1, 2])(
  'L7: answers as SQLite does, and holds the same rows, hashes and signatures (seed %i)',
  async (seed) => {
    const random = createRandom(seed);
    const past: Past = { now: 1_000, keys: 0, claims: [], inbox: [] };
    const { dir, remove } = temporaryDirectory();
    await server.empty(database);
    const sqlite = await openStore({ dataDir: ':memory:', key: KEY });
    const postgres = await openStore({ dataDir: dir, database, key: KEY });
    const boot = ({ store, key }: typeof sqlite): Ledger =>
      createLedger({ store, key, boot: 'boot', now: () => 0, limits });
    const [one, other] = [boot(sqlite), boot(postgres)];
    for (let i = 1; i <= 80; i += 1) {
      past.now += random.pick([0, 1, 10, 50, 500, 1_100]);
      const act = randomAct(random, past);
      const said = await answer(act.on(one));
      expect(await answer(act.on(other)), `${i}: ${act.name}`).toEqual(said);
      const { is } = said as { is?: unknown };
      if (act.name === 'claim') past.claims.push(...((is ?? []) as ClaimedEffect[]));
      if (act.name === 'receive') past.inbox.push(...((is ?? []) as { id: number }[]).map((r) => r.id));
    }
    expect(await rowsOf(postgres.store)).toEqual(await rowsOf(sqlite.store));
    await sqlite.store.close();
    await postgres.store.close();
    remove();
  },
);
