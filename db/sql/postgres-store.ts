/**
 * L7: Postgres: runs scripts as transactions of one session, one after the other, and reads on
 * connections beside it.
 */
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
import { explainDatabaseError, isReadOnly } from './database-failures.ts';
import { migrateSchema, schemaStanding, type SchemaStanding } from './migrate-schema.ts';
import { connectionTo } from './postgres-session-settings.ts';
import { createSession, CommitsLost, WRITE_LOCK_SQL, type WriterRole } from './postgres-session.ts';
import { storedText } from './postgres-text.ts';
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
  "select to_regclass('house') is not null as made, current_setting('server_encoding') as encoding";

/** Connections that read at a time. */
const MAX_READER_CONNECTIONS = 4;

const values = (all: readonly unknown[]): unknown[] =>
  all.map((value) => (typeof value === 'string' ? storedText(value) : value));

/** Each text is prepared once on a connection, under a name of its own. */
const createNames = () => {
  const names = new Map<string, string>();
  return (sql: string): string => {
    const known = names.get(sql) ?? `s${names.size}`;
    names.set(sql, known);
    return known;
  };
};

/**
 * Whether the transaction wrote anything; its number is kept then. The number that Postgres has for it
 * would not do: after a failover others get the same.
 */
const COMMIT_MARK_SQL = 'select committing($1, $2) as wrote';
const LAST_COMMIT_SQL = 'select n from commits where program = $1';

const LOST_COMMITS_MESSAGE =
  'The Postgres of the ledger came back without what it had acknowledged: it failed over to a standby that lagged, or an older copy was put in its place. Start agentpr again: it looks at the code host before it opens anything, and agentpr replay --all says what it has; then agentpr audit accept.';

export type PostgresStore = SqlStore & {
  /** Brings the database to the newest schema; beside others only when nobody else is there. */
  migrate(): Promise<void>;
  standing(): Promise<SchemaStanding>;
  /** Does what no other program may be there for. */
  whileAlone(work: () => Promise<void>): Promise<void>;
  /** Of pg-boss's tables; null where there are none. */
  jobsVersion(): Promise<number | null>;
  /** The database's clock (epoch ms): one for all programs. */
  clock(): Promise<number>;
  /** Whether a ledger was ever made there, and what the database can hold. */
  look(): Promise<{ made: boolean; encoding: string }>;
  /** Bytes of the database. */
  size(): Promise<number>;
};

export type PostgresParts = {
  /**
   * Hears that another program took the ledger over while this one could not reach it, or that it
   * came back as an older copy.
   */
  onTaken?: ((error: Error) => void) | undefined;
  /** Hears first that it came back as an older copy. */
  onOlder?: (() => void) | undefined;
  seat?: WriterRole;
  /** Before each commit: what else belongs to the transaction. */
  ending?: (execute: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>) => Promise<void>;
};

export const createPostgresStore = (
  url: string,
  { onTaken, onOlder, seat = 'alone', ending }: PostgresParts = {},
): PostgresStore => {
  const session = createSession(url, onTaken, seat, async (client) => {
    const { rows } = await client.query<{ n: number }>(LAST_COMMIT_SQL, [program]);
    // guard: L7-acknowledged-kept
    if ((rows[0]?.n ?? 0) < acknowledged) {
      onOlder?.();
      throw new CommitsLost(LOST_COMMITS_MESSAGE);
    }
  });
  const program = randomUUID();
  /** Transactions of ours: how many were begun, and the newest that Postgres said to be committed. */
  let begun = 0;
  let acknowledged = 0;
  /** By what became of the last write. */
  let takesWrites = true;
  const reading = createReading(url);
  const nameOf = createNames();
  let last: Promise<unknown> = Promise.resolve();

  const run = async <T>(script: SqlScript<T>, onBegun?: () => void): Promise<T> => {
    const client = await orSay(() => session.client());
    /** The first that failed: what comes after it hears only that the transaction is over. */
    let failed: { error: unknown } | null = null;
    const ask = <R>(asked: Promise<R>): Promise<R> => {
      asked.catch((error: unknown) => (failed ??= { error }));
      return asked;
    };
    /** What gives nothing back is on its way while the script goes on. */
    const execute = async ({ statement, args }: StatementCall): Promise<unknown[]> => {
      const text = statement.sql;
      const asked = ask(
        client.query<never>({ name: nameOf(text), text, values: values(bindArguments(statement, args)) }),
      );
      return statement.returns ? (await asked).rows : [];
    };
    try {
      onBegun?.();
      const number = (begun += 1);
      void ask(client.query('begin'));
      // guard: L7-one-writer
      if (seat !== 'alone') void ask(client.query(WRITE_LOCK_SQL));
      let turn = script.next();
      while (!turn.done) {
        const { value } = turn;
        turn = script.next(await ('statement' in value ? execute(value) : Promise.all(value.map(execute))));
      }
      await ending?.((text, given) => ask(client.query<never>(text, given)));
      const asked = { name: 'committing', text: COMMIT_MARK_SQL, values: [program, number] };
      const mine = ask(client.query<{ wrote: boolean }>(asked));
      // Of a transaction in which anything failed, Postgres makes a rollback.
      if ((await ask(client.query('commit'))).command !== 'COMMIT') throw new Error('nothing was committed');
      const { wrote = false } = (await mine).rows[0] ?? {};
      if (wrote) acknowledged = number;
      takesWrites ||= wrote;
      return turn.value;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const why = (failed as { error: unknown } | null)?.error ?? error;
      takesWrites &&= !isReadOnly(why);
      throw explainDatabaseError(why);
    }
  };

  return {
    builder: createBuilder(),
    transact: (script, onBegun) => {
      const mine = last.then(() => run(script, onBegun));
      last = mine.catch(() => {});
      return mine;
    },
    read: reading.read,
    takesWrites: () => takesWrites,
    migrate: () =>
      orSay(async () => {
        const client = await session.client();
        const { lacks, foreign } = await standingBy(client);
        // What a newer version made is refused, whoever else is there.
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
    look: () =>
      orSay(async () => {
        const { rows } = await (
          await session.client()
        ).query<{ made: boolean; encoding: string }>(INSPECT_SQL);
        if (!rows[0]) throw new Error('Postgres gave no answer.');
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

/** For reading beside a running agentpr; a snapshot shows one moment, however long it is read. */
export const createPostgresReader = (
  url: string,
  { snapshot }: { snapshot: boolean },
): Pick<SqlStore, 'builder' | 'read' | 'close'> => ({
  builder: createBuilder(),
  ...createReading(url, snapshot),
});

const createReading = (url: string, snapshot = false) => {
  const pool = new Pool({ ...connectionTo(url), max: MAX_READER_CONNECTIONS, allowExitOnIdle: true });
  // Said by the query that needs it next.
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
      const asked = { name: nameOf(text), text, values: values(parameters) };
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

const orSay = async <T>(f: () => Promise<T>): Promise<T> => {
  try {
    return await f();
  } catch (error) {
    throw explainDatabaseError(error);
  }
};

/** Kysely works by a pool: here one of the session alone, so that only who holds the lock does. */
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
