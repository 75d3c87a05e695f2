/** L7: what a Postgres, or a pooler before it, wants otherwise than DATABASE_URL says: a sentence each. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../app/config.ts';
import { inspectPostgres } from '../../db/directory/open-postgres.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { createAuthority, type Authority } from '../support/company-network.ts';
import { temporaryDirectory, write } from '../support/ledger.ts';
import { startPostgres, type Server } from '../support/postgres.ts';

const POOLER = spawnSync('pgbouncer', ['--version']).status === 0;
const isRoot = process.getuid?.() === 0;
/** The server runs as a user of its own where we are root. */
const forServer = (file: string): void => {
  chmodSync(file, 0o600);
  if (isRoot) execFileSync('chown', ['postgres', file]);
};

let server: Server;
let authority: Authority;
let files: string;
let hba: string;
let place: ReturnType<typeof temporaryDirectory>;
let database: string;

beforeAll(async () => {
  authority = createAuthority();
  files = mkdtempSync(join(tmpdir(), 'agentpr-pg-tls-'));
  chmodSync(files, 0o755);
  const { key, cert } = authority.certify(['localhost', '127.0.0.1']);
  for (const [name, content] of [
    ['key', key],
    ['cert', cert],
    ['hba', OPEN],
  ] as const) {
    writeFileSync(join(files, name), content);
    forServer(join(files, name));
  }
  hba = join(files, 'hba');
  const tls = ['ssl=on', `ssl_cert_file=${join(files, 'cert')}`, `ssl_key_file=${join(files, 'key')}`];
  server = await startPostgres(['fsync=off', `hba_file=${hba}`, ...tls]);
});
afterAll(async () => {
  await server.stop();
  authority.close();
  rmSync(files, { recursive: true });
});
beforeEach(async () => {
  place = temporaryDirectory();
  await lets(OPEN);
  database = await server.database();
});
afterEach(() => place.remove());

const OPEN = 'host all all 127.0.0.1/32 scram-sha-256\n';
/** Who may come in, as pg_hba.conf says it. */
const lets = async (rules: string): Promise<void> => {
  writeFileSync(hba, rules);
  const [, admin = ''] = [null, address('postgres')];
  await server.ask(admin, 'select pg_reload_conf()').catch(() => undefined);
};
const address = (name: string): string => database?.replace(/[^/]+$/, name) ?? '';
const open = async (url: string): Promise<void> => {
  const ledger = await openLedger({ dataDir: place.dir, database: url, now: () => 0 });
  await write(ledger, 'r1');
  await ledger.close();
};
/** A start and `doctor` say the same. */
const bothSay = async (url: string, words: RegExp): Promise<void> => {
  await expect(open(url)).rejects.toThrow(words);
  expect(await inspectPostgres(place.dir, url)).toEqual({
    wrong: expect.objectContaining({ message: expect.stringMatching(words) as string }) as Error,
  });
};
const locks = () =>
  server.ask<{ pid: number }>(database, "select pid from pg_locks where locktype = 'advisory'");
const withUser = (url: string, user: string): string => url.replace('postgres:postgres@', `${user}:${user}@`);

describe('a Postgres that wants it otherwise', () => {
  it('L7: that takes only encrypted connections says so, and takes one by a certificate that is trusted', async () => {
    await lets(
      'hostssl all all 127.0.0.1/32 scram-sha-256\nhostnossl postgres all 127.0.0.1/32 scram-sha-256\n',
    );
    await bothSay(database, /refuses unencrypted connections.*add \?sslmode=verify-full/);
    await bothSay(`${database}?sslmode=verify-full`, /certificate of the Postgres.*NODE_EXTRA_CA_CERTS/);
    await open(`${database}?sslmode=verify-full&sslrootcert=${authority.file}`);
    await lets(OPEN);
    expect(await locks()).toEqual([]);
  });

  it('L7: that lets nobody in from here, or wants a password that is not given, is not taken for a wrong password', async () => {
    await lets('host postgres all 127.0.0.1/32 scram-sha-256\n');
    const encrypted = `${database}?sslmode=verify-full&sslrootcert=${authority.file}`;
    await bothSay(encrypted, /does not let this user in from this machine/);
    await lets(OPEN);
    await bothSay(database.replace(':postgres@', '@'), /wants a password, and DATABASE_URL has none/);
    await bothSay(database.replace(':postgres@', ':wrong@'), /refused the user or password/);
  });

  it('L7: a user who may not make tables says so while they are made, and leaves no lock behind', async () => {
    await server.ask(database, "create role guest login password 'guest'");
    await expect(open(withUser(database, 'guest'))).rejects.toThrow(
      /may not do that in its database.*owner to <user>/s,
    );
    expect(await locks()).toEqual([]);
    // Half of them: the user may make tables, and no trigger's function.
    await server.ask(
      database,
      'grant create on schema public to guest; revoke usage on language plpgsql from public',
    );
    await expect(open(withUser(database, 'guest'))).rejects.toThrow(/may not do that in its database/);
    const left = await server.ask(
      database,
      "select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
    );
    expect(left).toEqual([]);
    await server.ask(database, 'grant usage on language plpgsql to public');
    await open(withUser(database, 'guest'));
  });

  it('L7: a search_path that leads nowhere says so; one that leads elsewhere is followed', async () => {
    const name = new URL(database).pathname.slice(1);
    await server.ask(database, `alter database ${name} set search_path = nowhere`);
    await expect(open(database)).rejects.toThrow(/search_path of the user.*names no schema that is there/);
    await server.ask(database, 'create schema nowhere');
    await open(database);
    const [table] = await server.ask<{ schema: string }>(
      database,
      "select schemaname as schema from pg_tables where tablename = 'runs'",
    );
    expect(table?.schema).toBe('nowhere');
  });

  it('O3: ?schema= is refused with what to say instead, and that works', async () => {
    const required = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'x' };
    const read = (url: string) => readConfig({ ...required, DATABASE_URL: url }, null, '/').database ?? '';
    expect(() => read(`${database}?schema=own`)).toThrow(/schema=own.*\?options=-csearch_path%3Down/);
    await server.ask(database, 'create schema own');
    await open(read(`${database}?options=-csearch_path%3Down`));
    const [table] = await server.ask<{ schema: string }>(
      database,
      "select schemaname as schema from pg_tables where tablename = 'runs'",
    );
    expect(table?.schema).toBe('own');
  });
});

/** A pooler before the server, in a mode, on a port of its own. */
const startPooler = async (
  mode: 'session' | 'transaction',
): Promise<{ url: string; stop(): Promise<void> }> => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const at = free.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  free.close();
  await once(free, 'close');
  const { hostname, port: behind, pathname } = new URL(database);
  const name = pathname.slice(1);
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-pooler-'));
  chmodSync(dir, 0o755);
  const users = join(dir, 'users');
  writeFileSync(users, '"postgres" "postgres"\n');
  writeFileSync(
    join(dir, 'ini'),
    `[databases]\n${name} = host=${hostname} port=${behind} dbname=${name}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${port}\nunix_socket_dir=\nauth_type=plain\nauth_file=${users}\npool_mode=${mode}\n`,
  );
  for (const file of ['users', 'ini']) forServer(join(dir, file));
  const more = isRoot ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...more, join(dir, 'ini')], { stdio: 'ignore' });
  const isThere = (): Promise<boolean> =>
    new Promise((resolve) => {
      const probe = connect(port, '127.0.0.1', () => resolve((probe.destroy(), true)));
      probe.once('error', () => resolve(false));
    });
  await expect.poll(isThere, { timeout: 20_000, interval: 50 }).toBe(true);
  return {
    url: database.replace(`:${behind}/`, `:${port}/`),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
};

describe.skipIf(!POOLER)('a pooler before Postgres (skipped where pgbouncer is not installed)', () => {
  it('L7: in transaction mode is refused at the start and by doctor, and no lock stays behind', async () => {
    const pooler = await startPooler('transaction');
    try {
      await bothSay(pooler.url, /pooler in transaction mode/);
      expect(await locks()).toEqual([]);
      await open(database);
    } finally {
      await pooler.stop();
    }
  });

  it('L7: in session mode works', async () => {
    const pooler = await startPooler('session');
    try {
      await open(pooler.url);
    } finally {
      await pooler.stop();
    }
  });
});
