/** Asks for what an order lacks, and completes it with the person's next message (C1). Survives restarts. */
import { roleNeededFor, parseTypedCommand } from '#commands';
import type { NewOrder } from '#orders';
import type { MessageView, UnfinishedOrder } from '#effects';
import type { EffectRow } from '#ports/ledger';
import { isWrongArgument } from '#model/chat';
import { hasRoleAtLeast } from '#model/settings';
import { cutText, MINUTE } from '#model/values';
import type { Run } from '#run';
import { phrasesFor } from '../language/languages.ts';
import { findAside } from '../phrases/clauses.ts';
import { findAddressed } from '../phrases/agent-words.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { currentActivity, shortName } from '../views/run-lines.ts';
import type { AnswerButton } from '../views/screen-rows.ts';
import {
  isBusy,
  plainReply,
  replyBusy,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandContext,
  type CommandReply,
} from './command-context.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { canBeAnswer, splitCommand, type SplitCommand } from './parse-command.ts';
import { findRunsByName, readFleetRuns, toNameable } from './resolve-run.ts';
import { findDelivery } from './verify-card.ts';

type LacksRun = Extract<UnfinishedOrder, { lacks: 'run' }>;
type LackingOrder = Exclude<UnfinishedOrder, LacksRun>;
type ReplyView = Extract<MessageView, { view: 'reply' }>;
type OrderCommand = 'new' | 'batch';
type Message = Pick<Extract<InboundUpdate, { kind: 'message' }>, 'text' | 'replyTo' | 'private'>;

/** Later messages complete nothing, unless they are replies. */
const MAX_PAUSE_MS = 10 * MINUTE;
const MAX_NAMED_REPOSITORIES = 6;
const READ_RUNS = 200;
/** Telegram splits what is longer than 4,096 characters, some apps a little earlier. */
const FULL_MESSAGE_LENGTH = 4_000;
const MAX_MESSAGE_LENGTH = 4_096;

/** A question has the place of its kind, so that the one before it is closed where it stands. */
const slotOf = ({ chat, user }: CommandContext, lacks: UnfinishedOrder['lacks']): string =>
  `unfinished:${chat}:${user}${lacks === 'goal' || lacks === 'run' ? `:${lacks}` : ''}`;

const questionReply = (
  context: CommandContext,
  question: string,
  unfinished: UnfinishedOrder,
  buttons: AnswerButton[][],
): CommandReply => ({
  ...viewReply(
    {
      view: 'reply',
      html: escapeSentence(question),
      buttons,
      unfinished,
      ...(buttons.length === 0 && { asks: true }),
    },
    null,
    slotOf(context, unfinished.lacks),
  ),
  fresh: true,
});

type Open = { order: UnfinishedOrder; closed: CommandReply; askedAt: number };

/** Returns what the person's last question still lacks, if this message can be the answer. */
const findOpen = async (context: CommandContext, message: Message): Promise<Open | null> => {
  if (message.replyTo === null && !message.private) return null;
  const asked = await Promise.all(
    (['repository', 'goal', 'run'] as const).map((lacks) =>
      context.ledger.query.told(slotOf(context, lacks)),
    ),
  );
  const isOpen = ({ do: told }: EffectRow): boolean =>
    told.kind === 'chat_message' && told.content.view === 'reply' && told.content.unfinished !== undefined;
  const [row] = asked
    .flatMap((one) => (one && isOpen(one) ? [one] : []))
    .sort((a, b) => b.dueAt - a.dueAt || b.n - a.n);
  const show = row?.do.kind === 'chat_message' && row.do.content.view === 'reply' ? row.do.content : null;
  if (!row || !show?.unfinished || show.unfinished.by !== context.user) return null;
  const isReply = message.replyTo !== null && findDelivery(row)?.messageId === message.replyTo;
  if (!isReply && (message.replyTo !== null || context.clock.now() - row.dueAt > MAX_PAUSE_MS)) return null;
  const closed = replyWithoutButtons(show, row.slot);
  return { order: show.unfinished, closed, askedAt: row.dueAt };
};

export const replyWithoutButtons = ({ html }: ReplyView, slot: string | null): CommandReply =>
  viewReply({ view: 'reply', html, buttons: [] }, null, slot);

/** Any message ends the question which run was meant, whether it is the answer or not. */
export const withWhichRunQuestionClosed = async (context: CommandContext): Promise<CommandContext> => {
  const row = await context.ledger.query.told(slotOf(context, 'run'));
  const show = row?.do.kind === 'chat_message' ? row.do.content : null;
  return row && show?.view === 'reply' && show.unfinished
    ? { ...context, also: replyWithoutButtons(show, row.slot) }
    : context;
};

/** The new question takes the place of the one that was answered. */
const inItsPlace = (context: CommandContext, { lacks }: UnfinishedOrder): CommandContext =>
  context.also?.slot === slotOf(context, lacks) ? { ...context, also: null } : context;

const isOrderCommand = (name: string): name is OrderCommand => name === 'new' || name === 'batch';
const isRepository = (context: CommandContext, word: string): boolean =>
  word.includes('/') && context.host.isRepository(word.replace(/^https?:\/\/[^/]+\//, ''), null);

/** Returns what `/new` and `/batch` lack, or null when the command itself must say what is wrong. */
export const findMissingPart = (
  context: CommandContext,
  command: string,
  rest: string,
): LackingOrder | null => {
  if (!isOrderCommand(command) || context.file || context.picture) return null;
  const words = rest.split(/[\s,;，；、]+/).filter(Boolean);
  if (words.length === 0) return { by: context.user, lacks: 'repository', command, goal: '' };
  if (words.every((word) => isRepository(context, word)) && (command === 'batch' || words.length === 1))
    return { by: context.user, lacks: 'goal', command, repositories: words.join(' ') };
  const [first = ''] = words;
  const isGoal = (words.length >= 3 || /\p{Script=Han}{4,}/u.test(first)) && !/[/:=]/.test(first);
  return command === 'new' && isGoal ? { by: context.user, lacks: 'repository', command, goal: rest } : null;
};

const listKnownRepositories = async (context: CommandContext): Promise<string[]> => {
  const runs = await context.ledger.query.runs({ live: false, limit: READ_RUNS });
  const all = [...runs].sort((a, b) => b.lifecycle.createdAt - a.lifecycle.createdAt);
  return [...new Set(all.map(({ order }) => order.repo))].slice(0, MAX_NAMED_REPOSITORIES);
};

export const askForMissingPart = async (asked: CommandContext, order: LackingOrder): Promise<void> => {
  const c = inItsPlace(asked, order);
  const { unfinished: say } = c.words;
  const needed = roleNeededFor('new');
  if (!hasRoleAtLeast(c.role, needed))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed)));
  if (order.lacks === 'rest')
    return settleUpdate(c, 'a full message', questionReply(c, say.rest, order, allOf(c, order)));
  if (order.lacks === 'goal') {
    const named = order.repositories.replaceAll(' ', ', ');
    return settleUpdate(c, 'what should change', questionReply(c, say.goal(named), order, []));
  }
  const known = await listKnownRepositories(c);
  const buttonRow = (text: string, names: string): AnswerButton[] => [
    { verb: 'say', text, runId: '', says: `/${order.command} ${names} ${order.goal}`.trim() },
  ];
  const buttons = known.map((repo) => buttonRow(repo, repo));
  if (order.command === 'batch' && known.length > 1)
    buttons.unshift(buttonRow(say.all(known.length), known.join(' ')));
  const question = order.command === 'batch' ? say.repositories : say.repository;
  return settleUpdate(c, 'which repository', questionReply(c, question, order, buttons));
};

const MAX_RUN_BUTTONS = 8;
/** The next message that names a run proposes for it what was meant; `runs` are the likeliest. */
export const askWhichRun = async (
  asked: CommandContext,
  { before, after }: { before: string; after: string },
  runs: readonly Run[] = [],
): Promise<void> => {
  const order: UnfinishedOrder = { by: asked.user, lacks: 'run', before, after };
  const context = inItsPlace(asked, order);
  const buttons = runs.slice(0, MAX_RUN_BUTTONS).map((run): AnswerButton[] => [
    {
      verb: 'say',
      text: cutText(`${shortName(run)} · ${currentActivity(run, context.words)}`, MAX_BUTTON_LENGTH),
      runId: '',
      says: lineFor(order, run.id),
    },
  ]);
  if (await isBusy(context, { dear: false })) return replyBusy(context);
  return settleUpdate(
    context,
    'which one',
    questionReply(context, context.words.replies.whichOne, order, buttons),
  );
};
const MAX_BUTTON_LENGTH = 60;

const lineFor = ({ before, after }: Pick<LacksRun, 'before' | 'after'>, run: string): string =>
  `${before}${run}${after}`.trim();

/** Only a name: words of a sentence are something else. */
const MAX_RUN_NAME_LENGTH = 120;
const findNamed = async (context: CommandContext, said: string): Promise<string | null> => {
  if (said.length > MAX_RUN_NAME_LENGTH) return null;
  if (!/\s/.test(said)) {
    const [run, ...others] = (await findRunsByName(context, said)).runs;
    if (run) return others.length === 0 ? run.id : said;
  }
  const { all } = await readFleetRuns(context);
  const scene = { runs: all.map(toNameable), replied: null };
  const [id, ...others] =
    findAddressed(said.toLowerCase(), phrasesFor(said, context.words.code), scene) ?? [];
  return id !== undefined && others.length === 0 ? id : null;
};

const allOf = (
  context: CommandContext,
  { text }: Extract<UnfinishedOrder, { lacks: 'rest' }>,
): AnswerButton[][] => [[{ verb: 'say', text: context.words.unfinished.isAll, runId: '', says: text }]];

/** True when Telegram, or the app, had to cut this message: the rest comes as the next one. */
export const isFull = (text: string): boolean => text.length >= FULL_MESSAGE_LENGTH;

/** A rest that comes later may be something else: it is shown with its order before anything starts. */
const MAX_REST_MS = MINUTE;

/** A word that was cut is put together again; anything else is kept apart. */
const joinParts = (first: string, second: string): string => {
  const isCut = first.length % MAX_MESSAGE_LENGTH === 0 && /\w$/.test(first) && /^\w/.test(second);
  return `${first}${isCut && !/^[a-z_]+=/.test(second) ? '' : ' '}${second}`;
};

type Completed =
  | { kind: 'command'; context: CommandContext; text: string; split: SplitCommand; isNamed?: true }
  | { kind: 'order'; context: CommandContext; order: NewOrder }
  | { kind: 'dropped'; context: CommandContext };

const asProposal = (whole: Extract<Completed, { kind: 'command' }>): Completed => {
  if ('kind' in whole.split || whole.split.command !== 'new') return whole;
  const read = parseTypedCommand('new', whole.split.rest, null);
  return isWrongArgument(read) || read.kind !== 'new'
    ? whole
    : { kind: 'order', context: whole.context, order: read.order };
};

/**
 * The message together with what it completes; null when it completes nothing. `isOther` says that
 * the words clearly mean something else.
 */
export const completeOrder = async (
  asker: CommandContext,
  message: Message,
  isOther: () => Promise<boolean> = async () => false,
): Promise<Completed | null> => {
  const open = await findOpen(asker, message);
  if (!open) return null;
  const { order, closed, askedAt } = open;
  const context: CommandContext = { ...asker, also: closed };
  const said = message.text.trim();
  const asCommand = (text: string): Extract<Completed, { kind: 'command' }> => ({
    kind: 'command',
    context: { ...context, question: text },
    text,
    split: splitCommand(text, asker.adapter.botName()),
  });
  if (order.lacks === 'rest') {
    const aside = findAside(said, phrasesFor(said, asker.words.code));
    // guard: C1-no-is-no-rest
    if (aside === 'no') return { kind: 'dropped', context };
    // guard: C1-question-is-no-rest
    if (aside !== null || (await isOther())) return null;
    const whole = asCommand(joinParts(order.text, message.text));
    // guard: C1-late-rest
    if (!isFull(message.text) && asker.clock.now() - askedAt > MAX_REST_MS) return asProposal(whole);
    return whole;
  }
  if (order.lacks === 'run') {
    const run = await findNamed(asker, said);
    return run === null ? null : { ...asCommand(lineFor(order, run)), isNamed: true };
  }
  if (order.lacks === 'repository') {
    const words = said.split(/[\s,;，；、]+/).filter(Boolean);
    if (!words.every((word) => isRepository(asker, word))) return null;
    return asCommand(`/${order.command} ${words.join(' ')} ${order.goal}`.trim());
  }
  // guard: C1-command-is-no-answer
  if (!canBeAnswer(splitCommand(message.text, asker.adapter.botName()))) return null;
  if (message.replyTo === null && (await isOther())) return null;
  if (order.command === 'batch')
    return asCommand(`/batch ${said}\n${order.repositories.replaceAll(' ', '\n')}`);
  const read = parseTypedCommand('new', `${order.repositories} ${said}`, null);
  // What is wrong with it is said as for a typed command.
  return isWrongArgument(read) || read.kind !== 'new'
    ? asCommand(`/new ${order.repositories} ${said}`)
    : { kind: 'order', context, order: read.order };
};
