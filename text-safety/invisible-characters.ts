/** The one list of invisible characters, for content, names, text and chat messages (G8). */

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/** Includes characters that fonts show blank although Unicode calls them visible (U+2800). */
const UNSEEN_CLASS =
  '[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}\\u{1107f}]';
/** Joiners and selectors inside an emoji are legitimate. */
const EMOJI_CLASS = '\\p{RGI_Emoji}[\\ufe0e\\ufe0f]?|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]';
/** A cheap test: only sequences with invisible parts can hide something. */
const MAY_JOIN_CLASS =
  '(?:\\p{RI}|\\p{Emoji}\\p{Emoji_Modifier}?[\\u200d\\ufe0e\\ufe0f\\u{e0020}-\\u{e007f}])';
/** Unicode sets take milliseconds to build, and most processes need none. */
const onUse = (make: () => RegExp): (() => RegExp) => {
  let made: RegExp | null = null;
  return () => (made ??= make());
};
const unseenOrEmoji = onUse(() => new RegExp(`(?=(${MAY_JOIN_CLASS}))|${UNSEEN_CLASS}+`, 'gv'));
const unseenClass = onUse(() => new RegExp(UNSEEN_CLASS, 'v'));
const VISIBLE_ASCII = /^[\n\t\x20-\x7e]*$/;

/** A cheap test before the long list of emoji. */
const EMOJI_CANDIDATE = /[0-9#*]?[^\n\t\x20-\x7e]+/g;

const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** Stops when `take` returns true. */
const eachUnseen = (run: string, take: (all: string, at: number) => boolean | void): void => {
  const pattern = unseenOrEmoji();
  pattern.lastIndex = 0;
  for (let found = pattern.exec(run); found; found = pattern.exec(run)) {
    const { 0: all, 1: begins, index } = found;
    if (begins === undefined) {
      if (take(all, index) === true) return;
    } else pattern.lastIndex = index + (emojiLengthAt(run, index) || unitsAt(run, index));
  }
};

const replaceUnseen = (text: string, unseen: (c: string) => string): string =>
  VISIBLE_ASCII.test(text)
    ? text
    : text.replace(EMOJI_CANDIDATE, (run) => {
        if (!unseenClass().test(run)) return run;
        if (run.length === 1) return unseen(run);
        let [shown, from, last, lastShown] = ['', 0, '', ''];
        eachUnseen(run, (all, at) => {
          shown += run.slice(from, at);
          from = at + all.length;
          for (const c of all) {
            if (c !== last) [last, lastShown] = [c, unseen(c)];
            shown += lastShown;
          }
        });
        return shown + run.slice(from);
      });

/** Line ends and tabs are visible. `bidi` takes precedence. */
export const findHiddenCharacterKind = (text: string): 'bidi' | 'invisible' | null => {
  if (VISIBLE_ASCII.test(text)) return null;
  if (BIDI.test(text)) return 'bidi';
  return findInvisibleCharacter(text) === null ? null : 'invisible';
};

export const findInvisibleCharacter = (text: string): string | null => {
  if (VISIBLE_ASCII.test(text)) return null;
  const bidi = BIDI.exec(text)?.[0];
  if (bidi !== undefined) return formatCodePoint(bidi);
  let first: string | null = null;
  for (const [run] of text.replace(/\r(?=\n)/g, '').matchAll(EMOJI_CANDIDATE)) {
    if (!unseenClass().test(run)) continue;
    eachUnseen(run, (all) => {
      first = formatCodePoint(all);
      return true;
    });
    if (first !== null) return first;
  }
  return null;
};

const emojiHere = onUse(() => new RegExp(EMOJI_CLASS, 'vy'));
/** Judged by form only; no emoji has more parts. */
const formHere = onUse(
  () =>
    /\p{RI}{2}[\ufe0e\ufe0f]?|\p{Emoji}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?\u20e3?[\u{e0020}-\u{e007f}]{0,8}(?:\u200d\p{Emoji}\p{Emoji_Modifier}?\ufe0f?){0,5}/vy,
);
const known = new Map<string, number>();
const MAX_KNOWN = 5_000;
/** A slice would keep the whole text in memory. */
const copyText = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

export const emojiLengthAt = (text: string, at: number): number => {
  const formPattern = formHere();
  formPattern.lastIndex = at;
  const form = formPattern.exec(text)?.[0];
  if (form === undefined) return 0;
  const before = known.get(form);
  if (before !== undefined) return before;
  const emojiPattern = emojiHere();
  emojiPattern.lastIndex = 0;
  const units = emojiPattern.test(form) ? emojiPattern.lastIndex : 0;
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(copyText(form), units);
  return units;
};

export const isInvisibleCharacter = (character: string): boolean => unseenClass().test(character);

export const formatCodePoint = (character: string): string =>
  `U+${codeOf(character).toUpperCase().padStart(4, '0')}`;
const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);
export const escapeCharacter = (character: string): string => `\\u{${codeOf(character)}}`;

export const findInvisibleCharacters = (text: string): Set<string> => {
  const found = new Set<string>();
  replaceUnseen(text, (c) => {
    if (c !== '\n' && c !== '\t') found.add(c);
    return c;
  });
  return found;
};

export const showInvisible = (text: string): string =>
  replaceUnseen(text.replace(/\r\n/g, '\n').replace(/\t/g, '  '), (c) =>
    c === '\n' ? c : escapeCharacter(c),
  );

/** Also escapes line ends, tabs and unusual blanks. */
export const visibleName = (name: string): string =>
  replaceUnseen(name, escapeCharacter)
    .replace(/[\n\t]/g, escapeCharacter)
    .replace(/(?! )\p{Zs}|(?<=^|\/) | (?=$|\/)| (?= )/gu, escapeCharacter);

/** Some systems drop such endings of a name. */
export const hasHiddenCharacters = (name: string): boolean =>
  findHiddenCharacterKind(name) !== null || /[\n\r\t]/.test(name);
/** A control character becomes a blank. */
export const withoutUnseen = (text: string): string =>
  replaceUnseen(text.replace(/\r\n/g, '\n'), (c) =>
    c === '\n' || c === '\t' ? c : /\p{Cc}/u.test(c) ? ' ' : '',
  );

export const withoutAnyUnseen = (text: string): string => text.replace(new RegExp(UNSEEN_CLASS, 'gv'), '');
