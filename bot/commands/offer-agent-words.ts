/** Offers words that name no message to the agents that work (C4, E21). */
import { hearingOf, type Run } from '#run';
import type { CommandChoice } from '#effects';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { atLeast } from '#model/settings';
import { roleNeededFor } from '#commands';
import { findAgentWords, stopsWithWords, tellsSomething } from '../phrases/agent-words.ts';
import type { PhraseScene } from '../phrases/find-meant-runs.ts';
import type { LanguagePhrases } from '../phrases/phrase-rules.ts';
import type { PhraseReading } from '../phrases/read-phrase.ts';
import { sayRecord } from '../text/catalogue.ts';
import { answerVerb } from '../views/command-proposal.ts';
import { shortName } from '../views/scene.ts';
import type { IntentButton } from '../views/intent-buttons.ts';
import { commandChoice, MAX_CHOICES, proposeCommands, takesCommand } from './command-buttons.ts';
import { plainReply, settleUpdate, type CommandContext } from './command-context.ts';
import type { FleetRuns } from './resolve-run.ts';
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

type Listeners = {
  /** Whose agents hear words now; a paused run is resumed with them instead. */
  runs: Run[];
  scripts: Run[];
  words: string;
  isAddressed: boolean;
};

const findListeners = ({ text, phrases, scene, fleet: { live }, reading }: AgentMessage): Listeners => {
  const { words, ids } = findAgentWords(text, phrases, scene);
  const about = reading.kind === 'command' && reading.about.kind === 'named' ? reading.about.ids : [];
  const named = ids !== null && ids.length > 0 ? ids : about;
  const isMeant = ({ id, order: { repo } }: Run): boolean =>
    reading.kind === 'new'
      ? repo.toLowerCase() === reading.repo.toLowerCase()
      : named.length === 0 || named.includes(id);
  const atWork = live.filter((run) => isMeant(run) && answerVerb(run) === null);
  return {
    runs: atWork.filter((run) => hearingOf(run) === 'words'),
    scripts: atWork.filter((run) => hearingOf(run) === 'script'),
    words,
    isAddressed: ids !== null,
  };
};

const isCommand = (reading: PhraseReading, ...intents: readonly string[]): boolean =>
  reading.kind === 'command' && intents.includes(reading.intent);

const isForAgents = (
  { reading, unsure, text, phrases, isSmallTalk, fleet }: AgentMessage,
  { isAddressed }: Listeners,
): boolean => {
  if (reading.kind === 'new') return !phrases.newRun.test(text.toLowerCase());
  if (isCommand(reading, 'fix')) return true;
  if (phrases.question.test(text.trim().toLowerCase()) || /[?？]\s*$/.test(text)) return false;
  if (isCommand(reading, 'deny')) return fleet.live.every((run) => !takesCommand(run, 'deny'));
  const mayBeWords = unsure.length === 0 ? !isSmallTalk : unsure.some((one) => isCommand(one, 'fix'));
  return reading.kind === 'nothing' && (isAddressed || mayBeWords);
};

const tellChoices = (runs: readonly Run[], words: string): CommandChoice[] =>
  words.length > MAX_ARGUMENT_LENGTHS.advice
    ? []
    : runs.map((run) => commandChoice('tell', { told: words }, [run]));

const MAX_LISTENERS = 8;

export const agentWordsChoices = (said: AgentMessage): CommandChoice[] => {
  const listeners = findListeners(said);
  return isForAgents(said, listeners)
    ? tellChoices(listeners.runs.slice(0, MAX_CHOICES), listeners.words)
    : [];
};

/** Nothing is told without the tap. Returns false where the words are not for an agent that works. */
export const offerAgentWords = async (context: CommandContext, said: AgentMessage): Promise<boolean> => {
  const { text, phrases, scene } = said;
  const listeners = findListeners(said);
  const { runs, scripts, words } = listeners;
  if (!tellsSomething(words, phrases)) return false;
  const [run, ...others] = runs;
  if (run && runs.length <= MAX_LISTENERS && stopsWithWords(text, phrases, scene)) {
    const mayKeep = others.length === 0 && takesCommand(run, 'keep');
    await proposeCommands(context, [
      ...(mayKeep ? [commandChoice('keep', {}, [run])] : []),
      ...tellChoices(runs, words),
      ...(mayKeep ? [commandChoice('pause', {}, [run])] : []),
    ]);
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
  const says = sayRecord(context.words.refusals, { kind: 'script_reads_nothing' });
  await settleUpdate(context, 'a script', plainReply(says, scripts.length === 1 ? script.id : null));
  return true;
};

const isAskedElsewhere = ({ fleet: { live } }: AgentMessage, { scripts }: Listeners): boolean =>
  live.some((run) => !scripts.includes(run) && (run.gate.approval !== null || answerVerb(run) !== null));

export const agentWordsButtons = (context: CommandContext, said: AgentMessage): IntentButton[][] => {
  const { runs, words } = findListeners(said);
  const isTold =
    !said.isSmallTalk && tellsSomething(words, said.phrases) && words.length <= MAX_ARGUMENT_LENGTHS.advice;
  if (!isTold || !atLeast(context.role, roleNeededFor('tell'))) return [];
  return runs.slice(0, MAX_CHOICES).map((run) => [
    {
      verb: 'say',
      text: context.words.proposal.tells(shortName(run)),
      runId: '',
      says: `/tell ${run.id} ${words}`,
    },
  ]);
};
