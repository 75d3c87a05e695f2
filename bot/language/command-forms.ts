/** Describes commands in one language, for replies, help and menus (C1). */
import {
  COMMAND_NAMES,
  roleNeededFor,
  commandRow,
  type ArgName,
  type CommandName,
  type TypedName,
} from '#commands';
import { atLeast, type UserRole } from '#model/settings';
import type { LanguageTexts } from './languages.ts';

/** Topics of `/help`; each has a page. */
export const HELP_TOPICS = ['look', 'ask', 'decide', 'steer', 'installation'] as const;
export type HelpTopic = (typeof HELP_TOPICS)[number];

const isTyped = (name: CommandName): name is TypedName => commandRow(name).names.length > 0;
export const TYPED_COMMANDS: readonly TypedName[] = COMMAND_NAMES.filter(isTyped);

export const formOf = (name: CommandName, { commands }: LanguageTexts): string => {
  const { names, on, takes } = commandRow(name);
  const args = Object.keys(takes).map((arg) => commands.args[arg as ArgName]);
  return [`/${names[0] ?? name}`, ...(on === 'run' ? [commands.run] : []), ...args].filter(Boolean).join(' ');
};

/** `group`: also offered in group menus. */
const COMMAND_TOPICS: Readonly<Record<TypedName, { topic: HelpTopic; group: boolean }>> = {
  status: { topic: 'look', group: true },
  pending: { topic: 'decide', group: true },
  new: { topic: 'ask', group: true },
  batch: { topic: 'ask', group: true },
  adopt: { topic: 'ask', group: false },
  campaign: { topic: 'look', group: true },
  runs: { topic: 'look', group: true },
  report: { topic: 'look', group: false },
  cost: { topic: 'look', group: true },
  insights: { topic: 'installation', group: false },
  board: { topic: 'look', group: false },
  passkey: { topic: 'decide', group: false },
  detail: { topic: 'look', group: true },
  diff: { topic: 'look', group: true },
  log: { topic: 'look', group: false },
  plan: { topic: 'look', group: false },
  revoke: { topic: 'steer', group: false },
  budget: { topic: 'look', group: false },
  approve: { topic: 'decide', group: false },
  deny: { topic: 'decide', group: true },
  changes: { topic: 'decide', group: true },
  ask: { topic: 'decide', group: true },
  take_back: { topic: 'decide', group: false },
  edit: { topic: 'decide', group: false },
  keep: { topic: 'steer', group: true },
  drop: { topic: 'steer', group: true },
  tell: { topic: 'steer', group: true },
  fix: { topic: 'ask', group: true },
  retry: { topic: 'steer', group: true },
  without: { topic: 'steer', group: false },
  update: { topic: 'steer', group: false },
  take: { topic: 'steer', group: false },
  overrule: { topic: 'decide', group: false },
  pause: { topic: 'steer', group: true },
  resume: { topic: 'steer', group: true },
  cancel: { topic: 'steer', group: true },
  skip: { topic: 'steer', group: false },
  open: { topic: 'decide', group: false },
  post_link: { topic: 'steer', group: false },
  done: { topic: 'steer', group: false },
  settings: { topic: 'installation', group: true },
  users: { topic: 'installation', group: false },
  set_aside: { topic: 'installation', group: false },
  notes: { topic: 'steer', group: false },
  help: { topic: 'installation', group: true },
  greet: { topic: 'installation', group: false },
};

const isOpenTo = (name: TypedName, role: UserRole): boolean => atLeast(role, roleNeededFor(name));

type MenuFor = { role: UserRole; group: boolean } | null;

export const menuIn = (
  { commands }: LanguageTexts,
  reader: MenuFor,
): { command: string; description: string }[] =>
  TYPED_COMMANDS.filter((name) =>
    reader === null
      ? name === 'greet'
      : name !== 'greet' && isOpenTo(name, reader.role) && (!reader.group || COMMAND_TOPICS[name].group),
  ).map((name) => ({ command: commandRow(name).names[0] ?? name, description: commands.does[name] }));

export const helpIn = (
  words: LanguageTexts,
  topic: HelpTopic,
  role: UserRole,
): { form: string; does: string }[] =>
  TYPED_COMMANDS.filter(
    (name) => COMMAND_TOPICS[name].topic === topic && name !== 'greet' && isOpenTo(name, role),
  ).map((name) => ({ form: formOf(name, words), does: words.commands.does[name] }));

export const topicOf = (name: CommandName): HelpTopic | null =>
  isTyped(name) ? COMMAND_TOPICS[name].topic : null;
