/** Says in which language a text stands, as far as our own sentences below it have that language (F9). */
import { wordList } from '#tools/words';

const MIN_SIGNS = 8;
const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
/** Names and code keep their letters, so Chinese is what has more of its signs than words. */
export const isChinese = (text: string): boolean => {
  const signs = countOf(text, /\p{Script=Han}/gu);
  const isOther = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
  return !isOther && signs >= MIN_SIGNS && signs > countOf(text, /\p{L}+/gu);
};

const [ENGLISH_WORDS, PORTUGUESE_WORDS] = (['en', 'pt'] as const).map((language) =>
  wordList('pull-text/words', 'functionWords', language),
) as [ReadonlySet<string>, ReadonlySet<string>];
/** Has `atLeast` words that no language beside has, and more of them than English ones. */
export const isPortuguese = (text: string, atLeast = 3): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const own = words.filter((word) => PORTUGUESE_WORDS.has(word)).length;
  return own >= atLeast && own > words.filter((word) => ENGLISH_WORDS.has(word)).length;
};
