/** Offers words that name no message to the agents that work (C4, E21). */
import { operatorWordsMode, type Run } from '#run';
import type { CommandChoice } from '#effects';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { hasRoleAtLeast } from '#model/settings';
import { roleNeededFor } from '#commands';
import { findAgentWords, stopsWithWords, tellsSomething, type AgentWords } from '../phrases/agent-words.ts';
import type { PhraseScene } from '../phrases/find-meant-runs.ts';
import type { LanguagePhrases } from '../phrases/phrase-rules.ts';
import type { PhraseReading } from '../phrases/read-phrase.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { verbToContinue } from '../views/command-proposal.ts';
import { shortName } from '../views/run-lines.ts';
import type { IntentButton } from '../views/intent-buttons.ts';
import { commandChoice, MAX_CHOICES, proposeCommands, canTakeCommand } from './command-buttons.ts';
import { plainReply, settleUpdate, type CommandContext } from './command-context.ts';
import type { FleetRuns } from './resolve-run.ts';
import { refuseWordsToScript } from './pass-run-words.ts';
import { askWhichRun } from './unfinished-order.ts';

export type AgentMessage = {
  text: string;
  phrases: LanguagePhrases;
  scene: PhraseScene;
  fleet: FleetRuns;
  reading: PhraseReading;
  unsure: readonly PhraseReading[];
  isSmallTalk: boolean;
};

type Listeners = Pick<AgentWords, 'words' | 'ids'> & {
  /** Live runs; only the named ones, where some are named. */
  live: Run[];
  /** Runs whose agents hear words now; a paused run is resumed with them instead. */
  runs: Run[];
  scripts: Run[];
  isNamed: boolean;
};

/** The grammar knows who is meant by a place in the list, too: `2: use tabs`. */
export const findAddressedWords = ({ text, phrases, scene, reading }: AgentMessage): AgentWords => {
  const found = findAgentWords(text, phrases, scene);
  const read = reading.kind === 'command' && reading.intent === 'fix' ? reading.words : null;
  return found.ids === null && read !== null ? { ...found, words: read } : found;
};

const findListeners = (said: AgentMessage): Listeners => {
  const { reading, fleet } = said;
  const { words, ids, named } = findAddressedWords(said);
  const read = reading.kind === 'command' && reading.about.kind === 'named' ? reading.about.ids : null;
  const meant = ids === null ? (read ?? named) : ids.length > 0 ? ids : null;
  const isMeant = ({ id, order: { repo } }: Run): boolean =>
    reading.kind === 'new'
      ? repo.toLowerCase() === reading.repo.toLowerCase()
      : (meant?.includes(id) ?? true);
  const live = fleet.live.filter(isMeant);
  const atWork = live.filter((run) => verbToContinue(run) === null);
  return {
    live,
    runs: atWork.filter((run) => operatorWordsMode(run) === 'words'),
    scripts: atWork.filter((run) => operatorWordsMode(run) === 'script'),
    words,
    ids,
    isNamed: meant !== null,
  };
};

const isCommand = (reading: PhraseReading, ...intents: readonly string[]): boolean =>
  reading.kind === 'command' && intents.includes(reading.intent);

const isQuestion = ({ text, phrases }: AgentMessage): boolean =>
  phrases.question.test(text.trim().toLowerCase()) || /[?？]\s*$/.test(text);

const isForAgents = (said: AgentMessage, { ids }: Listeners): boolean => {
  const { reading, unsure, text, phrases, fleet } = said;
  if (reading.kind === 'new') return !phrases.newRun.test(text.trim().toLowerCase());
  if (isCommand(reading, 'fix')) return true;
  if (isQuestion(said)) return false;
  if (isCommand(reading, 'deny')) return fleet.live.every((run) => !canTakeCommand(run, 'deny'));
  return reading.kind === 'nothing' && (ids !== null || unsure.some((one) => isCommand(one, 'fix')));
};

const tellChoices = (runs: readonly Run[], words: string): CommandChoice[] =>
  words.length > MAX_ARGUMENT_LENGTHS.advice
    ? []
    : runs.map((run) => commandChoice('tell', { told: words }, [run]));

const MAX_LISTENERS = 8;

const MAX_STOPPED = 2;
/** `stop, that is the wrong file`: what a run that is named is to do comes first, as it was ordered. */
const stopChoices = (said: AgentMessage, { live, runs, words, isNamed }: Listeners): CommandChoice[] => {
  const { reading, text, phrases, scene } = said;
  const mayStop = reading.kind === 'nothing' || isCommand(reading, 'pause');
  const isOfSeveral =
    reading.kind === 'command' && (reading.about.kind === 'all' || reading.about.ids.length > 1);
  const atWork = runs.filter((run) => canTakeCommand(run, 'keep'));
  const pausable = live.filter((run) => canTakeCommand(run, 'pause'));
  if (!mayStop || isOfSeveral || isQuestion(said) || !stopsWithWords(text, phrases, scene)) return [];
  if (atWork.length === 0 || atWork.length > MAX_STOPPED || pausable.length > MAX_CHOICES) return [];
  const pauses = pausable.map((run) => commandChoice('pause', {}, [run]));
  return [
    ...(isNamed ? pauses : []),
    ...atWork.map((run) => commandChoice('keep', {}, [run])),
    ...tellChoices(atWork, words),
    ...(isNamed ? [] : pauses),
  ];
};

export const agentWordsChoices = (said: AgentMessage): CommandChoice[] => {
  const listeners = findListeners(said);
  return isForAgents(said, listeners)
    ? tellChoices(listeners.runs.slice(0, MAX_CHOICES), listeners.words)
    : [];
};

/** Nothing is told without the tap. Returns false where the words are not for an agent that works. */
export const offerAgentWords = async (context: CommandContext, said: AgentMessage): Promise<boolean> => {
  const listeners = findListeners(said);
  const { runs, scripts, words } = listeners;
  if (!tellsSomething(listeners, said.phrases)) return false;
  const stops = stopChoices(said, listeners);
  if (stops.length > 0) {
    await proposeCommands(context, stops);
    return true;
  }
  if (!isForAgents(said, listeners)) return false;
  const most = MAX_ARGUMENT_LENGTHS.advice;
  if (runs.length > 0 && words.length > most) {
    const says = sayRecord(context.words.problems, { kind: 'long', what: 'advice', most });
    await settleUpdate(context, 'too long', plainReply(says));
    return true;
  }
  if (runs.length > 0) {
    await (runs.length > MAX_LISTENERS
      ? askWhichRun(context, { before: '', after: `: ${words}` }, runs)
      : proposeCommands(context, tellChoices(runs, words)));
    return true;
  }
  const [script] = scripts;
  if (!script || isAskedElsewhere(said, listeners)) return false;
  await refuseWordsToScript(context, scripts.length === 1 ? script : null);
  return true;
};

/** Words that name no run may be for one that asks for some. */
const isAskedElsewhere = ({ fleet: { live } }: AgentMessage, { scripts }: Listeners): boolean =>
  live.some((run) => !scripts.includes(run) && (run.gate.approval !== null || verbToContinue(run) !== null));

export const agentWordsButtons = (context: CommandContext, said: AgentMessage): IntentButton[][] => {
  const listeners = findListeners(said);
  const { runs, words } = listeners;
  const isTold =
    !said.isSmallTalk &&
    tellsSomething(listeners, said.phrases) &&
    words.length <= MAX_ARGUMENT_LENGTHS.advice &&
    runs.length <= MAX_CHOICES;
  if (!isTold || !hasRoleAtLeast(context.role, roleNeededFor('tell'))) return [];
  return runs.map((run) => [
    {
      verb: 'say',
      text: context.words.proposal.tells(shortName(run)),
      runId: '',
      says: `/tell ${run.id} ${words}`,
    },
  ]);
};
