/** C1: how commands are written and what they do, in one language: for answers, the help and the menus. */
import { NAMES, rowOf } from '../../orchestrator/commands/read.ts';
import type { ArgName, CommandName, TypedName } from '../../orchestrator/commands/rows.ts';
import type { Texts } from './language.ts';

const isTyped = (name: CommandName): name is TypedName => rowOf(name).names.length > 0;
export const TYPED: readonly TypedName[] = NAMES.filter(isTyped);

export const formOf = (name: CommandName, { commands }: Texts): string => {
  const { names, on, takes } = rowOf(name);
  const args = Object.keys(takes).map((arg) => commands.args[arg as ArgName]);
  return [`/${names[0] ?? name}`, ...(on === 'run' ? [commands.run] : []), ...args].join(' ');
};

/** Bot API, BotCommand: what a phone offers while somebody types. */
export const menuIn = ({ commands }: Texts): { command: string; description: string }[] =>
  TYPED.map((name) => ({ command: rowOf(name).names[0] ?? name, description: commands.does[name] }));

export const helpIn = (words: Texts): { form: string; does: string }[] =>
  TYPED.map((name) => ({ form: formOf(name, words), does: words.commands.does[name] }));
