/** Runs read-only commands on one run at once (C4). */
import type { Run } from '#run';
import { hasRoleAtLeast } from '#model/settings';
import {
  commandOf,
  commandRow,
  roleNeededFor,
  readStoredCommand,
  type CommandName,
  type CommandOf,
} from '#commands';
import type { ReadIntent } from '../phrases/phrase-rules.ts';
import { commandChoice, commandFields, MAX_CHOICES, proposeCommands } from './command-buttons.ts';
import {
  isBusy,
  plainReply,
  replyBusy,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { performCommand } from './command-handlers.ts';
import { askWhichRun } from './unfinished-order.ts';

export const showOrChooseRun = async (
  context: CommandContext,
  name: Extract<ReadIntent, 'detail' | 'diff' | 'log' | 'plan' | 'budget'>,
  runs: readonly Run[],
  messageId: string,
): Promise<void> => {
  const [run, ...others] = runs;
  if (!run) return settleUpdate(context, 'nothing to do', plainReply(context.words.replies.noneFits));
  if (others.length === 0) {
    const given = readStoredCommand(name, commandFields(name, null));
    return given
      ? performUnlessBusy(context, commandOf(given, run.id), messageId)
      : settleUpdate(context, 'free text');
  }
  if (runs.length > MAX_CHOICES) return askWhichRun(context, { before: `/${name} `, after: '' }, runs);
  return proposeCommands(
    context,
    runs.map((one) => commandChoice(name, commandFields(name, null), [one])),
  );
};

export const performUnlessBusy = async (
  context: CommandContext,
  given: CommandOf<CommandName>,
  messageId: string,
): Promise<void> => {
  const needed = roleNeededFor(given.kind, given);
  // guard: C4-shown-role
  if (!hasRoleAtLeast(context.role, needed))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed)));
  if (await isBusy(context, { dear: commandRow(given.kind).dear })) return replyBusy(context);
  return performCommand(context, given, messageId);
};
