/** Manipulations of a ledger with a database tool: bytes and rows. */
import type Database from 'better-sqlite3';
import type { Random } from './random.ts';

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** `mayHide` is true if nobody needs to notice. */
export type Deed = { what: string; place: string; mayHide: boolean; apply: (db: Database.Database) => void };

/** Protected tables with their keys. Inbox and boots are bookkeeping (decision 5). */
export const TABLES: Record<string, readonly string[]> = {
  runs: ['run_id'],
  run_states: ['run_id'],
  run_records: ['run_id', 'record'],
  events: ['event_id'],
  effects: ['n'],
  approvals: ['id'],
  approval_signatures: ['approval_id', 'user_id'],
  step_attempts: ['id'],
  turns: ['run_id', 'seq'],
  artifacts: ['id'],
  campaigns: ['id'],
  installation: ['id'],
  installation_events: ['seq'],
};
/** Unprotected columns (decision 16). See `isPast` for the rest of an effect. */
export const UNSEEN: Record<string, readonly string[]> = {
  // Events are named by run and number.
  events: ['event_id'],
  effects: [
    'priority', 'loud', 'state', 'due_at', 'tries', 'lease_epoch', 'lease_until', 'lease_owner', 'result_json', 'reason',
    'updated_at',
  ], // oxfmt-ignore
};
/** Unprotected tables. */
export const BOOKKEEPING: ReadonlySet<string> = new Set(['step_attempts', 'artifacts']);
/** True for a finished effect that reached nobody outside; only its name counts. */
const isPast = ({ state, kind }: Row): boolean =>
  !['pending', 'claimed', 'dead'].includes(String(state)) && !['push', 'open_pr'].includes(String(kind));
const isAnswer = (row: Row): boolean => /^(in|fx|by):/.test(String(row['id']));

export const cellMayHide = (table: string, row: Row, column: string): boolean =>
  BOOKKEEPING.has(table) ||
  (UNSEEN[table] ?? []).includes(column) ||
  (table === 'effects' && isPast(row) && ((column !== 'id' && column !== 'run_id') || isAnswer(row)));
export const goneMayHide = (table: string, row: Row): boolean =>
  // The last turn of a run is named by the log of a round's end alone.
  BOOKKEEPING.has(table) || table === 'turns' || (table === 'effects' && isAnswer(row));
export const copyMayHide = (table: string, row: Row): boolean =>
  BOOKKEEPING.has(table) || (table === 'effects' && isPast(row));

export type Rows = Record<string, readonly Row[]>;
export const rowsOf = (db: Database.Database): Rows =>
  Object.fromEntries(
    Object.keys(TABLES).map((table) => [table, db.prepare(`select * from ${table}`).all() as Row[]]),
  );

/** Flips one bit, or changes a number. */
const flipped = (value: Value, random: Random): Value => {
  if (value === null) return 'x';
  if (typeof value === 'number') return value + 1 + random.int(9);
  if (value === '') return 'x';
  const at = random.int(value.length);
  const code = value.charCodeAt(at);
  return value.slice(0, at) + String.fromCharCode(code === 0x7f ? 0x20 : code ^ 1) + value.slice(at + 1);
};

const keysOf = (table: string): readonly string[] => TABLES[table] ?? [];
const named = (table: string, row: Row): string =>
  `${table} ${keysOf(table)
    .map((k) => row[k])
    .join(' ')}`;
const where = (table: string, row: Row): [string, Value[]] => [
  keysOf(table)
    .map((k) => `${k} is ?`)
    .join(' and '),
  keysOf(table).map((k) => row[k] ?? null),
];
const remove = (db: Database.Database, table: string, row: Row): void => {
  const [which, values] = where(table, row);
  db.prepare(`delete from ${table} where ${which}`).run(values);
};
const insert = (db: Database.Database, table: string, row: Row): void => {
  const names = Object.keys(row);
  const places = names.map(() => '?').join();
  db.prepare(`insert into ${table} (${names.join()}) values (${places})`).run(Object.values(row));
};

const aCell = (rows: Rows, nth: number, random: Random): Deed => {
  const cells = Object.entries(rows).flatMap(([table, all]) =>
    all.flatMap((row) => Object.keys(row).map((column) => ({ table, row, column }))),
  );
  // Spread out, so that a few trials cover every table.
  const { table, row, column } = cells[(nth * 7_919) % cells.length] as (typeof cells)[number];
  const value = flipped(row[column] ?? null, random);
  const place = `${table}.${column}`;
  const [which, values] = where(table, row);
  return {
    what: `${column} of ${named(table, row)} changed to ${String(value).slice(0, 60)}`,
    place,
    mayHide: cellMayHide(table, row, column),
    apply: (db) =>
      void db.prepare(`update ${table} set "${column}" = ? where ${which}`).run(value, ...values),
  };
};

const aRow = (rows: Rows, random: Random, least = 1): { table: string; all: readonly Row[]; row: Row } => {
  const [table, all] = random.pick(Object.entries(rows).filter(([, some]) => some.length >= least));
  return { table, all, row: random.pick(all) };
};

const gone = (rows: Rows, _: number, random: Random): Deed => {
  const { table, row } = aRow(rows, random);
  const place = 'a row is gone';
  return {
    what: `${named(table, row)} is gone`,
    place,
    mayHide: goneMayHide(table, row),
    apply: (db) => remove(db, table, row),
  };
};

const copied = (rows: Rows, _: number, random: Random): Deed => {
  const { table, row } = aRow(rows, random);
  const fresh: Record<string, Row> = {
    events: { event_id: 9_999, seq: 9_999, idempotency_key: 'new' },
    effects: { n: 9_999, id: 'in:9999:0' },
    step_attempts: { id: 9_999, attempt_no: 99 },
    approval_signatures: { user_id: 9_999 },
  };
  const last = keysOf(table).at(-1) ?? '';
  const other = fresh[table] ?? { [last]: typeof row[last] === 'number' ? 9_999 : 'new' };
  return {
    what: `${named(table, row)} is there twice`,
    place: 'a row was put in',
    mayHide: copyMayHide(table, row),
    apply: (db) => insert(db, table, { ...row, ...other }),
  };
};

const swapped = (rows: Rows, _: number, random: Random): Deed => {
  // Swapped events differ only in names, which nothing reads.
  const { events: _events, ...others } = rows;
  const { table, all, row } = aRow(others, random, 2);
  const other = random.pick(all.filter((one) => one !== row));
  const keys = keysOf(table);
  const under = (name: Row, rest: Row): Row => ({
    ...rest,
    ...Object.fromEntries(keys.map((k) => [k, name[k] ?? null])),
  });
  const place = 'two rows changed places';
  return {
    what: `${named(table, row)} and ${named(table, other)} changed places`,
    place,
    // Rows that differ only in their names are interchangeable.
    mayHide:
      JSON.stringify(under(row, other)) === JSON.stringify(row) ||
      (copyMayHide(table, row) && copyMayHide(table, other)),
    apply: (db) => {
      remove(db, table, row);
      remove(db, table, other);
      insert(db, table, under(row, other));
      insert(db, table, under(other, row));
    },
  };
};

/** Earlier versions of rows, with their MACs. */
const olderRows = (before: Rows, now: Rows): { table: string; old: Row; row: Row }[] =>
  Object.entries(now).flatMap(([table, all]) =>
    all.flatMap((row) => {
      const old = before[table]?.find((o) => named(table, o) === named(table, row));
      return old && JSON.stringify(old) !== JSON.stringify(row) ? [{ table, old, row }] : [];
    }),
  );

const older =
  (before: Rows) =>
  (rows: Rows, _: number, random: Random): Deed => {
    const { table, old, row } = random.pick(olderRows(before, rows));
    return {
      what: `${named(table, row)} was put back`,
      place: 'an older row was put back',
      mayHide: table === 'effects' || BOOKKEEPING.has(table),
      apply: (db) => {
        remove(db, table, row);
        insert(db, table, old);
      },
    };
  };

/** Mostly bytes, sometimes whole rows. `before` are earlier rows. */
export const createDeeds = (before: Rows, rows: Rows) => {
  const whole = [gone, copied, swapped, older(before)];
  return (nth: number, random: Random): Deed => {
    const kind = nth % 5 === 4 ? whole[Math.floor(nth / 5) % whole.length] : aCell;
    return (kind ?? aCell)(rows, nth, random);
  };
};
