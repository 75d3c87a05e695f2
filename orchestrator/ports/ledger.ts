/** The ledger port: the only writer of the database, and the reading beside it. */
import type { ModelUsage } from '../core/change-facts.ts';
import type { UserRole } from '../core/roles.ts';
import type { ResponseCache } from './forge-response-cache.ts';
import type { CampaignPort, CampaignQueries } from './campaigns.ts';
import type { FigureScripts, FigureQueries } from './figures.ts';
import type { WriteBudgetStore } from './write-limits.ts';
import type { Person } from '../core/order.ts';
import type { EffectKind } from '../core/machine/effect-types.ts';
import type { RunQueue } from '../core/machine/run-queue.ts';
import type { Run } from '../core/machine/run.ts';
import type { LedgerAudit, LedgerRollback } from './audit.ts';
import type {
  ApprovalRow,
  AttemptRow,
  EffectRow,
  EventRow,
  ChainHead,
  ForgeRepository,
  SentMessage,
  UserRow,
} from './rows.ts';
import type {
  ClaimedEffect,
  EffectFinish,
  InboxRow,
  IncomingItem,
  ReceivedItem,
  ChatReply,
  StepOutcome,
  StepRequest,
} from './steps.ts';

/** L1–L6. The only writer of the database. Every promise resolves after the commit. */
export type Ledger = {
  /**
   * Durable when it resolves; a known key gives `duplicate` and keeps the first body. Group commit:
   * one transaction a tick.
   */
  receive(items: readonly IncomingItem[], now: number): Promise<ReceivedItem[]>;
  /**
   * Those not handled yet: lanes take turns, the urgent one of each first, and each in its order.
   */
  inbox(limit: number): Promise<InboxRow[]>;
  /**
   * Closes an inbox row without a step: an answer, or a note on why nothing was done. `dead` is for
   * poison.
   */
  settleInbox(
    id: number,
    outcome: { kind: 'done' | 'dead' | 'retry'; note: string; replies: readonly ChatReply[] },
    now: number,
  ): Promise<void>;
  /**
   * L2: read, decide, compare-and-set, event, effects, approvals, replies and the cause's end, in
   * one transaction.
   */
  step(request: StepRequest): Promise<StepOutcome>;
  /**
   * Leases due effects: one at a time for a run's work, its watcher and a chat; newest of a slot;
   * urgent first. A chat that has to wait, because of its pace or because its service said so, is
   * not claimed for.
   */
  claim(request: {
    now: number;
    leaseMs: number;
    limit: number;
    kinds?: readonly EffectKind[];
    /** That effect alone, by its number. */
    only?: number;
  }): Promise<ClaimedEffect[]>;
  /** False when the lease was lost or the run has moved on. */
  renew(claim: ClaimedEffect, until: number): Promise<boolean>;
  /** False when the lease was lost: the outcome is discarded. */
  finish(claim: ClaimedEffect, outcome: EffectFinish, now: number): Promise<boolean>;
  /**
   * Makes the run's pending look at the forge due now: somebody says that there is something to
   * see.
   */
  hurry(runId: string, now: number): Promise<void>;
  /** When the next pending effect (of these kinds, and every message) is due (epoch ms), or null. */
  nextDue(kinds?: readonly EffectKind[]): Promise<number | null>;
  /** L6: at start, leases of the previous boot are free again. Returns how many there were. */
  recover(now: number): Promise<{ freed: number; lastSeenAt: number | null }>;
  attempt: {
    start(
      row: Omit<AttemptRow, 'id' | 'no' | 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'billed'>,
    ): Promise<number>;
    /** After spawning: what a restart must look for. */
    running(id: number, pid: number, pidStart: string | null): Promise<void>;
    /** E18: what its run may have been billed by now, with what it is about to ask for. */
    billed(id: number, most: ModelUsage): Promise<void>;
    end(
      id: number,
      row: Pick<AttemptRow, 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr' | 'containment' | 'model'>,
    ): Promise<void>;
    /** Attempts that were running when the last boot ended. */
    orphans(): Promise<AttemptRow[]>;
  };
  /**
   * L5: gives the digest that names it from then on; what is named by it elsewhere cannot be
   * exchanged here.
   */
  artifact(row: { runId: string; type: string; content: string; at: number }): Promise<string>;
  /** L8: what a run kept of these types goes, but for what these digests name. */
  forget(what: { runId: string; types: readonly string[]; except: readonly string[] }): Promise<void>;
  /**
   * L8: removes a little of what nobody needs any more. True when there may be more to remove now.
   */
  tidy(now: number): Promise<boolean>;
  /** `by` is who gives or takes the right; null is whoever sets the host up. */
  setUser(user: UserRow, by: Person | null): Promise<void>;
  /** Takes all rights away; somebody unknown is no failure. */
  removeUser(id: string, by: Person | null): Promise<void>;
  /** `by` is the person who chose it; null where it follows from something else. */
  setSetting(key: string, value: string, by?: Person | null): Promise<void>;
  /**
   * Whether the ledger was put back to an earlier state, or nothing is left to tell by; null when
   * all is well.
   */
  rollback(): Promise<LedgerRollback | null>;
  /** Whether the disk has room for what can also come later; taps and approvals have a reserve. */
  hasRoom(): boolean;
  /** False while its database can only be read. */
  takesWrites(): boolean;
  /** Goes on from here: what was lost is known. */
  acceptRollback(by: Person | null): Promise<void>;
  /** Batches of runs: planned once, and decided about in a few words. */
  campaigns: CampaignPort;
  answers: ResponseCache;
  figures: FigureScripts;
  writers: WriteBudgetStore;
  query: LedgerQueries;
  close(): Promise<void>;
};

export type SettingChange = { at: number; by: Person | null } & (
  | { what: 'setting'; key: string; value: string }
  /** Null is no right any more. */
  | { what: 'role'; id: string; name: string; role: UserRole | null }
);

/** So many effects of a kind. */
export type QueueDepth = { kind: EffectKind; state: 'due' | 'later' | 'at_work'; n: number };

/** Reading. Never awaited inside a step. */
export type LedgerQueries = CampaignQueries &
  FigureQueries & {
    run(id: string): Promise<Run | null>;
    /** Newest first; `live` leaves out terminal states. */
    runs(filter: {
      live: boolean;
      limit: number;
      /** By its id; by its name, whatever its case, while a run has not seen its repository yet. */
      repo?: ForgeRepository;
    }): Promise<Run[]>;
    /**
     * Runs that hold a place, those that left the queue after `since` and not after `until`, and
     * those that wait in it.
     */
    queue(window: { since: number; until: number }): Promise<RunQueue>;
    /** Whether there is a live run of a repository, found as `runs` finds it. */
    alive(repo: ForgeRepository): Promise<boolean>;
    /** Number of runs by state; its cost does not grow with the ledger. */
    counts(): Promise<Record<string, number>>;
    events(runId: string): Promise<EventRow[]>;
    effects(filter: {
      runId?: string;
      state?: EffectRow['state'];
      kind?: EffectKind | readonly EffectKind[];
    }): Promise<EffectRow[]>;
    effect(n: number): Promise<EffectRow | null>;
    /** Slots of the answers to people that wait to be sent to a chat. */
    answersWaiting(chat: string): Promise<(string | null)[]>;
    /** What a slot was last asked to show, sent or still waiting. */
    told(slot: string): Promise<EffectRow | null>;
    /** Slots that begin with these letters, of messages that were not given up. */
    slots(prefix: string): Promise<string[]>;
    /** The message that a slot was last sent as. */
    sent(slot: string): Promise<SentMessage | null>;
    approval(id: string): Promise<ApprovalRow | null>;
    approvals(filter: { runId?: string; state?: ApprovalRow['state'] }): Promise<ApprovalRow[]>;
    attempts(runId: string): Promise<AttemptRow[]>;
    /** What the newest artifact of a type says; null where there is none, or it is gone. */
    newest(runId: string, type: string): Promise<string | null>;
    /** Null when it is gone, or is no longer what its digest names. */
    artifact(runId: string, digest: string): Promise<{ type: string; content: string } | null>;
    user(id: string): Promise<UserRow | null>;
    users(): Promise<UserRow[]>;
    setting(key: string): Promise<string | null>;
    /** Newest first: who changed settings and rights, and when. */
    changes(limit: number): Promise<SettingChange[]>;
    /**
     * Every run with its MACed head, for replay. `chainBroken` says what is wrong with its events'
     * hashes, or null.
     */
    heads(only?: string): Promise<ChainHead[]>;
    /** What became of something that came in. */
    incoming(id: number): Promise<{
      source: IncomingItem['source'];
      state: 'new' | 'done' | 'dead';
      note: string | null;
    } | null>;
    /** What came in from a source since then (epoch ms), of the keys that begin so; at most 1,000. */
    arrived(of: {
      source: IncomingItem['source'];
      prefix: string;
      since: number;
    }): Promise<{ key: string; state: 'new' | 'done' | 'dead' }[]>;
    /** What it said; null where there is none, or it is forgotten. */
    body(id: number): Promise<unknown>;
    /** L5: for replay. */
    audit: LedgerAudit;
    /** O4: what there is to do: due now, due later, or at work. */
    depths(now: number): Promise<QueueDepth[]>;
    /** Inbox rows by state, for `/status` and the tests. */
    inboxCounts(): Promise<Record<string, number>>;
  };
