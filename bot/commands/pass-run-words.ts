/** Passes words about a run on: to its card, to its agent, or into its next round (C4, E21). */
import type { CommandChoice } from '#effects';
import { operatorWordsMode, runLabel, type Run } from '#run';
import { MAX_ARGUMENT_LENGTHS, type CommandProblem } from '#model/chat';
import { parseRequirementAnswer } from '#model/requirements';
import { isMeantAsSignOff, signOffProblem } from '#model/trailers';
import { isTerminal } from '#model/run';
import { hasRoleAtLeast } from '#model/settings';
import { roleNeededFor } from '#commands';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { verbToContinue, isReasonWanted, missingAnswers, onwardVerb } from '../views/command-proposal.ts';
import { currentActivity } from '#views';
import { plainReply, refuseUpdate, settleUpdate, type CommandContext } from './command-context.ts';
import { commandChoice, proposeCommands, canTakeCommand } from './command-buttons.ts';
import { offerRepeatRun } from './offer-repeat-run.ts';
import type { FleetRuns } from './resolve-run.ts';
import { sayToAgent } from './steer-run.ts';
import { askWhichRun } from './unfinished-order.ts';

export const isAgentAtWork = (run: Run): boolean => operatorWordsMode(run) !== null;

export const listAnswerChoices = (run: Run, words: string): CommandChoice[] =>
  missingAnswers(run).flatMap(({ what }) => {
    const text = parseRequirementAnswer(what, words);
    return text === null ? [] : [commandChoice('answer', { what, text }, [run])];
  });

export const checkSignOffWords = (run: Run, words: string): CommandProblem | null => {
  if (!isMeantAsSignOff(words) || !missingAnswers(run).some(({ what }) => what === 'sign_off')) return null;
  const wrong = signOffProblem(words);
  return wrong === null ? null : { kind: 'sign_off', wrong };
};

/** Words that name no run are for the one that can take some. */
const passUnnamed = async (context: CommandContext, fleet: FleetRuns, words: string): Promise<void> => {
  const takers = fleet.live.filter(
    (run) =>
      run.gate.approval || verbToContinue(run) !== null || canTakeCommand(run, 'fix') || isAgentAtWork(run),
  );
  const [run, ...others] = takers;
  if (run && others.length === 0) return passRunWords(context, run, words, fleet);
  return askWhichRun(context, { before: '', after: `: ${words}` }, takers);
};

export const passRunWords = async (
  context: CommandContext,
  run: Run | undefined,
  words: string,
  fleet: FleetRuns,
  repliedTo: string | null = null,
): Promise<void> => {
  if (!run) return passUnnamed(context, fleet, words);
  const most = run.gate.approval || onwardVerb(run) ? 'advice' : 'instruction';
  if (words.length > MAX_ARGUMENT_LENGTHS[most])
    return settleUpdate(
      context,
      'too long',
      plainReply(
        sayRecord(context.words.problems, { kind: 'long', what: most, most: MAX_ARGUMENT_LENGTHS[most] }),
        run.id,
      ),
    );
  if (await offerRepeatRun(context, run, words)) return;
  if (isTerminal(run.lifecycle.state))
    return settleUpdate(
      context,
      'has ended',
      plainReply(context.words.replies.notNow(runLabel(run), currentActivity(run, context.words)), run.id),
    );
  if (run.gate.approval)
    return proposeCommands(context, [
      ...listAnswerChoices(run, words),
      ...(isReasonWanted(run)
        ? [commandChoice('edit', { words: { title: null, description: words }, reason: '' }, [run])]
        : []),
      commandChoice('changes', { instruction: words }, [run]),
      commandChoice('deny', { final: false, reason: words }, [run]),
    ]);
  const verb = verbToContinue(run);
  const answers = listAnswerChoices(run, words);
  if (verb === 'overrule') return proposeCommands(context, [commandChoice(verb, { reason: words }, [run])]);
  if (verb !== null)
    return proposeCommands(context, [
      ...answers,
      commandChoice(verb, { target: null, advice: words }, [run]),
    ]);
  if (answers.length > 0) return proposeCommands(context, answers);
  if (canTakeCommand(run, 'fix'))
    return proposeCommands(context, [commandChoice('fix', { instruction: words }, [run])]);
  const hears = operatorWordsMode(run);
  // guard: C4-told-by-a-tap
  if (repliedTo === run.id && hears !== null) return passWords(context, run, words);
  if (hears === 'words') return proposeCommands(context, [commandChoice('tell', { told: words }, [run])]);
  if (hears === 'script') return refuseWordsToScript(context, run);
  return settleUpdate(
    context,
    'cannot be told',
    plainReply(context.words.replies.toldLater(currentActivity(run, context.words)), run.id),
  );
};

export const refuseWordsToScript = (context: CommandContext, run: Run | null): Promise<void> => {
  const says = sayRecord(context.words.refusals, { kind: 'script_reads_nothing' });
  return settleUpdate(context, 'a script', plainReply(says, run?.id ?? null));
};

/** E21: a reply is told at once, by those who may steer the run; its length is a message's. */
const passWords = async (context: CommandContext, run: Run, words: string): Promise<void> => {
  const role = roleNeededFor('tell');
  // guard: E21-told-by-operators
  if (!hasRoleAtLeast(context.role, role))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(role), run.id));
  const most = MAX_ARGUMENT_LENGTHS.advice;
  if (words.length > most)
    return settleUpdate(
      context,
      'too long',
      plainReply(sayRecord(context.words.problems, { kind: 'long', what: 'advice', most }), run.id),
    );
  return sayToAgent(context, run, { told: words });
};
