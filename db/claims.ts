/** L4: leases on effects. Whoever finishes must still hold the lease that was given, in the boot it was given to. */
import type { Effect, EffectKind } from '../orchestrator/core/effects.ts';
import type { Claim, Finish } from '../orchestrator/ports.ts';
import { claimStatements, dueStatement, type Held } from './claim-statements.ts';
import type { StoredEffect, Tables } from './marked.ts';
import type { Marked } from './marked-table.ts';
import { REPLACED, heir } from './outbox.ts';
import { all, one, type Define, type Script } from './statements.ts';

export type ClaimRequest = { now: number; leaseMs: number; limit: number; kinds?: readonly EffectKind[] };
type Tell = Extract<Effect['do'], { kind: 'tell' }>;
type Row = Marked<StoredEffect>;
type Due = Row & { run_epoch: number | null };

/** Nothing is done for a row that somebody put in or changed beside the ledger (L5). */
export const NOT_OURS = 'this row was put in or changed by somebody other than agentpr';

export const createClaims = (define: Define, { effects }: Tables, boot: string) => {
  const sql = claimStatements(define);
  const due = new Map<string, ReturnType<typeof dueStatement>>();
  const dueOf = (kinds: readonly EffectKind[] | undefined): ReturnType<typeof dueStatement> => {
    const name = kinds?.join() ?? '*';
    const known = due.get(name) ?? dueStatement(define, kinds);
    due.set(name, known);
    return known;
  };
  const holding = (claim: Pick<Claim, 'n' | 'leaseEpoch'>): Held => ({
    n: claim.n,
    lease_epoch: claim.leaseEpoch,
    boot,
  });

  /** Why an effect means nothing any more, or the row as it is to be done. */
  function* current(row: Due, now: number): Script<{ obsolete: string } | { row: Row }> {
    const begun = row.kind === 'open_pr' && row.tries > 0;
    if (row.epoch !== null && row.epoch !== row.run_epoch && !begun) {
      return { obsolete: 'the run has moved on' };
    }
    if (row.slot === null || row.chat === null) return { row };
    return yield* merge(row, { slot: row.slot, chat: row.chat }, now);
  }

  /** A message that came back after a newer one of its slot gives way to it; the newest speaks for all of them. */
  function* merge(
    row: Row,
    place: { slot: string; chat: number },
    now: number,
  ): Script<{ obsolete: string } | { row: Row }> {
    const newer = yield* one(sql.newer, { n: row.n, ...place });
    if (newer) {
      if (newer.state === 'pending') yield* inherit(newer, [row]);
      return { obsolete: REPLACED };
    }
    const older = (yield* all(sql.waiting, place)).filter((o) => o.n !== row.n);
    if (older.length === 0) return { row };
    for (const o of older) yield* effects.change(o, { state: 'void', reason: REPLACED, updated_at: now });
    return { row: yield* inherit(row, older) };
  }

  function* inherit(row: Row, older: Parameters<typeof heir>[1]): Script<Row> {
    return yield* effects.change(row, heir(JSON.parse(row.do_json) as Tell, older));
  }

  function* take(row: Row, until: number, now: number): Script<Claim> {
    const lease = { tries: row.tries + 1, lease_epoch: row.lease_epoch + 1 };
    yield* effects.change(row, {
      ...lease,
      state: 'claimed',
      lease_until: until,
      lease_owner: boot,
      updated_at: now,
    });
    return {
      n: row.n,
      id: row.id,
      runId: row.run_id,
      epoch: row.epoch,
      leaseEpoch: lease.lease_epoch,
      tries: lease.tries,
      do: JSON.parse(row.do_json) as Effect['do'],
    };
  }

  /** Takes the row, or drops it for a reason. */
  function* serve(row: Due, until: number, now: number): Script<Claim | null> {
    if (!effects.ours(row)) {
      yield* effects.change(row, { state: 'dead', reason: NOT_OURS, updated_at: now });
      return null;
    }
    const is = yield* current(row, now);
    if ('row' in is) return yield* take(is.row, until, now);
    yield* effects.change(row, { state: 'void', reason: is.obsolete, updated_at: now });
    return null;
  }

  function* setFree(rows: readonly Row[], now: number): Script<number> {
    for (const row of rows) yield* effects.change(row, { state: 'pending', updated_at: now });
    return rows.length;
  }

  return {
    *claim({ now, leaseMs, limit, kinds }: ClaimRequest): Script<Claim[]> {
      yield* setFree(yield* all(sql.expired, { now }), now);
      const claims: Claim[] = [];
      for (const prio of [0, 1]) {
        // Each round takes or drops at least its first row, and what shares a lane with it waits for the next.
        while (claims.length < limit) {
          const rows = yield* all(dueOf(kinds), { prio, now, limit: limit - claims.length });
          if (rows.length === 0) break;
          const lanes = new Set<string>();
          for (const row of rows) {
            if (row.lane !== null && lanes.has(row.lane)) continue;
            if (row.lane !== null) lanes.add(row.lane);
            const claim = yield* serve(row, now + leaseMs, now);
            if (claim) claims.push(claim);
          }
        }
      }
      return claims;
    },

    *renew(claim: Claim, until: number): Script<boolean> {
      const row = yield* one(sql.held, holding(claim));
      if (!row) return false;
      if (row.epoch !== null) {
        const run = yield* one(sql.epochOf, { run_id: row.run_id ?? '' });
        if (run?.epoch !== row.epoch) return false;
      }
      yield* effects.change(row, { lease_until: until });
      return true;
    },

    *finish(claim: Claim, outcome: Finish, now: number): Script<boolean> {
      const row = yield* one(sql.held, holding(claim));
      if (!row) return false;
      yield* effects.change(row, { ...finished(outcome, claim, row), updated_at: now });
      return true;
    },

    /** The end of an effect by a step; false when the lease is no longer this boot's. */
    *close(cause: Pick<Claim, 'n' | 'leaseEpoch'>, now: number): Script<boolean> {
      const row = yield* one(sql.held, holding(cause));
      if (!row) return false;
      yield* effects.change(row, { state: 'done', reason: null, updated_at: now });
      return true;
    },

    *hurry(run_id: string, now: number): Script<void> {
      const rows = yield* all(sql.looks, { run_id, now });
      for (const row of rows) yield* effects.change(row, { due_at: now, updated_at: now });
    },

    *nextDue(): Script<number | null> {
      const urgent = yield* one(sql.next, { prio: 0 });
      const normal = yield* one(sql.next, { prio: 1 });
      const times = [urgent, normal].flatMap((row) => (row ? [row.due_at] : []));
      return times.length > 0 ? Math.min(...times) : null;
    },

    *free(now: number): Script<number> {
      return yield* setFree(yield* all(sql.ofOthers, { boot }), now);
    },

    /** The clock went back: what waits would wait that much longer. A message or a look is never worth days. */
    *clockWentBack(by: number, now: number): Script<void> {
      for (const row of yield* all(sql.later, { now })) {
        yield* effects.change(row, { due_at: Math.max(now, row.due_at - by), updated_at: now });
      }
    },
  };
};

const finished = (outcome: Finish, claim: Claim, row: Row): Partial<StoredEffect> => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', result_json: JSON.stringify(outcome.result ?? null), reason: null };
    case 'dead':
      return { state: 'dead', reason: outcome.reason };
    case 'later': {
      const { at, reason, counts } = outcome;
      const uncounted = counts === 'anew' ? claim.tries : counts ? 0 : 1;
      return { state: 'pending', due_at: at, reason, tries: row.tries - uncounted };
    }
  }
};
