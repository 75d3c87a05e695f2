/** Errors that package managers, compilers and wrappers print when they cannot do their work (E15). */
import { patternSource } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

type Told = NonNullable<ToolRow['errors']>[number];
type ToolError = { kind: Told['means']; program: string | null; line: string };

const withOwnFlags = (text: string): string => {
  const { source, flags } = patternSource(text);
  return flags === '' ? source : `(?${flags}:${source})`;
};
const lineWith = (patterns: readonly string[]): RegExp =>
  new RegExp(`^.*(?:${patterns.map(withOwnFlags).join('|')}).*$`, 'm');

/** One expression for all that means the same, because a log is long. */
const errors = createRowTable((rows) => {
  const all = rows.flatMap((row) => row.errors ?? []);
  const groups = Map.groupBy(all, ({ means, program }) => `${means} ${program ?? ''}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const says = lineWith(same.flatMap(({ lines }) => Object.keys(lines)));
    return [{ kind: first.means, program: first.program ?? null, says }];
  });
});

/** The first error of the first of these kinds that stands in the text. */
export const findToolError = (text: string, kinds: readonly ToolError['kind'][]): ToolError | null => {
  for (const kind of kinds) {
    const found = errors().flatMap(({ kind: one, program, says }) => {
      const match = one === kind ? says.exec(text) : null;
      return match ? [{ kind, program, line: match[0], at: match.index }] : [];
    });
    const [first] = found.sort((a, b) => a.at - b.at);
    if (first) return { kind, program: first.program, line: first.line };
  }
  return null;
};

/** Lines in which a package manager says how a registry answered: the first group is the status. */
export const httpStatusLines = createRowTable((rows): readonly RegExp[] =>
  rows.flatMap(({ httpStatus = {} }) => Object.keys(httpStatus).map((pattern) => lineWith([pattern]))),
);
