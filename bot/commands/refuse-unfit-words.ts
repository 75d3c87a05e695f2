/** Refuses words to an agent by role and length, before a run hears them. */
import { MAX_ARGUMENT_LENGTHS } from '#model/chat';
import { hasRoleAtLeast } from '#model/settings';
import { roleNeededFor } from '#commands';
import type { Run } from '#run';
import { sayRecord } from '#chat-text';
import { type CommandContext, refuseUpdate, plainReply, settleUpdate } from './command-context.ts';

/** Returns true when these words were refused: by role, or because they are too long. */
export const refuseUnfitWords = async (
  context: CommandContext,
  run: Run,
  words: string,
  { command, what }: { command: 'changes' | 'ask'; what: 'instruction' | 'question' },
): Promise<boolean> => {
  const needed = roleNeededFor(command);
  const most = MAX_ARGUMENT_LENGTHS[what];
  if (!hasRoleAtLeast(context.role, needed))
    await refuseUpdate(context, 'role', plainReply(context.words.roles.needs(needed), run.id));
  else if (words.length > most) {
    const says = sayRecord(context.words.problems, { kind: 'long', what, most });
    await settleUpdate(context, 'too long', plainReply(says, run.id));
  } else return false;
  return true;
};
