/**
 * C1: reads what follows a command's name, in a line or on the command line, by the command's row.
 * Pure.
 */
import type { AnyRow } from './row.ts';
import type { Options } from './arg.ts';
import type { Input } from '../core/machine/inputs.ts';
import type { Run } from '../core/machine/run.ts';
import type { Person } from '../core/order.ts';
import type { Role } from '../core/roles.ts';
import { nearest } from '../core/spelling.ts';
import { isWrong, wrong, type Wrong } from './problems.ts';
import { COMMANDS, type CommandName, type CommandOf, type GivenTo, type SteeringName } from './rows.ts';

export const NAMES = Object.keys(COMMANDS) as CommandName[];
/** The row, where it does not matter whose. */
export const rowOf = (name: CommandName): AnyRow => COMMANDS[name] as unknown as AnyRow;

export const isSteering = <K extends CommandName>(name: K): name is K & SteeringName =>
  COMMANDS[name].gives !== null;

const byName = new Map(NAMES.flatMap((name) => rowOf(name).names.map((typed) => [typed, name])));
/** The command that somebody typed, whatever its case. */
export const commandNamed = (word: string): CommandName | undefined => byName.get(word.toLowerCase());

/** The command whose name is the nearest to what was typed; null when there is none near. */
export const commandNear = (word: string): CommandName | null =>
  byName.get(nearest(word, [...byName.keys()]) ?? '') ?? null;

type Told = Record<string, unknown>;
type Read = { value: unknown } | Wrong;

/** Whatever people name a run by: its id, a number, a repository, an address. */
const RUN = /^(?!-)\S{1,300}$/u;

/** `line` is everything after the name; a run that is known already is not read from it. */
export const readTyped = (
  name: CommandName,
  line: string,
  known: string | null = null,
): CommandOf<CommandName> | Wrong => {
  const { on } = rowOf(name);
  const [first = ''] = known === null ? line.split(/\s+/) : [];
  const run = known ?? first;
  if (on === 'run' && !RUN.test(run)) return wrong();
  const all = on === 'run' ? line.slice(first.length).trim() : line;
  let rest = all;
  const told = readAll(name, (arg) => {
    const read = arg.typed(rest, all);
    if (!isWrong(read)) rest = read.rest;
    return read;
  });
  if (isWrong(told)) return told;
  if (rest !== '') return wrong();
  return commandOf({ name, told }, run);
};

/** `given` are the words after the run, and the options. */
export const readOptions = <K extends CommandName>(name: K, given: Options): GivenTo<K> | Wrong => {
  const told = readAll(name, (arg) => arg.host?.read(given) ?? { value: arg.otherwise });
  return told as GivenTo<K> | Wrong;
};

/** What a button says: nothing. */
export const unsaid = <K extends SteeringName>(name: K): GivenTo<K> =>
  Object.fromEntries(
    Object.entries(rowOf(name).takes).map(([key, { otherwise }]) => [key, otherwise]),
  ) as GivenTo<K>;

const readAll = (
  name: CommandName,
  read: (arg: AnyRow['takes'][string], key: string) => Read,
): Told | Wrong => {
  const told: Told = {};
  for (const [key, arg] of Object.entries(rowOf(name).takes)) {
    const taken = read(arg, key);
    if (isWrong(taken)) return taken;
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
    ...(rowOf(name).on === 'run' ? { run } : {}),
    ...told,
  }) as unknown as CommandOf<CommandName>;

/** A command that was kept, read as though it were given now; null when it is none of ours. */
export const readKept = (name: string, told: Record<string, unknown>): Kept | null => {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) return null;
  const read = readAll(known, (_, key) => ({ value: told[key] }));
  return isWrong(read) ? null : { name: known, told: read };
};

/** Who may give it, told as it is. */
export const neededFor = (name: CommandName, told: object = unsaid(name as SteeringName)): Role => {
  const { needs } = rowOf(name);
  return typeof needs === 'function' ? needs(told as never) : needs;
};
/** Whether it only shows something, told as it is. */
export const onlyShows = (name: CommandName, told: object): boolean => {
  const { asks } = rowOf(name);
  return typeof asks === 'function' ? asks(told as never) : asks;
};

/** What a steering command asks of the machine. */
export const steered = <K extends SteeringName>(
  name: K,
  by: Person,
  told: GivenTo<K>,
  run: Run | null,
): Input => {
  const { gives } = rowOf(name);
  if (!gives) throw new Error(`no input says ${name}`);
  return gives(by, told, run);
};
