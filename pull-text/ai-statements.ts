/** Says whether words of a template state that AI made the change, and nothing more (F11). */
import { wordList } from '#tools/words';
import { SIGNS } from './template-word-patterns.ts';

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

const ASKED_FOR =
  'describe|specify|explain|list|name|tell|say|state|mention|indicate|detail|provide|include|add|link|which|what|how|where';
/** The words that a person is to write beside the box. */
const REQUEST = new RegExp(
  String.raw`\b(?:if so,? (?:please )?|please )(?:also |\w{1,12}ly )?(?:${ASKED_FOR})\b|\bif so\W{0,3}$|[.;:?!][ \t*_(]{1,5}(?:${ASKED_FOR})\b`,
  'i',
);
const STATES_MORE =
  /\b(?:I|I've|I'm|my|me|we|our|confirm\w*|certif\w+|only|review\w*|understand\w*|test(?:s|ed)?)\b/i;
/** A request that also makes a statement is left, so that its words are unknown. */
const withoutRequest = (text: string): string => {
  const at = text.search(REQUEST);
  return at < 0 || STATES_MORE.test(text.slice(at)) ? text : text.slice(0, at);
};

/** Every word is one of those by which people tell of AI; signs and numbers are none of them. */
export const hasOnlyAiUseWords = (text: string): boolean => {
  const plain = withoutRequest(text)
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
export const isAiUseStatement = (text: string): boolean =>
  hasOnlyAiUseWords(text) && (SIGNS.usedAi.test(text) || USED.test(text));
