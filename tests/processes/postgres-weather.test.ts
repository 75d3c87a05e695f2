/** L7: a real Postgres that is down, killed, read-only, full of others, of another time, or taken. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import type { Ledger } from '#ports/ledger';
import { temporaryDirectory, write } from '../support/ledger.ts';
import { startPostgres, type Server } from '../support/postgres.ts';

let server: Server;
beforeAll(async () => {
  // With its disk waited for: what was answered has to be there after a kill.
  server = await startPostgres(['max_connections=12', 'superuser_reserved_connections=0']);
});
afterAll(() => server.stop());

describe('a ledger in Postgres', () => {
  let place: ReturnType<typeof temporaryDirectory>;
  let database: string;
  const opened: Ledger[] = [];
  const open = async (more: Partial<Parameters<typeof openLedger>[0]> = {}): Promise<Ledger> => {
    const ledger = await openLedger({ dataDir: place.dir, database, now: () => 0, ...more });
    opened.push(ledger);
    return ledger;
  };
  const close = async (): Promise<void> => {
    for (const ledger of opened.splice(0)) await ledger.close().catch(() => undefined);
  };
  beforeEach(async () => {
    place = temporaryDirectory();
    database = await server.database();
  });
  afterEach(async () => {
    await close();
    place.remove();
  });

  it('L7: keeps what it acknowledged when Postgres is killed, says so meanwhile, and goes on by itself', async () => {
    const ledger = await open();
    await write(ledger, 'r1');
    await server.kill();
    await expect(write(ledger, 'r2')).rejects.toThrow('The Postgres of the ledger cannot be reached');
    await expect(ledger.query.run('r1')).rejects.toThrow('The Postgres of the ledger cannot be reached');
    await server.start();
    await expect.poll(() => write(ledger, 'r3').catch(() => null), { timeout: 20_000 }).not.toBeNull();
    expect(await ledger.query.run('r1')).toMatchObject({ id: 'r1' });
    expect(await ledger.query.run('r2')).toBeNull();
    expect(await ledger.query.heads()).toMatchObject([
      { run: { id: 'r1' }, macValid: true, chainBroken: null },
      { run: { id: 'r3' }, macValid: true, chainBroken: null },
    ]);
  });

  it('L7: a start waits for a Postgres that is not there yet, and says why it waits', async () => {
    await server.kill();
    const said: string[] = [];
    const opening = open({ onWaiting: (why) => said.push(why.message) });
    await expect.poll(() => said.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await server.start();
    await write(await opening, 'r1');
    expect(said[0]).toContain('Start it, or check DATABASE_URL');
  });

  it('L6: a second process is refused, whatever its directory, until the first one ends', async () => {
    await write(await open(), 'r1');
    const other = temporaryDirectory();
    const key = new Uint8Array(32).fill(1);
    await expect(openLedger({ dataDir: other.dir, database, key, now: () => 0 })).rejects.toThrow(
      /Another program \(agentpr .* \d+\) is using the ledger in this Postgres/,
    );
    await close();
    await expect(openLedger({ dataDir: other.dir, database, now: () => 0 })).rejects.toThrow('is missing');
    other.remove();
    expect(await (await open()).query.run('r1')).toMatchObject({ id: 'r1' });
  });

  it('L5: the log of a ledger in Postgres cannot be changed, and a row that was is named', async () => {
    await write(await open(), 'r1');
    await close();
    for (const sql of [
      "update events set hash = ''",
      'delete from installation_events',
      'truncate events cascade',
    ])
      await expect(server.ask(database, sql)).rejects.toThrow('append-only');
    await server.ask(database, "update run_states set current_state = 'DONE'");
    const reader = openReader(place.dir, { snapshot: true, database });
    const { findings } = await replayRuns(reader, null);
    expect(findings.map(({ says }) => says).join('\n')).toContain('the signature of the head is wrong');
    await reader.close();
  });

  it('L7: a data directory that holds no key says so to whoever reads', () => {
    mkdirSync(join(place.dir, 'empty'));
    expect(() => openReader(join(place.dir, 'empty'), { database })).toThrow('There is no ledger in');
  });
});
