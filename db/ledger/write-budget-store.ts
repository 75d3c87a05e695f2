/** F5: stores the write budgets of identities at the code host. */
import { EMPTY_WRITE_BUDGET, WriteBudget } from '../../orchestrator/model/write-slots.ts';
import { callStatement, selectOne, type DefineStatement, type SqlScript } from '../sql/statements.ts';

const statements = (define: DefineStatement) => ({
  find: define((db, a: { identity: string }) =>
    db.selectFrom('write_budgets').select('budget_json').where('identity', '=', a.identity),
  ),
  put: define((db, a: { identity: string; budget_json: string }) =>
    db
      .insertInto('write_budgets')
      .values({ identity: a.identity, budget_json: a.budget_json })
      .onConflict((c) => c.column('identity').doUpdateSet({ budget_json: a.budget_json })),
  ),
});

export const createWriteBudgetStore = (define: DefineStatement) => {
  const sql = statements(define);
  function* of(identity: string): SqlScript<WriteBudget> {
    const row = yield* selectOne(sql.find, { identity });
    return row ? WriteBudget.parse(JSON.parse(row.budget_json)) : EMPTY_WRITE_BUDGET;
  }
  return {
    of,
    *change<T>(identity: string, by: (book: WriteBudget) => { book: WriteBudget; answer: T }): SqlScript<T> {
      const before = yield* of(identity);
      const { book, answer } = by(before);
      if (book !== before) yield callStatement(sql.put, { identity, budget_json: JSON.stringify(book) });
      return answer;
    },
  };
};
