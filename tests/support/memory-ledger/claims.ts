/** L4: leases on effects in memory, one at a time per lane, bound to a boot. */
import { traitsOf, type EffectKind } from '#effects';
import { telegramLimits } from '../../../bot/telegram-limits.ts';
import { MESSAGE_CLASSES } from '#ports/chat';
import type { ClaimedEffect, EffectFinish } from '#ports/steps';
import {
  ALL_CHATS,
  MESSAGE_RANK,
  paceAfterSend,
  paceAfterRefusal,
  messageClassOf,
  toPacedChat,
} from '../../../db/sql/chat-pace.ts';
import { REPLACED, heir, mayHaveHappened, saveEffect, voidEffect, waiting } from './outbox.ts';
import type { EffectRecord, MemoryStore, Tx } from './store.ts';

export type ClaimRequest = {
  now: number;
  leaseMs: number;
  limit: number;
  kinds?: readonly EffectKind[];
  only?: number;
};

export const claim = (
  tx: Tx,
  boot: string,
  { now, leaseMs, limit, kinds, only }: ClaimRequest,
): ClaimedEffect[] => {
  free(tx, now, (row) => row.leaseUntil < now);
  const { store, put } = tx;
  const claims: ClaimedEffect[] = [];
  const mayHear = (row: EffectRecord, chat: string): boolean => paceAt(store, chat, row) <= now;
  const due = (rank: number) => (row: EffectRecord) =>
    row.rank === rank &&
    row.dueAt <= now &&
    (!kinds || kinds.includes(row.kind)) &&
    (only === undefined || row.n === only) &&
    (row.chat === null || (mayHear(row, row.chat) && mayHear(row, ALL_CHATS)));
  for (const rank of ORDER) {
    // Each round takes or drops at least its first row.
    while (claims.length < limit) {
      const rows = servable(store, due(rank))
        .sort(byPlace)
        .slice(0, limit - claims.length);
      if (rows.length === 0) break;
      const lanes = new Set<string>();
      for (const row of rows) {
        if (row.lane !== null && lanes.has(row.lane)) continue;
        if (row.lane !== null) lanes.add(row.lane);
        if (row.chat !== null && !mayHear(row, ALL_CHATS)) continue;
        const live = current(tx, row);
        if (!live) continue;
        claims.push(take(tx, live, boot, now + leaseMs));
        if (row.chat === null) continue;
        put(
          store.paces,
          ALL_CHATS,
          paceAfterSend(store.paces.get(ALL_CHATS), of(ALL_CHATS), messageClassOf(rank), now),
        );
      }
    }
  }
  return claims;
};

const of = (chat: string) => toPacedChat(telegramLimits, chat);

/** Chat messages come before the runs' work. */
const ORDER = [...MESSAGE_CLASSES.map((what) => MESSAGE_RANK[what]), MESSAGE_RANK.work];

/** Returns when the chat may get its next message of this kind. */
const paceAt = ({ paces }: MemoryStore, chat: string, { rank }: EffectRecord): number =>
  paces.get(chat)?.[`${messageClassOf(rank)}_at`] ?? 0;

export const renew = (tx: Tx, boot: string, given: ClaimedEffect, until: number): boolean => {
  const row = held(tx.store, boot, given);
  if (!row || isStale(tx.store, row)) return false;
  saveEffect(tx, { ...row, leaseUntil: until });
  return true;
};

export const finish = (
  tx: Tx,
  boot: string,
  given: ClaimedEffect,
  outcome: EffectFinish,
  now: number,
): boolean => {
  const row = held(tx.store, boot, given);
  if (!row) return false;
  saveEffect(tx, finished(row, outcome));
  keepPace(tx, row, outcome, now);
  return true;
};

const keepPace = (
  { store: { paces }, put }: Tx,
  row: EffectRecord,
  outcome: EffectFinish,
  now: number,
): void => {
  const { chat, rank } = row;
  if (chat === null || (outcome.kind === 'done' && outcome.result === null)) return;
  if (outcome.kind !== 'later') {
    put(paces, chat, paceAfterSend(paces.get(chat), of(chat), messageClassOf(rank), now));
    return;
  }
  const { silence } = outcome;
  if (!silence) return;
  put(paces, chat, paceAfterRefusal(paces.get(chat), of(chat), silence.chat));
  if (silence.everybody !== null)
    put(paces, ALL_CHATS, paceAfterRefusal(paces.get(ALL_CHATS), of(ALL_CHATS), silence.everybody));
};

export const hurry = (tx: Tx, runId: string, now: number, what: 'poll' | 'opening' = 'poll'): void => {
  const kinds: readonly EffectKind[] = what === 'poll' ? ['poll'] : ['open_pr', 'push'];
  for (const row of tx.store.open.values()) {
    const waits =
      row.runId === runId && kinds.includes(row.kind) && row.state === 'pending' && row.dueAt > now;
    if (waits) saveEffect(tx, { ...row, dueAt: now });
  }
};

/** Returns the row if this boot holds its lease. */
export const held = (
  store: MemoryStore,
  boot: string,
  { n, leaseEpoch }: Pick<ClaimedEffect, 'n' | 'leaseEpoch'>,
): EffectRecord | null => {
  const row = store.open.get(n);
  const ours = row?.state === 'claimed' && row.leaseEpoch === leaseEpoch && row.leaseOwner === boot;
  return ours ? row : null;
};

export const nextDue = (store: MemoryStore): number | null => {
  let next: number | null = null;
  for (const row of servable(store, () => true)) {
    const paces = row.chat === null ? [] : [row.chat, ALL_CHATS].map((chat) => paceAt(store, chat, row));
    const at = Math.max(row.dueAt, ...paces);
    if (next === null || at < next) next = at;
  }
  return next;
};

/** Otherwise waiting rows would wait longer by this time. */
export const clockWentBack = (tx: Tx, by: number, now: number): void => {
  for (const chat of [...tx.store.paces.keys()]) tx.put(tx.store.paces, chat, undefined);
  for (const row of tx.store.open.values())
    if (row.state === 'pending' && row.dueAt > now)
      saveEffect(tx, { ...row, dueAt: Math.max(now, row.dueAt - by) });
};

/** L6: releases other boots' leases. */
export const freeOthers = (tx: Tx, boot: string, now: number): number =>
  free(tx, now, (row) => row.leaseOwner !== boot);

/** Interrupted long work is no failed try, and is queued last. */
const cutOff = (row: EffectRecord, now: number): EffectRecord => {
  if (traitsOf(row.kind).pool !== 'heavy') return row;
  const tries = row.tries - 1;
  return { ...row, tries, dueAt: row.leaseEpoch - tries > 1 ? now : row.dueAt };
};

const free = (tx: Tx, now: number, which: (row: EffectRecord) => boolean): number => {
  let freed = 0;
  for (const row of tx.store.open.values()) {
    if (row.state !== 'claimed' || !which(row)) continue;
    saveEffect(tx, { ...cutOff(row, now), state: 'pending' });
    freed += 1;
  }
  return freed;
};

/** Returns pending effects with a free lane. */
const servable = ({ open }: MemoryStore, which: (row: EffectRecord) => boolean): EffectRecord[] => {
  const busy = new Set<string>();
  for (const row of open.values()) if (row.state === 'claimed' && row.lane !== null) busy.add(row.lane);
  const rows: EffectRecord[] = [];
  for (const row of open.values()) {
    if (row.state === 'pending' && which(row) && (row.lane === null || !busy.has(row.lane))) rows.push(row);
  }
  return rows;
};

const byPlace = (a: EffectRecord, b: EffectRecord): number => a.dueAt - b.dueAt || a.n - b.n;

const isStale = ({ runs }: MemoryStore, { epoch, runId }: EffectRecord): boolean =>
  epoch !== null && runs.get(runId ?? '')?.run.lifecycle.epoch !== epoch;

/** Returns null when the row was void. */
const current = (tx: Tx, row: EffectRecord): EffectRecord | null => {
  if (isStale(tx.store, row) && !mayHaveHappened(row)) {
    voidEffect(tx, row, 'the run has moved on');
    return null;
  }
  const { slot, chat } = row;
  return slot === null || chat === null ? row : merged(tx, row, { slot, chat });
};

/** The newest message of a slot replaces a retried older one. */
const merged = (tx: Tx, row: EffectRecord, place: { slot: string; chat: string }): EffectRecord | null => {
  const newer = newest(tx.store, place);
  if (newer && newer.n > row.n) {
    if (newer.state === 'pending') saveEffect(tx, heir(newer, [row]));
    voidEffect(tx, row, REPLACED);
    return null;
  }
  const older = waiting(tx.store, place).filter((o) => o.n !== row.n);
  for (const o of older) voidEffect(tx, o, REPLACED);
  return older.length > 0 ? heir(row, older) : row;
};

/** Returns null when nothing came of the newest message. */
const newest = (
  { open, told, effects }: MemoryStore,
  { slot, chat }: { slot: string; chat: string },
): EffectRecord | null => {
  let found: EffectRecord | null = null;
  const see = (row: EffectRecord | undefined): void => {
    if (row?.slot === slot && row.chat === chat && row.n > (found?.n ?? 0)) found = row;
  };
  for (const row of open.values()) see(row);
  for (const n of told.get(slot) ?? []) see(effects.get(n));
  return found;
};

const take = (tx: Tx, row: EffectRecord, boot: string, leaseUntil: number): ClaimedEffect => {
  const tries = row.tries + 1;
  const leaseEpoch = row.leaseEpoch + 1;
  saveEffect(tx, { ...row, state: 'claimed', tries, leaseEpoch, leaseUntil, leaseOwner: boot });
  const { n, id, runId, epoch } = row;
  return { n, id, runId, epoch, leaseEpoch, tries, do: row.do };
};

const finished = (row: EffectRecord, outcome: EffectFinish): EffectRecord => {
  switch (outcome.kind) {
    case 'done':
      return { ...row, state: 'done', result: JSON.stringify(outcome.result ?? null), reason: null };
    case 'dead':
      return { ...row, state: 'dead', reason: outcome.reason };
    case 'later': {
      const tries = outcome.counts === 'anew' ? 0 : outcome.counts ? row.tries : row.tries - 1;
      const dueAt = outcome.silence ? row.dueAt : outcome.at;
      return { ...row, state: 'pending', dueAt, reason: outcome.reason, tries };
    }
    default:
      return outcome satisfies never;
  }
};
