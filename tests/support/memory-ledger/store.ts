/** Tables of the memory ledger. Rows are replaced, never changed, so that forks share them. */
import type { KeyObject } from 'node:crypto';
import type { ChatPace } from '../../../db/sql/chat-pace.ts';
import type { Campaign, CampaignOrder } from '#model/campaign';
import type { WriteBudget } from '#model/limits';
import type { Run } from '#run';
import type { CachedResponse } from '#ports/forge';
import type { NewTurn } from '#ports/records';
import type { ApprovalRow, AttemptRow, EffectRow, StoredFigures, UserRow } from '#ports/ledger';
import type { IncomingItem } from '#ports/steps';
import type { SpendingRow } from './spending.ts';

export type EventNode = {
  readonly id: number;
  readonly runId: string;
  readonly seq: number;
  readonly type: string;
  readonly key: string;
  readonly body: unknown;
  readonly stateAfter: string;
  readonly at: number;
  readonly before: EventNode | null;
  /** Computed on demand; forks may share it, because it derives from the rest. */
  link: { payload: string; hash: string } | null;
};
export type RunRecord = Readonly<{
  run: Run;
  last: EventNode;
  /** Time of the last start of work. */
  startedAt: number | null;
  /** Key of the head's MAC. */
  key: KeyObject;
}>;
export type EffectRecord = Readonly<
  Omit<EffectRow, 'result'> & {
    lane: string | null;
    rank: number;
    leaseEpoch: number;
    leaseUntil: number;
    leaseOwner: string | null;
    /** JSON. */
    result: string | null;
  }
>;
export type InboxRecord = Readonly<{
  id: number;
  source: IncomingItem['source'];
  key: string;
  /** JSON. */
  body: string;
  state: 'new' | 'done' | 'dead';
  tries: number;
  note: string | null;
  receivedAt: number;
  lane: string | null;
  priority: number;
  turn: number;
}>;
export type ApprovalRecord = Readonly<ApprovalRow & { signedBy: readonly (string | null)[] }>;
export type TurnRecord = Readonly<NewTurn & { hash: string }>;
export type AttemptRecord = Readonly<{ row: AttemptRow; boot: string }>;
export type ArtifactRecord = Readonly<{ type: string; content: string }>;

/** Numbered rows are never deleted, so the next number is size plus one. */
export type MemoryStore = {
  runs: Map<string, RunRecord>;
  /** S4: events by run and cause. */
  events: Map<string, EventNode>;
  effects: Map<number, EffectRecord>;
  /** Pending or claimed. */
  open: Map<number, EffectRecord>;
  effectIds: Map<string, number>;
  /** Sent messages by slot. */
  told: Map<string, readonly number[]>;
  inbox: Map<number, InboxRecord>;
  unhandled: Map<number, InboxRecord>;
  inboxKeys: Map<string, number>;
  approvals: Map<string, ApprovalRecord>;
  attempts: Map<number, AttemptRecord>;
  /** Keyed by attempt and day. */
  spending: Map<string, SpendingRow>;
  /** Keyed by run. */
  turns: Map<string, readonly TurnRecord[]>;
  /** Keyed by run and digest. */
  artifacts: Map<string, ArtifactRecord>;
  users: Map<string, UserRow>;
  settings: Map<string, string>;
  campaigns: Map<string, { campaign: Campaign; order: CampaignOrder }>;
  /** Last sign of life by boot. */
  boots: Map<string, number>;
  paces: Map<string, ChatPace>;
  figures: Map<string, StoredFigures & { version: number; upto: number }>;
  answers: Map<string, CachedResponse>;
  writers: Map<string, WriteBudget>;
};

export const createMemoryStore = (): MemoryStore => ({
  runs: new Map(),
  events: new Map(),
  effects: new Map(),
  open: new Map(),
  effectIds: new Map(),
  told: new Map(),
  inbox: new Map(),
  unhandled: new Map(),
  inboxKeys: new Map(),
  approvals: new Map(),
  attempts: new Map(),
  turns: new Map(),
  artifacts: new Map(),
  users: new Map(),
  settings: new Map(),
  campaigns: new Map(),
  boots: new Map(),
  paces: new Map(),
  figures: new Map(),
  answers: new Map(),
  writers: new Map(),
  spending: new Map(),
});

export const forkStore = (store: MemoryStore): MemoryStore => ({
  runs: new Map(store.runs),
  events: new Map(store.events),
  effects: new Map(store.effects),
  open: new Map(store.open),
  effectIds: new Map(store.effectIds),
  told: new Map(store.told),
  inbox: new Map(store.inbox),
  unhandled: new Map(store.unhandled),
  inboxKeys: new Map(store.inboxKeys),
  approvals: new Map(store.approvals),
  attempts: new Map(store.attempts),
  turns: new Map(store.turns),
  artifacts: new Map(store.artifacts),
  users: new Map(store.users),
  settings: new Map(store.settings),
  campaigns: new Map(store.campaigns),
  boots: new Map(store.boots),
  paces: new Map(store.paces),
  figures: new Map(store.figures),
  answers: new Map(store.answers),
  writers: new Map(store.writers),
  spending: new Map(store.spending),
});

/** The only way to change a table; `undefined` removes the row. */
export type Tx = { store: MemoryStore; put: <K, V>(table: Map<K, V>, key: K, row: V | undefined) => void };

/** Atomic. */
export const transact = <T>(store: MemoryStore, work: (tx: Tx) => T): T => {
  const undo: (() => void)[] = [];
  const put: Tx['put'] = (table, key, row) => {
    const old = table.get(key);
    if (old === row) return;
    undo.push(() => void (old === undefined ? table.delete(key) : table.set(key, old)));
    if (row === undefined) table.delete(key);
    else table.set(key, row);
  };
  try {
    return work({ store, put });
  } catch (error) {
    for (const back of undo.reverse()) back();
    throw error;
  }
};
