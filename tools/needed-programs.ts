/** Which programs a command needs on the host, and where a repository says which version of them. */
import { toPattern } from './pattern.ts';
import { createRowTable } from './tool-rows.ts';

const ITSELF = 'itself';

const needs = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names = [], needs: told = [], bringsItself = [] }) =>
        names.map((name) => [
          name,
          told.flatMap((one) => (one !== ITSELF ? [one] : bringsItself.includes(name) ? [] : [name])),
        ]),
      ),
    ),
);
/** `python3.12` is python. */
export const findNeededPrograms = (program: string): readonly string[] =>
  needs().get(program) ??
  (/\d$/.test(program) ? needs().get(program.replace(/(?<![\d.])[\d.]+$/, '')) : null) ??
  [];

/** The whole file is the version, or what the first group of the pattern finds. */
type VersionFile = { file: string; tool: string; pattern: RegExp; atLeast: boolean };
export const versionFiles = createRowTable((rows): readonly VersionFile[] =>
  rows.flatMap(({ names: [tool = ''] = [], versionIn = [] }) =>
    versionIn.map(({ file, pattern, atLeast = false }) => ({
      file,
      tool,
      pattern: toPattern(pattern),
      atLeast,
    })),
  ),
);

const listed = createRowTable(
  (rows) =>
    new Map(
      rows.flatMap(({ names: [tool = ''] = [], listedAs = [] }) =>
        listedAs.map((name) => [name, tool] as const),
      ),
    ),
);
export const canonicalProgramName = (name: string): string => listed().get(name) ?? name;
