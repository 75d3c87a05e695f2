/** Tells by words what a sentence says: rows of `rules/*.yaml`, each made of classes of words. */
import { RULE_KINDS } from '#model/contract';
import { wordGroup, wordLanguages, wordPatterns, wordRules, type WordRule } from '#tools/words';
import { findAllMatches } from '#model/values';
import { isBaseBranchCandidate } from './base-branch.ts';
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
const CLASSES = new Map(
  ['rules', 'bans', 'around', 'forms'].flatMap((group) => wordGroup(RULES_FOLDER, group)),
);

const patternOf = (name: string): RegExp => {
  const pattern = CLASSES.get(name);
  if (pattern === undefined) throw new Error(`${RULES_FOLDER}: no words are called ${name}`);
  return pattern;
};
const patternsOf = (names: string): readonly RegExp[] => names.split('|').map(patternOf);
const hasAny = (text: string, patterns: readonly RegExp[]): boolean =>
  patterns.some((pattern) => pattern.test(text));

const BORDER = /[,;:，；：、。]/;
const clauseAround = (text: string, { index, 0: { length } }: RegExpExecArray): string => {
  const before = text.slice(0, index).split(BORDER).at(-1) ?? '';
  const [after = ''] = text.slice(index + length).split(BORDER);
  return `${before}${text.slice(index, index + length)}${after}`;
};
type TextTest = (text: string) => boolean;
const anyTest = (names: readonly string[]): TextTest => {
  const patterns = names.flatMap(patternsOf);
  return (text) => hasAny(text, patterns);
};
/** Each of `needs` is in the text, and none of `forbids`. */
const createTest = (rule: WordRule): TextTest => {
  const needs = rule.needs.map(patternsOf);
  const isForbidden = anyTest(rule.forbids);
  return (text) => needs.every((either) => hasAny(text, either)) && !isForbidden(text);
};
const ruleOf = ({ kind: name, value }: WordRule): FoundRule => {
  const kind = RULE_KINDS.find((known) => known === name);
  if (kind === undefined) throw new Error(`${RULES_FOLDER}: there is no kind of rules called ${name}`);
  return { kind, ...(value === undefined ? {} : { value }) };
};

/** `quote` is the sentence with its marks, from which a value is read. */
type WordReader = (plain: string, quote: string) => FoundRule | null;
const createReader = (rule: WordRule): WordReader => {
  const told = ruleOf(rule);
  const says = createTest(rule);
  const [reads] = rule.reads === undefined ? [] : patternsOf(rule.reads);
  const isForbiddenInClause = anyTest(rule.forbidsInClause);
  const isValue = (value: string): boolean => told.kind !== 'base_branch' || isBaseBranchCandidate(value);
  return (plain, quote) => {
    if (!says(plain)) return null;
    if (!reads) return told;
    for (const found of findAllMatches(quote, reads)) {
      const value = found.slice(1).find((group) => group !== undefined);
      if (value !== undefined && isValue(value) && !isForbiddenInClause(clauseAround(quote, found)))
        return { ...told, value };
    }
    return null;
  };
};
export const WORD_READERS: readonly WordReader[] = wordRules(RULES_FOLDER, 'mul').map(createReader);

/** Somebody who may be meant by a refusal. */
export const NAMES_US = patternOf('namesUs');
/** English forms of refusals, in the order in which they are tried. */
export const REFUSAL_ROWS = wordRules(RULES_FOLDER, 'en').map((rule) => ({
  found: ruleOf(rule),
  where: rule.where,
  says: createTest(rule),
  isUnder: anyTest(rule.notUnder),
  isUnsure: anyTest(rule.unsure),
}));
