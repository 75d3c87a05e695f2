/** Causes of steps in the memory ledger, and the inbox. */
import { toStoredCause } from '../../../db/ledger/group-commit.ts';
import {
  SET_ASIDE,
  type StepCause,
  type DeadInboxRow,
  type InboxRow,
  type IncomingItem,
  type ReceivedItem,
} from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { held } from './claims.ts';
import { addReplies, saveEffect } from './outbox.ts';
import type { InboxRecord, MemoryStore, Tx } from './store.ts';

/** Must run first, so that a second caller finds the cause ended. */
export const closeCause = (tx: Tx, boot: string, cause: StepCause): 'closed' | 'duplicate' | 'fenced' => {
  switch (cause.kind) {
    case 'none':
      return 'closed';
    case 'inbox':
      if (cause.goesOn) return tx.store.inbox.get(cause.id)?.state === 'new' ? 'closed' : 'duplicate';
      return endInbox(tx, cause.id, 'done', null) ? 'closed' : 'duplicate';
    case 'effect': {
      const row = held(tx.store, boot, cause);
      if (row) saveEffect(tx, { ...row, state: 'done', reason: null });
      return row ? 'closed' : 'fenced';
    }
    default:
      return cause satisfies never;
  }
};

export const noteCause = (tx: Tx, cause: StepCause, note: string): void => {
  const { inbox, effects } = tx.store;
  const item = cause.kind === 'inbox' && !cause.goesOn ? inbox.get(cause.id) : undefined;
  if (item) saveInbox(tx, { ...item, note });
  const row = cause.kind === 'effect' ? effects.get(cause.n) : undefined;
  if (row) saveEffect(tx, { ...row, reason: note });
};

/** L3: a known key keeps its first body. */
export const receive = (tx: Tx, items: readonly IncomingItem[], now: number): ReceivedItem[] => {
  const { store, put } = tx;
  const stored = items.map((item) => toStoredCause(item, now));
  return stored.map(({ source, key, body, done, lane, priority }) => {
    const name = `${source}\n${key}`;
    const known = store.inboxKeys.get(name);
    if (known !== undefined) return { id: known, duplicate: true };
    const id = store.inbox.size + 1;
    put(store.inboxKeys, name, id);
    const state = done === null ? 'new' : 'done';
    const turn = turnIn(store, lane, priority);
    saveInbox(tx, {
      id,
      source,
      key,
      body,
      state,
      tries: 0,
      note: done,
      receivedAt: now,
      lane,
      priority,
      turn,
    });
    return { id, duplicate: false };
  });
};

/** Only the first end counts, with its answers. */
export const settleInbox = (
  tx: Tx,
  id: number,
  { kind, note, replies }: Parameters<Ledger['settleInbox']>[1],
  now: number,
): void => {
  if (kind !== 'retry') {
    const name = kind === 'dead' ? `in:${id}.dead.${now}` : `in:${id}`;
    if (endInbox(tx, id, kind, note)) addReplies(tx, replies, (i) => `${name}:${i}`, now);
    return;
  }
  const row = tx.store.unhandled.get(id);
  if (!row) return;
  const tries = row.tries + 1;
  saveInbox(tx, { ...row, tries, note });
  addReplies(tx, replies, (i) => `in:${id}.${tries}:${i}`, now);
};

export const unhandled = (store: MemoryStore, limit: number): InboxRow[] =>
  [...store.unhandled.values()]
    .sort((a, b) => a.turn - b.turn || a.priority - b.priority || a.id - b.id)
    .slice(0, limit)
    .map(({ id, source, key, body, tries, receivedAt, lane, priority, note }) => {
      const told = { id, source, key, body: JSON.parse(body) as unknown, tries, receivedAt };
      return { ...told, lane, urgent: priority === 0, wasSetAside: note === SET_ASIDE };
    });

const dead = (store: MemoryStore): InboxRecord[] =>
  [...store.inbox.values()].filter(({ state }) => state === 'dead');
export const deadInbox = (store: MemoryStore, limit: number): DeadInboxRow[] =>
  dead(store)
    .sort((a, b) => b.id - a.id)
    .slice(0, limit)
    .map(({ id, source, key, body, receivedAt, note }) => {
      return { id, source, key, body: JSON.parse(body) as unknown, receivedAt, why: note ?? '' };
    });
export const changeDead = (tx: Tx, id: number, into: Partial<InboxRecord>): boolean => {
  const row = dead(tx.store).find((one) => one.id === id);
  if (row) saveInbox(tx, { ...row, ...into });
  return row !== undefined;
};

/** Returns the next turn in the lane. */
const turnIn = ({ unhandled: waiting }: MemoryStore, lane: string | null, priority: number): number => {
  let turn = 0;
  for (const row of waiting.values())
    if (lane !== null && row.lane === lane && row.priority === priority) turn = Math.max(turn, row.turn + 1);
  return turn;
};

const endInbox = (tx: Tx, id: number, state: 'done' | 'dead', note: string | null): boolean => {
  const row = tx.store.unhandled.get(id);
  // A delivery's content is in the events by now; its key stays, to recognise duplicates.
  const told = row?.source === 'forge' && state === 'done';
  if (row) saveInbox(tx, { ...row, state, note, ...(told ? { body: '' } : {}) });
  return row !== undefined;
};

const saveInbox = ({ store, put }: Tx, row: InboxRecord): void => {
  put(store.inbox, row.id, row);
  put(store.unhandled, row.id, row.state === 'new' ? row : undefined);
};
