/** F5: the books of those who write on a code host: what each has sent, and who waits. */
import { EMPTY_BOOK, WriterBook } from '../../orchestrator/core/writers.ts';
import { call, one, type Define, type Script } from '../sql/statements.ts';

const statements = (define: Define) => ({
  find: define((db, a: { identity: string }) =>
    db.selectFrom('writers').select('book_json').where('identity', '=', a.identity),
  ),
  put: define((db, a: { identity: string; book_json: string }) =>
    db
      .insertInto('writers')
      .values({ identity: a.identity, book_json: a.book_json })
      .onConflict((c) => c.column('identity').doUpdateSet({ book_json: a.book_json })),
  ),
});

export const createBooks = (define: Define) => {
  const sql = statements(define);
  function* of(identity: string): Script<WriterBook> {
    const row = yield* one(sql.find, { identity });
    return row ? WriterBook.parse(JSON.parse(row.book_json)) : EMPTY_BOOK;
  }
  return {
    of,
    *change<T>(identity: string, by: (book: WriterBook) => { book: WriterBook; answer: T }): Script<T> {
      const before = yield* of(identity);
      const { book, answer } = by(before);
      if (book !== before) yield call(sql.put, { identity, book_json: JSON.stringify(book) });
      return answer;
    },
  };
};
