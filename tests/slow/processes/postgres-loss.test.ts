/** L6, L7: a Postgres that lost commits, is full, read-only, newer, or taken by another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectPostgres } from '../../../db/directory/open-postgres.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import type { Ledger } from '#ports/ledger';
import { temporaryDirectory, write } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';

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

  it('L6: who lost the session while another took the ledger writes no more, and hears so', async () => {
    let taken: Error | null = null;
    const ledger = await open({ onTaken: (error) => (taken = error) });
    await write(ledger, 'r1');
    const other = new Client({ connectionString: database, application_name: 'the other one' });
    await other.connect();
    // Both at once, as after a failover: the session ends, and the other is quicker.
    const waits = other.query('select pg_advisory_lock($1, $2)', [0x61677072, 1]);
    await server.ask(
      database,
      `select pg_terminate_backend(pid) from pg_stat_activity join pg_locks using (pid)
       where locktype = 'advisory' and granted and datname = current_database()`,
    );
    await waits;
    await expect
      .poll(() => write(ledger, 'r2').catch((error: unknown) => String(error)), { timeout: 10_000 })
      .toContain('Another program (the other one) is using the ledger');
    expect(String(taken)).toContain('the other one');
    await other.end();
  });

  it('L7: notices that Postgres came back without the newest commit, stops, and says at each start that it is an older copy', async () => {
    let taken: Error | null = null;
    const ledger = await open({ onTaken: (error) => (taken = error) });
    await write(ledger, 'r1');
    while (await ledger.tidy(0));
    await server.keep();
    await expect.poll(() => write(ledger, 'r2').catch(() => null), { timeout: 20_000 }).not.toBeNull();
    expect(taken).toBeNull();
    await server.rewind();
    await expect
      .poll(() => write(ledger, 'r3').catch((error: unknown) => String(error)), { timeout: 20_000 })
      .toContain('came back without what it had acknowledged');
    expect(String(taken)).toContain('agentpr audit accept');
    await close();
    const again = await open();
    expect(await again.query.run('r2')).toBeNull();
    expect(await again.rollback()).toBe('older');
    while (await again.tidy(0));
    expect(await again.rollback()).toBe('older');
    await again.acceptRollback(null);
    expect(await again.rollback()).toBeNull();
  });

  it('L7: says that Postgres takes no writes, has no connection left, or refuses the password', async () => {
    await write(await open(), 'r1');
    await close();
    const name = new URL(database).pathname.slice(1);
    const elsewhere = await server.database();
    await server.ask(elsewhere, `alter database ${name} set default_transaction_read_only = on`);
    expect(await inspectPostgres(place.dir, database)).toEqual({
      wrong: expect.objectContaining({ fault: { kind: 'read_only' } }) as Error,
    });
    await server.ask(elsewhere, `alter database ${name} reset all`);
    const many = Array.from({ length: 12 }, () => new Client({ connectionString: database }));
    for (const client of many) await client.connect();
    expect(await inspectPostgres(place.dir, database)).toEqual({
      wrong: expect.objectContaining({ fault: { kind: 'no_connection_left', detail: '53300' } }) as Error,
    });
    for (const client of many) await client.end();
    await expect(open({ database: database.replace(':postgres@', ':wrong@') })).rejects.toThrow(
      'refused the user or password',
    );
    await expect(open({ database: `${database}none` })).rejects.toThrow('does not exist');
    expect(await inspectPostgres(place.dir, database)).toEqual({
      version: expect.stringMatching(/^\d/) as string,
      isMade: true,
    });
  });

  it('L7: writes nothing while Postgres was made read-only, tells so, and goes on by itself', async () => {
    const ledger = await open();
    await write(ledger, 'r1');
    const name = new URL(database).pathname.slice(1);
    const elsewhere = await server.database();
    const turn = async (how: string): Promise<void> => {
      await server.ask(elsewhere, `alter database ${name} ${how}`);
      await server.ask(
        elsewhere,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    };
    await turn('set default_transaction_read_only = on');
    await expect
      .poll(() => write(ledger, 'r2').catch((error: unknown) => String(error)), { timeout: 10_000 })
      .toContain('takes no writes');
    expect(await ledger.query.run('r1')).toMatchObject({ id: 'r1' });
    expect(ledger.takesWrites()).toBe(false);
    await turn('reset all');
    await expect.poll(() => write(ledger, 'r3').catch(() => null), { timeout: 10_000 }).not.toBeNull();
    expect(ledger.takesWrites()).toBe(true);
  });

  it('L7: refuses a schema of a newer version, and a database without the ledger that was there', async () => {
    await write(await open(), 'r1');
    await close();
    await server.ask(database, "insert into kysely_migration values ('9999-later', '2030-01-01')");
    await expect(open()).rejects.toThrow('made by a newer version of agentpr (migration 9999-later)');
    expect(await inspectPostgres(place.dir, database)).toEqual({
      wrong: expect.objectContaining({
        message: expect.stringContaining('newer version') as string,
      }) as Error,
    });
    await server.ask(database, "delete from kysely_migration where name = '9999-later'");
    await (await open()).close();
    await expect(open({ database: await server.database() })).rejects.toThrow(
      'holds no ledger, and there was',
    );
    writeFileSync(join(place.dir, 'ledger.db'), 'x');
    await expect(open({ database: await server.database() })).rejects.toThrow('agentpr ledger copy --from');
  });

  it('L7: keeps texts that hold NUL, and our mark for it', async () => {
    const ledger = await open();
    await write(ledger, 'r1');
    const content = 'a\0b\uFDD0c\uFDD00';
    const digest = await ledger.artifact({ runId: 'r1', type: 'log', content, at: 1 });
    expect(await ledger.query.artifact('r1', digest)).toEqual({ type: 'log', content });
  });
});
