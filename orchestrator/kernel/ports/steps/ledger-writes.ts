/** The writes of the ledger: inputs, claims, and the plan of one step. */
import type { ApprovalChange, Effect, MessageView } from '../../effects/effect-types.ts';
import type { Step } from '../../effects/recorded-step.ts';
import type { Run } from '../../run/run.ts';

/** L3: `key` is unique within its source; a `note` is our own. With `done` (a reason to ignore it) only the key is stored. */
export type IncomingItem = {
  source: 'chat' | 'forge' | 'cli' | 'note';
  key: string;
  body: unknown;
  done?: string | undefined;
  /** Inputs of one lane are handled in order; lanes take turns. */
  lane?: string;
  /** Goes before the lane's inputs that are not urgent. */
  urgent?: boolean;
};
export type ReceivedItem = { id: number; duplicate: boolean };
export type InboxRow = {
  id: number;
  source: IncomingItem['source'];
  key: string;
  body: unknown;
  tries: number;
  receivedAt: number;
  lane: string | null;
  urgent: boolean;
  /** L9: it was set aside, and somebody had it retried. */
  wasSetAside: boolean;
};
/** S6, L9: an inbox row that was given up or set aside, until somebody retries or drops it. */
export type DeadInboxRow = Pick<InboxRow, 'id' | 'source' | 'key' | 'body' | 'receivedAt'> & {
  why: string;
};

/** `id` is `<run>:<seq>:<index>`, or `in:<inbox id>:<index>` for replies without a run. */
export type ClaimedEffect = {
  /** Small integer that fits into button tokens. */
  n: number;
  id: string;
  runId: string | null;
  /** Epoch of the run at the request; null for effects that never become void (chat). */
  epoch: number | null;
  leaseEpoch: number;
  tries: number;
  do: Effect['do'];
};

/** The cause is closed in the step's transaction, so that it is handled exactly once. */
export type StepCause =
  /** `goesOn`: other runs receive it too, and the caller closes it after the last one. */
  | { kind: 'inbox'; id: number; goesOn?: true }
  | { kind: 'effect'; n: number; leaseEpoch: number }
  | { kind: 'none' };

export type ChatReply = {
  chat: string;
  slot: string | null;
  show: MessageView;
  urgent: boolean;
  /** It is delivered before a card that comes later: the card answers what it confirms. */
  beforeCards?: boolean;
  sound: boolean;
  runId: string | null;
  /** Sends a new message even if the slot has one; the slot then only replaces a pending answer. */
  fresh?: boolean;
  pin?: boolean;
};

export type NewStepArtifact = { type: string; content: string };

/** The writes of a step, made inside the transaction by a pure function of the stored run. */
export type StepPlan =
  | {
      kind: 'write';
      run: Run;
      event: { type: string; body: unknown; at: number };
      effects: readonly Effect[];
      approvals: readonly ApprovalChange[];
      replies: readonly ChatReply[];
    }
  | (RefusedStep & { replies: readonly ChatReply[] });

export type RefusedStep = Exclude<Step, { kind: 'moved' }>;

export type StepOutcome =
  | { kind: 'written'; run: Run; before: Run | null }
  | RefusedStep
  | { kind: 'duplicate' }
  | { kind: 'fenced' };

export type StepRequest = {
  runId: string;
  /** S4: identifies the cause; unique within the run. */
  key: string;
  cause: StepCause;
  now: number;
  /** May wait for others of its tick and share their commit. */
  shared?: boolean;
  artifacts?: readonly NewStepArtifact[];
  plan(run: Run | null): StepPlan;
};

export type EffectFinish =
  /** Final; `result` is small JSON (chat and id of a sent message). */
  | { kind: 'done'; result: unknown }
  /** `reason` is for people. Waiting for a turn costs no try; finished work restarts the count. */
  | {
      kind: 'later';
      at: number;
      reason: string;
      counts: boolean | 'anew';
      /** Pauses the chat, or all chats, until then (epoch ms). The message keeps its place. */
      silence?: { chat: number; everybody: number | null };
    }
  | { kind: 'dead'; reason: string };
