/** What the shell around the core needs from outside. Each port is small; adapters implement them, tests run one suite on all. */
import type { ApprovalChange, Effect, EffectKind, View, Work } from './core/effects.ts';
import type { CheckResult, Commit, Containment, DiffFacts, Finding, Usage } from './core/facts.ts';
import type { FailureClass } from './core/failures.ts';
import type { Approval, ApprovalKind, Run } from './core/run.ts';
import type { CheckFact } from './core/verdict.ts';

// ---------------------------------------------------------------- time and ids

export type Clock = { now(): number };
export type Ids = {
  /** Short, readable, random: a run's name in chat and in its branch. */
  runId(): string;
  /** 16 unguessable characters of [A-Za-z0-9_-]. */
  nonce(): string;
};
/** Lets the prover decide what happens next; in production it is `setTimeout`. */
export type Timers = { after(ms: number, f: () => void): { cancel(): void } };

// ---------------------------------------------------------------- ledger

/** L3: something that came in from outside. `key` names its cause and is unique within its source. */
export type Incoming = { source: 'telegram' | 'github' | 'cli'; key: string; body: unknown };
export type Received = { id: number; duplicate: boolean };
export type InboxRow = {
  id: number;
  source: Incoming['source'];
  key: string;
  body: unknown;
  tries: number;
  receivedAt: number;
};

/** A claimed effect. `id` is `<run>:<seq>:<index>`, or `in:<inbox id>:<index>` for replies that belong to no run. */
export type Claim = {
  /** Small integer, for button tokens. */
  n: number;
  id: string;
  runId: string | null;
  /** The run's epoch when it was asked for; null for what is never void (chat). */
  epoch: number | null;
  leaseEpoch: number;
  /** 1 for the first try. */
  tries: number;
  do: Effect['do'];
};

/** What lies behind a step: it is closed in the same transaction, so that nothing is done twice and nothing is lost. */
export type Cause =
  { kind: 'inbox'; id: number } | { kind: 'effect'; n: number; leaseEpoch: number } | { kind: 'none' };

/** A chat message that is not asked for by the machine: an answer to a command or a tap. */
export type Reply = {
  chat: number;
  slot: string | null;
  show: View;
  urgent: boolean;
  sound: boolean;
  runId: string | null;
};

/** What is to be written for a step; made by a pure function inside the transaction, from the run as it is there. */
export type Plan =
  | {
      kind: 'write';
      run: Run;
      event: { type: string; body: unknown; at: number };
      effects: readonly Effect[];
      approvals: readonly ApprovalChange[];
      replies: readonly Reply[];
    }
  | { kind: 'refuse' | 'ignore'; reason: string; replies: readonly Reply[] };

export type StepOutcome =
  | { kind: 'written'; run: Run; before: Run | null }
  | { kind: 'refused' | 'ignored'; reason: string }
  /** The same cause came before: nothing is done. */
  | { kind: 'duplicate' }
  /** The effect's lease is no longer ours: nothing is done. */
  | { kind: 'fenced' };

export type StepRequest = {
  runId: string;
  /** S4: names the cause; unique for the run. */
  key: string;
  cause: Cause;
  now: number;
  plan(run: Run | null): Plan;
};

export type Finish =
  /** Done for good; `result` is small JSON (a sent message's chat and id). */
  | { kind: 'done'; result: unknown }
  /** Not now; `reason` is for people. A try that only waits its turn does not count. */
  | { kind: 'later'; at: number; reason: string; counts: boolean }
  /** Given up; kept for a person to look at. */
  | { kind: 'dead'; reason: string };

export type SentMessage = { chat: number; messageId: number };

export type ApprovalRow = Omit<Approval, 'signatures'> & {
  runId: string;
  state: 'open' | 'consumed' | 'void' | 'denied' | 'expired';
  reason: string | null;
  consumedBy: string | null;
  openedAt: number;
  closedAt: number | null;
};
export type EventRow = {
  id: number;
  runId: string;
  seq: number;
  type: string;
  key: string;
  body: string;
  stateAfter: string;
  at: number;
  prev: string;
  hash: string;
};
export type EffectRow = {
  n: number;
  id: string;
  runId: string | null;
  kind: EffectKind;
  do: Effect['do'];
  state: 'pending' | 'claimed' | 'done' | 'dead' | 'void';
  epoch: number | null;
  slot: string | null;
  chat: number | null;
  tries: number;
  dueAt: number;
  result: unknown;
  reason: string | null;
};
export type AttemptRow = {
  id: number;
  runId: string;
  /** `install`, `agent`, a check's name … */
  step: string;
  no: number;
  command: string;
  exitCode: number | null;
  outcome: string;
  startedAt: number;
  ms: number;
  engine: string | null;
  model: string | null;
  promptHash: string | null;
  baseSha: string | null;
  containment: Containment | null;
  /** Process id and its start time, so that a survivor of a crash can be told from a stranger. */
  pid: number | null;
  pidStart: string | null;
  stdout: string | null;
  stderr: string | null;
};
export type UserRow = { id: number; name: string; role: 'viewer' | 'operator' | 'approver' | 'admin' };

/** L1–L6. The only writer of the database. Every promise resolves after the commit. */
export type Ledger = {
  /** Durable when it resolves; a known key gives `duplicate` and keeps the first body. Group commit: one transaction a tick. */
  receive(items: readonly Incoming[], now: number): Promise<Received[]>;
  /** Oldest first, those not handled yet. */
  inbox(limit: number): Promise<InboxRow[]>;
  /** Closes an inbox row without a step: an answer, or a note on why nothing was done. `dead` is for poison. */
  settleInbox(
    id: number,
    outcome: { kind: 'done' | 'dead' | 'retry'; note: string; replies: readonly Reply[] },
    now: number,
  ): Promise<void>;
  /** L2: read, decide, compare-and-set, event, effects, approvals, replies and the cause's end, in one transaction. */
  step(request: StepRequest): Promise<StepOutcome>;
  /** Leases due effects: one at a time for a run's work, its watcher and a chat; newest of a slot; urgent first. */
  claim(request: {
    now: number;
    leaseMs: number;
    limit: number;
    kinds?: readonly EffectKind[];
  }): Promise<Claim[]>;
  /** False when the lease was lost or the run has moved on. */
  renew(claim: Claim, until: number): Promise<boolean>;
  /** False when the lease was lost: the outcome is discarded. */
  finish(claim: Claim, outcome: Finish, now: number): Promise<boolean>;
  /** When the next pending effect is due (epoch ms), or null. */
  nextDue(): Promise<number | null>;
  /** L6: at start, leases of the previous boot are free again. Returns how many there were. */
  recover(now: number): Promise<{ freed: number; lastSeenAt: number | null }>;
  attempt: {
    start(
      row: Omit<AttemptRow, 'id' | 'no' | 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr'>,
    ): Promise<number>;
    /** After spawning: what a restart must look for. */
    running(id: number, pid: number, pidStart: string | null): Promise<void>;
    end(
      id: number,
      row: Pick<AttemptRow, 'exitCode' | 'outcome' | 'ms' | 'stdout' | 'stderr'>,
    ): Promise<void>;
    /** Attempts that were running when the last boot ended. */
    orphans(): Promise<AttemptRow[]>;
  };
  artifact(row: { runId: string; type: string; content: string; at: number }): Promise<string>;
  setUser(user: UserRow): Promise<void>;
  setSetting(key: string, value: string): Promise<void>;
  query: Queries;
  close(): Promise<void>;
};

export type Head = { run: Run; seq: number; hash: string; mac: string; macValid: boolean; chainBroken: string | null };

/** Reading. Never awaited inside a step. */
export type Queries = {
  run(id: string): Promise<Run | null>;
  /** Newest first; `live` leaves out terminal states. */
  runs(filter: { live: boolean; limit: number }): Promise<Run[]>;
  /** Runs that hold a slot, and runs that left QUEUED since a time. */
  load(since: number): Promise<{ busy: number; started: number; queued: number }>;
  /** Number of runs by state; its cost does not grow with the ledger. */
  counts(): Promise<Record<string, number>>;
  events(runId: string): Promise<EventRow[]>;
  effects(filter: { runId?: string; state?: EffectRow['state']; kind?: EffectKind }): Promise<EffectRow[]>;
  effect(n: number): Promise<EffectRow | null>;
  /** The message that a slot was last sent as. */
  sent(slot: string): Promise<SentMessage | null>;
  approval(id: string): Promise<ApprovalRow | null>;
  approvals(filter: { runId?: string; state?: ApprovalRow['state'] }): Promise<ApprovalRow[]>;
  attempts(runId: string): Promise<AttemptRow[]>;
  artifact(id: string): Promise<{ runId: string; type: string; content: string } | null>;
  /** Newest artifact of a type. */
  latest(runId: string, type: string): Promise<string | null>;
  user(id: number): Promise<UserRow | null>;
  users(): Promise<UserRow[]>;
  setting(key: string): Promise<string | null>;
  /** Every run with its MACed head, for replay. `chainBroken` says what is wrong with its events' hashes, or null. */
  heads(only?: string): Promise<Head[]>;
  /** Inbox rows by state, for `/status` and the tests. */
  inboxCounts(): Promise<Record<string, number>>;
};

// ---------------------------------------------------------------- outside failures

/** An outside failure, as classified data. A bug throws something else. */
export class OutsideFailure extends Error {
  readonly class: FailureClass;
  /** When to come back (epoch ms), when the other side said so. */
  readonly retryAt: number | null;
  constructor(failure: FailureClass, message: string, retryAt: number | null = null) {
    super(message);
    this.class = failure;
    this.retryAt = retryAt;
  }
}

// ---------------------------------------------------------------- workspaces and git

export type RepoRef = { owner: string; name: string; cloneUrl: string };

export type Harvest =
  | { kind: 'commit'; commit: Commit; skipped: Finding[] }
  | { kind: 'no_changes'; skipped: Finding[] }
  /** What the agent left cannot be read safely (special files, nested repositories that cannot be staged …). */
  | { kind: 'unsafe'; findings: Finding[] };

export type PushOutcome =
  | { kind: 'pushed'; branch: string; sha: string }
  | { kind: 'rejected'; reason: string; because: 'stale' | 'name' | 'auth' | 'other' };

/**
 * E1: a mirror per repository, a workspace and a trusted git directory per run. Every path is below the data directory.
 * All methods throw OutsideFailure for the outside world (repository_missing, repository_empty, forge_unavailable, disk_full …).
 */
export type Workspaces = {
  /** Fetches the mirror and makes workspace and trusted directory afresh at the head of `base` (null: default branch). */
  prepare(input: {
    runId: string;
    repo: RepoRef;
    base: string | null;
    defaultBranch: string;
    signal: AbortSignal;
  }): Promise<{ ref: string; sha: string }>;
  /** Puts the workspace back to a commit, as a fresh checkout. */
  reset(input: { runId: string; sha: string }): Promise<void>;
  exists(runId: string): Promise<boolean>;
  /** Files of a commit: paths, and content as text (null when missing, binary or over 256 KB). */
  tree(runId: string, sha: string): Promise<{ paths: string[]; read(path: string): Promise<string | null> }>;
  /** After every process of the run is dead: index from bytes by a no-follow walk, commit in the trusted directory on `parent`. */
  harvest(input: {
    runId: string;
    base: string;
    parent: string;
    message: string;
    author: { name: string; email: string };
    at: number;
  }): Promise<Harvest>;
  /** A fresh export of exactly the commit's tree. `intact` re-hashes it against the tree. */
  export(input: {
    runId: string;
    sha: string;
  }): Promise<{ dir: string; intact(): Promise<boolean>; remove(): Promise<void> }>;
  facts(input: { runId: string; base: string; head: string }): Promise<DiffFacts>;
  /** Unified diff for people, at most `limit` bytes; `omitted` counts the rest. */
  patch(input: {
    runId: string;
    base: string;
    head: string;
    limit: number;
  }): Promise<{ text: string; omitted: number }>;
  /** Fetches the base branch afresh and compares: where the change starts from, and whether it conflicts with today's base. */
  compare(input: {
    runId: string;
    repo: RepoRef;
    base: string;
    head: string;
  }): Promise<{ mergeBase: string; tree: string; conflicts: boolean; author: string }>;
  /** `expect` is the remote branch's old head, null for "must not exist". A branch that is already at `sha` is a success. */
  push(input: {
    runId: string;
    repo: RepoRef;
    sha: string;
    branch: string;
    expect: string | null;
  }): Promise<PushOutcome>;
  /** Head of a remote branch, null when absent. */
  remoteHead(input: { runId: string; repo: RepoRef; branch: string }): Promise<string | null>;
  /** Directories a contained process of this run may write to. */
  places(runId: string): { workspace: string; home: string };
  clean(runId: string): Promise<void>;
  /** Run ids that have a workspace on disk. */
  list(): Promise<string[]>;
};

// ---------------------------------------------------------------- processes

export type ProcessEnd = {
  exitCode: number | null;
  /** Why it ended: by itself, or by us. */
  ended: 'exited' | 'signalled' | 'timed_out' | 'aborted' | 'output_limit' | 'not_started';
  signal: string | null;
  ms: number;
  stdout: string;
  stderr: string;
};

export type ExecutorEvent =
  { type: 'started'; pid: number; pidStart: string | null } | { type: 'progress'; text: string };

export type ExecutorDone = {
  outcome: 'completed' | 'failed';
  failure: { class: FailureClass; message: string; retryAt: number | null } | null;
  session: string | null;
  summary: string;
  usage: Usage;
  containment: Containment;
  end: ProcessEnd;
  model: string | null;
};

/** E4: the contract of every engine: `started`, any `progress`, then exactly one result. */
export type Executor = {
  run(input: {
    runId: string;
    engineArgs: string[];
    prompt: string;
    workspace: string;
    home: string;
    session: string | null;
    timeoutMs: number;
    signal: AbortSignal;
    onEvent(event: ExecutorEvent): void;
  }): Promise<ExecutorDone>;
};

/** Runs one command of the repository, contained, in an export of the tree that is to be sealed. */
export type Checks = {
  run(input: {
    runId: string;
    name: string;
    command: string;
    dir: string;
    home: string;
    timeoutMs: number;
    signal: AbortSignal;
    onStart(pid: number, pidStart: string | null): void;
  }): Promise<{ result: CheckResult; end: ProcessEnd; containment: Containment }>;
};

/** Kills what a crashed boot left behind, by pid and start time. Returns how many were alive. */
export type Reaper = {
  reap(attempts: readonly Pick<AttemptRow, 'runId' | 'pid' | 'pidStart'>[]): Promise<number>;
};

// ---------------------------------------------------------------- forge

export type RepoFacts = {
  id: number;
  defaultBranch: string;
  archived: boolean;
  cloneUrl: string;
  mayPush: boolean;
  htmlUrl: string;
};
export type PullFacts = {
  number: number;
  url: string;
  state: 'open' | 'closed';
  merged: boolean;
  mergedBy: string | null;
  author: string;
  baseRepoId: number;
  baseRef: string;
  headRepoId: number | null;
  headRef: string;
  headSha: string;
  title: string;
  body: string;
  draft: boolean;
  maintainerCanModify: boolean;
};
export type ReviewFacts = {
  id: number;
  reviewer: string;
  access: 'write' | 'read' | 'unknown';
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
  commitSha: string;
  body: string;
  submittedAt: number;
};

/** All methods throw OutsideFailure: forge_unavailable (5xx, network; with retryAt), rate_limited, forge_refused, repository_missing. */
export type Forge = {
  /** The login that our credential acts as. */
  login(): Promise<string>;
  repo(fullName: string): Promise<RepoFacts>;
  pullsByHead(fullName: string, branch: string): Promise<PullFacts[]>;
  pull(fullName: string, number: number): Promise<PullFacts>;
  /** Never retried blindly: the caller looks up first. */
  createPull(
    fullName: string,
    input: {
      title: string;
      body: string;
      head: string;
      base: string;
      draft: boolean;
      maintainerCanModify: boolean;
    },
  ): Promise<PullFacts>;
  checks(fullName: string, sha: string, base: string): Promise<{ checks: CheckFact[]; required: string[] }>;
  reviews(fullName: string, number: number): Promise<ReviewFacts[]>;
  rerun(fullName: string, sha: string): Promise<void>;
};

// ---------------------------------------------------------------- chat

/** Throws OutsideFailure: rate_limited (with retryAt), forge_unavailable for transport, forge_refused for a message that can never be sent. */
export type Chat = {
  send(message: { chat: number; html: string; buttons: Button[][]; silent: boolean }): Promise<SentMessage>;
  /** A message that is gone gives null; one that is the same already is a success. */
  edit(message: SentMessage & { html: string; buttons: Button[][] }): Promise<SentMessage | null>;
  document(message: {
    chat: number;
    name: string;
    content: string;
    caption: string;
    silent: boolean;
  }): Promise<SentMessage>;
};
export type Button = { text: string; token: string; style?: 'danger' | 'success' | 'primary' };

export type { ApprovalKind, EffectKind, View, Work };
