/**
 * Effects: data that describes outside or later work. Stored with the event that asked for it; a
 * handler performs it.
 */
import type { HostRefusal } from '../host-refusal.ts';
import type { CampaignLesson } from '../campaign-lesson.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { ChatNote } from '../chat-notes.ts';
import type { Order } from '../order.ts';
import type { AskedFirst } from './questions-before-work.ts';
import type { Reason } from './reasons.ts';
import type { BudgetKind } from '../run-bounds.ts';
import type { DiscardedEdits } from '../change-facts.ts';
import type { PictureSide } from '../change-pictures.ts';
import type { ReportScope } from '../report-scope.ts';
import type { FailureClass } from '../failure-classes.ts';
import type { ApprovalKind } from './run.ts';
import type { Input } from './inputs.ts';
import type { PullText } from './edited-pr-text.ts';
import type { RecordedAnswer } from '../contributor-requirements.ts';
import type { AgentRound } from './rounds.ts';

/** What a chat message shows. It is rendered when it is sent, from the run as it is then. */
export type MessageView =
  | { view: 'progress' }
  /**
   * `next` is for an approver who is asked because nobody has decided for long; `denying` offers
   * reasons for a no, `changing` what is often asked for. After either, words are for the agent.
   */
  | {
      view: 'gate';
      approvalId: string;
      armedBy: string | null;
      armedUntil: number | null;
      escalated?: true;
      asksDenialReason?: true;
      changing?: true;
    }
  /**
   * `head` is somebody else's commit that it shows, and that a tap on it takes; `question` is what an
   * agent asks, and a tap answers.
   */
  | { view: 'attention'; head?: string; question?: string }
  | { view: 'ended' }
  /**
   * Words of somebody on the code host; a person may hand them to the agent, and is then named in
   * `passedBy`.
   */
  | {
      view: 'comment';
      author: string;
      access: 'write' | 'read' | 'unknown';
      body: string;
      url: string;
      forwardedBy: string | null;
      /** A program wrote it. */
      bot?: true;
    }
  /** Changes of a campaign that are alike: a tap signs each by itself. */
  | ClusterView
  /**
   * How a campaign stands, and what can be decided about it; `asks` what is to be tapped once more,
   * `classes` the failures and `lessons` the words to choose from, `runs` those whose pull requests
   * are closed, `asked` what repositories ask before work begins; `owner` said no too often.
   * `standing` is how its runs stood when it was drawn by itself.
   */
  | {
      view: 'campaign';
      campaign: string;
      asks?: 'close' | 'retry' | 'teach' | 'withdraw' | 'idle' | 'first';
      classes?: FailureClass[];
      lessons?: CampaignLesson[];
      asked?: AskedFirst[];
      runs?: string[];
      owner?: string;
      standing?: string;
    }
  /** F7: remarks of reviewers, and what is proposed about each; `begun` once somebody tapped. */
  | { view: 'triage'; card: string; page: number; begun: StartedTriage | null }
  /**
   * Why the code host cannot be read, of all runs of the chat that share the spell; or that it can
   * be again.
   */
  | { view: 'outage'; outageId: string }
  /** A budget is used up but for a little. */
  | { view: 'budget'; budget: BudgetKind; used: number; limit: number }
  /**
   * A provider is waited for, or the code host, and it takes long; `others` are runs that wait for
   * the same.
   */
  | {
      view: 'provider_wait';
      for?: 'host';
      class: FailureClass;
      since: number;
      until: number;
      others?: string[];
    }
  /** Edits that did not stay. */
  | { view: 'discarded_edits'; discardedEdits: DiscardedEdits }
  /**
   * C4: what somebody's own words are taken for; a tap gives the command. Several choices differ in
   * the command or in the run.
   */
  | {
      view: 'command_choice';
      choices: CommandChoice[];
      /** C7: what a model says of them. */
      modelAnswer?: { by: string; text: string };
    }
  /** What waits for somebody after their quiet hours; the cards follow. */
  | { view: 'morning_summary'; chat: string }
  | { view: 'note'; note: ChatNote }
  /**
   * Whom AgentPR works with cannot be used, or can be again after so long (ms). `name` is what
   * people call it.
   */
  | {
      view: 'connection';
      kind: 'chat' | 'forge' | 'engine';
      name: string;
      says: string;
      backAfterMs: number | null;
      refusal?: HostRefusal;
    }
  /**
   * C2: one page of the change, in the message that is edited from page to page; `sha` is the commit
   * that it shows. It goes with the card of `approvalId`, where there is one.
   */
  | {
      view: 'diff_page';
      sha: string;
      approvalId: string | null;
      since: 'base' | 'pushed';
      file: number;
      page: number;
    }
  /** C2: pictures before and after the change, as one album. */
  | { view: 'pictures'; sides: PictureSide[] }
  /** `asks`: an answer to just this message is waited for. */
  | { view: 'reply'; html: string; buttons: ReplyButton[][]; asks?: true }
  | { view: 'document'; name: string; caption: string; artifact: string }
  /**
   * The whole change as a file, what it adds to what was pushed, or what somebody else's push adds
   * to that.
   */
  | { view: 'patch'; since: 'base' | 'pushed' | 'theirs' }
  /** O4: the whole table of a report as a file. */
  | ({ view: 'report' } & ReportScope);

/**
 * `says` is what somebody would have written in place of the tap; `copies` goes to the clipboard,
 * `opens` is an address.
 */
export type ReplyButton = { verb: string; text: string; runId: string } & Partial<
  Record<'says' | 'opens' | 'copies', string>
>;

/** What was begun, by whom. */
export type StartedTriage = { by: string; fix: number; reply: number; ignore: number };

/** A command as it would have been typed; `told` is read again when it is given. */
export type CommandChoice = { command: string; parameters: Record<string, unknown>; targets: ChoiceTarget[] };
/**
 * How the run stood then: what has moved on since is left alone. A run that is not there yet has no
 * epoch.
 */
export type ChoiceTarget = { run: string; epoch: number | null; approval: string | null };

export type WorkEffect =
  /** Waits for a free slot, then starts the run. */
  | { kind: 'start_run' }
  /** Prepares the workspace and learns the contract. */
  | { kind: 'discover' }
  /** Installs and checks on the base commit; `anew` where no earlier answer will do. */
  | { kind: 'check_base'; fresh: boolean }
  /** One agent round, then harvest into a commit. */
  | { kind: 'implement'; round: AgentRound }
  /** Our checks on a fresh export of the commit, then the assessment. */
  | { kind: 'check'; commitSha: string }
  | { kind: 'push'; commitSha: string; expectedHead: string | null; approvalId: string | null }
  | { kind: 'open_pr'; approvalId: string; digest: string }
  /** Judges and seals what a person wrote in place of our words. */
  | {
      kind: 'modify_proposal';
      approvalId: string;
      words: PullText;
      answer?: RecordedAnswer;
      by: string;
      reason: string;
    }
  /** Asks the forge for facts, again and again while the state lasts. */
  | { kind: 'poll'; intervalMs: number }
  /** Makes the next `observe` due: what was seen should have settled by now (F3). */
  | { kind: 'expedite_poll' }
  | { kind: 'rerun_ci'; sha: string }
  /** Judges and seals the answers that are ready. */
  | { kind: 'seal_replies' }
  /** Posts what was signed, each answer once. */
  | { kind: 'reply'; approvalId: string; digest: string }
  /** Brings the change onto today's base branch. */
  | { kind: 'merge_base' }
  /** Compares the change with the base that its pull request was moved to. */
  | { kind: 'compare_base' }
  /** Reads somebody else's head of our branch; `takenBy` wants to go on from exactly this one. */
  | { kind: 'read_head'; sha: string; adoptedBy: string | null }
  /** Closes a pull request of ours, with these words to its maintainers. */
  | { kind: 'close_pr'; pull: string; words: string }
  /** Removes the workspace of a run that ended. */
  | { kind: 'remove_workspace' };

export type Effect =
  | { do: WorkEffect; dueAt: number }
  /** A timer, or an auto-advance rule: an input that is offered when it is due. */
  | { do: { kind: 'offer_input'; input: Input }; dueAt: number }
  /**
   * A chat message. Two with the same `slot` are one message edited in place, and only the newest
   * waiting one is sent. `urgent` ones go before everything else in their chat; `sound` rings the
   * phone. A `fresh` one is a new message whatever its slot was sent as.
   */
  | { do: Telling; dueAt: number };

type Telling = {
  kind: 'chat_message';
  slot: string | null;
  content: MessageView;
  urgent: boolean;
  sound: boolean;
  newMessage?: boolean;
  /** It is pinned once it is there. */
  pin?: boolean;
};

export type EffectKind = Effect['do']['kind'];

/** A change of the approvals table; each must hit exactly one live row, or the whole step fails. */
export type ApprovalChange =
  | { op: 'open'; id: string; kind: ApprovalKind; digest: string; expiresAt: number; needed: number }
  | { op: 'sign'; id: string; by: string | null; name: string; at: number }
  /** Nobody could answer for a while: that time is added. */
  | { op: 'extend'; id: string; expiresAt: number }
  /**
   * Binds the approval to the effect at this index of the same step: a re-claim of that effect is
   * not a second use.
   */
  | { op: 'consume'; id: string; digest: string; at: number; effectIndex: number }
  /**
   * The push that used it up is done: the opening at this index goes on by the same signature, once.
   */
  | { op: 'pass_on'; id: string; digest: string; effectIndex: number }
  | { op: 'close'; id: string; state: 'void' | 'denied' | 'expired'; reason: Reason };

/** The chat that hears of a view: cards go to whoever may sign them. */
export const chatFor = (order: Pick<Order, 'chat' | 'decider'>, show: MessageView): string | null =>
  isCard(show) ? (order.decider ?? order.chat) : order.chat;
const isCard = (show: MessageView): boolean =>
  show.view === 'gate' ||
  show.view === 'pictures' ||
  (show.view === 'attention' && show.question !== undefined);
