/** Uses of programs that neither run nor write more than the repository's own checks do (P6). */
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

type Told = NonNullable<ToolRow['harmless']>;

export type HarmlessUse = {
  /** No option of the program executes or writes. */
  takesAny: boolean;
  sub?: RegExp;
  /** An option before the sub-command could change its meaning. */
  subFirst?: true;
  options: RegExp;
  valued?: RegExp;
  operands?: RegExp;
  maxOperands?: number;
  /** Words after `--`; by default operands. */
  passed?: RegExp;
  /** A file name from a glob could act as more than a name. */
  noGlobs?: true;
};

const ANY_OPTION = /^/;

const wholeOf = (patterns: readonly string[]): RegExp => new RegExp(`^(?:${patterns.join('|')})$`);
const wholeIf = <Key extends string>(key: Key, pattern: string | undefined): Partial<Record<Key, RegExp>> => {
  const made: Partial<Record<Key, RegExp>> = {};
  if (pattern !== undefined) made[key] = wholeOf([pattern]);
  return made;
};

/** GNU, git and npm accept abbreviations, so whole options are listed. */
const optionPatterns = ({ options, longOptions }: Told): string[] => [
  ...(options === undefined ? [] : [options]),
  ...(longOptions === undefined ? [] : [`--(?:${longOptions.join('|')})`]),
];

const toUse = (told: Told, rows: readonly ToolRow[]): HarmlessUse => {
  const optionsOfRow = (id: string | undefined): string[] => {
    const other = rows.find((row) => row.id === id)?.harmless;
    return other === undefined ? [] : optionPatterns(other);
  };
  const passed = [...(told.passed === undefined ? [] : [told.passed]), ...optionsOfRow(told.passedOptionsOf)];
  return {
    takesAny: told.options === 'any',
    options:
      told.options === 'any'
        ? ANY_OPTION
        : wholeOf([...optionPatterns(told), ...optionsOfRow(told.optionsOf)]),
    ...wholeIf('sub', told.subcommands),
    ...wholeIf('valued', told.valued),
    ...wholeIf('operands', told.operands),
    ...(passed.length === 0 ? {} : { passed: wholeOf(passed) }),
    ...(told.subcommandFirst ? { subFirst: true } : {}),
    ...(told.maxOperands === undefined ? {} : { maxOperands: told.maxOperands }),
    ...(told.noGlobs ? { noGlobs: true } : {}),
  };
};

const uses = createRowTable((rows) => {
  const [programs, modules] = [new Map<string, HarmlessUse>(), new Map<string, HarmlessUse>()];
  for (const { names: [first] = [], harmless: told } of rows) {
    if (told === undefined) continue;
    const use = toUse(told, rows);
    for (const name of told.programs ?? (first === undefined ? [] : [first])) {
      if (told.pythonModule !== 'only' && !programs.has(name)) programs.set(name, use);
      if (told.pythonModule !== undefined && !modules.has(name)) modules.set(name, use);
    }
  }
  return { programs, modules };
});

/** `from` is where its own words begin: `python -m pytest` is pytest. */
export const findHarmlessUse = (
  program: string,
  args: readonly string[],
): { use: HarmlessUse; from: number } | null => {
  const isModule = /^python3?$/.test(program) && args[0] === '-m';
  const use = isModule ? uses().modules.get(args[1] ?? '') : uses().programs.get(program);
  return use === undefined ? null : { use, from: isModule ? 2 : 0 };
};
