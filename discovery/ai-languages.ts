/** Reads sentences about AI-made changes in languages other than English, by the words of `rules/`. */
import { BAN_WORDS, WORDS_AROUND, withoutPermissions } from './rule-words.ts';

/** `… by models (as X, Y) written …`: a list in brackets stands between words that belong together. */
const withoutBrackets = (sentence: string): string => sentence.replace(/[(（][^()（）]{0,120}[)）]/g, '');
const languagesOf = (sentence: string): readonly (typeof BAN_WORDS)[number][] => {
  const anyModel = WORDS_AROUND.anyModel.test(sentence);
  const bare = withoutBrackets(sentence);
  return BAN_WORDS.filter(
    ({ model, made }) =>
      (anyModel || model.test(sentence)) && [sentence, bare].some((text) => made.test(text)),
  );
};

const NAMES_AI = /(?<!\p{L})(?:AI|LLMs?|ChatGPT|Copilot|GPT)(?!\p{L})/u;
const isInOtherLanguage = (sentence: string): boolean =>
  WORDS_AROUND.unreadModel.test(sentence) ||
  (NAMES_AI.test(sentence) &&
    WORDS_AROUND.unreadWords.test(sentence) &&
    !WORDS_AROUND.englishWords.test(sentence));

export const namesModelInOtherLanguage = (title: string): boolean =>
  BAN_WORDS.some(({ model }) => model.test(title)) ||
  WORDS_AROUND.unreadModel.test(title) ||
  (WORDS_AROUND.anyModel.test(title) && WORDS_AROUND.foreign.test(title));
const isEnglish = (sentence: string): boolean =>
  /^[ -~“”‘’–—…\s]*$/.test(sentence) && WORDS_AROUND.englishWords.test(sentence);

/** Words of one language permit nothing in another: `accept` begins a French word as well. */
export const permitsInOtherLanguage = (sentence: string): boolean =>
  withoutPermissions(sentence) !== sentence ||
  ((WORDS_AROUND.foreign.test(sentence) || BAN_WORDS.some(({ model }) => model.test(sentence))) &&
    !isEnglish(sentence) &&
    WORDS_AROUND.permits.test(sentence) &&
    !WORDS_AROUND.negation.test(sentence));

/** A negation in other words: somebody who reads the language must judge it. */
export const mayRefuseInOtherLanguage = (sentence: string): boolean => {
  if (WORDS_AROUND.notNeeded.test(sentence) || WORDS_AROUND.englishWords.test(sentence)) return false;
  const rest = withoutPermissions(sentence);
  return (
    (WORDS_AROUND.negation.test(rest) && languagesOf(sentence).length > 0) ||
    BAN_WORDS.some(({ model, refuses }) => model.test(sentence) && refuses.test(rest))
  );
};

/** `conditional`: it refuses only some such changes, so a person must read it. */
export const findNonEnglishRefusal = (sentence: string): 'outright' | 'conditional' | null => {
  const languages = isEnglish(sentence) ? [] : languagesOf(sentence);
  const rest = languages.length === 0 ? '' : withoutPermissions(sentence);
  const refusing = [rest, withoutBrackets(rest)].flatMap((text) =>
    languages.filter(({ made, refuses }) => made.test(text) && refuses.test(text)),
  );
  // guard: E7-other-languages-asked
  if (refusing.length === 0) return isInOtherLanguage(sentence) ? 'conditional' : null;
  const besides = WORDS_AROUND.texts.test(sentence) && !WORDS_AROUND.code.test(sentence);
  return besides || refusing.some(({ unless }) => unless.test(sentence)) ? 'conditional' : 'outright';
};
