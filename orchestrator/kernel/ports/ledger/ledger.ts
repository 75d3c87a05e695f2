/** The ledger port: the only writer of the database, and its queries. */
import type { ModelUsage } from '#model/reports';
import type { UserRole } from '#model/settings';
import type { Person } from '#model/order';
import type { TurnHead } from '#model/turn';
import type { ResponseCache, WriteBudgetStore } from '#ports/forge';
import type { Campaign, CampaignDecision, CampaignOrder } from '#model/campaign';
import type { CampaignTrigger } from '#model/schedule';
import type { NewTurn, TurnRow } from '#ports/records';
import type { EffectKind } from '../../effects/effect-types.ts';
import type { Run } from '../../run/run.ts';
import type {
  ClaimedEffect,
  DeadInboxRow,
  EffectFinish,
  InboxRow,
  IncomingItem,
  ReceivedItem,
  ChatReply,
  StepOutcome,
  StepRequest,
} from '#ports/steps';
import type { SpendingBook, SpendingQueries } from './spending.ts';
import type { LedgerAudit, LedgerRollback } from './audit.ts';
import type {
  ApprovalRow,
  AttemptRow,
  EffectRow,
  EventRow,
  ChainHead,
  RepositoryIdentity,
  RunQueue,
  SentMessage,
  StoredFigures,
  UserRow,
} from './rows.ts';

/** L1–L6. Every promise resolves after the commit. */
export type Ledger = {
  /** Durable on resolve; a known key gives `duplicate` and keeps the first body. */
  receive(items: readonly IncomingItem[], now: number): Promise<ReceivedItem[]>;
  /** Open inbox rows: round robin over lanes; urgent ones of a lane first, then by arrival. */
  inbox(limit: number): Promise<InboxRow[]>;
  /** Closes an inbox row without a step; `dead` marks a poison message. */
  settleInbox(
    id: number,
    outcome: { kind: 'done' | 'dead' | 'retry'; note: string; replies: readonly ChatReply[] },
    now: number,
  ): Promise<void>;
  /** Takes a dead row up again, as it was received, or drops it for good; false when there is none. */
  reopenInbox(id: number): Promise<boolean>;
  dropInbox(id: number): Promise<boolean>;
  /** L2: reads, decides and writes event, effects, approvals and replies in one transaction. */
  step(request: StepRequest): Promise<StepOutcome>;
  /** One effect at a time per run's work, watcher and chat; urgent first; skips throttled chats. */
  claim(request: {
    now: number;
    leaseMs: number;
    limit: number;
    kinds?: readonly EffectKind[];
    only?: number;
  }): Promise<ClaimedEffect[]>;
  /** Returns false when the lease was lost or the run has moved on. */
  renew(claim: ClaimedEffect, until: number): Promise<boolean>;
  /** Returns false when the lease was lost; the outcome is discarded. */
  finish(claim: ClaimedEffect, outcome: EffectFinish, now: number): Promise<boolean>;
  /** Makes waiting polls due, or an approved push or opening. */
  hurry(runId: string, now: number, what?: 'poll' | 'opening'): Promise<void>;
  /** Due time of the next pending effect of these kinds, or of any message (epoch ms). */
  nextDue(kinds?: readonly EffectKind[]): Promise<number | null>;
  /** L6: releases leases of the previous boot; returns how many. */
  recover(now: number): Promise<{ freed: number; lastSeenAt: number | null }>;
  attempt: {
    start(
      row: Omit<
        AttemptRow,
        'id' | 'no' | 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'billed' | 'activity'
      >,
    ): Promise<number>;
    recordProcess(id: number, pid: number, pidStart: string | null): Promise<void>;
    /** E21: what it does now; its end takes that away. */
    recordActivity(id: number, activity: NonNullable<AttemptRow['activity']>): Promise<void>;
    /** E18: upper bound of the run's bill, including the request that is about to be sent. */
    recordBill(id: number, most: ModelUsage): Promise<void>;
    end(
      id: number,
      row: Pick<AttemptRow, 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'containment' | 'model'>,
    ): Promise<void>;
    /** Attempts that still ran when the last boot ended. */
    orphans(): Promise<AttemptRow[]>;
  };
  /** E9: writes the next turn of the run, or goes on with the last one while it is under way. */
  turn(row: NewTurn): Promise<TurnHead>;
  /** L5: returns the digest that identifies the content from now on. */
  artifact(row: { runId: string; type: string; content: string; at: number }): Promise<string>;
  /** L8: deletes a run's artifacts of these types, except these digests. */
  forget(what: { runId: string; types: readonly string[]; except: readonly string[] }): Promise<void>;
  /** L8: one slice of retention; true when more may be left to remove. */
  tidy(now: number): Promise<boolean>;
  /** Null `by`: set up on the host. */
  setUser(user: UserRow, by: Person | null): Promise<void>;
  removeUser(id: string, by: Person | null): Promise<void>;
  /** Null `by`: follows from something else. */
  setSetting(key: string, value: string, by?: Person | null): Promise<void>;
  /** Reads and writes in one transaction, so that of two changes at once none is lost. `to` null: nothing is written. */
  changeSetting<T>(
    key: string,
    change: (before: string | null) => { to: string | null; answer: T },
    by?: Person | null,
  ): Promise<T>;
  rollback(): Promise<LedgerRollback | null>;
  /** False when the disk is almost full; taps and approvals may use a reserve. */
  hasRoom(): boolean;
  /** False while the database is read-only. */
  takesWrites(): boolean;
  /** Continues after a rollback, whose losses a person has accepted. */
  acceptRollback(by: Person | null): Promise<void>;
  campaigns: {
    /** Returns false when the id exists; the first order stays. */
    plan(campaign: {
      id: string;
      order: CampaignOrder;
      at: number;
      by: Person | null;
      origin?: CampaignTrigger | undefined;
    }): Promise<boolean>;
    /** The decision is taken only while the campaign still equals `from`. */
    decide(
      id: string,
      given: {
        decision: CampaignDecision;
        by: Person | null;
        at: number;
        from?: Pick<Campaign, 'stateEnteredAt' | 'released'>;
      },
    ): Promise<CampaignOutcome>;
  };
  answers: ResponseCache;
  figures: {
    /** `upto`: last event processed. `version`: version of the folding code. */
    keep(rows: readonly StoredFigures[], upto: number, version: number): Promise<void>;
  };
  writers: WriteBudgetStore;
  spending: SpendingBook;
  query: LedgerQueries;
  close(): Promise<void>;
};

export type CampaignOutcome =
  /** `same`: nothing changed, or the campaign changed since `from` was read. */
  { kind: 'taken' | 'same' | 'refused'; campaign: Campaign } | { kind: 'unknown' };

export type SettingChange = { at: number; by: Person | null } & (
  | { what: 'setting'; key: string; value: string }
  | { what: 'role'; id: string; name: string; role: UserRole | null }
);

/** All parts must fit; texts are matched in any case. */
export type RunFilter = Partial<
  Record<'repo' | 'owner' | 'state' | 'engine' | 'person' | 'campaign' | 'text', string>
>;

export type QueueDepth = { kind: EffectKind; state: 'due' | 'later' | 'at_work'; n: number };

/** Never awaited inside a step. */
export type LedgerQueries = SpendingQueries & {
  /** Throws when the stored order differs from the planned one. */
  campaign(id: string): Promise<{ campaign: Campaign; order: CampaignOrder } | null>;
  campaigns(): Promise<Campaign[]>;
  campaignRuns(id: string): Promise<Run[]>;
  /** Figures of runs ordered since then (epoch ms). */
  figures(since: number, version: number): Promise<StoredFigures[]>;
  figuresUpto(version: number): Promise<number>;
  /** Sorted by event number; `kept` is the `seq` of the run's stored figures. */
  moved(filter: {
    after: number;
    limit: number;
    version: number;
  }): Promise<{ event: number; runId: string; seq: number; kept: number | null }[]>;
  run(id: string): Promise<Run | null>;
  /** Newest first; `live` excludes terminal states. */
  runs(filter: {
    live: boolean;
    limit: number;
    /** Matched by id, or by name (any case) while a run does not know the id. */
    repo?: RepositoryIdentity;
  }): Promise<Run[]>;
  /** O5: one page of runs, newest first; `after` is the last run of the page before. */
  runPage(page: {
    live: boolean;
    limit: number;
    filter: RunFilter;
    after: { at: number; id: string } | null;
  }): Promise<Run[]>;
  /** Runs that are active, that left the queue in (`since`, `until`], and that wait. */
  queue(window: { since: number; until: number }): Promise<RunQueue>;
  newestEvent(): Promise<number>;
  /** G12: leaf hashes of decisions that were published in these events, in their order (hexadecimal). */
  publishedLeaves(events: { after: number; upto: number }): Promise<string[]>;
  alive(repo: RepositoryIdentity): Promise<boolean>;
  counts(): Promise<Record<string, number>>;
  events(runId: string): Promise<EventRow[]>;
  effects(filter: {
    runId?: string;
    state?: EffectRow['state'];
    kind?: EffectKind | readonly EffectKind[];
  }): Promise<EffectRow[]>;
  effect(n: number): Promise<EffectRow | null>;
  answersWaiting(chat: string): Promise<(string | null)[]>;
  told(slot: string): Promise<EffectRow | null>;
  slots(prefix: string): Promise<string[]>;
  sent(slot: string): Promise<SentMessage | null>;
  approval(id: string): Promise<ApprovalRow | null>;
  approvals(filter: { runId?: string; state?: ApprovalRow['state'] }): Promise<ApprovalRow[]>;
  attempts(runId: string): Promise<AttemptRow[]>;
  attemptsAtWork(): Promise<AttemptRow[]>;
  turns(runId: string): Promise<TurnRow[]>;
  newest(runId: string, type: string): Promise<string | null>;
  artifact(runId: string, digest: string): Promise<{ type: string; content: string } | null>;
  user(id: string): Promise<UserRow | null>;
  users(): Promise<UserRow[]>;
  setting(key: string): Promise<string | null>;
  changes(limit: number): Promise<SettingChange[]>;
  /** `chainBroken` describes a broken hash chain, or is null. */
  heads(only?: string): Promise<ChainHead[]>;
  incoming(id: number): Promise<{
    source: IncomingItem['source'];
    key: string;
    state: 'new' | 'done' | 'dead';
    note: string | null;
  } | null>;
  /** Received from a source since then (epoch ms) with this key prefix; at most 1,000. */
  arrived(of: {
    source: IncomingItem['source'];
    prefix: string;
    since: number;
  }): Promise<{ key: string; state: 'new' | 'done' | 'dead' }[]>;
  /** Rows that were given up or set aside, the newest first; none whose bytes were changed. */
  deadInbox(limit: number): Promise<DeadInboxRow[]>;
  /** Body of an inbox row; null when missing or removed. */
  body(id: number): Promise<unknown>;
  audit: LedgerAudit;
  /** O4: effects that are due now, due later, or at work. */
  depths(now: number): Promise<QueueDepth[]>;
  inboxCounts(): Promise<Record<string, number>>;
};
