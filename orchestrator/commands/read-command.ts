/** Parses the arguments of a command by its row, from a chat line or from options (C1). Pure. */
import type { AnyRow } from './command-row.ts';
import type { ArgumentInput } from './define-argument.ts';
import type { Input } from '../kernel/run/input-types.ts';
import type { Run } from '../kernel/run/run.ts';
import type { Person } from '#model/order';
import type { UserRole } from '#model/settings';
import { nearestWord } from '#model/values';
import { isWrongArgument, toWrongArgument, type WrongArgument } from '#model/chat';
import type { ArgumentsOf, CommandName, CommandOf, SteeringName } from './command-names.ts';
import { COMMAND_ROWS } from './command-table.ts';

export const COMMAND_NAMES = Object.keys(COMMAND_ROWS) as CommandName[];
export const commandRow = (name: CommandName): AnyRow => COMMAND_ROWS[name] as unknown as AnyRow;

export const isSteering = <K extends CommandName>(name: K): name is K & SteeringName =>
  COMMAND_ROWS[name].gives !== null;

const byName = new Map(COMMAND_NAMES.flatMap((name) => commandRow(name).names.map((typed) => [typed, name])));
export const findCommand = (word: string): CommandName | undefined => byName.get(word.toLowerCase());

export const findNearestCommand = (word: string): CommandName | null =>
  byName.get(nearestWord(word, [...byName.keys()]) ?? '') ?? null;

type Told = Record<string, unknown>;
type Read = { value: unknown } | WrongArgument;

/** A run may be given by id, number, repository or URL. */
const RUN_REFERENCE = /^(?!-)\S{1,300}$/u;

/** `line` is everything after the name; a known run is not parsed from it. */
export const parseTypedCommand = (
  name: CommandName,
  line: string,
  known: string | null = null,
): CommandOf<CommandName> | WrongArgument => {
  const { on } = commandRow(name);
  const [first = ''] = known === null ? line.split(/\s+/) : [];
  const run = known ?? first;
  if (on === 'run' && !RUN_REFERENCE.test(run)) return toWrongArgument();
  const all = on === 'run' ? line.slice(first.length).trim() : line;
  let rest = all;
  const told = readAll(name, (arg) => {
    const read = arg.typed(rest, all);
    if (!isWrongArgument(read)) rest = read.rest;
    return read;
  });
  if (isWrongArgument(told)) return told;
  if (rest !== '') return toWrongArgument();
  return commandOf({ name, told }, run);
};

export const readOptions = <K extends CommandName>(
  name: K,
  given: ArgumentInput,
): ArgumentsOf<K> | WrongArgument => {
  const told = readAll(name, (arg) => arg.host?.read(given) ?? { value: arg.otherwise });
  return told as ArgumentsOf<K> | WrongArgument;
};

export const defaultArguments = <K extends SteeringName>(name: K): ArgumentsOf<K> =>
  Object.fromEntries(
    Object.entries(commandRow(name).takes).map(([key, { otherwise }]) => [key, otherwise]),
  ) as ArgumentsOf<K>;

const readAll = (
  name: CommandName,
  read: (arg: AnyRow['takes'][string], key: string) => Read,
): Told | WrongArgument => {
  const told: Told = {};
  for (const [key, arg] of Object.entries(commandRow(name).takes)) {
    const taken = read(arg, key);
    if (isWrongArgument(taken)) return taken;
    const checked = arg.schema.safeParse(taken.value);
    if (!checked.success) return arg.refused(checked.error.issues[0]?.path.join('.') ?? '');
    told[key] = checked.data;
  }
  return told;
};

type Kept = { name: CommandName; told: Told };
export const commandOf = ({ name, told }: Kept, run: string): CommandOf<CommandName> =>
  ({
    kind: name,
    ...(commandRow(name).on === 'run' ? { run } : {}),
    ...told,
  }) as unknown as CommandOf<CommandName>;

/** Parses a stored command again; null when it is no longer valid. */
export const readStoredCommand = (name: string, told: Record<string, unknown>): Kept | null => {
  const known = COMMAND_NAMES.find((one) => one === name);
  if (known === undefined) return null;
  const read = readAll(known, (_, key) => ({ value: told[key] }));
  return isWrongArgument(read) ? null : { name: known, told: read };
};

export const roleNeededFor = (
  name: CommandName,
  told: object = defaultArguments(name as SteeringName),
): UserRole => {
  const { needs } = commandRow(name);
  return typeof needs === 'function' ? needs(told as never) : needs;
};
export const isReadOnlyCommand = (name: CommandName, told: object): boolean => {
  const { asks } = commandRow(name);
  return typeof asks === 'function' ? asks(told as never) : asks;
};

export const toSteeringInput = <K extends SteeringName>(
  name: K,
  by: Person,
  told: ArgumentsOf<K>,
  run: Run | null,
): Input => {
  const { gives } = commandRow(name);
  if (!gives) throw new Error(`no input says ${name}`);
  return gives(by, told, run);
};
