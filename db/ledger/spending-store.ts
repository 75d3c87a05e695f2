/** Stores what was spent, by attempt and day; a request is admitted and noted in one transaction (P7). */
import { startOfDay, type SpendingAmount, type SpendingTotal } from '#model/spending';
import { MINUTE } from '#model/values';
import { selectEffectKinds } from '#effects';
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
const NO_RUN = '';
/** A worker with an agent at work writes every minute; one that is silent for longer is taken for dead. */
const SILENT_MS = 2 * MINUTE;
const PROCESS_KINDS = selectEffectKinds(({ pool }) => pool === 'heavy');
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
  /**
   * What nobody will settle any more counts as used: that of boots that give no sign of life, of
   * earlier boots at this place, of earlier attempts of a run, and of runs without work. A lease that
   * ended says nothing of its worker, which may be slow: so an attempt has its time after a newer one
   * began elsewhere, and after the work of its run ended.
   */
  countLost: define(
    (db, a: { boot: string; boots: string; run_id: string; attempt_id: number; seen_since: number }) =>
      db
        .updateTable('spending')
        .set((eb) => ({
          cost_usd: eb('cost_usd', '+', eb.ref('pending_usd')),
          tokens: eb('tokens', '+', eb.ref('pending_tokens')),
          pending_usd: 0,
          pending_tokens: 0,
        }))
        .where('attempt_id', '<>', a.attempt_id)
        .where((eb) => eb('pending_tokens', '>', eb.lit(0)))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('step_attempts as s')
                .leftJoin('boots as b', 'b.id', 's.boot_id')
                .select('s.id')
                .whereRef('s.id', '=', 'spending.attempt_id')
                .where((s) =>
                  s.exists(
                    s
                      .selectFrom('effects as e')
                      .select('e.n')
                      .whereRef('e.run_id', '=', 's.run_id')
                      .where('e.kind', 'in', PROCESS_KINDS)
                      // guard: P7-run-without-work
                      .where((e) =>
                        e.or([e('e.state', '=', 'claimed'), e('e.updated_at', '>', a.seen_since)]),
                      ),
                  ),
                )
                .where((s) =>
                  s.or([
                    s.and([s('s.boot_id', '=', a.boot), s('s.run_id', '<>', a.run_id)]),
                    s.and([
                      s('b.id', 'not like', a.boots),
                      // guard: P7-slow-is-alive
                      s('b.last_seen_at', '>', a.seen_since),
                      s.not(
                        s.exists(
                          s
                            .selectFrom('step_attempts as n')
                            .select('n.id')
                            .whereRef('n.run_id', '=', 's.run_id')
                            .whereRef('n.id', '>', 's.id')
                            // guard: P7-left-behind
                            .where('n.created_at', '<=', a.seen_since),
                        ),
                      ),
                    ]),
                  ]),
                ),
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
  mine: { boot: string; boots: string },
): SpendingBook & { countLost: (now: number) => SqlScript<void> } => {
  const sql = statements(define);
  function* countLost(own: { run_id: string; attempt_id: number }, now: number): SqlScript<void> {
    yield callStatement(sql.countLost, { ...mine, ...own, seen_since: now - SILENT_MS });
  }
  function* put(entry: SpendingEntry): SqlScript<void> {
    const { attempt, runId, at, person, personName, campaign, repo, engine, used, pending } = entry;
    const day = startOfDay(at);
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
    // guard: P7-lost-counts
    yield* countLost({ run_id: entry.runId, attempt_id: entry.attempt }, entry.at);
    if (asks) {
      const rows = yield* selectAll(sql.totals, { since: asks.since, campaign: entry.campaign });
      const answer = asks.admits(rows.map((row) => totalOf(row)));
      if (answer !== 'go') return answer;
    }
    yield* put(entry);
    return 'go';
  }
  return {
    countLost: (now) => countLost({ run_id: NO_RUN, attempt_id: NO_ATTEMPT }, now),
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
