/** Makes big ledgers fast by copying the rows of real runs with their own hashes and MACs. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { GENESIS_HASH, linkHash } from '../db/integrity/hash-chain.ts';
import { loadOrCreateKey } from '../db/directory/ledger-key.ts';
import { macOfEffect, macOfState, type SealedEffect, type StateRow } from '../db/integrity/table-macs.ts';
import { openLedger } from '../db/directory/open-ledger.ts';
import { createRowMac, type RowMac } from '../db/integrity/row-mac.ts';
import { readRecords, recordsHash, type RecordRow } from '../db/integrity/stored-run.ts';
import type { EventsTable } from '../db/sql/schema.ts';
import { finishRest, NO_PACE, tellStory } from './story.ts';
import type { Act } from '../tests/support/core-acts.ts';
import { temporaryDirectory } from '../tests/support/ledger.ts';

type Value = string | number | null;
type Row = Record<string, Value>;
type Template = { tables: Map<string, Row[]>; events: number };

/** Placeholder with the length of a real id, which occurs nowhere else. */
const MARK = 'qqqqqq';
/** Parents come before children; numbered ids are assigned again. */
const TABLES: readonly { name: string; number: string | null }[] = [
  { name: 'runs', number: null },
  { name: 'run_states', number: null },
  { name: 'run_records', number: null },
  { name: 'events', number: 'event_id' },
  { name: 'effects', number: 'n' },
  { name: 'approvals', number: null },
  { name: 'approval_signatures', number: null },
];

const readTemplate = async (story: readonly Act[], from: number): Promise<Template> => {
  const { dir, remove } = temporaryDirectory();
  try {
    const ledger = await openLedger({ dataDir: dir, now: () => from, limits: NO_PACE });
    const run = await tellStory({ ledger, from }, MARK, story);
    await finishRest(ledger, run.lifecycle.updatedAt + 60_000);
    await ledger.close();
    const db = new Database(join(dir, 'ledger.db'), { readonly: true });
    const tables = new Map(
      TABLES.map(({ name, number }) => [
        name,
        (db.prepare(`select * from ${name} order by rowid`).all() as Row[]).map((row) => {
          if (number !== null) delete row[number];
          return row;
        }),
      ]),
    );
    db.close();
    return { tables, events: tables.get('events')?.length ?? 0 };
  } finally {
    remove();
  }
};

export const nameOf = (i: number): string => `b${i.toString(36).padStart(5, '0')}`;

const copier = (rows: readonly Row[]) => {
  const columns = Object.keys(rows[0] ?? {});
  const pieces = rows.map((row) =>
    columns.map((column) => {
      const value = row[column] ?? null;
      return typeof value === 'string' && value.includes(MARK) ? value.split(MARK) : value;
    }),
  );
  const copy = (id: string): Row[] =>
    pieces.map((values) =>
      Object.fromEntries(
        values.map((value, i) => [columns[i] ?? '', Array.isArray(value) ? value.join(id) : value]),
      ),
    );
  return { columns, copy };
};

const chain = (id: string, events: Row[], state: Row): void => {
  let prev = GENESIS_HASH;
  for (const row of events) {
    const e = row as unknown as EventsTable;
    prev = e.hash = linkHash(prev, {
      runId: id,
      seq: e.seq,
      type: e.event_type,
      key: e.idempotency_key,
      payload: e.payload_json,
      stateAfter: e.state_after,
      at: e.created_at,
    });
  }
  state['head_hash'] = prev;
};

const signer = (seal: RowMac) => {
  let last = 0;
  return {
    state: (row: Row): void => void (row['head_mac'] = macOfState(seal, row as unknown as StateRow)),
    effect: (row: Row): void => {
      row['n'] = last += 1;
      row['mac'] = macOfEffect(seal, row as unknown as SealedEffect);
    },
  };
};

export type Kind = { story: readonly Act[]; runs: number };

/** Returns the ids of the runs of each kind, and the number of events. */
export const fillLedger = async (
  dataDir: string,
  kinds: readonly Kind[],
  from: number,
): Promise<{ ids: string[][]; events: number }> => {
  const ledger = await openLedger({ dataDir, now: () => from });
  await ledger.close();
  const key = loadOrCreateKey(join(dataDir, 'keys', 'ledger.key'), { mayMake: false });
  const sign = signer(createRowMac(key));
  const db = new Database(join(dataDir, 'ledger.db'));
  // A half-made ledger is not needed after a crash.
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -256000');
  let made = 0;
  let events = 0;
  const ids: string[][] = [];
  for (const { story, runs } of kinds) {
    const { tables, events: each } = await readTemplate(story, from);
    const copiers = TABLES.map(({ name }) => {
      const { columns, copy } = copier(tables.get(name) ?? []);
      const places = columns.map((column) => `@${column}`).join();
      const insert =
        columns.length === 0
          ? null
          : db.prepare(`insert into ${name} (${columns.join()}) values (${places})`);
      return { name, copy, insert };
    });
    const one = (id: string): void => {
      const copies = copiers.map(({ name, copy, insert }) => ({ name, insert, rows: copy(id) }));
      const of = (table: string): Row[] => copies.find(({ name }) => name === table)?.rows ?? [];
      for (const state of of('run_states')) {
        chain(id, of('events'), state);
        const stored = readRecords(of('run_records') as unknown as RecordRow[]);
        if (stored) state['records_hash'] = recordsHash(stored);
        sign.state(state);
      }
      for (const effect of of('effects')) sign.effect(effect);
      for (const { insert, rows } of copies) for (const row of rows) insert?.run(row);
    };
    const names = Array.from({ length: runs }, () => nameOf((made += 1)));
    for (let i = 0; i < names.length; i += 100)
      db.transaction(() => names.slice(i, i + 100).forEach(one)).immediate();
    const state = String(tables.get('run_states')?.[0]?.['current_state']);
    db.prepare(
      `insert into state_counts (scope, state, n) values ('run', ?, ?)
       on conflict do update set n = n + excluded.n`,
    ).run(state, runs);
    ids.push(names);
    events += runs * each;
  }
  db.pragma('wal_checkpoint(truncate)');
  db.close();
  return { ids, events };
};
