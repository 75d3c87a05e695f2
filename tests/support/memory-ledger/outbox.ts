/** Inserts effects and replies: their lanes, and messages that replace others of their slot. */
import { chatFor, type Effect } from '#effects';
import type { Run } from '#run';
import type { ChatReply } from '#ports/steps';
import { kept } from './kept.ts';
import { MESSAGE_RANK } from '../../../db/sql/chat-pace.ts';
import type { EffectRecord, MemoryStore, Tx } from './store.ts';

type Do = Effect['do'];
type Tell = Extract<Do, { kind: 'chat_message' }>;
type Place = { slot: string; chat: string };

export const REPLACED = 'replaced by a newer one';

/** Messages without a chat are stored but never sent. */
export const addEffect = (tx: Tx, { do: what, dueAt }: Effect, run: Run, id: string): void => {
  if (what.kind !== 'chat_message') {
    if (what.kind === 'expedite_poll')
      for (const row of tx.store.open.values())
        if (row.runId === run.id && row.state === 'pending' && row.kind === what.kind)
          voidEffect(tx, row, REPLACED);
    insert(tx, { ...work(what, id, run), dueAt });
    return;
  }
  const chat = chatFor(run.order, what.content);
  const row = { ...message(what, chat, id, run.id), dueAt };
  if (chat === null) insert(tx, { ...row, state: 'void', reason: 'nobody is paired' });
  else insertTell(tx, row, what);
};

/** Equal replies count once, because refusals have no event to tell them apart. */
export const addReply = (tx: Tx, reply: ChatReply, id: string, now: number): void => {
  const { chat, slot, show, urgent, beforeCards, sound, runId, fresh } = reply;
  const tell: Tell = {
    kind: 'chat_message',
    slot,
    content: show,
    urgent,
    sound,
    ...(fresh ? { newMessage: fresh } : {}),
  };
  const usual = urgent ? MESSAGE_RANK.answer : MESSAGE_RANK.message;
  const rank = beforeCards ? MESSAGE_RANK.card : usual;
  insertTell(tx, { ...message(tell, chat, id, runId), rank, dueAt: now }, tell, true);
};

export const addReplies = (
  tx: Tx,
  replies: readonly ChatReply[],
  id: (i: number) => string,
  now: number,
): void => {
  for (const [i, reply] of replies.entries()) addReply(tx, reply, id(i), now);
};

/** Voids effects of earlier epochs that have not begun. */
export const voidEarlier = (tx: Tx, runId: string, reason: string): void => {
  for (const row of tx.store.open.values()) {
    if (row.runId !== runId || row.state !== 'pending' || row.epoch === null) continue;
    if (!mayHaveHappened(row)) voidEffect(tx, row, reason);
  }
};

/** A begun opening must find out what happened, whatever the run does now. */
export const mayHaveHappened = ({ kind, tries, leaseEpoch }: EffectRecord): boolean =>
  (kind === 'open_pr' && tries > 0) || (kind === 'reply' && leaseEpoch > 0);

export const voidEffect = (tx: Tx, row: EffectRecord, reason: string): void =>
  saveEffect(tx, { ...row, state: 'void', reason });

export const saveEffect = ({ store, put }: Tx, row: EffectRecord): void => {
  put(store.effects, row.n, row);
  put(store.open, row.n, row.state === 'pending' || row.state === 'claimed' ? row : undefined);
  if (row.state !== 'done' || row.slot === null) return;
  const told = store.told.get(row.slot) ?? [];
  if (!told.includes(row.n)) put(store.told, row.slot, [...told, row.n]);
};

export const waiting = (store: MemoryStore, { slot, chat }: Place): EffectRecord[] => {
  const rows: EffectRecord[] = [];
  for (const row of store.open.values()) {
    if (row.slot === slot && row.chat === chat && row.state === 'pending') rows.push(row);
  }
  return rows;
};

/** Takes the place of those it replaces, and inherits sound and urgency. */
export const heir = (row: EffectRecord, older: readonly EffectRecord[]): EffectRecord => {
  const all = [row, ...older].map((o) => o.do as Tell);
  const urgent = all.some((t) => t.urgent);
  const sound = all.some((t) => t.sound);
  const dueAt = Math.min(...older.map((o) => o.dueAt));
  const rank = Math.min(row.rank, ...older.map((o) => o.rank));
  return { ...row, do: kept({ ...(row.do as Tell), urgent, sound }), dueAt, rank };
};

const insert = (tx: Tx, row: EffectRecord, once = false): void => {
  const { store, put } = tx;
  if (store.effectIds.has(row.id)) {
    if (once) return;
    throw new Error(`there is an effect ${row.id} already`);
  }
  const n = store.effects.size + 1;
  put(store.effectIds, row.id, n);
  saveEffect(tx, { ...row, n });
};

const insertTell = (tx: Tx, row: EffectRecord, { slot }: Tell, once = false): void => {
  const { chat } = row;
  const older = slot === null || chat === null ? [] : waiting(tx.store, { slot, chat });
  for (const o of older) voidEffect(tx, o, REPLACED);
  insert(tx, older.length > 0 ? heir(row, older) : row, once);
};

const work = (what: Exclude<Do, Tell>, id: string, run: Run): EffectRecord => ({
  ...BLANK,
  id,
  runId: run.id,
  kind: what.kind,
  do: kept(what),
  epoch: run.lifecycle.epoch,
  lane: laneOf(what.kind, run.id),
});

const message = (tell: Tell, chat: string | null, id: string, runId: string | null): EffectRecord => ({
  ...BLANK,
  id,
  runId,
  kind: 'chat_message',
  do: kept(tell),
  slot: tell.slot,
  chat,
  lane: chat === null ? null : `chat:${chat}`,
  rank: tell.urgent
    ? MESSAGE_RANK.card
    : tell.content.view === 'progress'
      ? MESSAGE_RANK.progress
      : MESSAGE_RANK.message,
});

const BLANK: EffectRecord = {
  n: 0,
  id: '',
  runId: null,
  kind: 'chat_message',
  do: { kind: 'remove_workspace' },
  state: 'pending',
  epoch: null,
  slot: null,
  chat: null,
  tries: 0,
  dueAt: 0,
  result: null,
  reason: null,
  lane: null,
  rank: MESSAGE_RANK.work,
  leaseEpoch: 0,
  leaseUntil: 0,
  leaseOwner: null,
};

/** A run's work is serial; its poll and timers use other lanes. */
const laneOf = (kind: Exclude<Do['kind'], 'chat_message'>, runId: string): string | null => {
  if (kind === 'offer_input' || kind === 'expedite_poll') return null;
  return kind === 'poll' ? `watch:${runId}` : `run:${runId}`;
};
