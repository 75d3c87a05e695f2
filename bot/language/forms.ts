/**
 * C1: how commands are written and what they do, in one language: for answers, the help and the
 * menus.
 */
import { NAMES, neededFor, rowOf } from '../../orchestrator/commands/read.ts';
import type { ArgName, CommandName, TypedName } from '../../orchestrator/commands/rows.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import type { Topic } from './topics.ts';
import type { Texts } from './language.ts';

const isTyped = (name: CommandName): name is TypedName => rowOf(name).names.length > 0;
export const TYPED: readonly TypedName[] = NAMES.filter(isTyped);

export const formOf = (name: CommandName, { commands }: Texts): string => {
  const { names, on, takes } = rowOf(name);
  const args = Object.keys(takes).map((arg) => commands.args[arg as ArgName]);
  return [`/${names[0] ?? name}`, ...(on === 'run' ? [commands.run] : []), ...args].filter(Boolean).join(' ');
};

/** `group`: also offered where several people talk. */
const PLACE: Readonly<Record<TypedName, { topic: Topic; group: boolean }>> = {
  status: { topic: 'look', group: true },
  pending: { topic: 'decide', group: true },
  new: { topic: 'ask', group: true },
  batch: { topic: 'ask', group: true },
  adopt: { topic: 'ask', group: false },
  campaign: { topic: 'look', group: true },
  runs: { topic: 'look', group: true },
  report: { topic: 'look', group: false },
  insights: { topic: 'house', group: false },
  detail: { topic: 'look', group: true },
  diff: { topic: 'look', group: true },
  log: { topic: 'look', group: false },
  plan: { topic: 'look', group: false },
  revoke: { topic: 'steer', group: false },
  budget: { topic: 'look', group: false },
  approve: { topic: 'decide', group: false },
  deny: { topic: 'decide', group: true },
  changes: { topic: 'decide', group: true },
  edit: { topic: 'decide', group: false },
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
  done: { topic: 'steer', group: false },
  settings: { topic: 'house', group: true },
  users: { topic: 'house', group: false },
  help: { topic: 'house', group: true },
  greet: { topic: 'house', group: false },
};

/** What somebody of a role may give, told in any way. */
const isOpenTo = (name: TypedName, role: Role): boolean => atLeast(role, neededFor(name));

/** Who reads a menu: everybody in their own chat by their role, a group, or somebody unknown. */
export type MenuFor = { role: Role; group: boolean } | null;

/** Bot API, BotCommand: what a phone offers while somebody types. */
export const menuIn = ({ commands }: Texts, reader: MenuFor): { command: string; description: string }[] =>
  TYPED.filter((name) =>
    reader === null
      ? name === 'greet'
      : name !== 'greet' && isOpenTo(name, reader.role) && (!reader.group || PLACE[name].group),
  ).map((name) => ({ command: rowOf(name).names[0] ?? name, description: commands.does[name] }));

/** The page of one topic, for somebody of a role; empty when nothing of it is theirs to give. */
export const helpIn = (words: Texts, topic: Topic, role: Role): { form: string; does: string }[] =>
  TYPED.filter((name) => PLACE[name].topic === topic && name !== 'greet' && isOpenTo(name, role)).map(
    (name) => ({ form: formOf(name, words), does: words.commands.does[name] }),
  );

export const topicOf = (name: CommandName): Topic | null => (isTyped(name) ? PLACE[name].topic : null);
