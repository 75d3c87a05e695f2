/** Says whether words of a template state that AI made the change, and nothing more (F11). */
import { wordList } from '#tools/words';
import { SIGNS } from './word-signs.ts';

const USE_WORDS = wordList('pull-text/words', 'aiUseWords');
const PIECES = [...USE_WORDS].sort((a, b) => b.length - a.length);

const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const isKnownRun = (run: string): boolean => {
  let rest = run;
  while (rest !== '') {
    const piece = PIECES.find((one) => rest.startsWith(one));
    if (piece === undefined) return false;
    rest = rest.slice(piece.length);
  }
  return true;
};

const REQUEST =
  /\b(?:if so|please)\b[^]*$|[.;:?!][ \t*_(]{1,5}(?:describe|specify|explain|list|name|tell)\b[^]*$/i;

/** Every word is one of those by which people tell of AI; signs and numbers are none of them. */
export const speaksOfUseAlone = (text: string): boolean => {
  const plain = text
    .replace(REQUEST, ' ')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\be\.g\./g, ' ');
  const words = plain.replace(WITHOUT_BLANKS, ' ').match(/(?:[\p{L}\p{N}\p{S}%]|'(?=\p{L}))+/gu) ?? [];
  return (
    (plain.match(WITHOUT_BLANKS) ?? []).every(isKnownRun) &&
    words.every((word) => USE_WORDS.has(word.replace(/^'/, '')))
  );
};

const USED = /\b(?:used?|using|generated|assisted|written|created|made|produced|authored|developed|yes)\b/i;

/** Any other word could say less, more or the opposite: `hardly`, `free of`, `was removed`. */
export const statesUseOfAi = (text: string): boolean =>
  speaksOfUseAlone(text) && (SIGNS.usedAi.test(text) || USED.test(text));
