/** L5: one byte of any row changed behind the product's back: replay names it. What replay does not look at is listed. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { finishRest, MERGED, tellStory, TO_REVIEW } from '../../../bench/story.ts';
import { createKey } from '../../../db/key.ts';
import { openLedger } from '../../../db/open.ts';
import { createQueries } from '../../../db/queries.ts';
import { createSeal } from '../../../db/seal.ts';
import { createSqliteStore } from '../../../db/sqlite-store.ts';
import { replay } from '../../../orchestrator/replay.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { timed, type Claim, type Play } from '../claim.ts';
import { createRandom, type Random } from '../random.ts';
import { spread } from '../spread.ts';

const bar = { quick: 400, full: 10_000 };
const TABLES = ['events', 'effects', 'approvals', 'runs', 'run_states'] as const;
const FROM = 1_700_000_000_000;

type Value = string | number | null;
type Row = Record<string, Value>;
type Cell = { table: string; column: string; rowid: number; row: Row };

/** What a signature, the chain or a decision must cover; everything else is listed when replay does not see it. */
type Must = { columns: readonly string[]; where?: (row: Row) => boolean };
const MUST: Record<string, Must[]> = {
  events: [
    {
      columns: [
        'run_id',
        'seq',
        'event_type',
        'idempotency_key',
        'payload_json',
        'state_after',
        'created_at',
        'prev_hash',
        'hash',
      ],
    },
  ],
  run_states: [{ columns: ['run_id', 'fold_json', 'seq', 'head_hash', 'head_mac'] }],
  effects: [
    { columns: ['id', 'do_json'], where: (row) => row.kind === 'push' || row.kind === 'open_pr' },
    { columns: ['kind', 'run_id'], where: (row) => row.kind === 'open_pr' },
  ],
  approvals: [
    { columns: ['id', 'state', 'digest', 'consumed_by'], where: (row) => row.state === 'consumed' },
  ],
};

const mustNotice = ({ table, column, row }: Cell): boolean =>
  (MUST[table] ?? []).some((must) => must.columns.includes(column) && (must.where?.(row) ?? true));

/** One bit of one byte; of a number, another number. */
const flipped = (value: Value, random: Random): Value => {
  if (value === null) return 'x';
  if (typeof value === 'number') return value + 1 + random.int(9);
  if (value === '') return 'x';
  const at = random.int(value.length);
  const code = value.charCodeAt(at);
  return value.slice(0, at) + String.fromCharCode(code === 0x7f ? 0x20 : code ^ 1) + value.slice(at + 1);
};

const fill = async (dir: string): Promise<void> => {
  const ledger = await openLedger({ dataDir: dir, now: () => FROM });
  await tellStory({ ledger, from: FROM }, 'ended1', [...TO_REVIEW, MERGED]);
  const run = await tellStory({ ledger, from: FROM }, 'waits1', TO_REVIEW);
  await finishRest(ledger, run.updatedAt + 60_000);
  await ledger.close();
};

const cellsOf = (db: Database.Database): Cell[] =>
  TABLES.flatMap((table) =>
    (db.prepare(`select rowid as "_rowid", * from ${table}`).all() as Row[]).flatMap(({ _rowid, ...row }) =>
      Object.keys(row).map((column) => ({ table, column, rowid: Number(_rowid), row })),
    ),
  );

export const play: Play = async ({ seed, from, count }, progress) => {
  const { dir, remove } = temporaryDirectory();
  try {
    await fill(dir);
    const key = createKey(join(dir, 'keys', 'ledger.key'), { mayMake: false });
    const copy = join(dir, 'tampered.db');
    copyFileSync(join(dir, 'ledger.db'), copy);
    const db = new Database(copy);
    for (const verb of ['update', 'delete']) db.exec(`drop trigger events_no_${verb}`);
    db.pragma('foreign_keys = OFF');
    const store = createSqliteStore(db);
    const query = createQueries(store.builder, store.read, createSeal(key));
    const random = createRandom(seed + from);
    const cells = cellsOf(db);
    const violations: string[] = [];
    const facts: Record<string, number> = {};
    const clean = await replay({ query });
    for (const f of clean.findings) violations.push(`without any change: ${f.says}`);
    for (let i = 0; i < count; i += 1) {
      // Far apart, so that few trials are of every table.
      const cell = cells[((from + i) * 7_919) % cells.length] as Cell;
      const changed = flipped(cell.row[cell.column] ?? null, random);
      const found = await tampered(db, cell, changed, () => replay({ query }));
      const place = `${cell.table}.${cell.column}`;
      if (found) facts['noticed'] = (facts['noticed'] ?? 0) + 1;
      else if (mustNotice(cell))
        violations.push(
          `--only tamper --seed ${seed}: nobody noticed that ${place} changed to ${String(changed).slice(0, 80)}`,
        );
      else facts[place] = (facts[place] ?? 0) + 1;
      if (i % 50 === 0) progress(i);
    }
    db.close();
    return { trials: count, violations, facts };
  } finally {
    remove();
  }
};

/** Whether the change is refused by the database, named by replay, or makes replay stop with a sentence. */
const tampered = async (
  db: Database.Database,
  { table, column, rowid }: Cell,
  value: Value,
  judge: () => Promise<{ findings: unknown[] }>,
): Promise<boolean> => {
  db.exec('begin');
  try {
    db.prepare(`update ${table} set "${column}" = ? where rowid = ?`).run(value, rowid);
    return (await judge()).findings.length > 0;
  } catch {
    // A row that cannot be read, or breaks a rule of the schema, is no silent one.
    return true;
  } finally {
    db.exec('rollback');
  }
};

export const tamper: Claim = {
  name: 'tamper',
  says: 'one byte of a row of the ledger changed behind its back: replay names it',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('tamper', { bar }, options);
      const { noticed = 0, ...unseen } = facts;
      const places = Object.keys(unseen).sort();
      const by = Map.groupBy(places, (place) => place.split('.')[0] ?? '');
      const list = [...by].map(
        ([table, found]) => `${table} (${found.map((p) => p.split('.')[1]).join(' ')})`,
      );
      return {
        trials,
        violations,
        note: `${noticed} noticed; not covered: ${list.join(', ') || 'nothing'}`,
      };
    }),
};
