/** Tells by words what a sentence says: rows of `rules/*.yaml`, each made of classes of words. */
import { RULE_KINDS } from '#model/contract';
import { wordGroup, wordLanguages, wordPatterns, wordRules, type WordRule } from '#tools/words';
import type { FoundRule } from './rule-passage.ts';

const RULES_FOLDER = 'discovery/rules';

export const BAN_WORDS = wordLanguages(RULES_FOLDER, 'bans').map((language) =>
  wordPatterns(RULES_FOLDER, 'bans', ['model', 'made', 'refuses', 'unless'], language),
);
export const WORDS_AROUND = wordPatterns(RULES_FOLDER, 'around', [
  ...['anyModel', 'unreadModel', 'unreadWords', 'englishWords', 'foreign'],
  ...['notForbidden', 'notNeeded', 'permits', 'texts', 'code', 'negation'],
] as const);
/** Removes permissions, so that words of a ban within them refuse nothing. */
export const withoutPermissions = (sentence: string): string =>
  sentence.split(WORDS_AROUND.notForbidden).join(' ');
/** These words limit an English ban to a part, to other projects, or to a subject. */
export const NEAR_BANS = wordPatterns(RULES_FOLDER, 'nearBans', [
  'needsFirst',
  'ofPart',
  'ofOthers',
  'asFeature',
]);
export const REFUSAL_WORDS = wordPatterns(RULES_FOLDER, 'refusals', ['flatly', 'softly']);
export const ISSUE_WORDS = wordPatterns(RULES_FOLDER, 'issueFirst', ['asked']);
export const SIZE_WORDS = wordPatterns(RULES_FOLDER, 'size', ['oneChange']);
const CLASSES = new Map(['rules', 'bans', 'around'].flatMap((group) => wordGroup(RULES_FOLDER, group)));

const patternsOf = (names: string): readonly RegExp[] =>
  names.split('|').map((name) => {
    const pattern = CLASSES.get(name);
    if (pattern === undefined) throw new Error(`${RULES_FOLDER}: no words are called ${name}`);
    return pattern;
  });
const hasAny = (text: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** `quote` is the sentence with its marks, from which a value is read. */
type WordReader = (plain: string, quote: string) => FoundRule | null;
const createReader = (rule: WordRule): WordReader => {
  const kind = RULE_KINDS.find((known) => known === rule.kind);
  if (kind === undefined) throw new Error(`${RULES_FOLDER}: there is no kind of rules called ${rule.kind}`);
  const needs = rule.needs.map(patternsOf);
  const forbids = rule.forbids.flatMap(patternsOf);
  const [reads] = rule.reads === undefined ? [] : patternsOf(rule.reads);
  return (plain, quote) => {
    if (!needs.every((either) => hasAny(plain, either)) || hasAny(plain, forbids)) return null;
    if (!reads) return { kind, ...(rule.value === undefined ? {} : { value: rule.value }) };
    const groups: readonly (string | undefined)[] = reads.exec(quote)?.slice(1) ?? [];
    const value = groups.find((group) => group !== undefined);
    return value === undefined ? null : { kind, value };
  };
};
export const WORD_READERS: readonly WordReader[] = wordRules(RULES_FOLDER).map(createReader);
