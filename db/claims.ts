/** L4: leases on effects. Whoever finishes must still hold the lease that was given, in the boot it was given to. */
import type { Effect, EffectKind } from '../orchestrator/core/effects.ts';
import type { Claim, Finish } from '../orchestrator/ports.ts';
import { claimStatements, dueStatement, type Held } from './claim-statements.ts';
import { REPLACED, heir } from './outbox.ts';
import { all, one, type Define, type Script } from './statements.ts';

export type ClaimRequest = { now: number; leaseMs: number; limit: number; kinds?: readonly EffectKind[] };
type Tell = Extract<Effect['do'], { kind: 'tell' }>;
type Due = {
  n: number;
  id: string;
  run_id: string | null;
  lane: string | null;
  slot: string | null;
  chat: number | null;
  do_json: string;
  epoch: number | null;
  due_at: number;
  run_epoch: number | null;
  kind: EffectKind;
  tries: number;
};

export const createClaims = (define: Define, boot: string) => {
  const sql = claimStatements(define);
  const due = new Map<string, ReturnType<typeof dueStatement>>();
  const dueOf = (kinds: readonly EffectKind[] | undefined): ReturnType<typeof dueStatement> => {
    const name = kinds?.join() ?? '*';
    const known = due.get(name) ?? dueStatement(define, kinds);
    due.set(name, known);
    return known;
  };
  const holding = (claim: Claim): Held => ({ n: claim.n, lease_epoch: claim.leaseEpoch, boot });

  /** Why an effect means nothing any more, or null. */
  function* obsolete(row: Due, now: number): Script<string | null> {
    const begun = row.kind === 'open_pr' && row.tries > 0;
    if (row.epoch !== null && row.epoch !== row.run_epoch && !begun) return 'the run has moved on';
    if (row.slot === null || row.chat === null) return null;
    return yield* merge(row, { slot: row.slot, chat: row.chat }, now);
  }

  /** A message that came back after a newer one of its slot gives way to it; the newest speaks for all of them. */
  function* merge(row: Due, place: { slot: string; chat: number }, now: number): Script<string | null> {
    const newer = yield* one(sql.newer, { n: row.n, ...place });
    if (newer) {
      if (newer.state === 'pending') yield* inherit(newer.n, newer.do_json, [row]);
      return REPLACED;
    }
    const older = (yield* all(sql.waiting, place)).filter((o) => o.n !== row.n);
    if (older.length === 0) return null;
    for (const { n } of older) yield* all(sql.void, { n, reason: REPLACED, now });
    row.do_json = yield* inherit(row.n, row.do_json, older);
    return null;
  }

  function* inherit(n: number, json: string, older: Parameters<typeof heir>[1]): Script<string> {
    const inherited = heir(JSON.parse(json) as Tell, older);
    yield* all(sql.inherit, { n, ...inherited });
    return inherited.do_json;
  }

  function* take(row: Due, until: number, now: number): Script<Claim> {
    const lease = yield* one(sql.take, { n: row.n, until, boot, now });
    if (!lease) throw new Error(`effect ${row.id} is gone`);
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

  return {
    *claim({ now, leaseMs, limit, kinds }: ClaimRequest): Script<Claim[]> {
      yield* all(sql.expire, { now });
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
            const reason = yield* obsolete(row, now);
            if (reason === null) claims.push(yield* take(row, now + leaseMs, now));
            else yield* all(sql.void, { n: row.n, reason, now });
          }
        }
      }
      return claims;
    },

    *renew(claim: Claim, until: number): Script<boolean> {
      return (yield* one(sql.renew, { ...holding(claim), until })) !== undefined;
    },

    *finish(claim: Claim, outcome: Finish, now: number): Script<boolean> {
      const at = { ...holding(claim), now };
      switch (outcome.kind) {
        case 'done':
          return (
            (yield* one(sql.done, { ...at, result: JSON.stringify(outcome.result ?? null) })) !== undefined
          );
        case 'dead':
          return (yield* one(sql.dead, { ...at, reason: outcome.reason })) !== undefined;
        case 'later': {
          const { at: due, reason, counts } = outcome;
          const row = yield* one(sql.later, {
            ...at,
            at: due,
            reason,
            uncounted: counts === 'anew' ? claim.tries : counts ? 0 : 1,
          });
          return row !== undefined;
        }
      }
    },

    *hurry(run_id: string, now: number): Script<void> {
      yield* all(sql.hurry, { run_id, now });
    },

    *nextDue(): Script<number | null> {
      const urgent = yield* one(sql.next, { prio: 0 });
      const normal = yield* one(sql.next, { prio: 1 });
      const times = [urgent, normal].flatMap((row) => (row ? [row.due_at] : []));
      return times.length > 0 ? Math.min(...times) : null;
    },

    *free(now: number): Script<number> {
      return (yield* all(sql.free, { boot, now })).length;
    },
  };
};
