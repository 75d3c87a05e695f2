/** Puts effects and replies into the ledger: their lanes, their places in line, and messages that replace older ones. */
import { chatFor, type Effect } from '../orchestrator/core/effects.ts';
import type { Run } from '../orchestrator/core/run.ts';
import type { Reply } from '../orchestrator/ports.ts';
import { outboxStatements, type EffectInsert } from './step-statements.ts';
import { all, call, type Call, type Define, type Script } from './statements.ts';

export type Outbox = ReturnType<typeof createOutbox>;
type Do = Effect['do'];
type Tell = Extract<Do, { kind: 'tell' }>;

const URGENT = 0;
const NORMAL = 1;

export const createOutbox = (define: Define) => {
  const sql = outboxStatements(define);

  const insert = (row: EffectInsert, once = false): Call => call(once ? sql.insertOnce : sql.insert, row);

  /** The newest of a slot takes the place in line of those it replaces, and rings when one of them would have. */
  function* insertTell(row: EffectInsert, tell: Tell, once = false): Script<void> {
    const { slot, chat, updated_at: now } = row;
    if (slot === null || chat === null) {
      yield insert(row, once);
      return;
    }
    const older = yield* all(sql.waiting, { slot, chat });
    for (const { n } of older) yield* all(sql.void, { n, reason: REPLACED, now });
    yield insert(older.length > 0 ? { ...row, ...heir(tell, older) } : row, once);
  }

  return {
    /** An effect of a step; one that no chat can hear is kept, but never sent. */
    *effect(effect: Effect, run: Run, id: string, now: number): Script<void> {
      const { do: what, dueAt } = effect;
      if (what.kind !== 'tell') {
        yield insert({
          ...common(id, run.id, now),
          kind: what.kind,
          lane: laneOf(what.kind, run.id),
          do_json: JSON.stringify(what),
          epoch: run.epoch,
          due_at: dueAt,
        });
        return;
      }
      const chat = chatFor(run.order, what.show);
      const row = { ...common(id, run.id, now), ...told(what, chat), due_at: dueAt };
      if (chat === null) yield insert({ ...row, state: 'void', reason: 'nobody is paired' });
      else yield* insertTell(row, what);
    },

    *reply({ chat, slot, show, urgent, sound, runId }: Reply, id: string, now: number): Script<void> {
      const tell: Tell = { kind: 'tell', slot, show, urgent, sound };
      yield* insertTell({ ...common(id, runId, now), ...told(tell, chat), due_at: now }, tell, true);
    },

    *voidEarlier(runId: string, reason: string, now: number): Script<void> {
      yield* all(sql.voidEarlier, { run_id: runId, reason, now });
    },
  };
};

export const REPLACED = 'replaced by a newer one';

/** What a message inherits from older ones that it replaces. */
export const heir = (
  tell: Tell,
  older: readonly { do_json: string; due_at: number }[],
): { do_json: string; due_at: number; prio: number } => {
  const told = older.map((o) => JSON.parse(o.do_json) as Tell);
  const urgent = tell.urgent || told.some((t) => t.urgent);
  const sound = tell.sound || told.some((t) => t.sound);
  return {
    do_json: JSON.stringify({ ...tell, urgent, sound }),
    due_at: Math.min(...older.map((o) => o.due_at)),
    prio: urgent ? URGENT : NORMAL,
  };
};

const common = (id: string, runId: string | null, now: number) => ({
  id,
  run_id: runId,
  prio: NORMAL,
  slot: null,
  chat: null,
  state: 'pending' as const,
  reason: null,
  created_at: now,
  updated_at: now,
});

const told = (tell: Tell, chat: number | null) => ({
  kind: 'tell' as const,
  lane: chat === null ? null : `chat:${chat}`,
  prio: tell.urgent ? URGENT : NORMAL,
  slot: tell.slot,
  chat,
  do_json: JSON.stringify(tell),
  epoch: null,
});

/** A run's work is serial; its watcher and its timers are not in its way. */
const laneOf = (kind: Exclude<Do['kind'], 'tell'>, runId: string): string | null => {
  switch (kind) {
    case 'observe':
      return `watch:${runId}`;
    case 'wake':
      return null;
    case 'start':
    case 'discover':
    case 'implement':
    case 'check':
    case 'push':
    case 'open_pr':
    case 'rerun_ci':
    case 'clean':
      return `run:${runId}`;
    default:
      return kind satisfies never;
  }
};
