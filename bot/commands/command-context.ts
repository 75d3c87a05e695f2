/** What every command and tap works with: who asks, where, and the few ways to answer. */
import type { NewCampaign } from '../../orchestrator/commands/campaign-order.ts';
import type { WrongArgument } from '../../orchestrator/commands/command-problems.ts';
import type { CostCautionOf } from '../../orchestrator/core/cost-caution.ts';
import type { MessageView } from '../../orchestrator/core/machine/effect-types.ts';
import type { Order, PromptExperiment } from '../../orchestrator/core/order.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Step } from '../../orchestrator/core/machine/machine.ts';
import type {
  SystemClock,
  IdSource,
  InboxRow,
  IncomingItem,
  Ledger,
  ChangePatch,
  ChatReply,
  StepOutcome,
} from '../../orchestrator/ports.ts';
import { sha256Hex } from '../../orchestrator/engine/content-hash.ts';
import type { createEditJudge } from '../../orchestrator/effects/judge-permission.ts';
import type { ReportService } from '../../orchestrator/engine/reports.ts';
import type { RuntimeSettings } from '../../orchestrator/engine/runtime-settings.ts';
import type { SubmitInput } from '../../orchestrator/engine/submit.ts';
import type { LanguageTexts, WordsFor } from '../language/languages.ts';
import type { UserRole } from '../../orchestrator/core/roles.ts';
import type { ReadSentFile } from '../received-files.ts';
import type { ReadableLog } from '../../orchestrator/ports.ts';
import type { ChatModel } from '../model/chat-model.ts';
import type { InboundUpdate, SentFile } from './inbound-update.ts';
import type { ChatRoles } from './user-roles.ts';
import type { ButtonTokens } from './button-tokens.ts';
import { escapedSentence } from '../text/telegram-html.ts';
import type { AnswerButton } from '../views/fleet-screen.ts';

/** The bytes of a file of a commit; null where there is none, or it is too large to be shown. */
export type FileOf = (runId: string, sha: string, path: string) => Promise<Uint8Array | null>;

type EditJudge = ReturnType<typeof createEditJudge>;

export type BotParts = {
  submit: SubmitInput;
  ledger: Pick<
    Ledger,
    'campaigns' | 'settleInbox' | 'artifact' | 'setSetting' | 'setUser' | 'removeUser' | 'query'
  >;
  /** Takes in what is handled beside the chat; durable when it resolves. */
  receive(items: readonly IncomingItem[]): Promise<unknown>;
  /** Hears that something was decided about a campaign. */
  onCampaign?: () => void;
  clock: SystemClock;
  ids: IdSource;
  tokens: ButtonTokens;
  /** `script` is the command of the script engine, with its arguments. */
  defaults: Pick<Order, 'engine' | 'bounds' | 'promptVersion'> & {
    script: readonly string[];
    /** Prompts on trial; left out where none are. */
    trial?: PromptExperiment | null;
  };
  /** What an order may name in place of the default. */
  engines: readonly string[];
  promptVersions: readonly string[];
  /** E18: what is known of the cost of engines before one is started; left out where nothing is. */
  costs?: {
    /** The day of the price list, `2026-11-22`. */
    pricesAsOf: string;
    cautionOf: CostCautionOf;
  };
  roles: ChatRoles;
  /** Whether the code host writes its repositories so; `host` is where their address leads. */
  isRepository(name: string, host?: string | null): boolean;
  /** What policies say of a command that a person would put in place of an agent's. */
  judgeEdit: EditJudge;
  /** Row 16: what may be set while we run. */
  house?: RuntimeSettings;
  /** O4: what runs took. */
  reports?: ReportService;
  /** Hears whose rights or language may have changed. */
  onMember?: (user: string) => void;
  /** Reads what the chat stored; never throws. */
  read(body: unknown): InboundUpdate;
  /** Whether the chat calls its people so. */
  isPerson(id: string): boolean;
  /**
   * Whether a message was there before another of the same chat, by their ids alone: no clock is
   * asked.
   */
  isEarlier(messageId: string, than: string): boolean;
  /** Private chats of those who may sign, for the cards of runs that somebody else asked for. */
  deciders: readonly string[];
  patch: PatchOf;
  /** What was sent to us as a file; left out where the chat has none. */
  sentFile?: ReadSentFile;
  fileOf?: FileOf;
  /** Where the pages of the code host are. */
  serverUrl?: string;
  /** Who we are at the code host, once that is known. */
  account?: () => string | null;
  /** A log of any size, cut down to its first failure and its summary. */
  distillLog(log: string): Promise<string>;
  /** C2: what an agent printed, each call apart. */
  readLog(log: string): Promise<ReadableLog>;
  /** F5: what came as a file beside these words. */
  readSentList(content: string, words: string): Promise<{ value: NewCampaign } | WrongArgument>;
  /** Our own @name without the at, once it is known. */
  botName(): string | null;
  /** How messages come in. */
  updates?: 'webhook' | 'polling';
  wordsFor: WordsFor;
  /** C7: who may be asked what the grammar does not understand. */
  model?: ChatModel | null;
};

/**
 * What the run's commit changes against its base or against what was pushed last, or what somebody
 * else's push changes against the latter; null when there is none.
 */
export type PatchOf = (runId: string, since?: 'base' | 'pushed' | 'theirs') => Promise<ChangePatch | null>;

/** One update by somebody who may at least read. */
export type CommandContext = BotParts & {
  row: InboxRow;
  user: string;
  name: string;
  role: UserRole;
  chat: string;
  /** What came with the words. */
  file: SentFile | null;
  /** The words stood below a picture. */
  captioned: boolean;
  /** The chat is this person's own. */
  private: boolean;
  /** The tag that their program speaks. */
  language: string | null;
  words: LanguageTexts;
  /** The slot of the screen whose button was tapped: what it leads to takes its place. */
  screen: string | null;
  /** Goes with whatever ends this update: what becomes of the message whose button was tapped. */
  also: CommandReply | null;
  /**
   * What they asked, word for word: the same question, asked again before it was answered, is
   * answered once.
   */
  question: string;
};

export type CommandReply = Omit<ChatReply, 'chat'>;

export const htmlReply = (
  html: string,
  buttons: AnswerButton[][] = [],
  runId: string | null = null,
): CommandReply => ({
  slot: null,
  show: { view: 'reply', html, buttons },
  urgent: true,
  sound: false,
  runId,
});
export const plainReply = (text: string, runId: string | null = null): CommandReply =>
  htmlReply(escapedSentence(text), [], runId);

/** A screen with buttons that lead from page to page of it, in one message. */
export const screenReply = (
  c: Pick<CommandContext, 'screen' | 'row'>,
  html: string,
  buttons: AnswerButton[][],
): CommandReply => ({
  ...htmlReply(html, buttons),
  slot: c.screen ?? `screen:${c.row.id}`,
});

/** A view of a run in answer to somebody; a slot edits the message that it names. */
export const viewReply = (
  show: MessageView,
  runId: string | null,
  slot: string | null = null,
): CommandReply => ({
  slot,
  show,
  urgent: true,
  sound: false,
  runId,
});

/**
 * A fresh copy of the run's card at the bottom of the chat. The inbox row in its slot makes it a
 * new message, once.
 */
export const cardCopy = (c: CommandContext, runId: string, approvalId: string): CommandReply =>
  viewReply(
    { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    runId,
    `gate:${approvalId}:${c.row.id}`,
  );

const addressed = (c: Pick<CommandContext, 'chat' | 'also'>, answers: readonly CommandReply[]): ChatReply[] =>
  [...answers, ...(c.also ? [c.also] : [])].map((a) => ({ ...a, chat: c.chat }));

/**
 * Takes the place of an answer to the same question that still waits to be sent; it is a message of
 * its own all the same.
 */
const once = (c: Pick<CommandContext, 'question'>, answers: readonly CommandReply[]): CommandReply[] =>
  answers.map((a, i) => (a.slot === null ? { ...a, slot: slotOf(c.question, i), fresh: true } : a));
const slotOf = (question: string, i: number): string => `asked:${sha256Hex(question).slice(0, 24)}:${i}`;

/** Answers that may wait in a chat before what only asks is put off. */
const MOST_WAITING = 8;

/**
 * L8: whether what only asks is to be put off, since the chat takes no more messages for now. What
 * is asked again is not: its answer replaces the one that waits, unless it is `dear` to make and
 * waits already.
 */
export const isBusy = async (c: CommandContext, dear: boolean): Promise<boolean> => {
  const waiting = await c.ledger.query.answersWaiting(c.chat);
  return waiting.includes(slotOf(c.question, 0)) ? dear : waiting.length >= MOST_WAITING;
};

/** Said once, however often it is true. */
export const putOff = (c: CommandContext): Promise<void> =>
  settleUpdate(
    { ...c, question: 'busy', also: null },
    'too many answers wait',
    plainReply(c.words.replies.busy),
  );

/** Ends an update that changes nothing in a run. */
export const settleUpdate = async (
  c: CommandContext,
  note: string,
  ...answers: CommandReply[]
): Promise<void> =>
  c.ledger.settleInbox(
    c.row.id,
    { kind: 'done', note, replies: addressed(c, once(c, answers)) },
    c.clock.now(),
  );

/** L8: refusals, too, are put off where too many answers wait: whoever is silenced may go on asking. */
export const refuseUpdate = async (
  c: CommandContext,
  note: string,
  ...answers: CommandReply[]
): Promise<void> => ((await isBusy(c, false)) ? putOff(c) : settleUpdate(c, note, ...answers));

/** Offers an input; the update ends in the same transaction (S4, L2). */
export const offerInput = (
  c: CommandContext,
  runId: string,
  input: Input,
  replies: (step: Step, before: Run | null) => CommandReply[],
): Promise<StepOutcome> =>
  c.submit({
    runId,
    input,
    key: `chat:${c.row.key}`,
    // guard: L2-ends-with-step
    cause: { kind: 'inbox', id: c.row.id },
    // What was done is told of each time; that nothing was done, once.
    replies: (step, before) => {
      const answers = replies(step, before);
      return addressed(c, step.kind === 'moved' ? answers : once(c, answers));
    },
  });

/** People type ids in any case; ids themselves differ by more than case. */
export const findRun = async (query: Ledger['query'], id: string): Promise<Run | null> => {
  for (const spelling of new Set([id, id.toLowerCase(), id.toUpperCase()])) {
    const run = await query.run(spelling);
    if (run) return run;
  }
  const recent = await query.runs({ live: false, limit: 200 });
  return recent.find((r) => r.id.toLowerCase() === id.toLowerCase()) ?? null;
};
