/** Effects: outside or later work as data, stored with the event that requested it. */
import type { OrderExpectation, ReportScope } from '#model/reports';
import type { FailureClass } from '#model/failure';
import type { OfferedLesson } from '#model/feedback';
import type { ClusterView, ChatNote } from '#model/chat';
import type { Order } from '#model/order';
import type { AskedFirst, RecordedAnswer } from '#model/requirements';
import type { BudgetKind } from '#model/limits';
import type { SpendingAmount, SpendingLimit } from '#model/spending';
import type { DiscardedEdits, PictureSide } from '#model/change';
import type { PullText } from '#model/pull';
import type { Reason } from '../run/reasons.ts';
import type { ApprovalKind, PersonQuestion, RepeatedCall } from '../run/run.ts';
import type { Input } from '../run/input-types.ts';
import type { AgentRound } from '../run/round-table.ts';

/** Content of a chat message. It is rendered when it is sent, from the run as it is then. */
export type MessageView =
  | { view: 'progress' }
  /** `escalated`: nobody decided for long. `asksDenialReason`, `changing`: the reply is advice. */
  | {
      view: 'gate';
      approvalId: string;
      armedBy: string | null;
      armedUntil: number | null;
      escalated?: true;
      asksDenialReason?: true;
      changing?: true;
    }
  /** `head` is a foreign commit that a tap adopts; `question` is the agent's, answered by a tap. */
  /** `answered`: the run left the state that called for somebody. */
  | { view: 'attention'; head?: string; question?: string; answered?: true }
  /** Alike questions of several agents: a tap answers each by itself. */
  | QuestionsView
  /** E21: what became of a person's question; `question` is as it stands then. */
  | { view: 'answer'; question: PersonQuestion }
  | { view: 'ended' }
  /** A comment from the code host; `forwardedBy` gave it to the agent. */
  | {
      view: 'comment';
      author: string;
      access: 'write' | 'read' | 'unknown';
      body: string;
      url: string;
      forwardedBy: string | null;
      bot?: true;
    }
  /** Similar changes of a campaign: a tap signs each by itself. */
  | ClusterView
  /** `asks` needs a second tap; `asked` is required before work; `owner` refused too often. */
  | {
      view: 'campaign';
      campaign: string;
      asks?: 'close' | 'retry' | 'teach' | 'withdraw' | 'idle' | 'first';
      classes?: FailureClass[];
      lessons?: OfferedLesson[];
      asked?: AskedFirst[];
      runs?: string[];
      /** How many pull requests might be open when the message was sent. */
      limit?: number;
      owner?: string;
      standing?: string;
    }
  /** F7: remarks of reviewers and proposals for each; `begun` is set after the tap. */
  | { view: 'triage'; card: string; page: number; begun: StartedTriage | null }
  /** F7: reviewers wait for an answer; `over`: none of them does any more. */
  | { view: 'open_remarks'; remarks: string[]; closes: boolean; settled?: true }
  /** Reason for an outage shared by runs of the chat, or its end. */
  | { view: 'outage'; outageId: string }
  | { view: 'budget'; budget: BudgetKind; used: number; limit: number }
  /**
   * P7: a limit above runs is near, or used up; `shares` are the largest. `person` is the name of
   * whom it limits; `changed` is the limit since then, and who raised it, where somebody did.
   */
  | {
      view: 'spending';
      what: 'warned' | 'used_up';
      limit: SpendingLimit;
      used: SpendingAmount;
      shares: (SpendingAmount & { name: string })[];
      person?: string;
      changed?: { limit: SpendingLimit; by: string | null };
    }
  /** A long wait for a provider or the code host; `others` are runs that wait for the same. */
  | {
      view: 'provider_wait';
      for?: 'host';
      class: FailureClass;
      since: number;
      until: number;
      others?: string[];
    }
  /** The agent repeats a call and works on; `answered` is what a person chose. */
  /** E21: what was asked for again; `kept` says by whom it became a note. */
  | {
      view: 'note_offer';
      repo: string;
      text: string;
      from: 'person' | 'maintainer';
      before: { run: string; text: string };
      kept: string | null;
    }
  | (RepeatedCall & { view: 'repeated_call'; answered: null | 'stopped' | 'left' | 'over' })
  | { view: 'discarded_edits'; discardedEdits: DiscardedEdits }
  /** C4: commands that free text may mean; a tap gives one. */
  | {
      view: 'command_choice';
      choices: CommandChoice[];
      modelAnswer?: { by: string; text: string };
      expected?: OrderExpectation;
    }
  /** C10: words of a voice note; only a tap of `speaker` makes them input. */
  | {
      view: 'transcript';
      words: string;
      speaker: string;
      messageId: string;
      replyTo: string | null;
      repliedTo: { bot: string; text: string } | null;
      asking: string | null;
      outcome: null | 'used' | 'dropped';
    }
  | { view: 'morning_summary'; chat: string }
  | { view: 'note'; note: ChatNote }
  /** A connection failed, or works again after this long (ms). `name` is its display name. */
  | {
      view: 'connection';
      kind: 'chat' | 'forge' | 'engine';
      name: string;
      says: string;
      backAfterMs: number | null;
      findings?: readonly { kind: string }[];
    }
  /** C2: one page of the change, edited in place; `sha` is the commit shown. */
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
  | { view: 'reply'; html: string; buttons: ReplyButton[][]; asks?: true; unfinished?: UnfinishedOrder }
  | { view: 'document'; name: string; caption: string; artifact: string }
  | { view: 'patch'; since: 'base' | 'pushed' | 'theirs' | 'unfinished' }
  /** O4: a report's whole table as a file. */
  | ({ view: 'report' } & ReportScope);

/** What a person has said so far, and what the next message of that person may complete. */
export type UnfinishedOrder = { by: string } & (
  | { lacks: 'rest'; text: string }
  /** The id of the run stands between the two. */
  | { lacks: 'run'; before: string; after: string }
  | { lacks: 'repository'; command: 'new' | 'batch'; goal: string }
  | { lacks: 'goal'; command: 'new' | 'batch'; repositories: string }
);

/** `says` is the text that a tap stands for, `copies` goes to the clipboard, `opens` is a URL. */
export type ReplyButton = { verb: string; text: string; runId: string } & Partial<
  Record<'says' | 'opens' | 'copies', string>
>;

export type QuestionMember = { run: string; question: string; digest: string };
export type QuestionsView = { view: 'questions'; members: QuestionMember[]; answered?: number };

export type StartedTriage = { by: string; fix: number; reply: number; ignore: number };

export type CommandChoice = { command: string; parameters: Record<string, unknown>; targets: ChoiceTarget[] };
/** A choice is void once the run has moved on. A new run has no epoch. */
export type ChoiceTarget = { run: string; epoch: number | null; approval: string | null };

export type WorkEffect =
  | { kind: 'start_run' }
  | { kind: 'discover' }
  /** Installs and checks on the base commit; `fresh` ignores stored results. */
  | { kind: 'check_base'; fresh: boolean }
  | { kind: 'implement'; round: AgentRound }
  /** E21: has the agent answer in its session, read-only. */
  | { kind: 'answer_question'; question: string; askedAt: number }
  /** Runs our checks on a fresh export of the commit, then assesses it. */
  | { kind: 'check'; commitSha: string }
  | { kind: 'push'; commitSha: string; expectedHead: string | null; approvalId: string | null }
  | { kind: 'open_pr'; approvalId: string; digest: string }
  | {
      kind: 'modify_proposal';
      approvalId: string;
      pullText: PullText;
      answer?: RecordedAnswer;
      by: string;
      reason: string;
    }
  /** Polls the code host, repeatedly while the state lasts. */
  | { kind: 'poll'; intervalMs: number }
  /** Makes the next `poll` due, because what was observed should have settled (F3). */
  | { kind: 'expedite_poll' }
  /** Asks whether the red checks of this head are red on the base as well, or flaky (F6). */
  | { kind: 'compare_checks'; sha: string }
  | { kind: 'rerun_ci'; sha: string }
  | { kind: 'seal_replies' }
  | { kind: 'reply'; approvalId: string; digest: string }
  | { kind: 'update_from_base' }
  | { kind: 'compare_base' }
  /** Reads a foreign head of our branch; `adoptedBy` wants to continue from exactly this one. */
  | { kind: 'read_head'; sha: string; adoptedBy: string | null }
  /** F13: sets labels and people of an open pull request as signed, or ends its draft. */
  | { kind: 'set_up_pull'; pull: string; what: 'fields' | 'ready' }
  | { kind: 'close_pr'; pull: string; words: string }
  /** F5: posts the pull request's link where the order came from, once. */
  | { kind: 'comment_on_item'; pull: string }
  | { kind: 'remove_workspace' };

export type Effect =
  | { do: WorkEffect; dueAt: number }
  /** A timer or an auto-advance rule: offers an input when it is due. */
  | { do: { kind: 'offer_input'; input: Input }; dueAt: number }
  /** Two with one `slot` are one message, edited in place; `fresh` starts a new one. */
  | { do: Telling; dueAt: number };

type Telling = {
  kind: 'chat_message';
  slot: string | null;
  content: MessageView;
  urgent: boolean;
  sound: boolean;
  newMessage?: boolean;
  pin?: boolean;
};

export type EffectKind = Effect['do']['kind'];

/** A change of the approvals table; it must hit exactly one live row, or the step fails. */
export type ApprovalChange =
  | { op: 'open'; id: string; kind: ApprovalKind; digest: string; expiresAt: number; needed: number }
  | { op: 'sign'; id: string; by: string | null; name: string; at: number }
  | { op: 'extend'; id: string; expiresAt: number }
  /** Binds the approval to an effect of the same step: a re-claim is not a second use. */
  | { op: 'consume'; id: string; digest: string; at: number; effectIndex: number }
  /** The push is done: the opening at this index uses the same signature, once. */
  | { op: 'pass_on'; id: string; digest: string; effectIndex: number }
  | { op: 'close'; id: string; state: 'void' | 'denied' | 'expired'; reason: Reason };

/** An answer comes where it was asked for, or else below the card. */
export const chatFor = (order: Pick<Order, 'chat' | 'decider'>, show: MessageView): string | null => {
  if (show.view === 'answer' && show.question.chat !== null) return show.question.chat;
  return isCard(show) ? (order.decider ?? order.chat) : order.chat;
};
const isCard = (show: MessageView): boolean =>
  show.view === 'gate' ||
  show.view === 'pictures' ||
  show.view === 'answer' ||
  (show.view === 'attention' && show.question !== undefined);
