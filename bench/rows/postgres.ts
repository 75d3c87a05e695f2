/** Cost of the ledger in Postgres, compared with bare `pg` and with SQLite (L7). */
import { join } from 'node:path';
import { Client } from 'pg';
import { openStore } from '../../db/directory/open-ledger.ts';
import type { StepRequest } from '#ports/steps';
import { startPostgres, type Server } from '../../tests/support/postgres.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, round, spread, timed } from '../measure.ts';
import { startNode } from '../processes.ts';
import type { BenchOptions, Measurement, Row } from '../row.ts';
import { TO_REVIEW, tellStory } from '../story.ts';
import { ledgerOver, overhear, type Said } from './ledger-step.ts';
import { CONNECTIONS, load, PATH } from './webhook.ts';

const SERVER = join(import.meta.dirname, '../../tests/support/webhook-server.ts');
const SECRET = 'secret-of-the-measured-deliveries';

type Told = { requests: StepRequest[]; transactions: Said[][] };

/** Records the statements in a ledger that is thrown away. */
const createRehearsal = async (server: Server) => {
  const { dir, remove } = temporaryDirectory();
  const { store } = await openStore({ dataDir: dir, database: await server.database() });
  let heard: Said[] = [];
  let made = 0;
  const ledger = ledgerOver(overhear(store, (said) => heard.push(said)));
  return {
    tell: async (runs: number): Promise<Told> => {
      const told: Told = { requests: [], transactions: [] };
      const onStep = (request: StepRequest): void => {
        told.requests.push(request);
        told.transactions.push((heard = []));
      };
      for (let i = 0; i < runs; i += 1)
        await tellStory({ ledger, from: 1_000, claims: false, onStep }, `r${(made += 1)}`, TO_REVIEW);
      return told;
    },
    close: () => store.close().finally(remove),
  };
};

/** The usual way: named prepared statements, one after the other. */
const createRaw = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const names = new Map<string, string>();
  return {
    close: () => client.end(),
    run: async (transaction: readonly Said[]): Promise<void> => {
      await client.query('begin');
      for (const { sql: text, values } of transaction) {
        const name = names.get(text) ?? `raw${names.size}`;
        names.set(text, name);
        await client.query({ name, text, values });
      }
      await client.query('commit');
    },
  };
};

const step = async (server: Server, { quick, pairs }: BenchOptions): Promise<Row> => {
  const [ours, bare] = [temporaryDirectory(), temporaryDirectory()];
  const { store } = await openStore({ dataDir: ours.dir, database: await server.database() });
  const database = await server.database();
  await openStore({ dataDir: bare.dir, database }).then((opened) => opened.store.close());
  const raw = await createRaw(database);
  const ledger = ledgerOver(store);
  const runs = quick ? 5 : 20;
  const rehearsal = await createRehearsal(server);
  let waiting: Told | null = null;
  const script = async (): Promise<Told> => {
    const told: Told = waiting ?? (await rehearsal.tell(runs));
    waiting = waiting ? null : told;
    return told;
  };
  const us = async (each: (told: Told) => Promise<void>): Promise<number> => {
    const told = await script();
    return ((await timed(() => each(told))) * 1_000) / told.requests.length;
  };
  try {
    const paired = await inPairs(
      pairs,
      () =>
        us(async ({ transactions }) => {
          for (const transaction of transactions) await raw.run(transaction);
        }),
      () =>
        us(async ({ requests }) => {
          for (const request of requests) await ledger.step(request);
        }),
    );
    return {
      name: 'postgres-step',
      value: paired.ratio,
      unit: 'x pg',
      bar: { is: '>=', at: 0.5 },
      note: `a step ${round(paired.b)} µs, its statements one after the other through pg ${round(paired.a)} µs; ${spread(paired)}`,
    };
  } finally {
    await rehearsal.close();
    await raw.close();
    await store.close();
    ours.remove();
    bare.remove();
  }
};

const ingest = async (server: Server, { quick, pairs }: BenchOptions): Promise<Row> => {
  const [inPostgres, inSqlite] = [temporaryDirectory(), temporaryDirectory()];
  const database = await server.database();
  const processes = [
    startNode([SERVER, inPostgres.dir, SECRET, database]),
    startNode([SERVER, inSqlite.dir, SECRET]),
  ] as const;
  try {
    const deliver = async (which: 0 | 1): Promise<() => Promise<number>> => {
      const [, port] = await processes[which].says(/127\.0\.0\.1:(\d+)/);
      const order = { path: PATH, secret: SECRET, connections: CONNECTIONS, ms: quick ? 1_000 : 3_000 };
      return async () => (await load({ ...order, port: Number(port) }, inPostgres.dir)).perSecond;
    };
    const paired = await inPairs(pairs, await deliver(0), await deliver(1));
    return {
      name: 'postgres-ingest',
      value: paired.ratio,
      unit: 'x SQLite',
      bar: { is: '>=', at: 0.7 },
      note: `signed deliveries over ${CONNECTIONS} connections, durable and answered: ${round(paired.a)}/s in Postgres, ${round(paired.b)}/s in SQLite; ${spread(paired)}`,
    };
  } finally {
    for (const one of processes) await one.stop();
    inPostgres.remove();
    inSqlite.remove();
  }
};

export const postgres: Measurement = {
  name: 'postgres',
  about: 'the ledger in Postgres: a step beside bare pg, deliveries beside SQLite',
  run: async (options): Promise<Row[]> => {
    const server = await startPostgres([]);
    try {
      return [await step(server, options), await ingest(server, options)];
    } finally {
      await server.stop();
    }
  },
};
