/** Reads words that people write, a YAML file a language: see docs/translating.md. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { listYamlFiles, readYaml, YAML_SUFFIX } from './read-yaml.ts';
import { SingleLinePattern } from './tool-schema.ts';

const Text = z.string().min(1);
const BLANK = '{}';
/**
 * `words` are patterns, each with a text that it matches; `not` are texts that none of them matches.
 * They stand where a `frame` has `{}`.
 */
const WordPart = z.strictObject({
  frame: Text.refine((frame) => frame.split(BLANK).length === 2, `has no ${BLANK}, or several`).optional(),
  words: z.record(SingleLinePattern, Text),
  not: z.array(Text).min(1),
});
type WordPart = z.infer<typeof WordPart>;
const WordClass = z.preprocess(
  (told): unknown[] => (Array.isArray(told) ? (told as unknown[]) : [told]),
  z.array(WordPart).min(1),
);
const WordList = z.string().transform((text) => text.split(/\s+/).filter((word) => word !== ''));
const Words = z.strictObject({
  classes: z.record(Text, z.record(Text, WordClass)),
  lists: z.record(Text, WordList).default({}),
});
/** `language` is the name of the file. */
type WordFile = z.infer<typeof Words> & { language: string };

/** Throws RowError, and what the file system says of the folder. */
export const readWords = (folder: string): WordFile[] =>
  listYamlFiles(folder).map((name) => {
    const file = join(folder, name);
    return { language: basename(name, YAML_SUFFIX), ...readYaml(file, readFileSync(file, 'utf8'), Words) };
  });

export const partSource = ({ frame = BLANK, words }: Pick<WordPart, 'frame' | 'words'>): string =>
  frame.replace(BLANK, () => Object.keys(words).join('|'));

/** What is looked for, without the examples: an expression a class, by group. */
export type WordSources = {
  language: string;
  sources: Readonly<Record<string, Readonly<Record<string, string>>>>;
  lists: Readonly<Record<string, readonly string[]>>;
};

const mapValues = <From, To>(of: Record<string, From>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));

export const sourcesOf = ({ language, classes, lists }: WordFile): WordSources => ({
  language,
  sources: mapValues(classes, (group) => mapValues(group, (parts) => parts.map(partSource).join('|'))),
  lists,
});

/** A class of the group over all of the files; none of the patterns needs flags of its own. */
export const joinSources = (files: readonly WordSources[], group: string): ReadonlyMap<string, string> => {
  const joined = new Map<string, string>();
  for (const { sources } of files)
    for (const [name, source] of Object.entries(sources[group] ?? {})) {
      const before = joined.get(name);
      joined.set(name, before === undefined ? source : `${before}|${source}`);
    }
  return joined;
};
