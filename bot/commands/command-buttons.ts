/** Offers commands as buttons (C4). */
import type { CommandChoice } from '#effects';
import { operatorWordsMode, runLabel, type Run } from '#run';
import { targetStates } from '#inputs';
import { findEarlierCard, isStoppedForPrice } from '#kernel';
import type { OrderExpectation } from '#model/reports';
import { hasRoleAtLeast } from '#model/settings';
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { roleNeededFor, commandRow, defaultArguments, type CommandName, type SteeringName } from '#commands';
import type { ChangeIntent } from '../phrases/phrase-rules.ts';
import type { ProposedCommand } from '../views/command-proposal.ts';
import { commandTextAroundRun } from '../views/intent-buttons.ts';
import { currentActivity } from '#views';
import { askWhichRun } from './unfinished-order.ts';
import {
  plainReply,
  refuseUpdate,
  settleUpdate,
  viewReply,
  type CommandContext,
  type CommandReply,
} from './command-context.ts';

export const MAX_CHOICES = 4;

export const proposeCommands = async (
  context: CommandContext,
  choices: CommandChoice[],
  expected?: OrderExpectation,
  notes: readonly CommandReply[] = [],
): Promise<void> => {
  const roles = choices.map(({ command: name, parameters: told }) =>
    roleNeededFor(name as CommandName, told),
  );
  const [needed] = roles;
  // guard: C4-answer-role
  if (needed !== undefined && !roles.some((role) => hasRoleAtLeast(context.role, role)))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed)));
  const runs = new Set(
    choices.flatMap(({ targets: on }) => on.flatMap(({ run, epoch }) => (epoch === null ? [] : [run]))),
  );
  const [only = null] = runs.size === 1 ? runs : [];
  const isOrder = choices.every(({ command }) => command === 'new');
  return settleUpdate(
    context,
    'a proposal',
    viewReply({ view: 'command_choice', choices, ...(expected && { expected }) }, only),
    ...notes,
    ...(context.picture && !isOrder ? [plainReply(context.words.denials.pictureStays, only)] : []),
  );
};

const toTarget = ({
  id,
  lifecycle: { epoch },
  gate: { approval },
}: Run): CommandChoice['targets'][number] => ({
  run: id,
  epoch,
  approval: approval?.id ?? null,
});
export const commandChoice = (
  name: ProposedCommand,
  told: Record<string, unknown>,
  runs: readonly Run[],
): CommandChoice => ({
  command: name,
  parameters: told,
  targets: runs.map(toTarget),
});

export const canTakeCommand = (run: Run, name: CommandName): boolean => {
  if (name === 'deny' || name === 'changes' || name === 'approve') return run.gate.approval !== null;
  if (name === 'retry')
    return (
      ['NEEDS_HUMAN_REVIEW', 'FAILED_RETRYABLE'].includes(run.lifecycle.state) && !isStoppedForPrice(run)
    );
  if (name === 'take_back') return run.gate.approval !== null && findEarlierCard(run) !== null;
  if (name === 'tell') return operatorWordsMode(run) === 'words';
  const { offers } = commandRow(name);
  return offers.length === 0 || offers.some((input) => targetStates(run.lifecycle.state, input).size > 0);
};

export const offerChange = async (
  context: CommandContext,
  name: ChangeIntent,
  asked: readonly Run[],
  fit: readonly Run[],
  all: boolean,
  words: string | null,
): Promise<void> => {
  const [one] = asked;
  if (fit.length === 0 && one && asked.length === 1)
    return settleUpdate(
      context,
      'not now',
      plainReply(context.words.replies.notNow(runLabel(one), currentActivity(one, context.words)), one.id),
    );
  if (fit.length === 0)
    return settleUpdate(context, 'nothing to do', plainReply(context.words.replies.noneFits));
  const told = commandFields(name, words);
  if (all || fit.length === 1) return proposeCommands(context, [commandChoice(name, told, fit)]);
  if (fit.length > MAX_CHOICES) {
    const { before, after } = commandTextAroundRun(name);
    const isTold = words !== null && Object.values(told).includes(words);
    return askWhichRun(context, { before, after: isTold ? `${after} because ${words}` : after }, fit);
  }
  return proposeCommands(
    context,
    fit.map((run) => commandChoice(name, told, [run])),
  );
};

export const commandFields = (name: CommandName, words: string | null): Record<string, unknown> => {
  const told: Record<string, unknown> = { ...defaultArguments(name as SteeringName) };
  for (const key of ['reason', 'advice'] as const)
    if (key in told && words !== null) told[key] = words.slice(0, MAX_ARGUMENT_LENGTHS[key]);
  return told;
};
