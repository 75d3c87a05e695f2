/** L5: the books: how many marked rows there are and the sum of their shares, changed with them, so that none can come or go unseen. */
import { sql as raw } from 'kysely';
import { MARKED } from './marked.ts';
import { sameMark, type Seal } from './seal.ts';
import { all, call, one, type Define, type Entry, type Script } from '../sql/statements.ts';

/** By table: how many rows, and the sum of their shares as hexadecimal. */
export type Sums = Record<string, readonly [count: number, sum: string]>;
export type BookRow = { id: number; changes: number; sums: string; mark: string };

/** Sums go round at this: a share is 256 bits. */
const MODULUS = 1n << 256n;

export const bookMark = (seal: Seal, row: Omit<BookRow, 'mark'>): string =>
  seal('books', ['id', 'changes', 'sums'], row).mark;
export const isBook = (seal: Seal, row: BookRow): boolean => sameMark(bookMark(seal, row), row.mark);

export const added = (sums: Sums, { scope, count, by }: Entry): Sums => {
  const [n, sum] = sums[scope] ?? [0, '0'];
  const next = (((BigInt(`0x${sum}`) + by) % MODULUS) + MODULUS) % MODULUS;
  return { ...sums, [scope]: [n + count, next.toString(16)] };
};

export const bookStatements = (define: Define) => ({
  read: define((db, _: object) => db.selectFrom('books').selectAll()),
  open: define((db, a: BookRow) =>
    db.insertInto('books').values({ id: a.id, changes: a.changes, sums: a.sums, mark: a.mark }),
  ),
  write: define((db, a: BookRow) =>
    db.updateTable('books').set({ changes: a.changes, sums: a.sums, mark: a.mark }).where('id', '=', a.id),
  ),
});

const ANY = ['run_states', ...MARKED.map(({ table }) => table)];

/** Gives an empty ledger its books. Throws when there are rows and no books: then somebody took them away. */
export function* openBooks(define: Define, seal: Seal): Script<void> {
  const sql = bookStatements(define);
  if (yield* one(sql.read, {})) return;
  for (const table of ANY) {
    const any = define((db, _: object) => ({
      compile: () => raw<{ found: number }>`select 1 as found from ${raw.table(table)} limit 1`.compile(db),
    }));
    if ((yield* all(any, {})).length > 0)
      throw new Error(
        'The ledger’s books are gone, so it cannot be told from a forged one. Restore ledger.db from a backup.',
      );
  }
  const row = { id: 1, changes: 0, sums: '{}' };
  yield call(sql.open, { ...row, mark: bookMark(seal, row) });
}

/** Wraps a transaction: what its statements enter is added up and written at its end, once. */
export const createBooks = (define: Define, seal: Seal) => {
  const sql = bookStatements(define);

  function* enter(entries: readonly Entry[]): Script<void> {
    const row = yield* one(sql.read, {});
    if (!row) throw new Error('The ledger has no books. Restore ledger.db from a backup.');
    const sums = entries.reduce(added, JSON.parse(row.sums) as Sums);
    const after = { ...row, changes: row.changes + 1, sums: JSON.stringify(sums) };
    // Books that somebody else has kept never get a mark of ours again.
    // guard: L5-own-sum
    yield call(sql.write, isBook(seal, row) ? { ...after, mark: bookMark(seal, after) } : after);
  }

  return {
    *booked<T>(script: Script<T>): Script<T> {
      const entries: Entry[] = [];
      let turn = script.next();
      while (!turn.done) {
        if (turn.value.entry) entries.push(turn.value.entry);
        turn = script.next(yield turn.value);
      }
      if (entries.length > 0) yield* enter(entries);
      return turn.value;
    },
  };
};
