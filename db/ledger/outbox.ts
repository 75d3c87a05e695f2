/** Stores effects and replies, with lanes and priorities; newer messages replace older ones. */
import { traitsOf, chatFor, type Effect, type EffectKind } from '#effects';
import type { Run } from '#run';
import type { ChatReply } from '#ports/steps';
import { macOfEffect } from '../integrity/table-macs.ts';
import type { StoredEffect, LedgerTables } from './row-tables.ts';
import type { EffectNoticeOutbox } from './peer-processes.ts';
import { MESSAGE_RANK } from '../sql/chat-pace.ts';
import { outboxStatements } from './step-statements.ts';
import { selectAll, selectOne, type DefineStatement, type SqlScript } from '../sql/statements.ts';

export type EffectOutbox = ReturnType<typeof createOutbox>;
type Do = Effect['do'];
type Tell = Extract<Do, { kind: 'chat_message' }>;

type NewEffect = Omit<
  StoredEffect,
  'n' | 'mac' | 'tries' | 'lease_epoch' | 'lease_until' | 'lease_owner' | 'result_json'
>;

export const createOutbox = (
  define: DefineStatement,
  { effects, seal }: LedgerTables,
  errands?: EffectNoticeOutbox,
) => {
  const sql = outboxStatements(define);

  function* insertEffect(row: NewEffect): SqlScript<void> {
    const blank = { tries: 0, lease_epoch: 0, lease_until: null, lease_owner: null, result_json: null };
    const numbered = { ...row, n: yield* effects.next() };
    const made = { ...numbered, ...blank, mac: macOfEffect(seal, numbered) };
    yield* effects.insert(made);
    if (errands) yield* errands.announceEffect(made);
  }

  /** The newest message keeps the place and the sound of those it replaces. */
  function* insertTell(row: NewEffect): SqlScript<void> {
    const { slot, chat, updated_at } = row;
    if (slot === null || chat === null) return yield* insertEffect(row);
    const older = yield* selectAll(sql.waiting, { slot, chat });
    for (const o of older) yield* effects.change(o, { state: 'void', reason: REPLACED_OUTCOME, updated_at });
    yield* insertEffect(older.length > 0 ? { ...row, ...inheritFromReplaced(row, older) } : row);
  }

  function* voidWaiting(run_id: string, kind: EffectKind, now: number): SqlScript<void> {
    for (const row of yield* selectAll(sql.waitingOfKind, { run_id, kind }))
      yield* effects.change(row, { state: 'void', reason: REPLACED_OUTCOME, updated_at: now });
  }

  return {
    *addEffect(effect: Effect, run: Run, id: string, now: number): SqlScript<void> {
      const { do: what } = effect;
      if (what.kind !== 'chat_message') {
        if (traitsOf(what.kind).replaces) yield* voidWaiting(run.id, what.kind, now);
        yield* insertEffect(toNewEffect(effect, run, id, now));
      } else {
        yield* insertTell(toNewEffect(effect, run, id, now));
      }
    },

    *addReply(reply: ChatReply, id: string, now: number): SqlScript<void> {
      const { chat, slot, show, urgent, beforeCards, sound, runId, fresh, pin } = reply;
      // Refusals have no event, so duplicates are detected by id.
      if (yield* selectOne(sql.known, { id })) return;
      const extra = { ...(fresh ? { newMessage: fresh } : {}), ...(pin ? { pin } : {}) };
      const tell: Tell = { kind: 'chat_message', slot, content: show, urgent, sound, ...extra };
      const usual = urgent ? MESSAGE_RANK.answer : MESSAGE_RANK.message;
      const priority = beforeCards ? MESSAGE_RANK.card : usual;
      yield* insertTell({
        ...commonColumns(id, runId, now),
        ...toMessageColumns(tell, chat),
        priority,
        due_at: now,
      });
    },

    *voidEarlier(runId: string, reason: string, now: number): SqlScript<void> {
      const rows = yield* selectAll(sql.earlier, { run_id: runId });
      for (const row of rows) yield* effects.change(row, { state: 'void', reason, updated_at: now });
    },

    *noteReason(n: number, reason: string): SqlScript<void> {
      const row = yield* selectOne(sql.byNumber, { n });
      if (row) yield* effects.change(row, { reason });
    },
  };
};

export const REPLACED_OUTCOME = 'replaced by a newer one';

export const inheritFromReplaced = (row: Heir, older: readonly Heir[]): Heir => ({
  loud: Math.max(row.loud, ...older.map((o) => o.loud)),
  due_at: Math.min(...older.map((o) => o.due_at)),
  priority: Math.min(row.priority, ...older.map((o) => o.priority)),
});
type Heir = Pick<StoredEffect, 'loud' | 'due_at' | 'priority'>;

export const toNewEffect = ({ do: what, dueAt }: Effect, run: Run, id: string, now: number): NewEffect => {
  if (what.kind !== 'chat_message') {
    return {
      ...commonColumns(id, run.id, now),
      kind: what.kind,
      lane: laneOf(what.kind, run.id),
      request_json: JSON.stringify(what),
      epoch: traitsOf(what.kind).outlives ? null : run.lifecycle.epoch,
      due_at: dueAt,
    };
  }
  const chat = chatFor(run.order, what.content);
  const row = { ...commonColumns(id, run.id, now), ...toMessageColumns(what, chat), due_at: dueAt };
  return chat === null ? { ...row, state: 'void', reason: 'nobody is paired' } : row;
};

const commonColumns = (id: string, runId: string | null, now: number) => ({
  id,
  run_id: runId,
  priority: MESSAGE_RANK.work as number,
  loud: 0,
  slot: null as string | null,
  chat: null as string | null,
  state: 'pending' as StoredEffect['state'],
  reason: null as string | null,
  created_at: now,
  updated_at: now,
});

const rankOf = ({ urgent, content: show }: Tell): number =>
  urgent ? MESSAGE_RANK.card : show.view === 'progress' ? MESSAGE_RANK.progress : MESSAGE_RANK.message;

const toMessageColumns = (tell: Tell, chat: string | null) => ({
  kind: 'chat_message' as const,
  lane: chat === null ? null : `chat:${chat}`,
  priority: rankOf(tell),
  loud: tell.sound ? 1 : 0,
  slot: tell.slot,
  chat,
  request_json: JSON.stringify(tell),
  epoch: null,
});

/** A run's work is serial; polls and timers have lanes of their own. */
const laneOf = (kind: EffectKind, runId: string): string | null => {
  const { lane } = traitsOf(kind);
  return lane && `${lane}:${runId}`;
};
