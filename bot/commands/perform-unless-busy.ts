/** C4: runs read-only commands on one run at once. */
import type { Run } from '#run';
import { atLeast } from '#model/settings';
import {
  commandOf,
  commandRow,
  neededFor,
  readStoredCommand,
  type CommandName,
  type CommandOf,
} from '#commands';
import type { ReadIntent } from '../phrases/phrase-rules.ts';
import { commandChoice, commandFields, MAX_CHOICES, proposeCommands } from './command-buttons.ts';
import {
  isBusy,
  plainReply,
  putOff,
  refuseUpdate,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';
import { performCommand } from './command-handlers.ts';

export const showOrChooseRun = async (
  c: CommandContext,
  name: Extract<ReadIntent, 'detail' | 'diff' | 'log' | 'plan' | 'budget'>,
  runs: readonly Run[],
  messageId: string,
): Promise<void> => {
  const [run, ...others] = runs;
  if (!run) return settleUpdate(c, 'nothing to do', plainReply(c.words.replies.noneFits));
  if (others.length === 0) {
    const given = readStoredCommand(name, commandFields(name, null));
    return given ? performUnlessBusy(c, commandOf(given, run.id), messageId) : settleUpdate(c, 'free text');
  }
  if (runs.length > MAX_CHOICES) return refuseUpdate(c, 'which one', plainReply(c.words.replies.whichOne));
  return proposeCommands(
    c,
    runs.map((one) => commandChoice(name, commandFields(name, null), [one])),
  );
};

export const performUnlessBusy = async (
  c: CommandContext,
  given: CommandOf<CommandName>,
  messageId: string,
): Promise<void> => {
  const needed = neededFor(given.kind, given);
  // guard: C4-shown-role
  if (!atLeast(c.role, needed)) return refuseUpdate(c, 'role', plainReply(c.words.roles.needs(needed)));
  if (await isBusy(c, commandRow(given.kind).dear)) return putOff(c);
  return performCommand(c, given, messageId);
};
