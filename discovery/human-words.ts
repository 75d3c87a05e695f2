/** Finds rules that descriptions or answers must be a person's own words. */
import { wordPatterns } from '#tools/words';
import { isAboutAi } from './ai-marks.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

const PERSON_WORDS = wordPatterns('discovery/rules', 'ownWords', [
  ...['generatedText', 'ownWords', 'writtenBy', 'byAHuman', 'discouraged', 'elsewhere', 'ofAmount'],
  ...['ordersToWrite', 'onBehalf'],
] as const);

export const GENERATED_TEXT_PATTERN = PERSON_WORDS.generatedText;

export const shortenTextNames = (plain: string): string =>
  plain.replace(
    /\b(?:pull[- ]?request|PR|MR|commit|code|issue|github)s?(?:'s)?[ /]+(?:descriptions?|templates?|forms?|messages?|comments?|reviews?|titles?|bod(?:y|ies)|texts?|summar(?:y|ies)|discussions?|threads?|discourse)/gi,
    (words) => (/review/i.test(words) ? 'reviews' : 'descriptions'),
  );

export const findHumanWordsRule = (one: RulePassage): FoundRule | null => {
  const { plain } = one;
  if (PERSON_WORDS.byAHuman.test(plain) && isAboutAi(one)) return { kind: 'human_words' };
  if (one.forAgents && PERSON_WORDS.onBehalf.test(plain)) return { kind: 'human_words' };
  if (
    PERSON_WORDS.discouraged.test(plain) &&
    !PERSON_WORDS.ofAmount.test(plain) &&
    PERSON_WORDS.generatedText.test(shortenTextNames(plain))
  )
    return { kind: 'human_words' };
  if (PERSON_WORDS.writtenBy.test(plain) && (isAboutAi(one) || /\bhuman/i.test(plain)))
    return { kind: 'human_words' };
  if (
    !PERSON_WORDS.ownWords.test(plain) ||
    PERSON_WORDS.elsewhere.test(`${one.lead} ${one.before} ${plain} ${one.heading}`)
  )
    return null;
  return (isAboutAi(one) && REQUEST_WORDS.test(plain)) || PERSON_WORDS.ordersToWrite.test(plain)
    ? { kind: 'human_words' }
    : null;
};
