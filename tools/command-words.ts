/** How commands are told apart by their first words: what prepares, what CI brings, what takes a part. */
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

type Key = 'prepares' | 'comesWithCi';
const NOTHING = '(?!)';
const anyOf = (patterns: readonly string[]): string =>
  patterns.length === 0 ? NOTHING : `(?:${patterns.join('|')})`;
const keysOf = (rows: readonly ToolRow[], key: Key): string[] =>
  rows.flatMap((row) => Object.keys(row[key] ?? {}));

export const commandWords = createRowTable((rows) => ({
  prepares: new RegExp(`^${anyOf(keysOf(rows, 'prepares'))}(?= |$)`),
  /** The project installs none of these. */
  comesWithCi: new RegExp(`^${anyOf(keysOf(rows, 'comesWithCi'))}\\b`),
  /** Names that a path may stand before: `vendor/bin/phpunit`. */
  calledByPath: rows.flatMap(({ calledByPath = [] }) => calledByPath),
  /** Wrappers that a repository brings and a shell may start. */
  brought: rows.flatMap(({ bringsItself = [] }) => bringsItself),
  /** Test runners that a folder or a file behind them keeps to a part. */
  takesParts: anyOf(rows.flatMap(({ takesParts }) => takesParts ?? [])),
  featureOptions: new Set(rows.flatMap(({ features }) => features?.options ?? [])),
  allFeatures: new Set(rows.flatMap(({ features }) => features?.all ?? [])),
  /** A script of this name runs all tests. */
  ordinaryTasks: rows.flatMap(({ names: [name = ''] = [], ordinaryTask }) => (ordinaryTask ? [name] : [])),
}));

const runtimeTable = (rows: readonly ToolRow[]) =>
  rows.flatMap(({ names: [name = ''] = [], runtimeOf: language, versionKeys = [] }) =>
    language === undefined && versionKeys.length === 0 ? [] : [{ name, language, versionKeys }],
  );
/** Programs that languages run with. */
export const languageRuntimes = createRowTable((rows) => {
  const all = runtimeTable(rows);
  return {
    names: new Set(all.flatMap(({ name, language }) => (language === undefined ? [] : [name]))),
    byLanguage: new Map(
      all.flatMap(({ name, language }) => (language === undefined ? [] : [[language, name] as const])),
    ),
    /** By what a matrix or an action calls their version. */
    byVersionKey: new Map(
      all.flatMap(({ name, versionKeys }) => versionKeys.map((key) => [key, name] as const)),
    ),
  };
});
