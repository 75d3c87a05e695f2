/** Reads words that people write, a YAML file a language: see docs/translating.md. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { listYamlFiles, readYaml, YAML_SUFFIX } from './read-yaml.ts';
import { SingleLinePattern } from './tool-schema.ts';

const Text = z.string().min(1);
const Texts = z.array(Text).min(1);
const BLANK = '{}';
/** Nothing of a word stands before or behind: JavaScript's `\b` knows only ASCII letters. */
const WHOLE_WORDS = String.raw`(?<![\p{L}\p{N}])(?:{})(?![\p{L}\p{N}])`;
const WordList = z.string().transform((text) => text.split(/\s+/).filter((word) => word !== ''));
/**
 * `words` are patterns, each with a text that it matches, and `plain` words that say themselves; `not`
 * are texts that none of them matches. They stand where a `frame` has `{}`, or are `whole` words.
 */
const WordPart = z
  .strictObject({
    frame: Text.refine((frame) => frame.split(BLANK).length === 2, `has no ${BLANK}, or several`).optional(),
    whole: z.literal(true).optional(),
    words: z.record(SingleLinePattern, Text).default({}),
    plain: z.union([WordList, Texts]).default([]),
    not: Texts,
  })
  .refine(({ words, plain }) => Object.keys(words).length + plain.length > 0, 'has no words');
type WordPart = z.infer<typeof WordPart>;
const WordClass = z.preprocess(
  (told): unknown[] => (Array.isArray(told) ? (told as unknown[]) : [told]),
  z.array(WordPart).min(1),
);
/**
 * What a sentence must hold to say something: one of each class in `needs` (`a|b`: of either), and
 * none of `forbids`; with one of `unsure`, a person is asked. Its value is a text, or what stands in
 * brackets in the class that it `reads`, in the first clause that has none of `forbidsInClause`. It
 * counts under headings with none of `notUnder`, and `where` it says: with the lead of its list before
 * it, in files for agents alone, in others alone, or outside of templates.
 */
const WordRule = z.strictObject({
  kind: Text,
  value: Text.optional(),
  reads: Text.optional(),
  needs: Texts,
  forbids: Texts.default([]),
  forbidsInClause: Texts.default([]),
  unsure: Texts.default([]),
  notUnder: Texts.default([]),
  where: z.enum(['with lead', 'for agents', 'for people', 'in guides']).optional(),
  examples: Texts,
  not: Texts,
});
export type WordRule = z.infer<typeof WordRule>;

const TERM = /\{([a-z][A-Za-z]*)\}/g;
/** `{~30}`: at most so many characters of the same clause lie between. */
const NEAR = /\{~(\d{1,3})\}/g;
type Terms = Readonly<Record<string, string>>;
const fillTerms = (pattern: string, terms: Terms): string =>
  pattern
    .replace(NEAR, '[^.;]{0,$1}')
    .replace(TERM, (blank, name: string) => (Object.hasOwn(terms, name) ? (terms[name] ?? '') : blank));

/** A term may name those before it. */
const WordTerms = z
  .record(Text, z.union([SingleLinePattern, z.array(SingleLinePattern).min(1)]))
  .transform((told) => {
    const terms: Record<string, string> = {};
    for (const [name, alternatives] of Object.entries(told))
      terms[name] = fillTerms(`(?:${[alternatives].flat().join('|')})`, terms);
    return terms;
  });
const Words = z
  .strictObject({
    terms: WordTerms.default({}),
    classes: z.record(Text, z.record(Text, WordClass)),
    rules: z.array(WordRule).default([]),
    lists: z.record(Text, WordList).default({}),
  })
  .superRefine(({ terms, classes }, context) => {
    const check = (pattern: string, path: PropertyKey[]): void => {
      const unknown = TERM.exec(fillTerms(pattern, terms))?.[0];
      TERM.lastIndex = 0;
      if (unknown !== undefined) context.addIssue({ code: 'custom', path, message: `${unknown} is no term` });
    };
    for (const [name, source] of Object.entries(terms)) check(source, ['terms', name]);
    for (const [group, told] of Object.entries(classes))
      for (const [name, parts] of Object.entries(told))
        for (const { words } of parts)
          for (const pattern of Object.keys(words)) check(pattern, ['classes', group, name]);
  });
/** `en-ai` is a file of `en`: a language with many words has several, each with terms of its own. */
type WordFile = z.infer<typeof Words> & { name: string; language: string };

const readWordFile = (file: string, text: string): WordFile => {
  const name = basename(file, YAML_SUFFIX);
  return { name, language: name.replace(/-.*/, ''), ...readYaml(file, text, Words) };
};

/** Throws RowError, and what the file system says of the folder. */
export const readWords = (folder: string): WordFile[] =>
  listYamlFiles(folder).map((name) => {
    const file = join(folder, name);
    return readWordFile(file, readFileSync(file, 'utf8'));
  });

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
export const partSource = (
  { frame, whole, words, plain }: Omit<WordPart, 'not'>,
  terms: Terms = {},
): string => {
  const alternatives = [...plain.map(escapePattern), ...Object.keys(words)].join('|');
  return fillTerms(
    (frame ?? (whole ? WHOLE_WORDS : BLANK)).replace(BLANK, () => alternatives),
    terms,
  );
};

/** What is looked for, without the examples: an expression a class, by group. */
export type WordSources = {
  name: string;
  language: string;
  sources: Readonly<Record<string, Readonly<Record<string, string>>>>;
  lists: Readonly<Record<string, readonly string[]>>;
  terms: Terms;
  rules: readonly WordRule[];
};

const mapValues = <From, To>(of: Record<string, From>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));

export const toWordSources = ({ name, language, classes, lists, terms, rules }: WordFile): WordSources => ({
  name,
  language,
  sources: mapValues(classes, (group) =>
    mapValues(group, (parts) => parts.map((part) => partSource(part, terms)).join('|')),
  ),
  lists,
  terms,
  rules,
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
