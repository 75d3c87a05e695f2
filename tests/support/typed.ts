/** What somebody typed, as it is read, with what they are told when it cannot be. */
import { parseCommand, type Command } from '../../bot/commands/parse.ts';
import { en } from '../../bot/language/en/en.ts';
import { say } from '../../bot/text/catalogue.ts';

export const read = (text: string): Command & { why?: string | null } => {
  const command = parseCommand(text, 'agentpr_bot');
  if (command.kind !== 'wrong') return command;
  return { ...command, why: command.problem && say(en.problems, command.problem) };
};
