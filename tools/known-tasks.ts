/** How tasks of a repository tell what they are for: by words of their names, and by what they run. */
import { toPattern } from './pattern.ts';
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

const PURPOSES = ['test', 'lint', 'types', 'format', 'build'] as const;
type Purpose = (typeof PURPOSES)[number];
type Key = 'formatsWith' | 'lintsWith' | 'rewritesWith';

const NOTHING = '(?!)';
const anyOf = (patterns: readonly string[]): string =>
  patterns.length === 0 ? NOTHING : `(?:${patterns.join('|')})`;
const inWords = (patterns: readonly string[]): RegExp => new RegExp(`(?<![\\w-])${anyOf(patterns)}\\b`);

const patternsIn = (rows: readonly ToolRow[], key: Key): string[] =>
  rows.flatMap((row) => Object.keys(row[key] ?? {}));
const runIn = (rows: readonly ToolRow[], purpose: Purpose): string[] =>
  rows.flatMap(({ inTasks }) => Object.keys(inTasks?.[purpose] ?? {}));

export const knownTasks = createRowTable((rows) => ({
  words: new Map(
    PURPOSES.map((purpose) => [
      purpose,
      new Set(rows.flatMap(({ taskWords }) => taskWords?.[purpose] ?? [])),
    ]),
  ),
  /** What runs in a task, the purpose that weighs most first. */
  runs: PURPOSES.map((purpose) => ({ purpose, pattern: inWords(runIn(rows, purpose)) })),
  formats: inWords(patternsIn(rows, 'formatsWith')),
  lints: inWords(patternsIn(rows, 'lintsWith')),
  /** Writes, unless an option says otherwise. */
  rewrites: new RegExp(`(?:^|[\\s/])${anyOf(patternsIn(rows, 'rewritesWith'))}(?=[\\s"',\\]]|$)`),
  tests: inWords(runIn(rows, 'test')),
  builds: inWords(runIn(rows, 'build')),
  /** Commands that write, and how the same is asked for a look. */
  onlyLooks: rows.flatMap(({ onlyLooks = [] }) =>
    onlyLooks.map(({ writes, looks }) => ({ writes: toPattern(writes), looks })),
  ),
}));
