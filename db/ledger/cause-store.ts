/** Stores inputs durably and closes each exactly once. */
import type { StepCause, IncomingItem, ReceivedItem, ChatReply } from '#ports/steps';
import type { createEffectLeases } from './effect-leases.ts';
import { hasValidDeadInboxMac, findDeadInboxMac, macOfInboxRow } from '../integrity/table-macs.ts';
import { isJson } from '../sql/stored-rows.ts';
import type { LedgerTables } from './row-tables.ts';
import type { EffectOutbox } from './outbox.ts';
import { causeStatements, runStatements } from './step-statements.ts';
import {
  selectAll,
  executeMany,
  selectOne,
  type DefineStatement,
  type SqlScript,
} from '../sql/statements.ts';

type Claims = Pick<ReturnType<typeof createEffectLeases>, 'close'>;
export type CauseStore = ReturnType<typeof createCauseStore>;
export type StoredCause = Pick<IncomingItem, 'source' | 'key'> & {
  at: number;
  body: string;
  done: string | null;
  lane: string | null;
  priority: number;
};

export const DROPPED = 'dropped by an admin';

const nameOf = ({ source, key }: { source: string; key: string }): string => `${source} ${key}`;

export const createCauseStore = (
  define: DefineStatement,
  { seal }: LedgerTables,
  outbox: EffectOutbox,
  claims: Claims,
) => {
  const sql = causeStatements(define);
  const { count } = runStatements(define);

  function* macOfDead(id: number): SqlScript<string | null> {
    const row = yield* selectOne(sql.word, { id, state: 'new' });
    return row ? findDeadInboxMac(seal, row) : null;
  }

  function* endInbox(
    id: number,
    state: 'done' | 'dead',
    note: string | null,
    now: number,
  ): SqlScript<boolean> {
    const mac = state === 'dead' ? yield* macOfDead(id) : null;
    const [row] = yield* selectAll(sql.closeInbox, { id, state, note, mac, now });
    if (!row) return false;
    yield* selectAll(count, { scope: 'inbox', state: 'new', by: -1 });
    yield* selectAll(count, { scope: 'inbox', state, by: 1 });
    return true;
  }

  const rowsOf = (items: readonly StoredCause[]) => {
    const lanes = new Map<string, number>();
    return items.map(({ source, key, body, done, lane, priority, at }) => {
      // guard: S4-known-cause
      const row = { source, key, body, received_at: at };
      const mac = source === 'forge' ? null : macOfInboxRow(seal, row);
      const queue = done === null && lane !== null ? `${priority} ${lane}` : null;
      const before = queue === null ? 0 : (lanes.get(queue) ?? 0);
      if (queue !== null) lanes.set(queue, before + 1);
      const state = done === null ? ('new' as const) : ('done' as const);
      const handled_at = done === null ? null : at;
      return { ...row, mac, state, note: done, handled_at, lane, priority, before };
    });
  };

  return {
    /** The cause is closed first, so a second attempt finds it closed. */
    *close(cause: StepCause, now: number): SqlScript<'closed' | 'duplicate' | 'fenced'> {
      switch (cause.kind) {
        case 'none':
          return 'closed';
        case 'inbox': {
          const open = cause.goesOn
            ? (yield* selectOne(sql.openInbox, { id: cause.id })) !== undefined
            : yield* endInbox(cause.id, 'done', null, now);
          return open ? 'closed' : 'duplicate';
        }
        case 'effect':
          return (yield* claims.close(cause, now)) ? 'closed' : 'fenced';
      }
    },

    *noteCause(cause: StepCause, note: string): SqlScript<void> {
      if (cause.kind === 'inbox' && !cause.goesOn) yield* selectAll(sql.noteInbox, { id: cause.id, note });
      if (cause.kind === 'effect') yield* outbox.noteReason(cause.n, note);
    },

    *receive(items: readonly StoredCause[]): SqlScript<ReceivedItem[]> {
      const made = yield* executeMany(sql.receive, items, rowsOf);
      const fresh = new Map(made.map((row) => [nameOf(row), row.id]));
      const of = { new: 0, done: 0 };
      const received: ReceivedItem[] = [];
      for (const item of items) {
        const name = nameOf(item);
        const mine = fresh.get(name);
        fresh.delete(name);
        if (mine !== undefined) of[item.done === null ? 'new' : 'done'] += 1;
        const { source, key } = item;
        const id = mine ?? (yield* selectOne(sql.received, { source, key }))?.id;
        if (id === undefined) throw new Error(`inbox row ${source} ${key} was neither new nor known`);
        received.push({ id, duplicate: mine === undefined });
      }
      for (const state of ['new', 'done'] as const)
        if (of[state] > 0) yield* selectAll(count, { scope: 'inbox', state, by: of[state] });
      return received;
    },

    /** L5: only as it was received; hints of the code host have no MAC. */
    *reopenDead(id: number): SqlScript<boolean> {
      const row = yield* selectOne(sql.word, { id, state: 'dead' });
      if (!row || !(row.source === 'forge' ? isJson(row.body) : hasValidDeadInboxMac(seal, row)))
        return false;
      yield* selectAll(sql.reopenInbox, {
        id,
        mac: row.source === 'forge' ? null : macOfInboxRow(seal, row),
      });
      yield* selectAll(count, { scope: 'inbox', state: 'dead', by: -1 });
      yield* selectAll(count, { scope: 'inbox', state: 'new', by: 1 });
      return true;
    },

    *dropDead(id: number): SqlScript<boolean> {
      const [row] = yield* selectAll(sql.dropInbox, { id, note: DROPPED });
      if (!row) return false;
      yield* selectAll(count, { scope: 'inbox', state: 'dead', by: -1 });
      yield* selectAll(count, { scope: 'inbox', state: 'done', by: 1 });
      return true;
    },

    /** Only the first close and its replies count. */
    *settleCause(
      id: number,
      {
        kind,
        note,
        replies,
      }: { kind: 'done' | 'dead' | 'retry'; note: string; replies: readonly ChatReply[] },
      now: number,
    ): SqlScript<void> {
      const tried = kind === 'retry' ? yield* selectOne(sql.retryInbox, { id, note }) : undefined;
      const ended = kind === 'retry' ? tried : yield* endInbox(id, kind, note, now);
      if (!ended) return;
      // A retried row may end again, with replies of its own.
      const dead = kind === 'dead' ? `in:${id}.dead.${now}` : `in:${id}`;
      const name = tried ? `in:${id}.${tried.tries}` : dead;
      for (const [i, reply] of replies.entries()) yield* outbox.addReply(reply, `${name}:${i}`, now);
    },
  };
};
