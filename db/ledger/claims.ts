/**
 * L4: leases on effects. Whoever finishes must still hold the lease that was given, in the boot it
 * was given to.
 */
import { traitsOf } from '../../orchestrator/core/machine/effect-traits.ts';
import type { EffectKind } from '../../orchestrator/core/machine/effects.ts';
import { SPOKEN, type Claim, type Finish, type Limits, type MessageClass } from '../../orchestrator/ports.ts';
import { claimStatements, dueStatement, nextStatement, type Held } from './claim-statements.ts';
import type { StoredEffect, LedgerTables } from './tables.ts';
import { isAsked } from '../integrity/macs.ts';
import { askedBy } from '../sql/rows.ts';
import { REPLACED, heir } from './outbox.ts';
import type { Errands } from './others.ts';
import { EVERYBODY, paced, silenced, spokenOf, whom } from '../sql/pace.ts';
import { all, one, type Define, type Script } from '../sql/statements.ts';

export type ClaimRequest = {
  now: number;
  leaseMs: number;
  limit: number;
  kinds?: readonly EffectKind[];
  only?: number;
};
type Row = StoredEffect;
type Due = Row & { run_epoch: number | null };

/** Nothing is done for a row that somebody put in or changed beside the ledger (L5). */
export const NOT_OURS = 'this row was put in or changed by somebody other than agentpr';

export const createClaims = (
  define: Define,
  { effects, seal }: LedgerTables,
  boot: string,
  limits: Limits,
  beside: { boots: string; errands?: Errands | undefined },
) => {
  const { boots, errands } = beside;
  const sql = claimStatements(define);
  const due = new Map<string, ReturnType<typeof dueStatement>>();
  const dueOf = (kinds: ClaimRequest['kinds'], only: boolean): ReturnType<typeof dueStatement> => {
    const name = `${kinds?.join() ?? '*'}${only ? ' one' : ''}`;
    const known = due.get(name) ?? dueStatement(define, kinds, only);
    due.set(name, known);
    return known;
  };
  const next = new Map<string, ReturnType<typeof nextStatement>>();
  const nextOf = (kinds: ClaimRequest['kinds']): ReturnType<typeof nextStatement> => {
    const name = kinds?.join() ?? '*';
    const known = next.get(name) ?? nextStatement(define, kinds);
    next.set(name, known);
    return known;
  };
  const holding = (claim: Pick<Claim, 'n' | 'leaseEpoch'>): Held => ({
    n: claim.n,
    lease_epoch: claim.leaseEpoch,
    boot,
  });

  /** Why an effect means nothing any more, or the row as it is to be done. */
  function* current(row: Due, now: number): Script<{ obsolete: string } | { row: Row }> {
    const begun = traitsOf(row.kind).finishes && row.tries > 0;
    if (row.epoch !== null && row.epoch !== row.run_epoch && !begun) {
      return { obsolete: 'the run has moved on' };
    }
    if (row.slot === null || row.chat === null) return { row };
    return yield* merge(row, { slot: row.slot, chat: row.chat }, now);
  }

  /**
   * A message that came back after a newer one of its slot gives way to it; the newest speaks for
   * all of them.
   */
  function* merge(
    row: Row,
    place: { slot: string; chat: string },
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
    return yield* effects.change(row, heir(row, older));
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
      do: askedBy(row),
    };
  }

  /** Takes the row, or drops it for a reason. */
  function* serve(row: Due, until: number, now: number): Script<Claim | null> {
    // guard: L5-own-effect
    if (!isAsked(seal, row)) {
      yield* effects.change(row, { state: 'dead', reason: NOT_OURS, updated_at: now });
      return null;
    }
    const is = yield* current(row, now);
    if ('row' in is) return yield* take(is.row, until, now);
    yield* effects.change(row, { state: 'void', reason: is.obsolete, updated_at: now });
    return null;
  }

  /** Each is counted for all chats together when it is taken, and for its own when it ended. */
  function* messages(now: number, until: number, limit: number): Script<Claim[]> {
    const claims: Claim[] = [];
    const before = yield* one(sql.pace, { chat: EVERYBODY });
    let everybody = before;
    const full = (what: MessageClass): boolean =>
      claims.length >= limit || (everybody?.[`${what}_at`] ?? 0) > now;
    for (const what of SPOKEN) {
      while (!full(what)) {
        const rows = yield* all(sql.dueOf[what], { now, limit: limit - claims.length });
        if (rows.length === 0) break;
        for (const row of firstOfLanes(rows)) {
          if (full(what)) break;
          const claim = yield* serve(row, until, now);
          if (!claim) continue;
          claims.push(claim);
          everybody = paced(everybody, whom(limits, EVERYBODY), what, now);
        }
      }
    }
    if (everybody && everybody !== before) yield* all(sql.setPace, everybody);
    return claims;
  }

  /** The chat has heard something, or is not to hear anything for a while. */
  function* keepPace(row: Row, outcome: Finish, now: number): Script<void> {
    const { chat, prio } = row;
    if (row.kind !== 'chat_message' || chat === null) return;
    const silence = outcome.kind === 'later' ? outcome.silence : undefined;
    if (outcome.kind === 'later' && !silence) return;
    // Nothing was sent: a card of a campaign that is shown on the card of many.
    if (outcome.kind === 'done' && outcome.result === null) return;
    const pace = yield* one(sql.pace, { chat });
    const next = silence
      ? silenced(pace, whom(limits, chat), silence.chat)
      : paced(pace, whom(limits, chat), spokenOf(prio), now);
    yield* all(sql.setPace, next);
    if (!silence?.everybody) return;
    const shared = yield* one(sql.pace, { chat: EVERYBODY });
    yield* all(sql.setPace, silenced(shared, whom(limits, EVERYBODY), silence.everybody));
  }

  function* nextSpoken(): Script<number[]> {
    const times: number[] = [];
    const everybody = yield* one(sql.pace, { chat: EVERYBODY });
    for (const what of SPOKEN) {
      const free = yield* one(sql.nextOf[what], {});
      const paused = yield* one(sql.pausedOf[what], {});
      for (const at of [free?.due_at, paused?.due_at])
        if (typeof at === 'number') times.push(Math.max(at, everybody?.[`${what}_at`] ?? 0));
    }
    return times;
  }

  function* setFree(rows: readonly Row[], now: number): Script<number> {
    for (const row of rows) {
      yield* effects.change(row, { state: 'pending', ...cutOff(row, now), updated_at: now });
      errands?.left(row);
    }
    return rows.length;
  }

  return {
    *claim({ now, leaseMs, limit, kinds, only }: ClaimRequest): Script<Claim[]> {
      yield* setFree(yield* all(sql.expired, { now }), now);
      if (errands) yield* errands.look(now);
      const until = now + leaseMs;
      const spoken = only === undefined && kinds?.includes('chat_message') !== false;
      const claims = spoken ? yield* messages(now, until, limit) : [];
      if (kinds?.every((kind) => kind === 'chat_message')) return claims;
      // Each round takes or drops at least its first row, and what shares a lane with it waits for
      // the next.
      while (claims.length < limit) {
        const at = { now, limit: limit - claims.length, n: only ?? 0 };
        const rows = yield* all(dueOf(kinds, only !== undefined), at);
        if (rows.length === 0) break;
        for (const row of firstOfLanes(rows)) {
          const claim = yield* serve(row, until, now);
          if (claim) claims.push(claim);
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
      const after = yield* effects.change(row, { ...finished(outcome, claim, row), updated_at: now });
      if (errands && after.state === 'pending') yield* errands.wanted(after);
      yield* keepPace(row, outcome, now);
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

    *nextDue(kinds?: readonly EffectKind[]): Script<number | null> {
      const work = yield* one(nextOf(kinds), {});
      const times = [...(work ? [work.due_at] : []), ...(yield* nextSpoken())];
      return times.length > 0 ? Math.min(...times) : null;
    },

    *free(now: number): Script<number> {
      return yield* setFree(yield* all(sql.ofOthers, { boot, boots }), now);
    },

    /** What this boot did not end is anybody's. */
    *release(now: number): Script<number> {
      return yield* setFree(yield* all(sql.ofBoot, { boot }), now);
    },

    /**
     * The clock went back: what waits would wait that much longer. A message or a look is never
     * worth days.
     */
    *clockWentBack(by: number, now: number): Script<void> {
      yield* all(sql.forgetPaces, {});
      for (const row of yield* all(sql.later, { now })) {
        yield* effects.change(row, { due_at: Math.max(now, row.due_at - by), updated_at: now });
      }
    },
  };
};

/** One of each lane; those without one are in nobody's way. */
const firstOfLanes = (rows: readonly Due[]): Due[] =>
  rows.filter((row, i) => row.lane === null || rows.findIndex((r) => r.lane === row.lane) === i);

/**
 * Long work that was cut off has not failed. Once may happen to anybody; who is cut off again and
 * again stands behind everybody who has not begun, and keeps no place from them.
 */
const cutOff = ({ kind, tries, lease_epoch }: Row, now: number): Partial<StoredEffect> => {
  if (traitsOf(kind).pool !== 'heavy') return {};
  const counted = tries - 1;
  // guard: L8-cut-off-again-yields
  return { tries: counted, ...(lease_epoch - counted > 1 ? { due_at: now } : {}) };
};

const finished = (outcome: Finish, claim: Claim, row: Row): Partial<StoredEffect> => {
  switch (outcome.kind) {
    case 'done':
      return { state: 'done', result_json: JSON.stringify(outcome.result ?? null), reason: null };
    case 'dead':
      return { state: 'dead', reason: outcome.reason };
    case 'later': {
      const { at, reason, counts, silence } = outcome;
      const uncounted = counts === 'anew' ? claim.tries : counts ? 0 : 1;
      return { state: 'pending', due_at: silence ? row.due_at : at, reason, tries: row.tries - uncounted };
    }
  }
};
