/** Handles free text: shows at once, proposes changes, never approves or merges (C4). */
import type { CommandChoice } from '#effects';
import type { Run } from '#run';
import { isWrongArgument, MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { isMereQuestion } from '#model/agent';
import { parseTypedCommand, type CommandName } from '#commands';
import { phrasesFor } from '../language/languages.ts';
import type { PullEdit } from '#model/opening';
import { splitOpeningWords } from '../phrases/pull-phrases.ts';
import type { LanguagePhrases } from '../phrases/phrase-rules.ts';
import { findEndBehindAddress, readPhrase, type PhraseReading } from '../phrases/read-phrase.ts';
import { understandPhrase, type UnderstoodPhrase } from '../phrases/understand-phrase.ts';
import type { PhraseScene } from '../phrases/find-meant-runs.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import type { NewOrder } from '#orders';
import { plainReply, settleUpdate, type CommandContext } from './command-context.ts';
import { findAnsweredForm, askWhichForm } from './answer-forms.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { isReasonWanted } from '../views/command-proposal.ts';
import { answerUnclearText } from './ask-model.ts';
import { findAnsweredMessage, readFleetRuns, toNameable, type FleetRuns } from './resolve-run.ts';
import {
  offerChange,
  commandChoice,
  MAX_CHOICES,
  proposeCommands,
  canTakeCommand,
} from './command-buttons.ts';
import { showOrChooseRun, performUnlessBusy } from './perform-unless-busy.ts';
import { freeTextOf } from './parse-command.ts';
import { findSpendingExpectation, suggestHigherLimits } from './expected-spending.ts';
import { offerRepeatRun } from './offer-repeat-run.ts';
import {
  findAddressedWords,
  offerAgentWords,
  agentWordsButtons,
  agentWordsChoices,
  type AgentMessage,
} from './offer-agent-words.ts';
import { buildChatOrder } from './create-run.ts';
import { listAnswerChoices, isAgentAtWork, passRunWords, checkSignOffWords } from './pass-run-words.ts';
import { selectSupportedPicture } from './order-picture.ts';
import { showPending, showRun } from './show-commands.ts';
import { submitFormAnswer, answerCardInWords, askIfAnswer } from './ambiguous-reply.ts';
import { answerDirectRequest } from './answer-direct-request.ts';
import { askForMissingPart } from './unfinished-order.ts';
import { answerRemark, findReviewByMessage } from './review-buttons.ts';

type Command = Extract<PhraseReading, { kind: 'command' }>;

type Words = Pick<
  Extract<InboundUpdate, { kind: 'message' }>,
  'text' | 'replyTo' | 'repliedTo' | 'private' | 'messageId'
> & {
  command?: true;
  /** C10: words of a transcript, which may not stand for a command to run. */
  spoken?: true;
};

const answerRepliedForm = async (
  context: CommandContext,
  message: Words,
  fleet?: FleetRuns,
): Promise<boolean> => {
  if (message.replyTo === null) return false;
  const form = await findAnsweredForm(context, (fleet ?? (await readFleetRuns(context))).all, message);
  if (form === null) return false;
  if (form === 'several') await askWhichForm(context);
  else await submitFormAnswer(context, form, message.text.trim());
  return true;
};

/** Handles unknown commands: text with a leading slash may be a path that a form asked for. */
export const offerFormAnswer = async (context: CommandContext, message: Words): Promise<boolean> => {
  const { live, all } = await readFleetRuns(context);
  if (message.replyTo !== null) return answerRepliedForm(context, message, { live, all });
  return message.private && askIfAnswer(context, live, message.text.trim(), null);
};

export const handleFreeText = async (context: CommandContext, message: Words): Promise<void> => {
  const fleet = await readFleetRuns(context);
  if (await answerRepliedForm(context, message, fleet)) return;
  const review =
    message.replyTo === null ? null : await findReviewByMessage(context, fleet.live, message.replyTo);
  if (review) return answerRemark(context, review, message.text.trim());
  const replied =
    message.replyTo === null ? null : await findAnsweredMessage(context, fleet.live, message.replyTo);
  const { text, named } = removeBotMention(context, freeTextOf(message.text));
  if (!message.private && !replied && !named) return settleUpdate(context, 'free text');
  const phrases = phrasesFor(text, context.words.code);
  const scene = { runs: fleet.all.map(toNameable), replied };
  if (await proposePullOpening(context, text, { phrases, scene, fleet })) return;
  const understood = await understandPhrase(text, phrases, scene);
  const ended = replied ? null : await findEndedRun(context, message.replyTo, fleet);
  const read: PhraseReading = understood.kind === 'sure' ? understood.reading : { kind: 'nothing' };
  const reading = ended ? readAsReply(read, text, phrases, ended) : read;
  const asked = replied ? fleet.live.filter(({ id }) => id === replied.id) : fleet.live;
  const about = fleet.live.find(({ id }) => id === replied?.id);
  if (about && !message.command && (await offerQuestion(context, about, text, reading))) return;
  // guard: E21-reply-to-its-own-run
  const toCard = replied !== null || (message.private && message.replyTo === null);
  // A card has just asked for words: only what the grammar itself reads is no answer to it.
  const plain = readPhrase(text, phrases, { runs: fleet.all.map(toNameable), replied });
  if (toCard && !message.command && (await answerCardInWords(context, asked, message.text.trim(), plain)))
    return;
  const mayAnswer = message.replyTo === null && !message.command;
  if (
    mayAnswer &&
    (await askIfAnswer(context, fleet.live, text, reading, { spoken: message.spoken ?? false }))
  )
    return;
  if (!replied && phrases.greeting.test(text.trim().toLowerCase()))
    return performUnlessBusy(context, { kind: 'greet', payload: null }, message.messageId);
  const heard: HeardPhrase = {
    message,
    fleet,
    text,
    reading,
    unsure: understood.kind === 'unsure' ? understood.readings : [],
    later: understood.kind === 'unsure' && understood.later === true,
    about,
  };
  if (about && (await passToRun(context, about, heard))) return;
  const isUnnamed = replied === null && ended === null;
  return performPhrase(context, heard, isUnnamed ? toSaid(heard, phrases, scene, understood) : null);
};

const toSaid = (
  { text, fleet, reading, unsure }: HeardPhrase,
  phrases: LanguagePhrases,
  scene: PhraseScene,
  understood: UnderstoodPhrase,
): AgentMessage => ({
  text,
  phrases,
  scene,
  fleet,
  reading,
  unsure,
  isSmallTalk: understood.kind === 'unsure' && understood.isSmallTalk === true,
});

type HeardPhrase = {
  message: Words;
  fleet: FleetRuns;
  text: string;
  reading: PhraseReading;
  /** Each of what it may have meant, where that is not sure. */
  unsure: readonly PhraseReading[];
  later: boolean;
  /** The run of the message that it replies to. */
  about: Run | undefined;
};

/** How a pull request opens, said alone or before an order. */
const proposePullOpening = async (
  context: CommandContext,
  text: string,
  {
    phrases,
    scene,
    fleet,
  }: { phrases: LanguagePhrases; scene: Parameters<typeof understandPhrase>[2]; fleet: FleetRuns },
): Promise<boolean> => {
  const opening = splitOpeningWords(text);
  if (!opening) return false;
  const { rest, options } = opening;
  const { replied } = scene;
  if (rest === '' && (await offerOpening(context, options, replied ? [replied.id] : null, fleet)))
    return true;
  const { without, ...wanted } = options;
  // An order takes nothing off: whoever approves does, at the card.
  if (without) return false;
  const ordered = await understandPhrase(rest, phrases, scene);
  if (ordered.kind !== 'sure' || ordered.reading.kind !== 'new') return false;
  await proposeOrder(context, { ...orderOf(ordered.reading), pull: wanted });
  return true;
};

/** Words in a reply to a message of a run that are an answer to it, or for its agent. */
const passToRun = async (
  context: CommandContext,
  about: Run,
  { text, reading, fleet }: HeardPhrase,
): Promise<boolean> => {
  // The text is exactly what the repository asks for, e.g. an issue number or a sign-off.
  const isAnswer = listAnswerChoices(about, text).some(
    ({ parameters: told }) => told.text === text || told.text === `#${text}`,
  );
  const unsigned = isAnswer ? null : checkSignOffWords(about, text.trim());
  if (unsigned) {
    const says = sayRecord(context.words.problems, unsigned);
    await settleUpdate(context, 'sign-off', plainReply(says, about.id));
    return true;
  }
  // E21: what is no command, in a reply to a message of a run whose agent works, is for that agent.
  const isForAgent =
    ['nothing', 'new', 'wish'].includes(reading.kind) ||
    (isMereQuestion(text) && reading.kind === 'command' && reading.intent === 'detail');
  if (!isAnswer && !(isAgentAtWork(about) && isForAgent)) return false;
  await passRunWords(context, about, text, fleet, about.id);
  return true;
};

const performPhrase = async (
  context: CommandContext,
  { message, fleet, text, reading, unsure, later, about }: HeardPhrase,
  said: AgentMessage | null,
): Promise<void> => {
  const answerGuesses = (readings: readonly PhraseReading[]): Promise<void> => {
    const telling = said ? agentWordsButtons(context, said) : [];
    return answerUnclearText(
      context,
      { text, spoken: message.spoken === true, later, telling },
      fleet,
      readings,
    );
  };
  if (said && reading.kind !== 'new' && (await offerAgentWords(context, said))) return;
  switch (reading.kind) {
    case 'nothing':
      if (about && (isReasonWanted(about) || listAnswerChoices(about, text).length > 0))
        return passRunWords(context, about, text, fleet);
      return answerGuesses(unsure);
    case 'new':
      return proposeOrder(context, orderOf(reading), said ? agentWordsChoices(said) : []);
    case 'setting':
    case 'openings':
    case 'engine':
    case 'allowance':
    case 'costs':
      return answerDirectRequest(context, reading, fleet);
    case 'language':
      return proposeCommands(context, [
        {
          command: 'settings',
          parameters: { setting: { what: 'language', to: reading.language } },
          targets: [],
        },
      ]);
    case 'wish':
      return passRunWords(
        context,
        fleet.all.find(({ id }) => id === reading.run),
        reading.words,
        fleet,
      );
    case 'command':
      if (about && isReasonWanted(about) && isSentenceForCard(reading, text))
        return passRunWords(context, about, text, fleet);
      return performReading(context, withoutAddress(reading, said), fleet, {
        messageId: message.messageId,
        repliedTo: about?.id ?? null,
      });
  }
};

const MIN_SENTENCE_WORDS = 8;
/** A sentence in reply to a card that asks why is no question about runs, whatever a word in it asks for. */
const isSentenceForCard = ({ intent }: Command, text: string): boolean =>
  ['status', 'pending', 'runs', 'help', 'detail'].includes(intent) &&
  text.split(/\s+/).length >= MIN_SENTENCE_WORDS &&
  !isMereQuestion(text);

const withoutAddress = (reading: Command, said: AgentMessage | null): Command => {
  if (!said || reading.intent !== 'fix') return reading;
  const { words } = findAddressedWords(said);
  const end = findEndBehindAddress(words.toLowerCase(), said.phrases, said.scene);
  return end ? { ...reading, intent: end, words: null } : { ...reading, words };
};

const findEndedRun = async (
  context: CommandContext,
  replyTo: string | null,
  { live, all }: FleetRuns,
): Promise<Run | null> => {
  const ended = all.filter((run) => !live.includes(run));
  const answered = replyTo === null ? null : await findAnsweredMessage(context, ended, replyTo);
  return ended.find(({ id }) => id === answered?.id) ?? null;
};

/** A reply to a message of an ended run is about that run, unless it names another one. */
const readAsReply = (
  reading: PhraseReading,
  text: string,
  phrases: LanguagePhrases,
  { id }: Run,
): PhraseReading => {
  if (reading.kind === 'command' && reading.about.kind === 'none')
    return { ...reading, about: { kind: 'this', ids: [id] } };
  if (reading.kind !== 'nothing') return reading;
  const again = readPhrase(text, phrases, { runs: [], replied: { id, to: 'card' } });
  return again.kind === 'wish' || (again.kind === 'command' && again.intent === 'detail') ? again : reading;
};

/** Read-only questions about the whole fleet complete no order. */
export const isFleetQuestion = async (context: CommandContext, text: string): Promise<boolean> => {
  if (text.length > MAX_SHORT_QUESTION_LENGTH) return false;
  const phrases = phrasesFor(text, context.words.code);
  const scene = { runs: [], replied: null };
  const asks = (reading: PhraseReading): boolean =>
    reading.kind === 'command' && ['status', 'pending', 'runs', 'help'].includes(reading.intent);
  if (asks(readPhrase(text, phrases, scene))) return true;
  if (!phrases.question.test(text.trim().toLowerCase())) return false;
  const understood = await understandPhrase(text, phrases, scene);
  return understood.kind === 'sure' && asks(understood.reading);
};
const MAX_SHORT_QUESTION_LENGTH = 30;

const removeBotMention = (context: CommandContext, text: string): { text: string; named: boolean } => {
  const name = context.adapter.botName()?.toLowerCase();
  const words = text.split(/(\s+)/);
  const others = words.filter((word) => word.toLowerCase().replace(/[,:，：]$/, '') !== `@${name ?? ''}`);
  return { text: others.join('').trim(), named: others.length < words.length };
};

/** `before` are choices that are likelier than the order. */
export const proposeOrder = async (
  context: CommandContext,
  said: NewOrder,
  before: readonly CommandChoice[] = [],
): Promise<void> => {
  const read = buildChatOrder(context, said);
  const shown =
    'order' in read
      ? selectSupportedPicture(context, read.order, context.picture)
      : { picture: null, told: [] };
  const order: NewOrder = shown.picture ? { ...said, picture: shown.picture } : said;
  const expected = 'order' in read ? await findSpendingExpectation(context, read.order) : null;
  const targets = [{ run: context.ids.runId(), epoch: null, approval: null }];
  const toChoice = (budgets: NewOrder['budgets']): CommandChoice => ({
    command: 'new',
    parameters: { order: { ...order, budgets } },
    targets,
  });
  const more = suggestHigherLimits(context, expected);
  const choices = [...before, toChoice([]), ...(more.length > 0 ? [toChoice(more)] : [])];
  return proposeCommands(context, choices, expected ?? undefined, shown.told);
};

/** F13: a card that waits is asked anew, with the same change and another opening. */
const offerOpening = async (
  c: CommandContext,
  pull: PullEdit,
  about: readonly string[] | null,
  { live }: FleetRuns,
): Promise<boolean> => {
  const runs = live.filter(
    ({ id, gate: { approval } }) => approval?.kind === 'open_pr' && (about?.includes(id) ?? true),
  );
  if (runs.length === 0 || runs.length > MAX_CHOICES) return false;
  const words = { title: null, description: null, pull };
  await proposeCommands(
    c,
    runs.map((run) => commandChoice('edit', { words, reason: '' }, [run])),
  );
  return true;
};

const orderOf = ({ repo, goal }: { repo: string; goal: string }): NewOrder => ({
  repo,
  host: null,
  goal,
  base: null,
  branch: null,
  title: null,
  engine: null,
  flow: null,
  discovery: null,
  promptVersion: null,
  budgets: [],
  checks: [],
});

/** E21: a question in reply to a message about a run is one to its agent, unless it asks us for something. */
const offerQuestion = async (
  context: CommandContext,
  run: Run,
  text: string,
  reading: PhraseReading,
): Promise<boolean> => {
  // Its agent hears a question as words.
  if (isAgentAtWork(run)) return false;
  const isOurs = reading.kind !== 'nothing' && reading.kind !== 'wish';
  if (isOurs && !(reading.kind === 'command' && reading.intent === 'detail')) return false;
  const words = text.trim();
  if (!isMereQuestion(words) || words.length > MAX_ARGUMENT_LENGTHS.question) return false;
  if (run.agent.session === null || !canTakeCommand(run, 'ask') || listAnswerChoices(run, words).length > 0)
    return false;
  await proposeCommands(context, [
    commandChoice('ask', { text: words }, [run]),
    ...(run.gate.approval ? [commandChoice('changes', { instruction: words }, [run])] : []),
  ]);
  return true;
};

const performReading = async (
  context: CommandContext,
  { intent, about, words }: Command,
  fleet: FleetRuns,
  { messageId, repliedTo }: { messageId: string; repliedTo: string | null },
): Promise<void> => {
  const named = fleet.all.filter(({ id }) => about.ids.includes(id));
  const asked = named.length === 0 && about.kind !== 'named' ? fleet.live : named;
  const selectRuns = (name: CommandName): Run[] => asked.filter((run) => canTakeCommand(run, name));
  switch (intent) {
    case 'pending':
      return performUnlessBusy(context, { kind: intent, part: null }, messageId);
    case 'status':
    case 'runs':
      return performUnlessBusy(context, { kind: intent }, messageId);
    case 'help':
      return performUnlessBusy(context, { kind: intent, topic: null }, messageId);
    case 'settings':
    case 'users':
    case 'report':
    case 'insights':
    case 'campaign': {
      const read = parseTypedCommand(intent, '', null);
      return isWrongArgument(read)
        ? settleUpdate(context, 'free text')
        : performUnlessBusy(context, read, messageId);
    }
    case 'new':
    case 'batch':
      return askForMissingPart(context, { by: context.user, lacks: 'repository', command: intent, goal: '' });
    case 'detail':
    case 'diff':
    case 'log':
    case 'plan':
    case 'budget':
      return showOrChooseRun(context, intent, asked, messageId);
    case 'merge': {
      const pull =
        named.find(({ upstream: { pullRequest: pr } }) => pr !== null)?.upstream.pullRequest?.url ?? null;
      return settleUpdate(
        context,
        'merging is for people',
        plainReply(context.words.replies.merge(pull), named[0]?.id ?? null),
      );
    }
    case 'approve': {
      const [card, ...others] = selectRuns(intent);
      return card && others.length === 0 ? showRun(context, card) : showPending(context);
    }
    case 'fix':
      return passRunWords(context, named[0], words ?? '', fleet, repliedTo);
    default:
      if (
        intent === 'retry' &&
        named.length === 1 &&
        named[0] &&
        (await offerRepeatRun(context, named[0], words ?? ''))
      )
        return;
      return offerChange(context, intent, asked, selectRuns(intent), about.kind === 'all', words);
  }
};
