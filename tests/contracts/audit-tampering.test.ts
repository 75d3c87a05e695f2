/**
 * L5: whoever changes a row beside the ledger is found: every cell of every row that counts is
 * tried, and the row is named.
 */
import { createSecretKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnchor, type AnchoredEvent } from '../../db/integrity/anchor.ts';
import { findBrokenLink, GENESIS_HASH, linkHash } from '../../db/integrity/hash-chain.ts';
import { NOT_OURS } from '../../db/ledger/effect-leases.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { createQueries } from '../../db/ledger/ledger-queries.ts';
import { MESSAGE_RANK } from '../../db/sql/chat-pace.ts';
import { createRowMac } from '../../db/integrity/row-mac.ts';
import type { InboxTable } from '../../db/sql/schema.ts';
import { createSqliteStore } from '../../db/sql/sqlite-store.ts';
import { findChangedRuns } from '../../orchestrator/audit/changed-runs.ts';
import { replayRuns, type ReplayFinding } from '../../orchestrator/audit/replay.ts';
import { createSubmitInput } from '#runtime';
import { cellMayHide, copyMayHide, goneMayHide } from '../prove/meddle.ts';
import { temporaryDirectory } from '../support/ledger.ts';
import { TOLD_KEY, writeLedger } from '../support/told-ledger.ts';

type Row = Record<string, string | number | null>;

const TABLES = [
  'runs', 'run_states', 'run_records', 'events', 'effects', 'approvals', 'approval_signatures', 'installation', 'installation_events',
  'campaigns', 'turns',
] as const; // oxfmt-ignore
/** How a finding names a row of each table. */
const NAMES: Record<(typeof TABLES)[number], (row: Row) => RegExp> = {
  runs: (r) => new RegExp(`^runs ${r['run_id']}|run ${r['run_id']}`),
  run_states: (r) => new RegExp(`^run_states ${r['run_id']}|head`),
  run_records: (r) => new RegExp(`^run_records ${r['run_id']} |head`),
  events: (r) => new RegExp(`event ${r['seq']}\\b`),
  effects: (r) => new RegExp(`^effects (${r['n']}|${r['id']}) `),
  approvals: (r) => new RegExp(`^approvals ${r['id']} `),
  approval_signatures: (r) => new RegExp(`^approval_signatures ${r['approval_id']} by`),
  campaigns: (r) => new RegExp(`^campaigns ${r['id']} `),
  turns: (r) => new RegExp(`^turn ${r['seq']} `),
  installation: () => /^installation /,
  installation_events: (r) => new RegExp(`^installation_events ${r['seq']} |^installation `),
};

const key = createSecretKey(TOLD_KEY);
let source: Buffer = Buffer.alloc(0);
let work = new Database(':memory:');
const reset = (from = source): void => {
  work.close();
  work = new Database(from);
};
const judged = async (anchored?: AnchoredEvent | null): Promise<ReplayFinding[]> => {
  const store = createSqliteStore(work);
  const beside = anchored === undefined ? undefined : () => anchored;
  const query = createQueries(store.builder, store.read, createRowMac(key), beside);
  return (await replayRuns({ query })).findings;
};
/** Lets somebody at the file who knows it well: no triggers, no foreign keys. */
const meddle = (change: (db: Database.Database) => void): void => {
  work.pragma('foreign_keys = OFF');
  for (const log of ['events', 'installation_events'])
    for (const verb of ['update', 'delete']) work.exec(`drop trigger if exists ${log}_no_${verb}`);
  change(work);
};
/** Goes on as agentpr does. */
const ledger = () => createLedger({ store: createSqliteStore(work), key, boot: 'b', now: () => 0 });
const rowsOf = (table: string): (Row & { rowid: number })[] => {
  const db = new Database(source);
  const rows = db.prepare(`select rowid as rowid, * from ${table}`).all() as (Row & { rowid: number })[];
  db.close();
  return rows;
};

/** Another value of the same type, as near as can be. */
const nudged = (value: string | number | null): string | number => {
  if (value === null) return 1;
  if (typeof value === 'number') return value + 1;
  if (value === '') return 'x';
  const at = value.length >> 1;
  return value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
};

beforeAll(async () => {
  const { dir, remove } = temporaryDirectory();
  await writeLedger(dir);
  const db = new Database(join(dir, 'ledger.db'));
  // A database in memory keeps no journal ahead.
  db.pragma('journal_mode = DELETE');
  source = db.serialize();
  db.close();
  remove();
});
beforeEach(() => reset());
afterAll(() => void work.close());

it('L5: a byte that moves from one part of an event to the next makes another event', () => {
  const event = { runId: 'r1', seq: 1, type: 'ab', key: 'cd', payload: '{}', stateAfter: 'QUEUED', at: 12 };
  const moved = [
    { ...event, type: 'a', key: 'bcd' },
    { ...event, key: 'cd2"{}', payload: '' },
    { ...event, runId: 'r', seq: 11 },
    { ...event, payload: '{}6"', stateAfter: 'QUEUED' },
    { ...event, stateAfter: 'QUEUED1', at: 2 },
  ];
  const all = [event, ...moved].map((e) => linkHash(GENESIS_HASH, e));
  expect(new Set(all).size).toBe(all.length);
});

describe('a ledger that somebody else wrote to', () => {
  it('L5: has nothing to say about one that nobody touched', async () => {
    expect(await judged()).toEqual([]);
  });

  describe('and that is started', () => {
    const changed = async () => findChangedRuns(ledger().query, async () => {});
    const liveRun = (): string =>
      String(rowsOf('approvals').find(({ state }) => state === 'open')?.['run_id']);

    it('L5: has nothing to say about one that nobody touched', async () => {
      expect(await changed()).toEqual([]);
    });

    it('L5: names the run whose card somebody made to need nobody', async () => {
      const runId = liveRun();
      meddle((db) => void db.exec("update approvals set needed = 0 where state = 'open'"));
      const [one, ...others] = await changed();
      expect(others).toEqual([]);
      expect(one?.runId).toBe(runId);
      expect(one?.says.join('\n')).toMatch(/^[^\n]*not what the log makes: needed[^\n]*$/);
    });

    it('L5: names the runs whose log was cut, live and ended ones', async () => {
      const all = rowsOf('run_states').map((row) => String(row['run_id']));
      meddle((db) => {
        for (const id of all)
          db.prepare(
            'delete from events where run_id = ? and seq = (select seq from run_states where run_id = ?)',
          ).run(id, id);
      });
      expect((await changed()).map(({ runId }) => runId).sort()).toEqual(all.sort());
    });
  });

  it.each(TABLES)('L5: names the row of %s in which any cell was changed', async (table) => {
    const missed: string[] = [];
    const rows = rowsOf(table);
    expect(rows.length).toBeGreaterThan(0);
    // A few rows of the long tables, of every kind there is.
    const some = rows.filter((_, i) => rows.length < 8 || i % Math.ceil(rows.length / 8) === 0);
    for (const { rowid, ...row } of some) {
      for (const [column, value] of Object.entries(row)) {
        if (cellMayHide(table, row, column)) continue;
        reset();
        meddle((db) => {
          db.prepare(`update or replace ${table} set ${column} = ? where rowid = ?`).run(
            nudged(value),
            rowid,
          );
        });
        const findings = await judged();
        const after = { ...row, [column]: nudged(value) };
        const named = [row, after].some((r) => findings.some((f) => NAMES[table](r).test(f.says)));
        if (!named)
          missed.push(
            `${table}.${column} of ${JSON.stringify(row).slice(0, 80)}: ${JSON.stringify(findings)}`,
          );
      }
    }
    expect(missed).toEqual([]);
  });

  it.each(TABLES)('L5: finds that a row of %s is gone', async (table) => {
    const missed: unknown[] = [];
    const some = rowsOf(table).filter((_, i) => table !== 'effects' || i % 3 === 0);
    for (const { rowid, ...row } of some) {
      if (goneMayHide(table, row)) continue;
      reset();
      meddle((db) => void db.prepare(`delete from ${table} where rowid = ?`).run(rowid));
      const findings = await judged();
      const says = findings.some(
        (f) =>
          f.table === table ||
          NAMES[table](row).test(f.says) ||
          /ends before|belongs|follow|state/.test(f.says),
      );
      if (!says) missed.push([row, findings]);
    }
    expect(missed).toEqual([]);
  });

  it.each(TABLES)('L5: finds a row of %s that was copied in under another key', async (table) => {
    const { rowid: _, ...row } = rowsOf(table).find((r) => !copyMayHide(table, r)) ?? { rowid: 0 };
    reset();
    meddle((db) => {
      const fresh: Record<string, unknown> = { ...row };
      const keys: Record<string, object> = {
        runs: { run_id: 'new' },
        run_states: { run_id: 'new' },
        run_records: { record: 'new' },
        events: { event_id: 9_999, seq: 99, idempotency_key: 'new' },
        effects: { n: 9_999, id: 'in:77:0' },
        approvals: { id: 'new', consumed_by: null, state: 'void' },
        approval_signatures: { user_id: 99 },
        campaigns: { id: 'new' },
        turns: { seq: 99 },
        installation: { id: 99 },
        installation_events: { seq: 99 },
      };
      Object.assign(fresh, keys[table]);
      const names = Object.keys(fresh);
      db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(
        Object.values(fresh),
      );
    });
    expect((await judged()).map((f) => f.says).join('\n')).toMatch(/new|99|9999|one row/);
  });

  it('L5: nothing is done for a campaign whose order somebody changed', async () => {
    expect((await ledger().query.campaign('c-aaaaaa'))?.order.name).toBe('Mend the tests');
    meddle(
      (db) => void db.exec(`update campaigns set order_json = replace(order_json, 'Mend the', 'Drop the')`),
    );
    await expect(ledger().query.campaign('c-aaaaaa')).rejects.toThrow(/was changed by somebody other/);
  });

  it('L5: finds two effects that have changed places, for buttons name them by their numbers', async () => {
    const [one, two] = rowsOf('effects')
      .filter((row) => !copyMayHide('effects', row))
      .map((row) => Number(row['n']));
    meddle((db) => {
      for (const [from, to] of [
        [one, -1],
        [two, one],
        [-1, two],
      ])
        db.prepare('update effects set n = ? where n = ?').run(to, from);
    });
    expect((await judged()).map((f) => f.says)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^effects ${one} `),
        expect.stringMatching(`^effects ${two} `),
      ]),
    );
    expect(await ledger().query.effect(one ?? 0)).toBeNull();
  });

  it('L5: a row of an effect that went outside stays judged, whatever it says it is', async () => {
    meddle(
      (db) => void db.exec("update effects set kind = 'chat_message' where kind = 'push' and state = 'done'"),
    );
    expect((await judged()).map((f) => f.says)).toContainEqual(
      expect.stringContaining('the log makes: kind'),
    );
  });

  it('L5: finds an old right that was put back with the head that it had', async () => {
    const [old] = rowsOf('installation');
    await ledger().setUser({ id: '1', name: 'Ana', role: 'viewer' }, null);
    await ledger().removeUser('2', null);
    expect(await judged()).toEqual([]);
    meddle((db) => {
      db.prepare('update installation set seq = ?, head_hash = ?, fold_json = ?, head_mac = ?').run(
        ...['seq', 'head_hash', 'fold_json', 'head_mac'].map((column) => old?.[column]),
      );
    });
    expect((await judged()).map((f) => f.says)).toEqual([
      expect.stringMatching(/^installation_events \d+ is missing, or is not what the head names$/),
    ]);
  });

  it('L5: finds that a whole run was taken out of every table', async () => {
    meddle((db) => {
      db.exec(
        "delete from approval_signatures where approval_id in (select id from approvals where run_id = 'denied')",
      );
      for (const table of [
        'run_records',
        'run_states',
        'runs',
        'events',
        'effects',
        'approvals',
        'step_attempts',
        'turns',
        'artifacts',
      ])
        // oxfmt-ignore
        db.exec(`delete from ${table} where run_id = 'denied'`);
      db.exec("update state_counts set n = 1 where scope = 'run' and state = 'FAILED_TERMINAL'");
    });
    const findings = await judged();
    const says = findings.filter((f) => f.runId === 'denied').map((f) => f.says);
    expect(says).toContainEqual(
      expect.stringMatching(
        /^installation_events \d+ lists event \d+ of this run, of which nothing is left$/,
      ),
    );
  });

  it('L5: finds that the end of a log was cut off, with the state that belonged there put back', async () => {
    const found = rowsOf('run_states').find((row) => row['run_id'] === 'fixed') ?? {};
    const state = Object.fromEntries(Object.entries(found).filter(([column]) => column !== 'rowid'));
    const input = { type: 'command.pause' as const, by: { id: '1', name: 'Ana' } };
    const ids = { nonce: () => 'n', runId: () => 'r' };
    const submit = createSubmitInput({ ledger: ledger(), clock: { now: () => 2_000_000_000_000 }, ids });
    const said = await submit({ runId: 'fixed', input, key: 'cli:1', cause: { kind: 'none' } });
    expect(said).toMatchObject({ kind: 'written' });
    while (await ledger().tidy(2_000_000_000_000));
    expect(await judged()).toEqual([]);
    meddle((db) => {
      db.prepare("delete from events where run_id = 'fixed' and seq > ?").run(state['seq']);
      const columns = Object.keys(state);
      db.prepare(`update run_states set ${columns.map((c) => `${c} = ?`).join()} where run_id = 'fixed'`).run(
        Object.values(state),
      );
    });
    expect((await judged()).map((f) => f.says)).toEqual(
      expect.arrayContaining([expect.stringMatching(/lists event \d+ of this run, which is not there$/)]),
    );
  });

  it('L5: finds an older copy of the whole file by what is anchored beside the key', async () => {
    const [installation] = rowsOf('installation');
    const reached = { seq: Number(installation?.['seq']), hash: String(installation?.['head_hash']) };
    expect(await judged(reached)).toEqual([]);
    expect(await judged({ seq: 0, hash: GENESIS_HASH })).toEqual([]);
    const older = 'installation 1 is an older copy: what is anchored beside the key is not in it';
    const [later, other] = [
      { ...reached, seq: reached.seq + 1 },
      { ...reached, hash: GENESIS_HASH },
    ];
    for (const anchored of [later, other])
      expect((await judged(anchored)).map((f) => f.says)).toEqual([older]);
    const gone = 'installation 1 has no anchor beside its key, or one that is not ours';
    expect((await judged(null)).map((f) => f.says)).toEqual([gone]);
  });

  it('L5: a checkpoint lists the runs that moved since the last one, and no head that is not ours', async () => {
    const listed = (): unknown[] =>
      work
        .prepare(
          "select body_json from installation_events where type = 'checkpoint' order by seq desc limit 1",
        )
        .pluck()
        .all()
        .flatMap((body) => (JSON.parse(String(body)) as { heads: unknown[][] }).heads.map(([run]) => run));
    const before = rowsOf('installation_events').length;
    while (await ledger().tidy(2_000_000_000_000));
    expect(work.prepare('select count(*) from installation_events').pluck().get()).toBe(before);
    const ids = { nonce: () => 'n', runId: () => 'r' };
    const submit = createSubmitInput({ ledger: ledger(), clock: { now: () => 2_000_000_000_000 }, ids });
    const by = { id: '1', name: 'Ana' };
    const input = { type: 'command.pause' as const, by };
    await submit({ runId: 'fixed', input, key: 'cli:1', cause: { kind: 'none' } });
    await ledger().tidy(2_000_000_000_000);
    expect(listed()).toEqual(['fixed']);
    const resume = { type: 'command.resume' as const, by, target: null };
    await submit({ runId: 'fixed', input: resume, key: 'cli:2', cause: { kind: 'none' } });
    meddle((db) => void db.exec("update run_states set version = version + 1 where run_id = 'fixed'"));
    await ledger().tidy(2_000_000_000_000);
    expect(listed()).toEqual([]);
  });

  it('L5: names the counts that are wrong', async () => {
    meddle((db) => void db.exec("update state_counts set n = n + 1 where scope = 'run'"));
    const says = (await judged()).map((f) => f.says);
    expect(says.filter((s) => s.endsWith('is not the number of such runs'))).not.toEqual([]);
  });

  it('L5: finds events and approvals of a run that is not there', async () => {
    for (const table of ['events', 'approvals']) {
      reset();
      const [{ rowid: _, ...row } = { rowid: 0 }] = rowsOf(table);
      const own = table === 'events' ? { event_id: 9_999 } : { id: 'ghost', consumed_by: null };
      const ghost: Row = { ...row, run_id: 'ghost', ...own };
      const names = Object.keys(ghost);
      meddle((db) => {
        db.prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`).run(
          Object.values(ghost),
        );
      });
      expect(
        (await judged()).map((f) => f.runId),
        table,
      ).toContain('ghost');
    }
  });

  it('L5: finds whatever is wrong with a chain: a place, a link, a word, its end', () => {
    const [first, second] = ['a', 'b'].map((payload, i) => ({
      runId: 'r',
      seq: i + 1,
      type: 't',
      key: `k${i}`,
      payload,
      stateAfter: 'QUEUED',
      at: i,
    }));
    if (!first || !second) throw new Error('there are two');
    const link = (prev: string, e: typeof first) => ({ ...e, hash: linkHash(prev, e) });
    const one = link(GENESIS_HASH, first);
    const two = link(one.hash, second);
    const head = { seq: 2, hash: two.hash };
    expect(findBrokenLink([one, two], head)).toBeNull();
    const late = link(one.hash, { ...second, seq: 3 });
    expect(findBrokenLink([one, late], { seq: 3, hash: late.hash })).toContain('where event 2 belongs');
    const loose = link(GENESIS_HASH, second);
    expect(findBrokenLink([one, loose], { seq: 2, hash: loose.hash })).toContain('not what was logged');
    for (const other of [{ type: 'x' }, { key: 'x' }, { payload: 'x' }, { stateAfter: 'x' }, { at: 9 }])
      expect(findBrokenLink([one, { ...two, ...other }], head), Object.keys(other)[0]).toContain(
        'not what was logged',
      );
    expect(findBrokenLink([one], head)).toBe('the log ends before event 2');
    expect(findBrokenLink([one, two], { seq: 2, hash: one.hash })).toContain('ends before');
  });

  it('L5: does nothing for a row that somebody put in, and says so', async () => {
    meddle((db) => {
      db.exec(`insert into effects select 9999, 'fixed:1:9', 'fixed', 'remove_workspace', null, ${MESSAGE_RANK.work}, null, null, '{"kind":"remove_workspace"}', null,
        'pending', 0, 0, 0, null, null, null, null, 0, 0, mac, 0 from effects where n = 1`);
    });
    const claims = await ledger().claim({
      now: 2_000_000_000_000,
      leaseMs: 1,
      limit: 99,
      kinds: ['remove_workspace'],
    });
    expect(claims).toEqual([]);
    expect(await ledger().query.effects({ runId: 'fixed', state: 'dead' })).toMatchObject([
      { n: 9_999, reason: NOT_OURS },
    ]);
    expect(await ledger().query.effect(9_999)).toBeNull();
    expect((await judged()).map((f) => f.says)).toEqual(
      expect.arrayContaining(['effects 9999 was changed or put in by somebody else']),
    );
  });

  it('L5: builds nothing on a state that somebody changed', async () => {
    meddle((db) => {
      db.exec(`update run_records set body_json = replace(body_json, '"approvals":1', '"approvals":0')`);
    });
    const step = ledger().step({
      runId: 'fixed',
      key: 'k',
      cause: { kind: 'none' },
      now: 1,
      plan: () => ({ kind: 'ignored', reason: 'nothing new', replies: [] }),
    });
    await expect(step).rejects.toThrow('changed by somebody other than agentpr');
  });

  it.each([
    ['record', `update run_records set body_json = replace(body_json, '"approvals":1', '"approvals":0')`],
    ['state', 'update run_states set epoch = epoch + 1'],
  ])('L5: builds nothing on a changed %s that it has just written itself', async (_, change) => {
    const same = ledger();
    const ids = { nonce: () => 'n', runId: () => 'r' };
    const submit = createSubmitInput({ ledger: same, clock: { now: () => 2_000_000_000_000 }, ids });
    const input = (type: 'command.pause' | 'command.resume') => ({
      type,
      by: { id: '1', name: 'Ana' },
      target: null,
    });
    const paused = await submit({
      runId: 'fixed',
      input: input('command.pause'),
      key: 'cli:1',
      cause: { kind: 'none' },
    });
    expect(paused).toMatchObject({ kind: 'written' });
    meddle((db) => {
      db.exec(change);
    });
    const next = submit({
      runId: 'fixed',
      input: input('command.resume'),
      key: 'cli:2',
      cause: { kind: 'none' },
    });
    await expect(next).rejects.toThrow('changed by somebody other than agentpr');
  });

  it('G3: gives no right that somebody wrote down, and adds to no installation that is not ours', async () => {
    const same = ledger();
    expect(await same.query.user('2')).toMatchObject({ role: 'viewer' });
    meddle(
      (db) => void db.exec(`update installation set fold_json = replace(fold_json, '"viewer"', '"admin"')`),
    );
    // What was read while it was ours goes on to hold; whoever starts now is told.
    expect(await same.query.user('2')).toMatchObject({ role: 'viewer' });
    await expect(same.setSetting('language:1', 'zh')).rejects.toThrow(
      'changed by somebody other than agentpr',
    );
    await expect(ledger().query.user('2')).rejects.toThrow('changed by somebody other than agentpr');
    expect((await judged()).map((f) => f.says)).toEqual([
      'installation 1 was changed or put in by somebody else',
    ]);
  });

  it('G3: a right that was taken away stays away from whoever has seen it go', async () => {
    const [old] = rowsOf('installation');
    const same = ledger();
    await same.removeUser('1', { id: '9', name: 'Kim' });
    expect(await same.query.user('1')).toBeNull();
    meddle((db) => {
      db.prepare('update installation set seq = ?, head_hash = ?, fold_json = ?, head_mac = ?').run(
        ...['seq', 'head_hash', 'fold_json', 'head_mac'].map((column) => old?.[column]),
      );
    });
    expect(await same.query.user('1')).toBeNull();
  });

  it('L5: names who gave or took a right, and notes nothing that changes nothing', async () => {
    const by = { id: '9', name: 'Kim' };
    const before = Number(rowsOf('installation')[0]?.['seq']);
    await ledger().setUser({ id: '1', name: 'Ana', role: 'viewer' }, by);
    await ledger().setUser({ id: '1', name: 'Ana', role: 'viewer' }, by);
    await ledger().removeUser('1', by);
    await ledger().removeUser('1', by);
    const all = work.prepare('select * from installation_events where seq > ?').all(before) as Row[];
    expect(all.map((e) => [e['type'], (JSON.parse(String(e['body_json'])) as { by: unknown }).by])).toEqual([
      ['user.set', by],
      ['user.removed', by],
    ]);
  });

  it('L5: what somebody else wrote beside the key counts for nothing', () => {
    const { dir, remove } = temporaryDirectory();
    const file = join(dir, 'anchor');
    const anchor = createAnchor(file, createRowMac(key));
    expect(anchor.reached()).toBeNull();
    anchor.set({ seq: 5, hash: GENESIS_HASH });
    expect(anchor.reached()).toEqual({ seq: 5, hash: GENESIS_HASH });
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^5/, '4'));
    expect(anchor.reached()).toBeNull();
    remove();
  });

  it('G3: takes no word that somebody else wrote into the inbox', async () => {
    await ledger().receive([{ source: 'chat', key: '900', body: { update_id: 900 } }], 1);
    meddle((db) => {
      db.exec(`insert into inbox (source, key, body, state, tries, priority, received_at, mac)
        select 'chat', '901', body, 'new', 0, priority, received_at, mac from inbox where key = '900'`);
    });
    expect((await ledger().inbox(99)).map((row) => row.key)).toEqual(['900']);
    expect(await ledger().query.inboxCounts()).toMatchObject({ dead: 1 });
  });

  it('L5: takes no word of which somebody changed anything, its time of arrival included', async () => {
    // What is no part of the word: where it stands in its queue, and what became of it.
    type Queue = 'id' | 'state' | 'tries' | 'note' | 'handled_at' | 'lane' | 'priority' | 'turn' | 'mac';
    const changed = { source: 'cli', key: '901', body: '{"update_id":901}', received_at: 2 };
    const taken: Record<string, string[]> = {};
    for (const [column, value] of Object.entries(
      changed satisfies Record<Exclude<keyof InboxTable, Queue>, unknown>,
    )) {
      reset();
      await ledger().receive([{ source: 'chat', key: '900', body: { update_id: 900 } }], 1);
      meddle((db) => void db.prepare(`update inbox set ${column} = ? where key = '900'`).run(value));
      taken[column] = (await ledger().inbox(99)).map((row) => row.key);
    }
    expect(taken).toEqual({ source: [], key: [], body: [], received_at: [] });
  });

  it('L5: no word is reopened but by a retry, and only as it was received', async () => {
    const words = ['900', '901', '902'].map((key) => ({
      source: 'chat' as const,
      key,
      body: { update_id: key },
    }));
    const [by, changed, handled] = (await ledger().receive(words, 1)).map(({ id }) => id);
    const dead = { kind: 'dead', note: 'it hung', replies: [] } as const;
    await ledger().settleInbox(by ?? 0, dead, 2);
    // Somebody changes a word before it is given up, or a dead one, or calls a handled one dead.
    meddle((db) => void db.exec(`update inbox set body = '{"update_id":7}' where key = '901'`));
    await ledger().settleInbox(changed ?? 0, dead, 2);
    await ledger().settleInbox(handled ?? 0, { ...dead, kind: 'done' }, 2);
    meddle((db) => void db.exec(`update inbox set state = 'dead' where key = '902'`));
    expect((await ledger().query.deadInbox(9)).map(({ key }) => key)).toEqual(['900']);
    for (const id of [changed, handled]) expect(await ledger().reopenInbox(id ?? 0)).toBe(false);
    meddle((db) => void db.exec(`update inbox set body = '{"update_id":7}' where key = '900'`));
    expect(await ledger().reopenInbox(by ?? 0)).toBe(false);
    expect(await ledger().query.deadInbox(9)).toEqual([]);
    meddle(
      (db) => void db.exec(`update inbox set state = 'new', body = '{"update_id":"900"}' where key = '900'`),
    );
    expect(await ledger().inbox(99)).toEqual([]);
  });

  it('L5: an artifact that was changed is not what its digest names', async () => {
    const [row] = rowsOf('artifacts');
    const named = [String(row?.['run_id']), String(row?.['uri'])] as const;
    expect(await ledger().query.artifact(...named)).toMatchObject({ content: row?.['content'] });
    meddle((db) => void db.exec("update artifacts set content = 'all is well'"));
    expect(await ledger().query.artifact(...named)).toBeNull();
  });
});
