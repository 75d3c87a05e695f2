/** Says whether a box holds a word whose meaning our facts do not cover (F11). */
import { wordList } from '#tools/words';
import { SIGNS } from './template-word-patterns.ts';

const KNOWN_WORDS = wordList('pull-text/words', 'knownWords');
const NO_BLANKS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;

const toPlainLabel = (label: string): string =>
  label
    .replace(/`[^`]*`/g, ' ')
    .replace(/\]\([^)]*\)|\]\[[^\]]*\]/g, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .toLowerCase();

export const hasUnknownWord = (label: string, baseRef = ''): boolean =>
  toPlainLabel(label)
    .split(/[^\p{L}\p{N}.'’+-]+/u)
    .map((word) => word.replace(/^[-.'’+]+|(?<![-.'’+])[-.'’+]+$/gu, '').replaceAll('’', "'"))
    .some(
      (word) =>
        word !== '' && word !== baseRef.toLowerCase() && !NO_BLANKS.test(word) && !KNOWN_WORDS.has(word),
    );

const OTHER_SCRIPT =
  /[^\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]/u;
export const isPersonalElsewhere = (label: string): boolean =>
  OTHER_SCRIPT.test(label) || SIGNS.personalElsewhere.test(label);
