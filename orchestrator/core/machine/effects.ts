/** Effects: data that describes outside or later work. Stored with the event that asked for it; a handler performs it. */
import type { Note } from '../notes.ts';
import type { Order } from '../order.ts';
import type { Reason } from './reasons.ts';
import type { Budget } from '../bounds.ts';
import type { Undone } from '../facts.ts';
import type { FailureClass } from '../failures.ts';
import type { ApprovalKind } from './run.ts';
import type { Input } from './inputs.ts';
import type { PullText } from './words.ts';
import type { Round } from './rounds.ts';

/** What a chat message shows. It is rendered when it is sent, from the run as it is then. */
export type View =
  | { view: 'progress' }
  | { view: 'gate'; approvalId: string; armedBy: number | null; armedUntil: number | null }
  /** `head` is somebody else's commit that it shows, and that a tap on it takes. */
  | { view: 'attention'; head?: string }
  | { view: 'ended' }
  /** Words of somebody on the code host; a person may hand them to the agent, and is then named in `passedBy`. */
  | {
      view: 'comment';
      author: string;
      access: 'write' | 'read' | 'unknown';
      body: string;
      url: string;
      passedBy: string | null;
    }
  /** Why the code host cannot be read, of all runs of the chat that share the spell; or that it can be again. */
  | { view: 'blind'; spell: string }
  /** A budget is used up but for a little. */
  | { view: 'budget'; budget: Budget; used: number; limit: number }
  /** A provider is waited for, or the code host, and it takes long. */
  | { view: 'waiting'; for?: 'host'; class: FailureClass; since: number; until: number }
  /** Edits that did not stay. */
  | { view: 'undone'; undone: Undone }
  /** What somebody answered to a card: whether it is to be denied so. */
  | { view: 'denial'; approvalId: string; reason: string }
  /** What somebody answered to a call for attention of this epoch: whether the run is to go on with that. */
  | { view: 'advice'; epoch: number; words: string }
  | { view: 'note'; note: Note }
  /** Whom AgentPR works with cannot be used, or can be again after so long (ms). `name` is what people call it. */
  | {
      view: 'connection';
      kind: 'chat' | 'forge' | 'engine';
      name: string;
      says: string;
      backAfterMs: number | null;
    }
  | { view: 'reply'; html: string; buttons: { verb: string; text: string; runId: string }[][] }
  | { view: 'document'; name: string; caption: string; artifact: string }
  /** The whole change as a file, what it adds to what was pushed, or what somebody else's push adds to that. */
  | { view: 'patch'; since: 'base' | 'pushed' | 'theirs' };

export type Work =
  /** Waits for a free slot, then starts the run. */
  | { kind: 'start' }
  /** Prepares the workspace and learns the contract. */
  | { kind: 'discover' }
  /** One agent round, then harvest into a commit. */
  | { kind: 'implement'; round: Round }
  /** Our checks on a fresh export of the commit, then the assessment. */
  | { kind: 'check'; commitSha: string }
  | { kind: 'push'; commitSha: string; expect: string | null; approvalId: string | null }
  | { kind: 'open_pr'; approvalId: string; digest: string }
  /** Judges and seals what a person wrote in place of our words. */
  | { kind: 'modify'; approvalId: string; words: PullText; by: string; reason: string }
  /** Asks the forge for facts, again and again while the state lasts. */
  | { kind: 'observe'; everyMs: number }
  /** Makes the next `observe` due: what was seen should have settled by now (F3). */
  | { kind: 'look' }
  | { kind: 'rerun_ci'; sha: string }
  /** Brings the change onto today's base branch. */
  | { kind: 'update' }
  /** Reads somebody else's head of our branch; `takenBy` wants to go on from exactly this one. */
  | { kind: 'head'; sha: string; takenBy: string | null }
  /** Removes the workspace of a run that ended. */
  | { kind: 'clean' };

export type Effect =
  | { do: Work; dueAt: number }
  /** A timer, or an auto-advance rule: an input that is offered when it is due. */
  | { do: { kind: 'wake'; input: Input }; dueAt: number }
  /**
   * A chat message. Two with the same `slot` are one message edited in place, and only the newest waiting one is sent.
   * `urgent` ones go before everything else in their chat; `sound` rings the phone. A `fresh` one is a new message whatever
   * its slot was sent as.
   */
  | { do: Telling; dueAt: number };

type Telling = {
  kind: 'tell';
  slot: string | null;
  show: View;
  urgent: boolean;
  sound: boolean;
  fresh?: boolean;
};

export type EffectKind = Effect['do']['kind'];

/** A change of the approvals table; each must hit exactly one live row, or the whole step fails. */
export type ApprovalChange =
  | { op: 'open'; id: string; kind: ApprovalKind; digest: string; expiresAt: number; needed: number }
  | { op: 'sign'; id: string; by: number | null; name: string; at: number }
  /** Binds the approval to the effect at this index of the same step: a re-claim of that effect is not a second use. */
  | { op: 'consume'; id: string; digest: string; at: number; effectIndex: number }
  | { op: 'close'; id: string; state: 'void' | 'denied' | 'expired'; reason: Reason };

/** The chat that hears of a view: cards go to whoever may sign them. */
export const chatFor = (order: Pick<Order, 'chat' | 'decider'>, show: View): number | null =>
  show.view === 'gate' ? (order.decider ?? order.chat) : order.chat;
