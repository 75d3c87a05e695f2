/** Runs scripts as serial transactions of a Postgres session; reads use other connections (L7). */
import { randomUUID } from 'node:crypto';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import { Pool, type Client, type PoolClient } from 'pg';
import { DatabaseFailure, explainDatabaseError, isReadOnlyError } from './database-failures.ts';
import { migrateSchema, schemaStanding, type SchemaStanding } from './migrate-schema.ts';
import { createClientConfig } from './postgres-client-config.ts';
import { createWriteSession, WRITE_LOCK_SQL, type WriterRole } from './postgres-session.ts';
import { encodeNul } from './postgres-text.ts';
import type { LedgerSchema } from './schema.ts';
import {
  bindArguments,
  type SqlBuilder,
  type StatementCall,
  type RunQuery,
  type SqlScript,
} from './statements.ts';
import type { SqlStore } from './sql-store.ts';

const createBuilder = (): SqlBuilder =>
  new Kysely<LedgerSchema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

const INSPECT_SQL =
  "select to_regclass('installation') is not null as made, current_setting('server_encoding') as encoding";

const MAX_READER_CONNECTIONS = 4;

const encodeValues = (all: readonly unknown[]): unknown[] =>
  all.map((value) => (typeof value === 'string' ? encodeNul(value) : value));

const createNames = () => {
  const names = new Map<string, string>();
  return (sql: string): string => {
    const known = names.get(sql) ?? `s${names.size}`;
    names.set(sql, known);
    return known;
  };
};

/** True when it wrote. The number is ours, as Postgres reuses its ids after a failover. */
const COMMIT_MARK_SQL = 'select committing($1, $2) as wrote';
const LAST_COMMIT_SQL = 'select n from commits where program = $1';

export type PostgresStore = SqlStore & {
  migrate(): Promise<void>;
  standing(): Promise<SchemaStanding>;
  whileAlone(work: () => Promise<void>): Promise<void>;
  jobsVersion(): Promise<number | null>;
  clock(): Promise<number>;
  inspect(): Promise<{ made: boolean; encoding: string }>;
  size(): Promise<number>;
};

type PostgresParts = {
  /** Another program took over, or the database came back as an older copy. */
  onTaken?: ((error: Error) => void) | undefined;
  onOlder?: (() => void) | undefined;
  seat?: WriterRole;
  ending?: (execute: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>) => Promise<void>;
};

export const createPostgresStore = (
  url: string,
  { onTaken, onOlder, seat = 'alone', ending }: PostgresParts = {},
): PostgresStore => {
  const session = createWriteSession(url, onTaken, seat, async (client) => {
    const { rows } = await client.query<{ n: number }>(LAST_COMMIT_SQL, [program]);
    // guard: L7-acknowledged-kept
    if ((rows[0]?.n ?? 0) < acknowledged) {
      onOlder?.();
      throw new DatabaseFailure({ kind: 'commits_lost' });
    }
  });
  const program = randomUUID();
  let begun = 0;
  let acknowledged = 0;
  let takesWrites = true;
  const reading = createReading(url);
  const nameOf = createNames();
  let last: Promise<unknown> = Promise.resolve();

  const runScript = async <T>(script: SqlScript<T>, onBegun?: () => void): Promise<T> => {
    const client = await orSay(() => session.client());
    /** Later statements only report that the transaction is aborted. */
    let failed: { error: unknown } | null = null;
    const watchQuery = <R>(asked: Promise<R>): Promise<R> => {
      asked.catch((error: unknown) => (failed ??= { error }));
      return asked;
    };
    const executeCall = async ({ statement, args }: StatementCall): Promise<unknown[]> => {
      const text = statement.sql;
      const asked = watchQuery(
        client.query<never>({
          name: nameOf(text),
          text,
          values: encodeValues(bindArguments(statement, args)),
        }),
      );
      return statement.returns ? (await asked).rows : [];
    };
    try {
      onBegun?.();
      const number = (begun += 1);
      void watchQuery(client.query('begin'));
      // guard: L7-one-writer
      if (seat !== 'alone') void watchQuery(client.query(WRITE_LOCK_SQL));
      let turn = script.next();
      while (!turn.done) {
        const { value } = turn;
        turn = script.next(
          await ('statement' in value ? executeCall(value) : Promise.all(value.map(executeCall))),
        );
      }
      await ending?.((text, given) => watchQuery(client.query<never>(text, given)));
      const asked = { name: 'committing', text: COMMIT_MARK_SQL, values: [program, number] };
      const mine = watchQuery(client.query<{ wrote: boolean }>(asked));
      // Postgres turns the commit of a failed transaction into a rollback.
      if ((await watchQuery(client.query('commit'))).command !== 'COMMIT')
        throw new Error('nothing was committed');
      const { wrote = false } = (await mine).rows[0] ?? {};
      if (wrote) acknowledged = number;
      takesWrites ||= wrote;
      return turn.value;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const why = (failed as { error: unknown } | null)?.error ?? error;
      takesWrites &&= !isReadOnlyError(why);
      throw explainDatabaseError(why);
    }
  };

  return {
    builder: createBuilder(),
    transact: (script, onBegun) => {
      const mine = last.then(() => runScript(script, onBegun));
      last = mine.catch(() => {});
      return mine;
    },
    read: reading.read,
    takesWrites: () => takesWrites,
    migrate: () =>
      orSay(async () => {
        const client = await session.client();
        const { lacks, foreign } = await standingBy(client);
        // A newer schema is refused even beside other programs.
        if (foreign !== null) await migrateBy(client);
        else if (seat === 'alone' || lacks.length > 0) await session.whileAlone(migrateBy);
      }),
    whileAlone: (work) => orSay(() => session.whileAlone(work)),
    jobsVersion: async () => {
      const [there] = await reading.ask<{ made: boolean }>(
        "select to_regclass('pgboss.version') is not null as made",
        [],
      );
      if (!there?.made) return null;
      const [row] = await reading.ask<{ version: number }>('select version from pgboss.version', []);
      return row?.version ?? null;
    },
    standing: () => orSay(async () => standingBy(await session.client())),
    clock: async () => {
      const query = 'select extract(epoch from clock_timestamp()) * 1000 as now';
      const [row] = await reading.ask<{ now: number }>(query, []);
      return row?.now ?? Number.NaN;
    },
    inspect: () =>
      orSay(async () => {
        const { rows } = await (
          await session.client()
        ).query<{ made: boolean; encoding: string }>(INSPECT_SQL);
        if (!rows[0]) throw new DatabaseFailure({ kind: 'no_answer' });
        return rows[0];
      }),
    size: async () => {
      const query = 'select pg_database_size(current_database()) as size';
      const [row] = await reading.ask<{ size: number }>(query, []);
      return row?.size ?? 0;
    },
    close: async () => {
      await last;
      await reading.close();
      await session.close();
    },
  };
};

/** `snapshot` pins one moment for all reads. */
export const createPostgresReader = (
  url: string,
  { snapshot }: { snapshot: boolean },
): Pick<SqlStore, 'builder' | 'read' | 'close'> => ({
  builder: createBuilder(),
  ...createReading(url, { snapshot }),
});

const createReading = (url: string, { snapshot = false }: { snapshot?: boolean } = {}) => {
  const pool = new Pool({ ...createClientConfig(url), max: MAX_READER_CONNECTIONS, allowExitOnIdle: true });
  pool.on('error', () => {});
  const nameOf = createNames();
  let moment: Promise<PoolClient> | null = null;
  const atOneMoment = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    client.on('error', () => {});
    await client.query('begin isolation level repeatable read read only');
    return client;
  };
  const ask = async <R>(text: string, parameters: readonly unknown[]): Promise<R[]> => {
    try {
      const from = snapshot ? await (moment ??= atOneMoment()) : pool;
      const asked = { name: nameOf(text), text, values: encodeValues(parameters) };
      return (await from.query(asked)).rows as R[];
    } catch (error) {
      throw explainDatabaseError(error);
    }
  };
  const read: RunQuery = (query) => {
    const { sql, parameters } = query.compile();
    return ask(sql, parameters);
  };
  return {
    ask,
    read,
    close: async () => {
      const client = await moment?.catch(() => null);
      client?.release(true);
      await pool.end();
    },
  };
};

const orSay = async <T>(action: () => Promise<T>): Promise<T> => {
  try {
    return await action();
  } catch (error) {
    throw explainDatabaseError(error);
  }
};

/** Kysely needs a pool; this one has only the session that holds the lock. */
const kyselyOf = (client: Client): Kysely<unknown> => {
  const own = {
    query: (text: string, parameters: unknown[]) => client.query(text, parameters),
    release: () => {},
  };
  const pool = { connect: async () => own, end: async () => {} };
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) });
};
const migrateBy = (client: Client): Promise<void> => migrateSchema(kyselyOf(client), 'postgres');
const standingBy = (client: Client): Promise<SchemaStanding> => schemaStanding(kyselyOf(client), 'postgres');
