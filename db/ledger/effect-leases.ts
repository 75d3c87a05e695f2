/** Leases on effects; finishing needs the current lease of the same boot (L4). */
import { traitsOf, type EffectKind } from '#effects';
import { MESSAGE_CLASSES, type ChatLimits, type MessageClass } from '#ports/chat';
import type { ClaimedEffect, EffectFinish } from '#ports/steps';
import { claimStatements, dueStatement, nextDueStatement, type GrantedLease } from './claim-statements.ts';
import type { StoredEffect, LedgerTables } from './row-tables.ts';
import { hasValidEffectMac } from '../integrity/table-macs.ts';
import { parseEffectRequest } from '../sql/stored-rows.ts';
import { REPLACED_OUTCOME, inheritFromReplaced } from './outbox.ts';
import type { EffectNoticeOutbox } from './peer-processes.ts';
import { ALL_CHATS, paceAfterSend, paceAfterRefusal, messageClassOf, toPacedChat } from '../sql/chat-pace.ts';
import { selectAll, selectOne, type DefineStatement, type SqlScript } from '../sql/statements.ts';

type ClaimRequest = {
  now: number;
  leaseMs: number;
  limit: number;
  kinds?: readonly EffectKind[];
  only?: number;
};
type Row = StoredEffect;
type Due = Row & { run_epoch: number | null };

/** L5: foreign or altered rows are never executed. */
export const NOT_OURS = 'this row was put in or changed by somebody other than agentpr';

export const createEffectLeases = (
  define: DefineStatement,
  { effects, seal }: LedgerTables,
  boot: string,
  limits: ChatLimits,
  beside: {
    boots: string;
    errands?: EffectNoticeOutbox | undefined;
  },
) => {
  const { boots, errands } = beside;
  const sql = claimStatements(define);
  const due = new Map<string, ReturnType<typeof dueStatement>>();
  const dueOf = (
    kinds: ClaimRequest['kinds'],
    { only }: { only: boolean },
  ): ReturnType<typeof dueStatement> => {
    const name = `${kinds?.join() ?? '*'}${only ? ' one' : ''}`;
    const known = due.get(name) ?? dueStatement(define, kinds, only);
    due.set(name, known);
    return known;
  };
  const next = new Map<string, ReturnType<typeof nextDueStatement>>();
  const nextOf = (kinds: ClaimRequest['kinds']): ReturnType<typeof nextDueStatement> => {
    const name = kinds?.join() ?? '*';
    const known = next.get(name) ?? nextDueStatement(define, kinds);
    next.set(name, known);
    return known;
  };
  const toLease = (claim: Pick<ClaimedEffect, 'n' | 'leaseEpoch'>): GrantedLease => ({
    n: claim.n,
    lease_epoch: claim.leaseEpoch,
    boot,
  });

  function* findCurrent(row: Due, now: number): SqlScript<{ obsolete: string } | { row: Row }> {
    const { finishes } = traitsOf(row.kind);
    const begun = finishes !== null && (finishes === 'claimed' ? row.lease_epoch : row.tries) > 0;
    if (row.epoch !== null && row.epoch !== row.run_epoch && !begun) {
      return { obsolete: 'the run has moved on' };
    }
    if (row.slot === null || row.chat === null) return { row };
    return yield* mergeMessages(row, { slot: row.slot, chat: row.chat }, now);
  }

  function* mergeMessages(
    row: Row,
    place: { slot: string; chat: string },
    now: number,
  ): SqlScript<{ obsolete: string } | { row: Row }> {
    const newer = yield* selectOne(sql.newer, { n: row.n, ...place });
    if (newer) {
      if (newer.state === 'pending') yield* inheritFrom(newer, [row]);
      return { obsolete: REPLACED_OUTCOME };
    }
    const older = (yield* selectAll(sql.waiting, place)).filter((o) => o.n !== row.n);
    if (older.length === 0) return { row };
    for (const o of older)
      yield* effects.change(o, { state: 'void', reason: REPLACED_OUTCOME, updated_at: now });
    return { row: yield* inheritFrom(row, older) };
  }

  function* inheritFrom(row: Row, older: Parameters<typeof inheritFromReplaced>[1]): SqlScript<Row> {
    return yield* effects.change(row, inheritFromReplaced(row, older));
  }

  function* takeLease(row: Row, until: number, now: number): SqlScript<ClaimedEffect> {
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
      do: parseEffectRequest(row),
    };
  }

  function* serveEffect(row: Due, until: number, now: number): SqlScript<ClaimedEffect | null> {
    // guard: L5-own-effect
    if (!hasValidEffectMac(seal, row)) {
      yield* effects.change(row, { state: 'dead', reason: NOT_OURS, updated_at: now });
      return null;
    }
    const is = yield* findCurrent(row, now);
    if ('row' in is) return yield* takeLease(is.row, until, now);
    yield* effects.change(row, { state: 'void', reason: is.obsolete, updated_at: now });
    return null;
  }

  /** The total limit counts at the claim, the chat's limit at the end. */
  function* claimMessages(now: number, until: number, limit: number): SqlScript<ClaimedEffect[]> {
    const claims: ClaimedEffect[] = [];
    const before = yield* selectOne(sql.pace, { chat: ALL_CHATS });
    let everybody = before;
    const isLimitReached = (what: MessageClass): boolean =>
      claims.length >= limit || (everybody?.[`${what}_at`] ?? 0) > now;
    for (const what of MESSAGE_CLASSES) {
      while (!isLimitReached(what)) {
        const rows = yield* selectAll(sql.dueOf[what], { now, limit: limit - claims.length });
        if (rows.length === 0) break;
        for (const row of firstOfLanes(rows)) {
          if (isLimitReached(what)) break;
          const claim = yield* serveEffect(row, until, now);
          if (!claim) continue;
          claims.push(claim);
          everybody = paceAfterSend(everybody, toPacedChat(limits, ALL_CHATS), what, now);
        }
      }
    }
    if (everybody && everybody !== before) yield* selectAll(sql.setPace, everybody);
    return claims;
  }

  function* keepPace(row: Row, outcome: EffectFinish, now: number): SqlScript<void> {
    const { chat, priority } = row;
    if (row.kind !== 'chat_message' || chat === null) return;
    const silence = outcome.kind === 'later' ? outcome.silence : undefined;
    if (outcome.kind === 'later' && !silence) return;
    if (outcome.kind === 'done' && outcome.result === null) return;
    const pace = yield* selectOne(sql.pace, { chat });
    const next = silence
      ? paceAfterRefusal(pace, toPacedChat(limits, chat), silence.chat)
      : paceAfterSend(pace, toPacedChat(limits, chat), messageClassOf(priority), now);
    yield* selectAll(sql.setPace, next);
    if (!silence?.everybody) return;
    const shared = yield* selectOne(sql.pace, { chat: ALL_CHATS });
    yield* selectAll(
      sql.setPace,
      paceAfterRefusal(shared, toPacedChat(limits, ALL_CHATS), silence.everybody),
    );
  }

  function* nextSpoken(): SqlScript<number[]> {
    const times: number[] = [];
    const everybody = yield* selectOne(sql.pace, { chat: ALL_CHATS });
    for (const what of MESSAGE_CLASSES) {
      const free = yield* selectOne(sql.nextOf[what], {});
      const paused = yield* selectOne(sql.pausedOf[what], {});
      for (const at of [free?.due_at, paused?.due_at])
        if (typeof at === 'number') times.push(Math.max(at, everybody?.[`${what}_at`] ?? 0));
    }
    return times;
  }

  function* setFree(rows: readonly Row[], now: number): SqlScript<number> {
    for (const row of rows) {
      yield* effects.change(row, { state: 'pending', ...cutOff(row, now), updated_at: now });
      errands?.left(row);
    }
    return rows.length;
  }

  return {
    *claim({ now, leaseMs, limit, kinds, only }: ClaimRequest): SqlScript<ClaimedEffect[]> {
      yield* setFree(yield* selectAll(sql.expired, { now }), now);
      if (errands) yield* errands.scanOrphans(now);
      const until = now + leaseMs;
      const spoken = only === undefined && kinds?.includes('chat_message') !== false;
      const claims = spoken ? yield* claimMessages(now, until, limit) : [];
      if (kinds?.every((kind) => kind === 'chat_message')) return claims;
      // Every round handles at least its first row; rows of the same lane wait.
      while (claims.length < limit) {
        const at = { now, limit: limit - claims.length, n: only ?? 0 };
        const rows = yield* selectAll(dueOf(kinds, { only: only !== undefined }), at);
        if (rows.length === 0) break;
        for (const row of firstOfLanes(rows)) {
          const claim = yield* serveEffect(row, until, now);
          if (claim) claims.push(claim);
        }
      }
      return claims;
    },

    *renew(claim: ClaimedEffect, until: number): SqlScript<boolean> {
      const row = yield* selectOne(sql.held, toLease(claim));
      if (!row) return false;
      if (row.epoch !== null) {
        const run = yield* selectOne(sql.epochOf, { run_id: row.run_id ?? '' });
        if (run?.epoch !== row.epoch) return false;
      }
      yield* effects.change(row, { lease_until: until });
      return true;
    },

    *finishEffect(claim: ClaimedEffect, outcome: EffectFinish, now: number): SqlScript<boolean> {
      const row = yield* selectOne(sql.held, toLease(claim));
      if (!row) return false;
      const after = yield* effects.change(row, { ...toFinishColumns(outcome, claim, row), updated_at: now });
      if (errands && after.state === 'pending') yield* errands.announceEffect(after);
      yield* keepPace(row, outcome, now);
      return true;
    },

    /** False when this boot lost the lease. */
    *close(cause: Pick<ClaimedEffect, 'n' | 'leaseEpoch'>, now: number): SqlScript<boolean> {
      const row = yield* selectOne(sql.held, toLease(cause));
      if (!row) return false;
      yield* effects.change(row, { state: 'done', reason: null, updated_at: now });
      return true;
    },

    *expediteEffects(run_id: string, now: number, what: 'poll' | 'opening' = 'poll'): SqlScript<void> {
      const waiting = what === 'poll' ? sql.expediting : sql.heldBack;
      const rows = yield* selectAll(waiting, { run_id, now });
      for (const row of rows) yield* effects.change(row, { due_at: now, updated_at: now });
    },

    *nextDue(kinds?: readonly EffectKind[]): SqlScript<number | null> {
      const work = yield* selectOne(nextOf(kinds), {});
      const times = [...(work ? [work.due_at] : []), ...(yield* nextSpoken())];
      return times.length > 0 ? Math.min(...times) : null;
    },

    *freeOthers(now: number): SqlScript<number> {
      return yield* setFree(yield* selectAll(sql.ofOthers, { boot, boots }), now);
    },

    *release(now: number): SqlScript<number> {
      return yield* setFree(yield* selectAll(sql.ofBoot, { boot }), now);
    },

    /** Shortens waits by the same amount when the clock goes back. */
    *clockWentBack(by: number, now: number): SqlScript<void> {
      yield* selectAll(sql.forgetPaces, {});
      for (const row of yield* selectAll(sql.later, { now })) {
        yield* effects.change(row, { due_at: Math.max(now, row.due_at - by), updated_at: now });
      }
    },
  };
};

const firstOfLanes = (rows: readonly Due[]): Due[] =>
  rows.filter((row, i) => row.lane === null || rows.findIndex((r) => r.lane === row.lane) === i);

/** Interrupted heavy work is no failure, but goes to the end of the queue when it recurs. */
const cutOff = ({ kind, tries, lease_epoch }: Row, now: number): Partial<StoredEffect> => {
  if (traitsOf(kind).pool !== 'heavy') return {};
  const counted = tries - 1;
  // guard: L8-cut-off-again-yields
  return { tries: counted, ...(lease_epoch - counted > 1 ? { due_at: now } : {}) };
};

const toFinishColumns = (outcome: EffectFinish, claim: ClaimedEffect, row: Row): Partial<StoredEffect> => {
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
