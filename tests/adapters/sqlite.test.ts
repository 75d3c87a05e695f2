/**
 * What only a file on a disk can show: kills, locks, keys, damage, full disks, and schemas of
 * another time.
 */
import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedger } from '../../db/ledger/ledger.ts';
import { migrateSchema } from '../../db/sql/migrate-schema.ts';
import { allMigrations } from '../../db/sql/migrations/all-migrations.ts';
import { openLedger, openStore } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { anchorFile } from '../../db/data-directory-paths.ts';
import { createSqliteStore } from '../../db/sql/sqlite-store.ts';
import type { Ledger } from '#ports/ledger';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { ledgerContract } from '../contracts/ledger-contract.ts';
import { openOnDisk, temporaryDirectory, tell, write } from '../support/ledger.ts';
import { writeLedger } from '../support/told-ledger.ts';

/** All that our migrations made, in an order of its own. */
const SCHEMA =
  "select sql from sqlite_master where sql is not null and name not like 'kysely%' order by type, name";

ledgerContract('on disk', openOnDisk);

describe('the ledger file', () => {
  let place: ReturnType<typeof temporaryDirectory>;
  const opened: Ledger[] = [];
  const open = async (dataDir = place.dir): Promise<Ledger> => {
    const ledger = await openLedger({ dataDir, now: () => 0 });
    opened.push(ledger);
    return ledger;
  };
  const close = async (): Promise<void> => {
    for (const ledger of opened.splice(0)) await ledger.close();
  };
  const raw = <T>(f: (db: Database.Database) => T): T => {
    const db = new Database(join(place.dir, 'ledger.db'));
    try {
      return f(db);
    } finally {
      db.close();
    }
  };
  beforeEach(() => {
    place = temporaryDirectory();
  });
  afterEach(async () => {
    try {
      await close();
    } finally {
      place.remove();
    }
  });

  it('L1: has the tables and columns of the plan', async () => {
    await open();
    await close();
    const columns = (table: string): string[] =>
      raw((db) => (db.pragma(`table_info(${table})`) as { name: string }[]).map((c) => c.name));
    const plan = {
      runs: 'run_id owner repo prompt_version budget_json workspace_dir pr_number created_at updated_at',
      run_states: 'run_id current_state version last_error updated_at',
      events: 'event_id run_id event_type idempotency_key payload_json created_at',
      step_attempts: 'run_id step attempt_no exit_code stdout_log stderr_log duration_ms created_at',
      artifacts: 'run_id artifact_type uri metadata_json created_at',
    };
    for (const [table, names] of Object.entries(plan)) {
      expect(columns(table)).toEqual(expect.arrayContaining(names.split(' ')));
    }
    for (const table of [
      'run_records',
      'inbox',
      'effects',
      'approvals',
      'installation',
      'installation_events',
    ]) {
      expect(columns(table).length).toBeGreaterThan(1);
    }
  });

  it('L3: is journalled ahead and synchronised in full', async () => {
    const { store } = await openStore({ dataDir: place.dir });
    // Asked on the ledger's own connection: `synchronous` (2 is FULL) belongs to a connection, not
    // to the file.
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'page_size', 'wal_autocheckpoint'];
    const query = (name: string) => ({
      compile: () => sql.raw<Record<string, unknown>>(`pragma ${name}`).compile(store.builder),
    });
    const set: unknown[] = [];
    for (const name of pragmas) set.push(...Object.values((await store.read(query(name)))[0] ?? {}));
    expect(set).toEqual(['wal', 2, 1, 8192, 4000]);
    await store.close();
  });

  it('L3: only what is kept to save work is not synchronised, and nothing after it', async () => {
    const { store } = await openStore({ dataDir: place.dir });
    const query = {
      compile: () => sql.raw<{ synchronous: number }>('pragma synchronous').compile(store.builder),
    };
    const level = async (): Promise<number | undefined> => (await store.read(query))[0]?.synchronous;
    const levels: Promise<number | undefined>[] = [];
    function* script(fails: boolean): Generator<never, void> {
      levels.push(level());
      if (fails) throw new Error('a bug');
    }
    await store.transactRebuildable?.(script(false));
    levels.push(level());
    await store.transactRebuildable?.(script(true)).catch(() => {});
    levels.push(level());
    await store.transact(script(false));
    // 1 is NORMAL, 2 is FULL.
    expect(await Promise.all(levels)).toEqual([1, 2, 1, 2, 2]);
    await store.close();
  });

  it('L6: a second process is refused with the pid of the first, until that one ends', async () => {
    await open();
    await expect(openLedger({ dataDir: place.dir, now: () => 0 })).rejects.toThrow(
      `Another agentpr (pid ${process.pid}) is using ${place.dir}. Stop it first`,
    );
    await close();
    await open();
  });

  it('reads beside the process that holds the lock', async () => {
    await write(await open(), 'r1');
    const reader = openReader(place.dir);
    expect(await reader.query.run('r1')).toMatchObject({ id: 'r1' });
    expect(await reader.query.heads()).toMatchObject([{ macValid: true }]);
    await reader.close();
    expect(() => openReader(join(place.dir, 'none'))).toThrow('There is no ledger in');
  });

  it('L5: an anchor that is first set while somebody reads is not lost, one that was taken away is', async () => {
    const ledger = await open();
    await write(ledger, 'r1');
    const findings = async (reader: ReturnType<typeof openReader>): Promise<number> => {
      const found = (await replayRuns(reader)).findings.filter(({ says }) => says.includes('anchor')).length;
      await reader.close();
      return found;
    };
    const early = openReader(place.dir);
    while (await ledger.tidy(0)) continue;
    expect(await findings(early)).toBe(0);
    rmSync(anchorFile(place.dir));
    expect(await findings(openReader(place.dir))).toBe(1);
  });

  it('refuses a schema of a newer version, and changes nothing', async () => {
    await open();
    await close();
    raw((db) => db.exec("insert into kysely_migration values ('9999-later', '2030-01-01')"));
    await expect(open()).rejects.toThrow('made by a newer version of agentpr (migration 9999-later)');
    raw((db) => db.exec("delete from kysely_migration where name = '9999-later'"));
    await open();
  });

  const LATER = {
    ...allMigrations('sqlite'),
    '0099-later': {
      up: (db: Kysely<unknown>) => db.schema.alterTable('runs').addColumn('later', 'text').execute(),
    },
  };
  const bring = async (known: ReturnType<typeof allMigrations> | undefined): Promise<void> => {
    const database = new Database(join(place.dir, 'ledger.db'));
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
    try {
      await migrateSchema(db, 'sqlite', known);
    } finally {
      await db.destroy();
    }
  };

  it('L1: a ledger of the first schema is brought to a later one with all that it holds, once, and not back', async () => {
    await write(await open(), 'r1');
    await close();
    await bring(LATER);
    await bring(LATER);
    expect(raw((db) => db.prepare('select run_id, later from runs').all())).toEqual([
      { run_id: 'r1', later: null },
    ]);
    await expect(bring(undefined)).rejects.toThrow(
      'made by a newer version of agentpr (migration 0099-later)',
    );
  });

  // A change of the first schema would leave every ledger that has it behind: write a migration,
  // and a text beside this one.
  it.each(Object.keys(allMigrations('sqlite')))('L1: the schema after %s is what it was', async (name) => {
    const known = Object.entries(allMigrations('sqlite')).filter(([one]) => one <= name);
    await bring(Object.fromEntries(known));
    const text = fileURLToPath(new URL(`../fixtures/ledgers/${name.slice(0, 4)}.sql`, import.meta.url));
    const made = raw((db) => db.prepare(SCHEMA).pluck().all()).join(';\n');
    await expect(`${made};\n`).toMatchFileSnapshot(text);
  });

  it('L1: a ledger that is told in the newest schema is found whole', async () => {
    await writeLedger(place.dir);
    const reader = openReader(place.dir, { snapshot: true });
    const { runs, findings } = await replayRuns(reader);
    await reader.close();
    expect({ runs, findings }).toEqual({ runs: 4, findings: [] });
  });

  it('L5: refuses a ledger whose users and settings were taken away, or are not ours', async () => {
    const ledger = await open();
    await ledger.setUser({ id: '1', name: 'Ana', role: 'viewer' }, null);
    await close();
    raw((db) => db.exec(`update installation set fold_json = replace(fold_json, 'viewer', 'admin')`));
    await expect(open()).rejects.toThrow('changed by somebody other than agentpr');
    raw((db) => db.exec('delete from installation'));
    await expect(open()).rejects.toThrow('users and settings of the ledger are gone');
  });

  it('L6: a migration that is cut off half-way has not happened', async () => {
    await open();
    await close();
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm'])
      rmSync(join(place.dir, name), { force: true });
    // A table that is in the way stops the migration after its first tables, as a kill there would.
    raw((db) => db.exec('create table events (x)'));
    await expect(open()).rejects.toThrow(/could not be brought to the newest schema.*Nothing was changed/);
    expect(raw((db) => db.prepare('select name from sqlite_master').pluck().all())).toEqual(['events']);
  });

  it('L5: notices a head that was changed by somebody without the key', async () => {
    const ledger = await open();
    await write(ledger, 'r1');
    await write(ledger, 'r2');
    raw((db) =>
      db.exec(
        `update run_records set body_json = replace(body_json, 'QUEUED', 'PUSHED') where run_id = 'r1'`,
      ),
    );
    const heads = await ledger.query.heads();
    expect(heads.map((h) => [h.run.id, h.macValid])).toEqual([
      ['r1', false],
      ['r2', true],
    ]);
  });

  it('L5: the event log takes neither changes nor deletions', async () => {
    await write(await open(), 'r1');
    expect(() => raw((db) => db.exec("update events set event_type = 'x'"))).toThrow('append-only');
    expect(() => raw((db) => db.exec('delete from events'))).toThrow('append-only');
  });

  it('keeps its key outside the database, for its owner only, and does not make up a lost one', async () => {
    await open();
    await close();
    const file = join(place.dir, 'keys', 'ledger.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = readFileSync(file, 'utf8');
    chmodSync(file, 0o644);
    await expect(open()).rejects.toThrow(`Run: chmod 600 ${file}`);
    chmodSync(file, 0o600);
    writeFileSync(file, 'short');
    await expect(open()).rejects.toThrow('is damaged');
    rmSync(file);
    await expect(open()).rejects.toThrow('is missing');
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, key, { mode: 0o600 });
    await open();
  });

  it('says so when the file is damaged', async () => {
    await open();
    await close();
    writeFileSync(join(place.dir, 'ledger.db'), 'not a database at all '.repeat(1_000));
    await expect(open()).rejects.toThrow('The ledger file is damaged');
    truncateSync(join(place.dir, 'ledger.db'), 10);
    await expect(open()).rejects.toThrow('The ledger file is damaged');
  });

  it('says so when the data directory cannot be made or written', async () => {
    const file = join(place.dir, 'file');
    writeFileSync(file, '');
    await expect(open(join(file, 'below'))).rejects.toThrow('cannot be made');
    const { store, key } = await openStore({ dataDir: place.dir });
    await store.close();
    const db = new Database(join(place.dir, 'ledger.db'), { readonly: true });
    const parts = { store: createSqliteStore(db), key, boot: 'b', now: () => 0 };
    const readOnly = createLedger(parts);
    await expect(readOnly.setSetting('a', 'b')).rejects.toThrow('The ledger cannot be written');
    db.close();
  });

  it('says so when the disk is full, loses nothing and goes on when there is space', async () => {
    const { store, key } = await openStore({ dataDir: place.dir });
    await store.close();
    const small = new Database(join(place.dir, 'ledger.db'));
    const pages = small.pragma('page_count', { simple: true }) as number;
    small.pragma(`max_page_count = ${pages + 3}`);
    const ledger = createLedger({ store: createSqliteStore(small), key, boot: 'b', now: () => 0 });
    const deliver = (i: number) =>
      ledger.receive([{ source: 'cli', key: `${i}`, body: 'x'.repeat(9_000) }], 1);
    const outcomes: string[] = [];
    for (let i = 0; i < 9; i += 1)
      outcomes.push(
        await deliver(i).then(
          () => 'stored',
          (e: Error) => e.message,
        ),
      );
    const stored = outcomes.filter((o) => o === 'stored').length;
    expect(outcomes.at(-1)).toContain('The disk of the data directory is full');
    expect(await ledger.inbox(99)).toHaveLength(stored);
    expect(await ledger.query.inboxCounts()).toEqual({ new: stored });
    await expect(write(ledger, 'r1', { effects: [tell('x'.repeat(40_000))] })).rejects.toThrow('is full');
    expect(await ledger.query.run('r1')).toBeNull();
    small.pragma(`max_page_count = ${pages + 500}`);
    expect(await write(ledger, 'r1')).toMatchObject({ kind: 'written' });
    await ledger.close();
  });
});
