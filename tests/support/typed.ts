/** The reading of a typed command, with the message for an invalid one. */
import { parseCommand, type ParsedCommand } from '../../bot/commands/parse-command.ts';
import { enTexts } from '#language';
import { sayRecord } from '#chat-text';

export const read = (text: string): ParsedCommand & { why?: string | null } => {
  const command = parseCommand(text, 'agentpr_bot');
  if (command.kind !== 'wrong') return command;
  return { ...command, why: command.problem && sayRecord(enTexts.problems, command.problem) };
};
