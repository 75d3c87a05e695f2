/**
 * C1: what the chat does with each command. Those that one input says whole need nothing here; a
 * missing one of the others does not compile.
 */
import {
  COMMANDS,
  type CommandName,
  type CommandOf,
  type SteeringName,
  type TypedName,
} from '../../orchestrator/commands/rows.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { approve, create, edit, raiseBudget, steer, takeTheirs } from './acting.ts';
import { adopt, batch, campaign } from './batching.ts';
import { findRun, type Context } from './context.ts';
import { settings, users } from './people.ts';
import { insights, report } from './reporting.ts';
import {
  budget,
  detail,
  diff,
  greet,
  help,
  log,
  pending,
  plan,
  runs,
  showRun,
  status,
  unknownRun,
} from './reading.ts';

type OnRun = { [K in CommandName]: (typeof COMMANDS)[K]['on'] extends 'run' ? K : never }[CommandName];
type OfRun<K extends CommandName> = (
  c: Context,
  run: Run,
  command: CommandOf<K>,
  messageId: string,
) => Promise<void>;
type OfAll<K extends CommandName> = (c: Context, command: CommandOf<K>) => Promise<void>;

const OF_ALL: { readonly [K in Exclude<TypedName, OnRun>]: OfAll<K> } = {
  status,
  pending,
  runs,
  report: (c, { about }) => report(c, about),
  insights: (c, { period }) => insights(c, period),
  help: (c, { topic }) => help(c, topic),
  greet: (c) => greet(c),
  new: (c, { order }) => create(c, order),
  batch: (c, { list }) => batch(c, list),
  adopt: (c, { pulls }) => adopt(c, pulls),
  campaign: (c, { id }) => campaign(c, id),
  settings: (c, { setting }) => settings(c, setting),
  users: (c, { change }) => users(c, change),
};

const OF_RUN: { readonly [K in Exclude<OnRun, SteeringName>]: OfRun<K> } & {
  readonly [K in SteeringName]?: OfRun<K>;
} = {
  detail,
  diff,
  plan,
  log: (c, run, { step }) => log(c, run, step),
  approve: (c, run, { confirm }, messageId) => approve(c, run, confirm, messageId),
  budget: (c, run, { raise }) => (raise ? raiseBudget(c, run, raise) : budget(c, run)),
  edit,
  take: takeTheirs,
  // Its buttons answer; whoever names it is shown them.
  permit: (c, run) => showRun(c, run),
};

const isOfRun = (command: CommandOf<CommandName>): command is CommandOf<OnRun> => 'run' in command;

/** A command that was read, by somebody who may give it. */
export const perform = async (
  c: Context,
  command: CommandOf<CommandName>,
  messageId: string,
): Promise<void> => {
  // What was read is of the kind that it names: its handler, and no other, takes it.
  if (!isOfRun(command)) return (OF_ALL[command.kind] as OfAll<CommandName>)(c, command);
  const run = await findRun(c.ledger.query, command.run);
  if (!run) return unknownRun(c, command.run);
  const own = OF_RUN[command.kind] as OfRun<OnRun> | undefined;
  if (own) return own(c, run, command, messageId);
  return steer(c, run, command.kind as SteeringName, command as CommandOf<SteeringName>);
};
