/**
 * L7: the one session that writes a Postgres ledger. It holds the database's lock as long as it
 * lives, so that whoever has lost it has lost the right to write as well.
 */
import { hostname } from 'node:os';
import { Client, types, type ClientConfig } from 'pg';
import { shownText } from './postgres-text.ts';

/** A program that writes the ledger holds this lock ("agpr" as a number, and the ledger's own). */
const LOCK = [0x61677072, 1] as const;
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** A program that was killed just now is seen to be gone within moments (ms). */
const PATIENCE = 5_000;
const PAUSE = 200;
/** After a try that failed the next one waits (ms): what is asked meanwhile fails at once. */
const REST = 500;

/** Oids of pg_catalog.pg_type. */
const OIDS = { int8: 20, text: 25, varchar: 1043, numeric: 1700 } as const;
const asNumber: ReadonlySet<number> = new Set([OIDS.int8, OIDS.numeric]);
const asText: ReadonlySet<number> = new Set([OIDS.text, OIDS.varchar]);

/** How every connection of ours reads and waits. */
export const connectionTo = (url: string) =>
  ({
    connectionString: url,
    application_name: `agentpr ${hostname()} ${process.pid}`.slice(0, 63),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: {
      // Times and numbers of rows are whole numbers far below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        asNumber.has(oid)
          ? Number
          : asText.has(oid)
            ? shownText
            : (types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown),
    },
  }) as const satisfies ClientConfig;

export type WriteSession = {
  /** The connection that holds the lock, made anew when it was lost. */
  client(): Promise<Client>;
  close(): Promise<void>;
};

/** A server without a client notices it in half a minute, and a commit that was answered is kept. */
const SETTINGS = `
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set default_transaction_isolation = 'read committed'; set default_transaction_read_only = off;
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/** Throws when another program holds the ledger: `onTaken` hears so when this one held it before. */
export const createSession = (url: string, onTaken: (error: Error) => void = () => {}): WriteSession => {
  let held: Promise<Client> | null = null;
  let failed: { at: number; error: unknown } | null = null;
  let before = false;
  let closed = false;

  const open = async (gone: () => void): Promise<Client> => {
    const client = new Client({ ...connectionTo(url), pipeline: true });
    // Said by the query that waits for it, and by the next one.
    client.on('error', gone);
    client.on('end', gone);
    try {
      await client.connect();
      await client.query(SETTINGS);
      await lock(client, before ? 0 : PATIENCE);
      before = true;
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };

  const begin = (): Promise<Client> => {
    const gone = (): void => {
      if (held === mine) held = null;
    };
    const mine = open(gone).catch((error: unknown) => {
      gone();
      failed = { at: performance.now(), error };
      if (before && error instanceof Taken) onTaken(error);
      throw error;
    });
    return mine;
  };

  return {
    client: async () => {
      if (closed) throw new Error('The ledger is closed.');
      if (failed && performance.now() - failed.at < REST) throw failed.error;
      return (held ??= begin());
    },
    close: async () => {
      closed = true;
      const client = await held?.catch(() => null);
      await client?.end();
    },
  };
};

export class Taken extends Error {}

const lock = async (client: Client, patience: number): Promise<void> => {
  for (const end = performance.now() + patience; ;) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1, $2) as ours', [
      ...LOCK,
    ]);
    if (rows[0]?.ours) return;
    if (performance.now() >= end) break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = $2`,
    [...LOCK],
  );
  throw new Taken(
    `Another program (${rows[0]?.name ?? 'it just ended'}) is using the ledger in this Postgres. Stop it first, or use another database.`,
  );
};
