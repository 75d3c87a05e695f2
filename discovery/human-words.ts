/** Finds rules that descriptions or answers must be a person's own words. */
import { isAboutAi } from './ai-marks.ts';
import { GENERATED_WORDS, MODEL_WORDS, anyPattern } from './ai-words.ts';
import { REQUEST_WORDS, type FoundRule, type RulePassage } from './rule-passage.ts';

export const withoutTexts = (plain: string): string =>
  plain.replace(
    /\b(?:pull[- ]?request|PR|MR|commit|code|issue|github)s?(?:'s)?[ /]+(?:descriptions?|templates?|forms?|messages?|comments?|reviews?|titles?|bod(?:y|ies)|texts?|summar(?:y|ies)|discussions?|threads?|discourse)/gi,
    (words) => (/review/i.test(words) ? 'reviews' : 'descriptions'),
  );
export const GENERATED_TEXT_PATTERN = anyPattern(
  String.raw`\b${MODEL_WORDS}[- ]${GENERATED_WORDS} (?:\w+ )?(descriptions?|comments?|repl(?:y|ies)|responses?|messages?|communications?|text|prose|summaries|issues?|reports?|bug reports?|reviews?)\b(?! and (?:code|pull|PRs?)| or (?:code|pull|PRs?))`,
);

const OWN_WORDS = /\b(?:in|with|use|using|be) (?:your|their) own (?:human )?(?:words|voice|writing)\b/i;
const WRITTEN_BY = anyPattern(
  String.raw`\bhuman[- ]written (?:responses?|repl(?:y|ies)|comments?|descriptions?|answers?|messages?)\b`,
  String.raw`\b(?:descriptions?|comments?|repl(?:y|ies)|responses?|messages?|titles?|communications?)\b[^.;]{0,60}\b(?:written|authored|composed) by (?:a |an |the )?(?:humans?|persons?|people|you(?:rself)?|contributors?|authors?)\b`,
  String.raw`\b(?:descriptions?|comments?|repl(?:y|ies)|responses?|communications?)\b[^.;]{0,40}\b(?:be |handled by a (?:real )?)(?:human[- ]written|person|human)\b`,
  String.raw`\b(?:answer|respond|reply|write)\b[^.;]{0,80}\byourself\b[^.;]{0,20}\bwithout\b[^.;]{0,20}\b${MODEL_WORDS}`,
  String.raw`\b(?:person|human|you|author|contributor)\b[^.;]{0,20}\bmust (?:author|write)\b[^.;]{0,30}\b(?:descriptions?|comments?|messages?)\b`,
  String.raw`\b(?:do not|don't|never|must not|should not)\b[^.;]{0,10}\b(?:reply|respond|answer|comment)\b[^.;]{0,40}\b(?:with|using|via|by) (?:\w+ ){0,2}${MODEL_WORDS}`,
  String.raw`(?:\b(?:not|never)\b|n't\b)[^.;]{0,10}\b(?:paste|post|copy)\w*\b[^.;]{0,30}\b${MODEL_WORDS}\b[^.;]{0,30}\b(?:responses?|output|text|answers?|repl(?:y|ies))\b`,
  String.raw`\b(?:communications?|descriptions?|comments?|messages)\b[^;]{0,200}\bmust not (?:be|have been) (?:generated|written|produced)\b[^.;]{0,12}\b${MODEL_WORDS}`,
  String.raw`\b(?:us(?:e|ing))\b[^.;]{0,12}\b${MODEL_WORDS}\b[^.;]{0,12}\bto (?:write|generate)\b[^.;]{0,12}\b(?:explanations?|answers?|descriptions?|responses?)\b[^.;]{0,20}\b(?:not (?:acceptable|allowed|permitted)|unacceptable|forbidden|prohibited)`,
  String.raw`\b${MODEL_WORDS}\b[^.;]{0,12}\bspeak for you\b`,
  String.raw`\b(?:not|never) (?:let|allow|have)\b[^.;]{0,12}\b${MODEL_WORDS}\b[^.;]{0,50}\b(?:speak|talk|answer|reply|respond|communicate)\b[^.;]{0,12}\b(?:on your behalf|for you)\b`,
  String.raw`\banswers?\b[^.;]{0,20}\bcomes? from you\b[^.;]{0,30}\bpasted\b`,
  String.raw`\bwrite your own\b[^.;]{0,30}\b(?:descriptions?|messages?|comments?|words)\b`,
  String.raw`\b(?:you|human|person)\b[^.;]{0,40}\bresponsible for writing\b[^.;]{0,30}\b(?:descriptions?|comments?)\b`,
  String.raw`\b(?:do not|don't|never|must not|should not)\b[^.;]{0,20}\bcop(?:y|ying)\b[^.;]{0,30}\b(?:responses?|answers?|output|text|content)\b[^.;]{0,30}\b${MODEL_WORDS}`,
  String.raw`\b(?:do not|don't|never|must not|should not|not allowed|prohibited|forbidden)\b[^.;]{0,20}\bus(?:e|ing)\b[^.;]{0,20}\b${MODEL_WORDS}\b[^.;]{0,30}\bto (?:reply|respond|answer|communicate|comment)\b(?![^.;]{0,40}\bin bulk)`,
);
const BY_A_HUMAN =
  /\bexpect a (?:human|person) to (?:respond|reply|answer)\b|\b(?:not|never)\b[^.;]{0,10}\bfeed\b[^.;]{0,40}\b(?:comments?|feedback|questions?)\b/i;
const DISCOURAGED = /\b(?:discouraged|frowned upon|unwelcome)\b/i;
const ELSEWHERE = /\b(?:vouch\w*|discussion|blog|application)\b/i;

export const humanWords = (one: RulePassage): FoundRule | null => {
  const { plain } = one;
  if (BY_A_HUMAN.test(plain) && isAboutAi(one)) return { kind: 'human_words' };
  if (
    DISCOURAGED.test(plain) &&
    !/\b(?:long|often|excessive)\b/i.test(plain) &&
    GENERATED_TEXT_PATTERN.test(withoutTexts(plain))
  )
    return { kind: 'human_words' };
  if (WRITTEN_BY.test(plain) && (isAboutAi(one) || /\bhuman/i.test(plain))) return { kind: 'human_words' };
  if (!OWN_WORDS.test(plain) || ELSEWHERE.test(`${one.lead} ${one.before} ${plain} ${one.heading}`))
    return null;
  return (isAboutAi(one) && REQUEST_WORDS.test(plain)) || /^\W*(?:please )?write\b/i.test(plain)
    ? { kind: 'human_words' }
    : null;
};
