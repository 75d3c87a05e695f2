/** L7: a ledger that goes from SQLite into a real Postgres and back is the same ledger. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyLedger } from '../../../db/directory/copy-ledger.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { openReader } from '../../../db/directory/open-reader.ts';
import { replayRuns } from '../../../orchestrator/audit/replay.ts';
import type { ExportLine } from '../../../db/directory/export-ledger.ts';
import { temporaryDirectory, write } from '../../support/ledger.ts';
import { startPostgres, type Server } from '../../support/postgres.ts';
import { writeLedger } from '../../support/told-ledger.ts';

let server: Server;
let told: ReturnType<typeof temporaryDirectory>;
beforeAll(async () => {
  server = await startPostgres();
  told = temporaryDirectory();
  await writeLedger(told.dir);
});
afterAll(async () => {
  told.remove();
  await server.stop();
});

const dir = (): string => told.dir;
const look = async (dataDir: string, database?: string) => {
  const reader = openReader(dataDir, { snapshot: true, ...(database ? { database } : {}) });
  const rows: ExportLine[] = [];
  for await (const line of reader.rows()) rows.push(line);
  const texts = rows.map(({ table, row }) => JSON.stringify([table, Object.entries(row).sort()]));
  const seen = {
    rows: texts.sort(),
    heads: await reader.query.heads(),
    replayed: await replayRuns(reader, null),
    users: await reader.query.users(),
  };
  await reader.close();
  return seen;
};

describe('a copy of a ledger', () => {
  it('L7: replays in Postgres, and in SQLite again, to the same fold, heads and verdicts', async () => {
    const database = await server.database();
    const back = temporaryDirectory();
    const before = await look(dir());
    const pages: string[] = [];
    const copied = await copyLedger({
      from: { dir: dir() },
      to: { database },
      dataDir: dir(),
      onPage: (table) => pages.push(table),
    });
    expect(copied.resumed).toBe(false);
    expect(pages.at(-1)).toBe('installation');
    expect(await look(dir(), database)).toEqual(before);
    await copyLedger({ from: { database }, to: { dir: back.dir }, dataDir: dir() });
    expect(await look(back.dir)).toEqual(before);
    expect(before.heads.length).toBeGreaterThan(3);
    expect(before.replayed.findings).toEqual([]);
    expect(statSync(join(back.dir, 'keys', 'ledger.key')).mode & 0o077).toBe(0);
    // Both go on, by the next numbers and with the same chain.
    const more = await openLedger({ dataDir: back.dir, now: () => 0 });
    expect(await more.rollback()).toBeNull();
    await write(more, 'r9');
    await more.close();
    back.remove();
  });

  it('L7: goes on in Postgres by the next numbers', async () => {
    const database = await server.database();
    const own = temporaryDirectory();
    await writeLedger(own.dir);
    await copyLedger({ from: { dir: own.dir }, to: { database }, dataDir: own.dir });
    const ledger = await openLedger({ dataDir: own.dir, database, now: () => 0 });
    expect(await ledger.rollback()).toBeNull();
    expect(await write(ledger, 'r9')).toMatchObject({ kind: 'written' });
    await ledger.receive([{ source: 'chat', key: 'new', body: 1 }], 1);
    await ledger.close();
    // The file that stayed is an older copy from now on, and says so.
    const older = await openLedger({ dataDir: own.dir, now: () => 0 });
    expect(await older.rollback()).toBe('older');
    await older.close();
    own.remove();
  });

  it.each(['runs', 'effects'])(
    'L7: goes on where it was cut off (%s), and is no ledger before its end',
    async (at) => {
      const database = await server.database();
      const request = { from: { dir: dir() }, to: { database }, dataDir: dir() };
      const cut = copyLedger({
        ...request,
        onPage: (table) => {
          if (table === at) throw new Error('cut off');
        },
      });
      await expect(cut).rejects.toThrow('cut off');
      await expect(openLedger({ dataDir: dir(), database, now: () => 0 })).rejects.toThrow(
        'users and settings of the ledger are gone',
      );
      expect(await copyLedger(request)).toMatchObject({ resumed: true });
      expect((await look(dir(), database)).rows).toEqual((await look(dir())).rows);
    },
  );

  it('L7: refuses a target that holds a ledger, or rows of another one, and either end that is in use', async () => {
    const database = await server.database();
    const request = { from: { dir: dir() }, to: { database }, dataDir: dir() };
    await copyLedger(request);
    await expect(copyLedger(request)).rejects.toThrow('The target holds a ledger');
    await server.ask(database, "delete from installation; update runs set repo = 'else'");
    await expect(copyLedger(request)).rejects.toThrow('The target has other rows in runs than the source');
    const running = await openLedger({ dataDir: dir(), now: () => 0 });
    await expect(copyLedger(request)).rejects.toThrow('Another agentpr');
    await running.close();
    const none = temporaryDirectory();
    await expect(copyLedger({ ...request, from: { dir: none.dir } })).rejects.toThrow('There is no ledger');
    expect(existsSync(join(none.dir, 'ledger.db'))).toBe(false);
    none.remove();
  });
});
