/** L4, L7: work that several programs share through one Postgres. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  openSharedLedger,
  type OpenedFleet,
  type FleetRequest,
} from '../../../db/directory/shared-ledger.ts';
import { loadOrCreateKey } from '../../../db/directory/ledger-key.ts';
import { LEASE_MS } from '../../../orchestrator/kernel/runtime/effect-handler.ts';
import type { WorkerJob, JobPool } from '#ports/steps';
import { SECOND } from '#model/values';
import { temporaryDirectory, work, write } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';

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
const takeOne = async (fleet: OpenedFleet, pool: JobPool = 'heavy'): Promise<WorkerJob> => {
  await expect.poll(() => fleet.jobs.take(pool, 1).then((some) => (jobs.push(...some), jobs.length))).toBe(1);
  return jobs.pop() as WorkerJob;
};
const jobs: WorkerJob[] = [];
const claimOf = async (fleet: OpenedFleet, n: number, later = 0) =>
  fleet.ledger.claim({ now: fleet.clock.now() + later, leaseMs: LEASE_MS, limit: 1, only: n });

it('L7: what several programs write at once goes one after the other', async () => {
  const members = [await openControl(), await open('worker'), await open('worker')];
  const runs = ['r1', 'r2', 'r3'];
  await Promise.all(
    members.flatMap(({ ledger }, i) =>
      Array.from({ length: 20 }, async (_, k) => {
        await write(ledger, runs[(i + k) % 3] ?? '', { effects: [work('remove_workspace')] });
        await ledger.receive([{ source: 'cli', key: `${i}.${k}`, body: null }], 1_000);
      }),
    ),
  );
  const rows = await server.ask<{ n: number }>(database, 'select n from effects order by n');
  expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  for (const { chainBroken, macValid } of await members[0]!.ledger.query.heads())
    expect({ chainBroken, macValid }).toEqual({ chainBroken: null, macValid: true });
});

it('L7: an effect and its job are committed together, or neither', async () => {
  const control = await openControl();
  const worker = await open('worker');
  const failing = control.ledger.step({
    runId: 'r0',
    key: 'k',
    cause: { kind: 'none' },
    now: control.clock.now(),
    plan: () => {
      throw new Error('the plan fails');
    },
  });
  await expect(failing).rejects.toThrow('the plan fails');
  await write(control.ledger, 'r1', { effects: [work('discover')], now: control.clock.now() });
  const job = await takeOne(worker);
  const [claim] = await claimOf(worker, job.n);
  expect(claim).toMatchObject({ runId: 'r1', do: { kind: 'discover' } });
  expect(await worker.jobs.take('heavy', 5)).toEqual([]);
});

it('L4: what a job brings twice is claimed once, and whoever lost its lease ends nothing', async () => {
  const control = await openControl();
  const [one, other] = [await open('worker'), await open('worker')];
  await write(control.ledger, 'r1', { effects: [work('discover')], now: control.clock.now() });
  const job = await takeOne(one);
  const [first] = await claimOf(one, job.n);
  expect(await claimOf(other, job.n)).toEqual([]);
  // Nothing is heard of the first one for as long as its lease: the job comes to the other.
  await other.ledger.claim({
    now: other.clock.now() + LEASE_MS + SECOND,
    leaseMs: 1,
    limit: 1,
    kinds: ['push'],
  });
  const again = await takeOne(other);
  expect(again.n).toBe(job.n);
  const [second] = await claimOf(other, again.n, LEASE_MS + SECOND);
  expect(second).toMatchObject({ leaseEpoch: (first?.leaseEpoch ?? 0) + 1 });
  expect(first && (await one.ledger.finish(first, { kind: 'done', result: null }, one.clock.now()))).toBe(
    false,
  );
  expect(second && (await other.ledger.finish(second, { kind: 'done', result: null }, one.clock.now()))).toBe(
    true,
  );
});

it('L7: what nobody takes for half a minute is offered to every worker', async () => {
  const control = await openControl();
  const now = control.clock.now();
  await write(control.ledger, 'r1', { effects: [work('discover', now - 31 * SECOND)], now });
  await server.ask(database, 'delete from pgboss.job');
  const worker = await open('worker');
  await control.ledger.claim({ now: now + 10 * SECOND, leaseMs: 1, limit: 1, kinds: ['start_run'] });
  await takeOne(worker);
});

/** Another machine: keys of the same ledger, in a directory of its own. */
const elsewhere = (): string => {
  const other = `${dir}-other`;
  cpSync(join(dir, 'keys'), join(other, 'keys'), { recursive: true });
  return other;
};

it('L7: each program that finds its newest commit lost says so and stops, also when another was quicker at its seat', async () => {
  const taken: string[] = [];
  const onTaken = (error: Error): void => void taken.push(error.message);
  const control = await openControl({ onTaken });
  const worker = await open('worker', { onTaken });
  const dataDir = elsewhere();
  const keep = (fleet: OpenedFleet, run: string): Promise<unknown> =>
    expect.poll(() => write(fleet.ledger, run).catch(String), { timeout: 20_000 }).not.toContain('Error');
  await keep(control, 'r1');
  await server.keep();
  await keep(control, 'r2');
  await keep(worker, 'r3');
  expect(taken).toEqual([]);
  await server.rewind();
  const other = await open('control', { dataDir });
  expect(await other.ledger.query.run('r2')).toBeNull();
  for (const { ledger } of [control, worker])
    await expect
      .poll(() => write(ledger, 'r4').catch(String), { timeout: 20_000 })
      .toContain('came back without what it had acknowledged');
  expect(taken).toHaveLength(2);
  expect(taken.join()).not.toContain('Another control');
  for (const one of [other, control, worker]) await close(one).catch(() => {});
  expect(await (await open('control')).ledger.rollback()).toBe('older');
  rmSync(dataDir, { recursive: true });
});
