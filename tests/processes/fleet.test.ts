/** L7: several programs write one ledger in a real Postgres, and pg-boss brings them work. */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { getRollbackPlans } from 'pg-boss';
import { openSharedLedger, type OpenedFleet, type FleetRequest } from '../../db/directory/shared-ledger.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { loadOrCreateKey } from '../../db/directory/ledger-key.ts';
import { lockDirectory } from '../../db/directory/directory-lock.ts';
import { temporaryDirectory, write } from '../support/ledger.ts';
import { startPostgres, type Server } from '../support/postgres.ts';

let server: Server;
let database: string;
let dir: string;
let remove: () => void;
let opened: OpenedFleet[] = [];
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  database = await server.database();
  ({ dir, remove } = temporaryDirectory());
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.ledger.close();
  remove();
});

const heard: unknown[] = [];
const open = async (role: FleetRequest['role'], more: Partial<FleetRequest> = {}): Promise<OpenedFleet> => {
  const fleet = await openSharedLedger({
    dataDir: dir,
    database,
    role,
    onTrouble: (error: unknown) => heard.push(error),
    ...more,
  });
  opened.push(fleet);
  return fleet;
};
/** The seal's key is made by whoever starts the control. */
const openControl = async (more: Partial<FleetRequest> = {}): Promise<OpenedFleet> => {
  const control = await open('control', more);
  loadOrCreateKey(join(more.dataDir ?? dir, 'keys', 'seal.key'), { mayMake: true });
  return control;
};
const close = async (fleet: OpenedFleet): Promise<void> => {
  opened = opened.filter((one) => one !== fleet);
  await fleet.ledger.close();
};

it('L7: ten controls that start at once on an empty database make one ledger, and one is at work', async () => {
  const all = Array.from({ length: 10 }, () =>
    open('control').then(async (fleet) => {
      const now = fleet.clock.now();
      await fleet.ledger.receive([{ source: 'cli', key: `k${now}`, body: null }], now);
      expect(opened).toHaveLength(1);
      await close(fleet);
    }),
  );
  await Promise.all(all);
  expect(await server.ask(database, 'select count(*)::int as n from installation')).toEqual([{ n: 1 }]);
});

it('L5: a worker that starts or ends before the first checkpoint leaves it to the control, which anchors it', async () => {
  const control = await openControl();
  const worker = await open('worker');
  await write(control.ledger, 'r1', { now: control.clock.now() });
  await worker.ledger.recover(worker.clock.now());
  await close(worker);
  expect(await control.ledger.rollback()).toBeNull();
  await control.ledger.recover(control.clock.now());
  const heads = await server.ask(database, "select seq from installation_events where type = 'checkpoint'");
  expect(heads).toHaveLength(1);
  expect(await control.ledger.rollback()).toBeNull();
});

it('L7: a program that wants the ledger for itself, one with other keys, and a control of a newer schema are refused', async () => {
  await openControl();
  await open('worker');
  await expect(openLedger({ dataDir: `${dir}-alone`, database, now: Date.now })).rejects.toThrow(
    /is using the ledger in this Postgres/,
  );
  const elsewhere = `${dir}-elsewhere`;
  mkdirSync(elsewhere, { mode: 0o700 });
  for (const name of ['ledger.key', 'seal.key'])
    loadOrCreateKey(join(elsewhere, 'keys', name), { mayMake: true });
  await expect(open('worker', { dataDir: elsewhere })).rejects.toThrow(/are not those of this ledger/);
  rmSync(join(elsewhere, 'keys'), { recursive: true });
  cpSync(join(dir, 'keys'), join(elsewhere, 'keys'), { recursive: true });
  await open('worker', { dataDir: elsewhere });
  const [control] = opened;
  if (control) await close(control);
  await server.ask(database, "delete from kysely_migration where name = '0004-commits'");
  await expect(open('control')).rejects.toThrow(/Stop all workers first/);
  for (const left of [elsewhere, `${dir}-alone`]) rmSync(left, { recursive: true, force: true });
});

it('L7: tables of jobs are brought to another version by a control that is alone; workers wait for that, and refuse a newer one', async () => {
  const control = await openControl();
  const worker = await open('worker');
  await close(control);
  const [found] = await server.ask<{ version: number }>(database, 'select version from pgboss.version');
  const version = found?.version ?? 0;
  await server.ask(database, `update pgboss.version set version = ${version + 1}`);
  await expect(open('control')).rejects.toThrow('made by a newer version');
  await expect(open('worker')).rejects.toThrow('made by a newer version');
  await server.ask(database, `update pgboss.version set version = ${version}`);
  await server.ask(database, getRollbackPlans('pgboss', version));
  const waits: string[] = [];
  const second = open('worker', { onWaiting: (why) => waits.push(why.message) });
  await expect.poll(() => waits.at(-1)).toContain('brought to the schema of this version');
  await expect(open('control')).rejects.toThrow('Stop all workers first');
  await close(worker);
  const newest = await open('control');
  await second;
  await close(newest);
  await server.ask(database, "insert into kysely_migration values ('9999-later', '')");
  await expect(open('control')).rejects.toThrow('made by a newer version');
  await expect(open('worker')).rejects.toThrow('made by a newer version');
  expect(await server.ask(database, 'select version from pgboss.version')).toEqual([{ version }]);
});

/** Another machine: keys of the same ledger, in a directory of its own. */
const elsewhere = (): string => {
  const other = `${dir}-other`;
  cpSync(join(dir, 'keys'), join(other, 'keys'), { recursive: true });
  return other;
};

it('L7: a control that takes over stands by for as long as its directory is in use', async () => {
  const first = await openControl();
  const dataDir = elsewhere();
  const lock = lockDirectory(dataDir);
  const waits: string[] = [];
  const second = open('control', { dataDir, onWaiting: (why) => waits.push(why.message) });
  await expect.poll(() => waits.at(-1), { timeout: 10_000 }).toContain('Another control');
  await close(first);
  await expect.poll(() => waits.at(-1), { timeout: 10_000 }).toContain(`is using ${dataDir}`);
  lock.release();
  await close(await second);
  rmSync(dataDir, { recursive: true });
});

it('L7: a control that takes over waits for a connection where none is left', async () => {
  const name = new URL(database).pathname.slice(1);
  await server.ask(database, `create role few login password 'few'; alter database ${name} owner to few`);
  const asFew = { database: database.replace('postgres:postgres@', 'few:few@') };
  const first = await openControl(asFew);
  const waits: string[] = [];
  const second = open('control', { ...asFew, onWaiting: (why) => waits.push(why.message) });
  await expect.poll(() => waits.at(-1), { timeout: 10_000 }).toContain('Another control');
  // Enough for the session that takes over, and for nothing beside it.
  await server.ask(database, 'alter role few connection limit 1');
  await close(first);
  await expect.poll(() => waits.at(-1), { timeout: 10_000 }).toContain('has no connection left');
  await server.ask(database, 'alter role few connection limit -1');
  await close(await second);
});
