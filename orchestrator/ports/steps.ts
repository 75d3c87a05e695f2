/** What goes into the ledger: what came in, what was claimed, and what one step writes. */
import type { ApprovalChange, Effect, MessageView } from '../core/machine/effect-types.ts';
import type { Step } from '../core/machine/machine.ts';
import type { Run } from '../core/machine/run.ts';

/**
 * L3: something that came in from outside. `key` names its cause and is unique within its source.
 * `done` says why nothing is to be done about it: then only its key is kept, so that it is known
 * when it comes again.
 */
export type IncomingItem = {
  source: 'chat' | 'forge' | 'cli';
  key: string;
  body: unknown;
  done?: string | undefined;
  /**
   * What shares a lane is handled in its order, and lanes take turns. Without one it is in nobody's
   * way.
   */
  lane?: string;
  /** Goes before what its lane has that is not urgent. */
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
};

/**
 * A claimed effect. `id` is `<run>:<seq>:<index>`, or `in:<inbox id>:<index>` for replies that
 * belong to no run.
 */
export type ClaimedEffect = {
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

/**
 * What lies behind a step: it is closed in the same transaction, so that nothing is done twice and
 * nothing is lost.
 */
export type StepCause =
  /** `goesOn`: other runs hear of it as well, and whoever told them all ends it. */
  | { kind: 'inbox'; id: number; goesOn?: true }
  | { kind: 'effect'; n: number; leaseEpoch: number }
  | { kind: 'none' };

/** A chat message that is not asked for by the machine: an answer to a command or a tap. */
export type ChatReply = {
  chat: string;
  slot: string | null;
  show: MessageView;
  urgent: boolean;
  sound: boolean;
  runId: string | null;
  /**
   * A new message, whatever its slot was sent as: then the slot only says which waiting answer it
   * replaces.
   */
  fresh?: boolean;
  /** Pins the message. */
  pin?: boolean;
};

/**
 * What is to be written for a step; made by a pure function inside the transaction, from the run as
 * it is there.
 */
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

/** Why nothing is written. */
export type RefusedStep = Exclude<Step, { kind: 'moved' }>;

export type StepOutcome =
  | { kind: 'written'; run: Run; before: Run | null }
  | RefusedStep
  /** The same cause came before: nothing is done. */
  | { kind: 'duplicate' }
  /** The effect's lease is no longer ours: nothing is done. */
  | { kind: 'fenced' };

export type StepRequest = {
  runId: string;
  /** S4: names the cause; unique for the run. */
  key: string;
  cause: StepCause;
  now: number;
  /** It can wait for others of its turn, and shares their commit. */
  shared?: boolean;
  plan(run: Run | null): StepPlan;
};

export type EffectFinish =
  /** Done for good; `result` is small JSON (a sent message's chat and id). */
  | { kind: 'done'; result: unknown }
  /**
   * Not now; `reason` is for people. A try that only waits its turn does not count; after one that
   * did its work they are counted anew.
   */
  | {
      kind: 'later';
      at: number;
      reason: string;
      counts: boolean | 'anew';
      /**
       * Its chat, and perhaps every chat, hears nothing until then (epoch ms). A message keeps its
       * place in line.
       */
      silence?: { chat: number; everybody: number | null };
    }
  /** Given up; kept for a person to look at. */
  | { kind: 'dead'; reason: string };
