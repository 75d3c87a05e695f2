/** The one list of characters that imitate ASCII (UTS 39 and compatibility forms) (G8, P6). */
import { z } from 'zod';
import confusables from './confusables.json' with { type: 'json' };
import {
  formatCodePoint,
  escapeCharacter,
  findInvisibleCharacters,
  showInvisible,
} from './invisible-characters.ts';

const isAscii = (character: string): boolean =>
  character.length === 1 && character >= ' ' && character <= '~';

const COMPATIBLE: readonly (readonly [from: number, to: number])[] = [
  [0x02b0, 0x02b8],
  [0x1d2c, 0x1d6a],
  [0x2070, 0x218b],
  [0x2460, 0x24e9],
  [0xfe50, 0xfe6b],
  [0xff01, 0xff5e],
  [0x1d400, 0x1d7ff],
];
const compatible = COMPATIBLE.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)),
).map((c) => [c, c.normalize('NFKC')] as const);
const CONFUSABLES_BY_ASCII = z.array(z.tuple([z.string(), z.string()])).parse(confusables.byAscii);
const ASCII_OF: ReadonlyMap<string, string> = new Map([
  ...compatible.filter(([, plain]) => isAscii(plain)),
  ...CONFUSABLES_BY_ASCII.flatMap(([ascii, alike]) => [...alike].map((c) => [c, ascii] as const)),
]);
const asciiOf = (character: string): string | null => ASCII_OF.get(character) ?? null;
const alikeTo = (ascii: RegExp): string =>
  [...ASCII_OF].flatMap(([c, as]) => (ascii.test(as) ? [c] : [])).join('');

const ASCII_TEXT = /^[\n\t\x20-\x7e]*$/;
const MAY_BE_ALIKE = new RegExp(`[${alikeTo(/./)}]`, 'u');
const READS_AS_WORD = new RegExp(`^[\\w${alikeTo(/\w/)}]+$`, 'u');
const readAs = (text: string): string => [...text].map((c) => (isAscii(c) ? c : (asciiOf(c) ?? c))).join('');

const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
const LETTER = /\p{L}/u;
const ASCII_LETTER = /[A-Za-z]/;
const NON_ASCII_CHARACTERS = /[^\0-\x7f]/gu;

/** European Latin letters, even those that imitate others (dotless i, thorn). */
const OF_A_SPELLING = /[\u00c0-\u024f\u1e00-\u1eff]/;
const LATIN_FORM = /[\p{Script=Latin}\p{Script=Common}]/u;
const WIDE = /[\u3000-\u303f\uff00-\uffef]/;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u;

/** A shell does not split at these blanks. */
const OTHER_BLANK = /(?![\n\t ])[\p{White_Space}\u0085]/gu;
const SIGN = /(?!\p{L}|\p{M}|\p{N})[^\0-\x7f]/gu;
const DASH_OR_QUOTE = /[\p{Dash}\p{Quotation_Mark}]/u;

const alikeLetters = (word: string): string[] => {
  const others = word.match(NON_ASCII_CHARACTERS) ?? [];
  const alike = others.filter((c) => asciiOf(c) !== null);
  const mixed = ASCII_LETTER.test(word) && alike.length > 0;
  return mixed || (others.length > 0 && READS_AS_WORD.test(word)) ? alike : [];
};

const oddIn = (command: string): Set<string> => {
  if (ASCII_TEXT.test(command)) return new Set();
  const signs = (command.match(SIGN) ?? []).filter((c) => asciiOf(c) !== null || DASH_OR_QUOTE.test(c));
  return new Set([
    ...findInvisibleCharacters(command),
    ...(command.match(OTHER_BLANK) ?? []),
    ...signs,
    ...(command.match(WORD) ?? []).flatMap(alikeLetters),
  ]);
};

/** Format `U+00A0`: unusual blanks, invisible characters and look-alikes. */
export const listUnusualCharacters = (command: string): string[] => [...oddIn(command)].map(formatCodePoint);

export const visibleCommand = (command: string): string => {
  const odd = oddIn(command);
  const shown =
    odd.size === 0 ? command : [...command].map((c) => (odd.has(c) ? escapeCharacter(c) : c)).join('');
  return showInvisible(shown);
};

type Lookalike = { as: string; codes: string[] };

const toLookalike = (written: string): Lookalike => ({
  as: readAs(written),
  codes: [...new Set(written.match(NON_ASCII_CHARACTERS) ?? [])].map(formatCodePoint),
});

/** Punctuation of code and addresses, not of prose. */
const MAKES_CODE = /[;:./\\|(){}[\]<>=&@#$%?!]/;
const SCRIPTS_OF_SIGNS = [
  'Arabic',
  'Hebrew',
  'Armenian',
  'Devanagari',
  'Ethiopic',
  'Thai',
  'Tibetan',
  'Myanmar',
].map((name) => [new RegExp(`\\p{scx=${name}}`, 'u'), new RegExp(`\\p{Script=${name}}`, 'u')] as const);

const findSignLookalike = (line: string): Lookalike | null => {
  for (const { 0: c, index } of line.matchAll(SIGN)) {
    const ascii = asciiOf(c);
    if (ascii === null || !MAKES_CODE.test(ascii) || DASH_OR_QUOTE.test(c)) continue;
    if (WIDE.test(c) && EAST_ASIAN.test(line)) continue;
    if (SCRIPTS_OF_SIGNS.some(([sign, letter]) => sign.test(c) && letter.test(line))) continue;
    const [before, after] = [line.charAt(index - 1), line.charAt(index + c.length)];
    if (c === '\u2044' && /\d/.test(before) && /\d/.test(after)) continue;
    const sides = [before, after].filter((side) => /[!-~]/.test(side)).length;
    // A wide sign may end a line of East Asian text.
    if (sides > (WIDE.test(c) ? 1 : 0)) return toLookalike(c);
  }
  return null;
};

/** Code joins names to these signs without a blank; prose does not. */
const CODE_BEFORE = /[.$@/\\<&+=_]/;
const CODE_AFTER = /[([{=_$@/\\<&+]/;

/** Right-to-left letters cannot imitate an ASCII name. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** A word entirely in one form is a style, as in mathematics. */
const isStyle = (word: string, line: string): boolean =>
  !ASCII_LETTER.test(word) || word.length < 3 || EAST_ASIAN.test(line);

/** A word that reads as ASCII, in a line without other words of its script. */
const findWordLookalike = (line: string): Lookalike | null => {
  const alike: { word: string; index: number }[] = [];
  /** Other words show that the line is in another script. */
  let prose = false;
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (ASCII_TEXT.test(word)) continue;
    if (READS_AS_WORD.test(word)) alike.push({ word, index });
    else prose = true;
  }
  const one = alike.find(({ word, index }) => {
    const letters = (word.match(NON_ASCII_CHARACTERS) ?? []).filter(
      (c) => LETTER.test(c) && !OF_A_SPELLING.test(c),
    );
    if (letters.length === 0 || RIGHT_TO_LEFT.test(word)) return false;
    if (letters.every((c) => LATIN_FORM.test(c))) return !isStyle(word, line);
    const joined =
      CODE_BEFORE.test(line.charAt(index - 1)) || CODE_AFTER.test(line.charAt(index + word.length));
    return word.length > 1 && (!prose || joined);
  });
  return one ? toLookalike(one.word) : null;
};

const ADDRESS = /(?:\b[a-z][a-z0-9+]{1,15}:\/\/|@)([^\s/?#"'<>()`]{1,253})/giu;
const DOTTED = /(?<![\p{L}\p{N}._-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;

/** A label of a host or dotted name that is ASCII otherwise. */
const findHostLookalike = (line: string): Lookalike | null => {
  if (!/[.@]/.test(line)) return null;
  const hosts = [...line.matchAll(ADDRESS)].map(([, host = '']) => host);
  const dotted = (line.match(DOTTED) ?? []).filter((name) => /(?:^|\.)[a-z0-9-]{2,}(?:\.|$)/i.test(name));
  for (const host of [...hosts, ...dotted]) {
    if (ASCII_TEXT.test(host)) continue;
    const labels = host.split('.').filter((label) => !ASCII_TEXT.test(label) && label.length > 1);
    const alike = labels.find((label) => READS_AS_WORD.test(label.replaceAll('-', '_')));
    if (alike !== undefined && !(alike.match(NON_ASCII_CHARACTERS) ?? []).every((c) => OF_A_SPELLING.test(c)))
      return toLookalike(host);
  }
  return null;
};

/** Longer lines have a finding of their own (characters). */
const MAX_LINE_LENGTH = 20_000;

export const findLookalike = (whole: string): Lookalike | null => {
  const line = whole.slice(0, MAX_LINE_LENGTH);
  if (ASCII_TEXT.test(line) || !MAY_BE_ALIKE.test(line)) return null;
  return findHostLookalike(line) ?? findSignLookalike(line) ?? findWordLookalike(line);
};

const LIGATURE = /[\ufb00-\ufb06]/;
/** Latin letters and wide signs of another form; null for any other character. */
const otherForm = (character: string): string | null => {
  if (LIGATURE.test(character)) return character.normalize('NFKC');
  return (LETTER.test(character) && LATIN_FORM.test(character)) || WIDE.test(character)
    ? asciiOf(character)
    : null;
};

/** A path segment written wholly in another form imitates the ASCII name. */
const nameIn = (path: string): Lookalike | null => {
  for (const name of path.split('/')) {
    const others = name.match(NON_ASCII_CHARACTERS) ?? [];
    if (others.every((c) => OF_A_SPELLING.test(c)) || others.some((c) => otherForm(c) === null)) continue;
    return { ...toLookalike(name), as: [...name].map((c) => otherForm(c) ?? c).join('') };
  }
  return null;
};

export const findPathLookalike = (path: string): Lookalike | null => {
  const written = path.slice(0, MAX_LINE_LENGTH);
  return ASCII_TEXT.test(written) ? null : (nameIn(written) ?? findLookalike(written));
};
