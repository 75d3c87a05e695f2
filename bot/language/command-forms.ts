/** Describes commands in one language, for replies, help and menus (C1). */
import {
  COMMAND_NAMES,
  roleNeededFor,
  commandRow,
  type ArgName,
  type CommandName,
  type HelpTopic,
  type TypedName,
} from '#commands';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import type { LanguageTexts } from './languages.ts';

const isTyped = (name: CommandName): name is TypedName => commandRow(name).names.length > 0;
export const TYPED_COMMANDS: readonly TypedName[] = COMMAND_NAMES.filter(isTyped);

export const commandFormOf = (name: CommandName, { commands }: LanguageTexts): string => {
  const { names, on, takes } = commandRow(name);
  const args = Object.keys(takes).map((arg) => commands.args[arg as ArgName]);
  return [`/${names[0] ?? name}`, ...(on === 'run' ? [commands.run] : []), ...args].filter(Boolean).join(' ');
};

const isOpenTo = (name: TypedName, role: UserRole): boolean => hasRoleAtLeast(role, roleNeededFor(name));

type MenuFor = { role: UserRole; group: boolean } | null;

export const listMenuCommands = (
  { commands }: LanguageTexts,
  reader: MenuFor,
): { command: string; description: string }[] =>
  TYPED_COMMANDS.filter((name) =>
    reader === null
      ? name === 'greet'
      : name !== 'greet' && isOpenTo(name, reader.role) && (!reader.group || commandRow(name).group),
  ).map((name) => ({ command: commandRow(name).names[0] ?? name, description: commands.does[name] }));

export const listHelpCommands = (
  words: LanguageTexts,
  topic: HelpTopic,
  role: UserRole,
): { form: string; does: string }[] =>
  TYPED_COMMANDS.filter(
    (name) => commandRow(name).topic === topic && name !== 'greet' && isOpenTo(name, role),
  ).map((name) => ({ form: commandFormOf(name, words), does: words.commands.does[name] }));

export const helpTopicOf = (name: CommandName): HelpTopic | null => commandRow(name).topic;
