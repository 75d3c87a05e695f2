/** The session that writes a Postgres ledger; its lock is the right to write (L7). */
import { Client } from 'pg';
import type { DatabaseFault } from '#model/failure';
import { DatabaseFailure, isDatabaseFault } from './database-failures.ts';
import { isPooled } from './postgres-pooler.ts';
import { createClientConfig } from './postgres-client-config.ts';

/** Advisory locks (namespace "agpr" as a number): ledger in use, active control, current writer. */
const LOCKS = { use: 1, control: 2, writing: 3 } as const;
const SPACE = 0x61677072;
/** `alone`: single writer. `control` and `worker`: several writers, one control. */
export type WriterRole = 'alone' | 'control' | 'worker';
/** Time until a killed program's lock is released (ms). */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 200;
/** Pause after a failed connection (ms); queries fail at once meanwhile. */
const RECONNECT_REST_MS = 500;

type WriteSession = {
  client(): Promise<Client>;
  whileAlone(work: (client: Client) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** A process stopped in a transaction would block all others. */
const BESIDE_OTHERS = "set idle_in_transaction_session_timeout = '10s'";
/** Serialises writers; the next statement sees all commits. */
export const WRITE_LOCK_SQL = `select pg_advisory_xact_lock(${SPACE}, ${LOCKS.writing})`;

/** Detects a dead client within half a minute; acknowledged commits are durable. */
const SESSION_SETTINGS_SQL = `
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set default_transaction_isolation = 'read committed';
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/** Throws when another program holds the ledger; `onTaken` is called if this one held it before. */
export const createWriteSession = (
  url: string,
  onTaken: (error: Error) => void = () => {},
  seat: WriterRole = 'alone',
  onBack: (client: Client) => Promise<void> = async () => {},
): WriteSession => {
  let held: Promise<Client> | null = null;
  let failed: { at: number; error: unknown } | null = null;
  let before = false;
  let closed = false;

  const openClient = async (gone: () => void): Promise<Client> => {
    // guard: L7-no-pooler
    if (!before && (await isPooled(url))) throw new DatabaseFailure({ kind: 'pooled' });
    const client = new Client({ ...createClientConfig(url), pipeline: true });
    client.on('error', gone);
    client.on('end', gone);
    try {
      await client.connect();
      await client.query(SESSION_SETTINGS_SQL);
      if (seat !== 'alone') await client.query(BESIDE_OTHERS);
      // Checked first, so that losses are reported even when the seat is taken.
      if (before) await onBack(client);
      await takeSeat(client, seat, before ? 0 : LOCK_TIMEOUT_MS);
      before = true;
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  };

  const beginSession = (): Promise<Client> => {
    const forgetClient = (): void => {
      if (held === mine) held = null;
    };
    const mine = openClient(forgetClient).catch((error: unknown) => {
      forgetClient();
      failed = { at: performance.now(), error };
      if (before && isDatabaseFault(error, 'control_taken', 'postgres_taken', 'commits_lost')) onTaken(error);
      throw error;
    });
    return mine;
  };

  const client = async (): Promise<Client> => {
    if (closed) throw new Error('The ledger is closed.');
    if (failed && performance.now() - failed.at < RECONNECT_REST_MS) throw failed.error;
    return (held ??= beginSession());
  };

  return {
    client,
    whileAlone: async (work) => {
      const mine = await client();
      if (seat === 'alone') return work(mine);
      // guard: L7-migrates-alone
      if (!(await retryWithin(LOCK_TIMEOUT_MS, () => takeLock(mine, LOCKS.use, ''))))
        throw new DatabaseFailure({ kind: 'peers_at_work' });
      try {
        await work(mine);
      } finally {
        await mine.query('select pg_advisory_unlock($1, $2)', [SPACE, LOCKS.use]);
      }
    },
    close: async () => {
      closed = true;
      const client = await held?.catch(() => null);
      await client?.end();
    },
  };
};

const takeSeat = async (client: Client, seat: WriterRole, patience: number): Promise<void> => {
  // Taken first, so that a waiting control blocks nobody.
  if (seat === 'control' && !(await retryWithin(patience, () => takeLock(client, LOCKS.control, '')))) {
    throw new DatabaseFailure({ kind: 'control_taken', holder: await holderOf(client, LOCKS.control) });
  }
  const has = await retryWithin(patience, () =>
    takeLock(client, LOCKS.use, seat === 'alone' ? '' : '_shared'),
  );
  if (!has) throw new DatabaseFailure({ kind: 'postgres_taken', holder: await holderOf(client, LOCKS.use) });
};

const takeLock = async (client: Client, which: number, how: '' | '_shared'): Promise<boolean> => {
  const { rows } = await client.query<{ ours: boolean }>(
    `select pg_try_advisory_lock${how}($1, $2) as ours`,
    [...[SPACE, which]],
  );
  return rows[0]?.ours ?? false;
};

const retryWithin = async (patience: number, ask: () => Promise<boolean>): Promise<boolean> => {
  for (const end = performance.now() + patience; ;) {
    if (await ask()) return true;
    if (performance.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
};

const holderOf = async (client: Client, which: number): Promise<string | DatabaseFault> => {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and granted and classid = $1 and objid = $2
        and database = (select oid from pg_database where datname = current_database())`,
    [SPACE, which],
  );
  return rows[0]?.name ?? { kind: 'holder_gone' };
};
