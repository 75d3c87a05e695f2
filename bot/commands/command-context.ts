/** Defines what commands and taps work with: the user, the chat, and the ways to reply. */
import type { OpeningRules } from '../views/rule-lines.ts';
import type { NewCampaign } from '#orders';
import type { WrongArgument } from '#model/chat';
import type { CostCautionOf } from '#model/targets';
import type { Order, PromptExperiment, SentPicture } from '#model/order';
import type { RaiseOutcome, RaiseRequest, SpendingReport } from '#limits';
import type { UserRole } from '#model/settings';
import type { MessageView, Step } from '#effects';
import type { Run } from '#run';
import type { Input } from '#inputs';
import { sha256Hex, type SubmitInput } from '#runtime';
import type { SystemClock, IdSource } from '#ports/processes';
import type { InboxRow, IncomingItem, ChatReply, NewStepArtifact, StepOutcome } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { ChangePatch, ReadableLog } from '#ports/workspaces';
import type { createReplacementAssessor } from '#kernel';
import type { ReportService } from '#reports';
import type { BoardAccess } from '#notices';
import type { PasskeyStore } from '#passkeys';
import type { RuntimeSettings } from '#settings';
import type { LanguageTexts, WordsFor } from '../language/languages.ts';
import type { ReadSentFile } from '../received-files.ts';
import type { ChatModel } from '../model/chat-model.ts';
import type { VoiceNotes } from '../voice/voice-notes.ts';
import type { InboundUpdate, SentFile } from './inbound-update.ts';
import type { ChatRoles } from './user-roles.ts';
import type { ButtonTokens } from './button-tokens.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import type { AnswerButton } from '../views/screen-rows.ts';

export type FileOf = (runId: string, sha: string, path: string) => Promise<Uint8Array | null>;

export type ReadPages = (patch: string) => Promise<void>;

type BotBoard = { access: BoardAccess; address: () => string | null; passkeys: PasskeyStore };

type ReplacementAssessor = ReturnType<typeof createReplacementAssessor>;

export type ChatTraits = {
  /** Reads a stored update; never throws. */
  read(body: unknown): InboundUpdate;
  isPerson(id: string): boolean;
  /** G3: the account that has the role and the settings of a person with several. */
  mainAccountOf?(id: string): string;
  /** Tells in the chat of an invitation how its holder joins. */
  invitationText?(code: string): string;
  isEarlier(messageId: string, than: string): boolean;
  deciders: readonly string[];
  /** Our own username without `@`; null until it is known. */
  botName(): string | null;
  sentFile?: ReadSentFile;
  voice?: VoiceNotes | null;
};

export type PeopleParts = {
  roles: ChatRoles;
  wordsFor: WordsFor;
  onMember?: (user: string) => void;
  /** G7: by user id, as the configuration has them. */
  publicNames?: Readonly<Record<string, string>>;
};

export type EngineParts = {
  names: readonly string[];
  proposing?: readonly string[];
  promptVersions: readonly string[];
  defaults: Pick<Order, 'engine' | 'bounds' | 'promptVersion'> & {
    script: readonly string[];
    trial?: PromptExperiment | null;
  };
  seesPictures?: (engine: string) => boolean;
  /** E18: known cost cautions of engines; absent without prices. */
  costs?: { listOfPrices: () => string; cautionOf: CostCautionOf };
  assessReplacement: ReplacementAssessor;
};

type HostParts = {
  isRepository(name: string, host?: string | null): boolean;
  serverUrl?: string;
  account?: () => string | null;
  updates?: 'webhook' | 'polling';
  /** O5: absent where no board is served; `address` is null before it listens. */
  board?: BotBoard | null;
};

type ReaderParts = {
  patch: PatchOf;
  /** O10: reads the pages of a long patch in a thread, before one of them is drawn. */
  readPages: ReadPages;
  fileOf?: FileOf;
  distillLog(log: string): Promise<string>;
  readLog(log: string): Promise<ReadableLog>;
  readSentList(content: string, words: string): Promise<{ value: NewCampaign } | WrongArgument>;
};

export type ServiceParts = {
  runtimeSettings?: RuntimeSettings;
  openingRules?: () => OpeningRules;
  reports?: ReportService;
  costs?: {
    read(): Promise<SpendingReport>;
    raise(request: RaiseRequest): Promise<RaiseOutcome | null>;
  };
  model?: ChatModel | null;
  onCampaign?: () => void;
};

export type BotParts = {
  submit: SubmitInput;
  ledger: Pick<
    Ledger,
    | 'campaigns'
    | 'settleInbox'
    | 'reopenInbox'
    | 'dropInbox'
    | 'artifact'
    | 'setSetting'
    | 'changeSetting'
    | 'setUser'
    | 'removeUser'
    | 'query'
  >;
  /** Resolves when the items are durable; they are handled in the background. */
  receive(items: readonly IncomingItem[]): Promise<unknown>;
  clock: SystemClock;
  ids: IdSource;
  tokens: ButtonTokens;
  adapter: ChatTraits;
  people: PeopleParts;
  engines: EngineParts;
  host: HostParts;
  readers: ReaderParts;
  services: ServiceParts;
};

/**
 * `theirs` is somebody else's push, compared with our last one; `card` is what was pushed for the card
 * before; `unfinished` is what a stopped agent left uncommitted, `isElsewhere` that another process has it. Returns null without a patch.
 */
export type PatchOf = (
  runId: string,
  since?: 'base' | 'pushed' | 'theirs' | 'card' | 'unfinished',
) => Promise<(ChangePatch & { isElsewhere?: true }) | null>;

export type CommandContext = BotParts & {
  row: InboxRow;
  user: string;
  name: string;
  role: UserRole;
  chat: string;
  file: SentFile | null;
  picture: SentPicture | null;
  private: boolean;
  language: string | null;
  words: LanguageTexts;
  /** Slot of the tapped button's screen; the next screen replaces it. */
  screen: string | null;
  /** Sent together with the reply: the new content of the tapped message. */
  also: CommandReply | null;
  /** Exact text of the question; a repetition does not queue a second answer. */
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
  htmlReply(escapeSentence(text), [], runId);

export const screenReply = (
  context: Pick<CommandContext, 'screen' | 'row'>,
  html: string,
  buttons: AnswerButton[][],
): CommandReply => ({
  ...htmlReply(html, buttons),
  slot: context.screen ?? `screen:${context.row.id}`,
});

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

/** Returns a new copy of the card; the inbox row in its slot prevents a second one. */
export const cardCopy = (context: CommandContext, runId: string, approvalId: string): CommandReply =>
  viewReply(
    { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    runId,
    `gate:${approvalId}:${context.row.id}`,
  );

const toChats = (
  context: Pick<CommandContext, 'chat' | 'also'>,
  answers: readonly CommandReply[],
): ChatReply[] =>
  [...answers, ...(context.also ? [context.also] : [])].map((a) => ({ ...a, chat: context.chat }));

/** Replaces an unsent answer to the same question; sent as a new message. */
const withQuestionSlots = (
  context: Pick<CommandContext, 'question'>,
  answers: readonly CommandReply[],
): CommandReply[] =>
  answers.map((a, i) => (a.slot === null ? { ...a, slot: slotOf(context.question, i), fresh: true } : a));
const slotOf = (question: string, index: number): string =>
  `asked:${sha256Hex(question).slice(0, 24)}:${index}`;

/** Queued answers per chat above which read-only questions are answered with “ask again”. */
const MOST_WAITING = 8;

/** L8: tells whether a read-only question has to be asked again: the queue is full, or a `dear` one is queued. */
export const isBusy = async (context: CommandContext, { dear }: { dear: boolean }): Promise<boolean> => {
  const waiting = await context.ledger.query.answersWaiting(context.chat);
  return waiting.includes(slotOf(context.question, 0)) ? dear : waiting.length >= MOST_WAITING;
};

/** Sent at most once while the queue is full. */
export const replyBusy = (context: CommandContext): Promise<void> =>
  settleUpdate(
    { ...context, question: 'busy', also: null },
    'too many answers wait',
    plainReply(context.words.replies.busy),
  );

export const settleUpdate = async (
  context: CommandContext,
  note: string,
  ...answers: CommandReply[]
): Promise<void> =>
  context.ledger.settleInbox(
    context.row.id,
    { kind: 'done', note, replies: toChats(context, withQuestionSlots(context, answers)) },
    context.clock.now(),
  );

/** L8: refusals are deferred, too, when the chat's queue is full. */
export const refuseUpdate = async (
  context: CommandContext,
  note: string,
  ...answers: CommandReply[]
): Promise<void> =>
  (await isBusy(context, { dear: false })) ? replyBusy(context) : settleUpdate(context, note, ...answers);

/** S4, L2: submits an input and ends the update in the same transaction. */
export const offerInput = (
  context: CommandContext,
  runId: string,
  input: Input,
  replies: (step: Step, before: Run | null) => CommandReply[],
  artifacts: readonly NewStepArtifact[] = [],
): Promise<StepOutcome> =>
  context.submit({
    artifacts,
    runId,
    input,
    key: `chat:${context.row.key}`,
    // guard: L2-ends-with-step
    cause: { kind: 'inbox', id: context.row.id },
    // Successes are reported each time, refusals of the same question once.
    replies: (step, before) => {
      const answers = replies(step, before);
      return toChats(context, step.kind === 'moved' ? answers : withQuestionSlots(context, answers));
    },
  });

/** Ids are case-sensitive, but people type them in any case. */
export const findRun = async (query: Ledger['query'], id: string): Promise<Run | null> => {
  for (const spelling of new Set([id, id.toLowerCase(), id.toUpperCase()])) {
    const run = await query.run(spelling);
    if (run) return run;
  }
  const recent = await query.runs({ live: false, limit: 200 });
  return recent.find((r) => r.id.toLowerCase() === id.toLowerCase()) ?? null;
};

/** G7: recorded with the signature, so that a later choice changes no published text. */
export const publicNameField = ({
  people: { publicNames },
  user,
}: CommandContext): { publicName?: string } => {
  const name = publicNames?.[user];
  return name === undefined ? {} : { publicName: name };
};

export const personOf = (context: CommandContext): { id: string; name: string } => ({
  id: context.user,
  name: context.name,
});
