/** P7: what was spent, by attempt and day; a request is admitted and noted in one transaction. */
import type { SpendingAmount, SpendingTotal } from '#model/spending';
import type { SpendingBook, SpendingEntry, SpendingQueries } from '#ports/ledger';
import type { SpendingTable } from '../sql/schema.ts';
import {
  callStatement,
  selectAll,
  toCompiledQuery,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';
import type { RunTransaction } from './group-commit.ts';

/** Attempts are counted from 1. */
const NO_ATTEMPT = 0;
const COLUMNS = ['day', 'person', 'person_name', 'campaign', 'repo', 'engine'] as const;

const statements = (define: DefineStatement) => ({
  own: define((db, a: { attempt_id: number }) =>
    db.selectFrom('spending').select(['day', 'cost_usd', 'tokens']).where('attempt_id', '=', a.attempt_id),
  ),
  put: define((db, a: SpendingTable) => {
    const amounts = {
      cost_usd: a.cost_usd,
      tokens: a.tokens,
      pending_usd: a.pending_usd,
      pending_tokens: a.pending_tokens,
    };
    return db
      .insertInto('spending')
      .values({
        attempt_id: a.attempt_id,
        day: a.day,
        run_id: a.run_id,
        person: a.person,
        person_name: a.person_name,
        campaign: a.campaign,
        repo: a.repo,
        engine: a.engine,
        ...amounts,
      })
      .onConflict((c) => c.columns(['attempt_id', 'day']).doUpdateSet(amounts));
  }),
  /** Midnight moves requests without an answer to the new day's row. */
  move: define((db, a: { attempt_id: number; day: number }) =>
    db
      .updateTable('spending')
      .set({ pending_usd: 0, pending_tokens: 0 })
      .where('attempt_id', '=', a.attempt_id)
      .where('day', '<>', a.day),
  ),
  /** Earlier attempts of a run are over: what they may have used counts, and nothing waits for it. */
  fix: define((db, a: { run_id: string; attempt_id: number }) =>
    db
      .updateTable('spending')
      .set((eb) => ({
        cost_usd: eb('cost_usd', '+', eb.ref('pending_usd')),
        tokens: eb('tokens', '+', eb.ref('pending_tokens')),
        pending_usd: 0,
        pending_tokens: 0,
      }))
      .where('run_id', '=', a.run_id)
      .where('attempt_id', '<>', a.attempt_id)
      .where((eb) => eb('pending_tokens', '>', eb.lit(0))),
  ),
  /** After a crash: what dead processes may have used counts. */
  fixDead: define((db, a: { boot: string; seen_since: number }) =>
    db
      .updateTable('spending')
      .set((eb) => ({
        cost_usd: eb('cost_usd', '+', eb.ref('pending_usd')),
        tokens: eb('tokens', '+', eb.ref('pending_tokens')),
        pending_usd: 0,
        pending_tokens: 0,
      }))
      .where((eb) => eb('pending_tokens', '>', eb.lit(0)))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('step_attempts as s')
              .innerJoin('boots as b', 'b.id', 's.boot_id')
              .select('s.id')
              .whereRef('s.id', '=', 'spending.attempt_id')
              .where((b) => b.or([b('b.id', '=', a.boot), b('b.last_seen_at', '>', a.seen_since)])),
          ),
        ),
      ),
  ),
  totals: define((db, a: { since: number; campaign: string | null }) =>
    db
      .selectFrom('spending')
      .select(COLUMNS)
      .select((eb) => [
        eb.fn.sum('cost_usd').as('cost_usd'),
        eb.fn.sum('tokens').as('tokens'),
        eb.fn.sum('pending_usd').as('pending_usd'),
        eb.fn.sum('pending_tokens').as('pending_tokens'),
      ])
      .where((eb) => eb.or([eb('day', '>=', a.since), eb('campaign', '=', a.campaign)]))
      .groupBy(COLUMNS),
  ),
});

type TotalRow = {
  day: number;
  person: string;
  person_name: string;
  campaign: string | null;
  repo: string;
  engine: string;
} & Record<'cost_usd' | 'tokens' | 'pending_usd' | 'pending_tokens', unknown>;

const totalOf = (row: TotalRow): SpendingTotal => ({
  day: Number(row.day),
  person: row.person,
  personName: row.person_name,
  campaign: row.campaign,
  repo: row.repo,
  engine: row.engine,
  used: { costUsd: Number(row.cost_usd), tokens: Number(row.tokens) },
  pending: { costUsd: Number(row.pending_usd), tokens: Number(row.pending_tokens) },
});

const before = (
  rows: readonly { day: number; cost_usd: number; tokens: number }[],
  day: number,
): SpendingAmount =>
  rows
    .filter((row) => Number(row.day) !== day)
    .reduce<SpendingAmount>(
      (all, row) => ({ costUsd: all.costUsd + row.cost_usd, tokens: all.tokens + Number(row.tokens) }),
      { costUsd: 0, tokens: 0 },
    );

export const createSpendingStore = (
  define: DefineStatement,
  transact: RunTransaction,
): SpendingBook & {
  fixDead: (boot: string, seenSince: number) => SqlScript<void>;
  /** P7: a reservation lives no longer than the lease under which it was made. */
  fixRun: (runId: string) => SqlScript<void>;
} => {
  const sql = statements(define);
  function* put(entry: SpendingEntry): SqlScript<void> {
    const { attempt, runId, day, person, personName, campaign, repo, engine, used, pending } = entry;
    const earlier = before(yield* selectAll(sql.own, { attempt_id: attempt }), day);
    // guard: P7-pending-one-day
    yield callStatement(sql.move, { attempt_id: attempt, day });
    yield callStatement(sql.put, {
      attempt_id: attempt,
      day,
      run_id: runId,
      person,
      person_name: personName,
      campaign,
      repo,
      engine,
      cost_usd: Math.max(0, used.costUsd - earlier.costUsd),
      tokens: Math.max(0, used.tokens - earlier.tokens),
      pending_usd: pending.costUsd,
      pending_tokens: pending.tokens,
    });
  }
  function* charge(entry: SpendingEntry, asks: Parameters<SpendingBook['charge']>[1]): SqlScript<unknown> {
    yield callStatement(sql.fix, { run_id: entry.runId, attempt_id: entry.attempt });
    if (asks) {
      const rows = yield* selectAll(sql.totals, { since: asks.since, campaign: entry.campaign });
      const answer = asks.admits(rows.map((row) => totalOf(row)));
      if (answer !== 'go') return answer;
    }
    yield* put(entry);
    return 'go';
  }
  return {
    *fixDead(boot, seenSince) {
      yield callStatement(sql.fixDead, { boot, seen_since: seenSince });
    },
    *fixRun(runId) {
      yield callStatement(sql.fix, { run_id: runId, attempt_id: NO_ATTEMPT });
    },
    charge: (entry, asks) => transact(charge(entry, asks)) as ReturnType<SpendingBook['charge']>,
  };
};

export const createSpendingQueries = (define: DefineStatement, read: RunQuery): SpendingQueries => {
  const sql = statements(define);
  return {
    spent: async ({ since, campaign = null }) =>
      (await read(toCompiledQuery(sql.totals, { since, campaign }))).map((row) => totalOf(row)),
  };
};
