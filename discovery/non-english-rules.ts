/** Finds rules other than refusals in languages other than English, by the words of `rules/`. */
import type { FoundRule, RuleReader } from './rule-passage.ts';
import { WORD_READERS, WORDS_AROUND } from './rule-words.ts';

/** `You need no issue, but …`: what nobody needs is not asked, and the rest is. */
const withoutFreedClauses = (text: string): string =>
  WORDS_AROUND.notNeeded.test(text)
    ? text
        .split(/[,，;；]/)
        .filter((clause) => !WORDS_AROUND.notNeeded.test(clause))
        .join(', ')
    : text;

export const findNonEnglishRules: RuleReader = ({ plain, quote }) => {
  if (!WORDS_AROUND.foreign.test(plain)) return [];
  const asked = withoutFreedClauses(plain);
  const bare = withoutFreedClauses(quote.replaceAll('**', ''));
  const found = new Map<FoundRule['kind'], FoundRule>();
  for (const readWords of WORD_READERS) {
    const one = readWords(asked, bare);
    if (one && !found.has(one.kind)) found.set(one.kind, one);
  }
  return [...found.values()];
};
