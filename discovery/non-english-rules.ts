/** Finds rules other than refusals in languages other than English, by the words of `rules/`. */
import type { FoundRule, RuleReader } from './rule-passage.ts';
import { WORD_READERS, WORDS_AROUND } from './rule-words.ts';

export const nonEnglishRules: RuleReader = ({ plain, quote }) => {
  if (!WORDS_AROUND.foreign.test(plain)) return [];
  const bare = quote.replaceAll('**', '');
  const found = new Map<FoundRule['kind'], FoundRule>();
  for (const readWords of WORD_READERS) {
    const one = readWords(plain, bare);
    if (one && !found.has(one.kind)) found.set(one.kind, one);
  }
  return [...found.values()];
};
