/** L7: histories on a real Postgres, one server and two databases per thread. */
import { createSecretKey } from 'node:crypto';
import { Client } from 'pg';
import { openInstallationLog } from '../../db/ledger/installation-log.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { createRowMac } from '../../db/integrity/row-mac.ts';
import { readTablePages, TABLE_NAMES } from '../../db/sql/table-pages.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import { createPostgresStore } from '../../db/sql/postgres-store.ts';
import { createStatementDefiner } from '../../db/sql/statements.ts';
import type { SqlStore } from '../../db/sql/sql-store.ts';
import type { Ledger } from '#ports/ledger';
import type { Server } from '../support/postgres.ts';
import type { Random } from './random.ts';
import { SECRET_KEY, type Opened } from './stage.ts';

/** Writing calls, whose result is unknown after a lost connection. */
const WRITES: ReadonlySet<string> = new Set(['step', 'claim', 'renew', 'finish', 'settleInbox', 'hurry']);
/** Chance that all connections end within a writing call. */
const CUT = 0.01;

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** `seat`: one process alone, or one of several. */
export const createBench = async (server: Server, seat: 'alone' | 'control') => {
  const url = await server.database();
  const store = createPostgresStore(url, { seat });
  await store.migrate();
  const admin = new Client({ connectionString: url });
  await admin.connect();
  let cuts = 0;
  const cut = async (): Promise<void> => {
    cuts += 1;
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'agentpr%'",
    );
    // One call notices the loss; later ones reconnect.
    while (!(await Promise.all([store.inspect(), store.clock()]).catch(() => null))) await later();
  };
  return {
    cuts: () => cuts,
    /** `chance` cuts connections at random. */
    open: async (chance: Random | null, onClose: (rows: string[]) => void): Promise<Opened> => {
      await server.empty(url);
      return openOver(store, onClose, chance && { random: chance, cut });
    },
    close: async (): Promise<void> => {
      await admin.end();
      await store.close();
    },
  };
};

/** SQLite, for comparison. */
export const openBeside = async (onClose: (rows: string[]) => void): Promise<Opened> => {
  const { store } = await openStore({ dataDir: ':memory:', key: SECRET_KEY });
  const opened = await openOver(store, onClose);
  return { ...opened, close: () => opened.close().then(() => store.close()) };
};

const openOver = async (
  store: SqlStore,
  onClose: (rows: string[]) => void,
  cuts: { random: Random; cut: () => Promise<void> } | null = null,
): Promise<Opened> => {
  const key = createSecretKey(SECRET_KEY);
  await store.transact(openInstallationLog(createStatementDefiner(store.builder), createRowMac(key)));
  return {
    ledger: (boot, now) => {
      const ledger = createLedger({ store, key, boot, now });
      return cuts ? cutting(ledger, cuts) : ledger;
    },
    mayFail: (error) => cuts !== null && error instanceof Error && LOST.test(error.message),
    slow: true,
    close: async () => onClose(await rowsOf(store)),
  };
};
const LOST = /^The Postgres of the ledger cannot be reached/;

/** Cuts connections before, during or after the commit. */
const cutting = (ledger: Ledger, { random, cut }: { random: Random; cut: () => Promise<void> }): Ledger =>
  new Proxy(ledger, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string' || typeof value !== 'function' || !WRITES.has(name)) return value;
      return async (...args: unknown[]) => {
        const done: unknown = Reflect.apply(value, target, args);
        if (!random.chance(CUT)) return done;
        const settled = Promise.allSettled([done]);
        for (let turns = random.int(6); turns > 0; turns -= 1) await new Promise(setImmediate);
        await Promise.all([settled, cut()]);
        return done;
      };
    },
  });

const rowsOf = async (store: SqlStore): Promise<string[]> => {
  const rows: string[] = [];
  for (const table of TABLE_NAMES)
    for await (const page of readTablePages(store, table))
      for (const row of page) rows.push(JSON.stringify([table, Object.entries(row).sort()]));
  return rows.sort();
};
