/** L5: gives a ledger its marks and books: an empty one, or one of the first schema that its own signatures vouch for. */
import type { KeyObject } from 'node:crypto';
import { sql as raw } from 'kysely';
import { added, bookMark, bookStatements, type Sums } from './books.ts';
import { firstHeadMac } from './chain.ts';
import { INBOX_COLUMNS, MARKED, STATE_COLUMNS } from './marked.ts';
import { createSeal, sameMark } from './seal.ts';
import { all, call, one, type Builder, type Define, type Entry, type Script } from './statements.ts';

type Row = Record<string, unknown>;
type Columns = { table: string; key: string; columns: readonly string[]; mark: string };

const SOURCES: readonly Columns[] = [
  { table: 'run_states', key: 'run_id', columns: STATE_COLUMNS, mark: 'head_mac' },
  ...MARKED.map(({ table, key, columns }) => ({ table, key, columns, mark: 'mark' })),
  { table: 'inbox', key: 'id', columns: INBOX_COLUMNS, mark: 'mark' },
];

const statements = (define: Define, { table, key, mark }: Columns) => ({
  first: define<object, Row>((db: Builder) => ({
    compile: () =>
      raw<Row>`select * from ${raw.table(table)} order by ${raw.ref(key)} limit ${raw.lit(CHUNK)}`.compile(
        db,
      ),
  })),
  after: define<{ last: unknown }, Row>((db, a) => ({
    compile: () =>
      raw<Row>`select * from ${raw.table(table)} where ${raw.ref(key)} > ${a.last} order by ${raw.ref(key)} limit ${raw.lit(CHUNK)}`.compile(
        db,
      ),
  })),
  write: define<{ key: unknown; mark: string }, never>((db, a) => ({
    compile: () =>
      raw<never>`update ${raw.table(table)} set ${raw.ref(mark)} = ${a.mark} where ${raw.ref(key)} = ${a.key}`.compile(
        db,
      ),
  })),
});

/** A head that the first schema signed; what is not stays as it is, and is found by replay. */
const wasSigned = (key: KeyObject, row: Row): boolean => {
  const [run, seq, hash, fold] = [row['run_id'], row['seq'], row['head_hash'], row['fold_json']].map(String);
  const mac = firstHeadMac(key, { runId: run ?? '', seq: Number(seq), hash: hash ?? '', fold: fold ?? '' });
  return sameMark(mac, row['head_mac']);
};

const isOurs = (key: KeyObject, table: string, row: Row): boolean => {
  if (table === 'inbox') return row['source'] !== 'github' && row['state'] === 'new';
  return table !== 'run_states' || wasSigned(key, row);
};

/** Rows that are read at a time. */
const CHUNK = 1_000;

/** One transaction. Throws when there are runs that only a ledger with books can have signed: then the books were taken away. */
export function* adopt(define: Define, key: KeyObject): Script<boolean> {
  const books = bookStatements(define);
  if (yield* one(books.read, {})) return false;
  const seal = createSeal(key);
  let sums: Sums = {};
  for (const source of SOURCES) {
    const sql = statements(define, source);
    let entries: Entry[] = [];
    let [seen, left] = [0, 0];
    for (let rows = yield* all(sql.first, {}); rows.length > 0;) {
      seen += rows.length;
      for (const row of rows) {
        if (!isOurs(key, source.table, row)) {
          left += 1;
          continue;
        }
        const { mark, share } = seal(source.table, source.columns, row);
        yield call(sql.write, { key: row[source.key], mark });
        entries.push({ scope: source.table, count: 1, by: share });
      }
      if (source.table !== 'inbox') sums = entries.reduce(added, sums);
      entries = [];
      rows = yield* all(sql.after, { last: rows.at(-1)?.[source.key] });
    }
    if (source.table === 'run_states' && seen > 0 && left === seen) {
      throw new Error(
        'The ledger’s books are gone, so it cannot be told from a forged one. Restore ledger.db from a backup.',
      );
    }
  }
  const row = { id: 1, changes: 0, sums: JSON.stringify(sums) };
  yield call(books.open, { ...row, mark: bookMark(seal, row) });
  return true;
}
