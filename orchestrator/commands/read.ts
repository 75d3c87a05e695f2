/** C1: reads what follows a command's name, in a line or on the command line, by the command's row. Pure. */
import type { AnyRow } from './row.ts';
import type { Options } from './args.ts';
import type { Input } from '../core/machine/inputs.ts';
import type { Run } from '../core/machine/run.ts';
import type { Person } from '../core/order.ts';
import type { Role } from '../core/roles.ts';
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

type Told = Record<string, unknown>;
type Read = { value: unknown } | Wrong;

const RUN = /^(?!-)[A-Za-z0-9_-]{1,64}$/;

/** `line` is everything after the name. */
export const readTyped = (name: CommandName, line: string): CommandOf<CommandName> | Wrong => {
  const { on } = rowOf(name);
  const [first = ''] = line.split(/\s+/);
  const run = first.replace(/^#/, '');
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
  return { kind: name, ...(on === 'run' ? { run } : {}), ...told } as unknown as CommandOf<CommandName>;
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

const readAll = (name: CommandName, read: (arg: AnyRow['takes'][string]) => Read): Told | Wrong => {
  const told: Told = {};
  for (const [key, arg] of Object.entries(rowOf(name).takes)) {
    const taken = read(arg);
    if (isWrong(taken)) return taken;
    const checked = arg.schema.safeParse(taken.value);
    if (!checked.success) return arg.refused(checked.error.issues[0]?.path.join('.') ?? '');
    told[key] = checked.data;
  }
  return told;
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
