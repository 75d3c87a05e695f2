/** F5: stores the write budgets of identities at the code host. */
import { EMPTY_WRITE_BUDGET, WriteBudget } from '../../orchestrator/core/write-slots.ts';
import { callStatement, selectOne, type DefineStatement, type SqlScript } from '../sql/statements.ts';

const statements = (define: DefineStatement) => ({
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

export const createWriteBudgetStore = (define: DefineStatement) => {
  const sql = statements(define);
  function* of(identity: string): SqlScript<WriteBudget> {
    const row = yield* selectOne(sql.find, { identity });
    return row ? WriteBudget.parse(JSON.parse(row.book_json)) : EMPTY_WRITE_BUDGET;
  }
  return {
    of,
    *change<T>(identity: string, by: (book: WriteBudget) => { book: WriteBudget; answer: T }): SqlScript<T> {
      const before = yield* of(identity);
      const { book, answer } = by(before);
      if (book !== before) yield callStatement(sql.put, { identity, book_json: JSON.stringify(book) });
      return answer;
    },
  };
};
