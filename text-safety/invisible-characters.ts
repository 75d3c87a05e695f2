/**
 * G8: the one list of characters that a reader does not see, for content, names, words and every
 * message of the chat.
 */

/** They reorder what is seen. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
/**
 * Controls, formats, lone surrogates, what has no character or no common one, separators of lines;
 * what Unicode asks to show nothing for (selectors, joiners, fillers, tags); and what shows nothing
 * though Unicode does not say so: Braille without a dot, the place of an object, a musical head
 * without a note, blanks of hieroglyphs, joiners of Khitan and Brahmi.
 */
const UNSEEN_CLASS =
  '[\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufffc\\u{1d159}\\u{13441}\\u{13442}\\u{16fe4}\\u{1107f}]';
/** Joiners and selectors inside an emoji are what they seem. */
const EMOJI_CLASS = '\\p{RGI_Emoji}[\\ufe0e\\ufe0f]?|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]';
/**
 * Only what has something unseen after its first character or its tone of skin can hide it, and flags
 * count in pairs. The list of emoji is long: nothing else is looked up in it.
 */
const MAY_JOIN_CLASS =
  '(?:\\p{RI}|\\p{Emoji}\\p{Emoji_Modifier}?[\\u200d\\ufe0e\\ufe0f\\u{e0020}-\\u{e007f}])';
/** Unicode's sets take milliseconds to build, and most starts meet no such text. */
const onUse = (make: () => RegExp): (() => RegExp) => {
  let made: RegExp | null = null;
  return () => (made ??= make());
};
const unseenOrEmoji = onUse(() => new RegExp(`(?=(${MAY_JOIN_CLASS}))|${UNSEEN_CLASS}+`, 'gv'));
const unseenClass = onUse(() => new RegExp(UNSEEN_CLASS, 'v'));
/** Most texts have nothing of it. */
const VISIBLE_ASCII = /^[\n\t\x20-\x7e]*$/;

/**
 * What may be or have an emoji; the list of those is long, so it is asked only where something
 * unseen is.
 */
const EMOJI_CANDIDATE = /[0-9#*]?[^\n\t\x20-\x7e]+/g;

const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

/** Calls for characters of a run that are not seen, side by side, until it is told that this is enough. */
const eachUnseen = (run: string, take: (all: string, at: number) => boolean | void): void => {
  const pattern = unseenOrEmoji();
  pattern.lastIndex = 0;
  for (let found = pattern.exec(run); found; found = pattern.exec(run)) {
    const { 0: all, 1: begins, index } = found;
    if (begins === undefined) {
      if (take(all, index) === true) return;
    } else pattern.lastIndex = index + (emojiAt(run, index) || unitsAt(run, index));
  }
};

const replaced = (text: string, unseen: (c: string) => string): string =>
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

/**
 * Characters that a reader does not see; bidirectional controls are the worst. Ends of lines and
 * tabs are no such ones.
 */
export const hiddenCharacterKind = (text: string): 'bidi' | 'invisible' | null => {
  if (VISIBLE_ASCII.test(text)) return null;
  if (BIDI.test(text)) return 'bidi';
  return firstUnseen(text) === null ? null : 'invisible';
};

/** The first of them as `U+200B`. */
export const firstUnseen = (text: string): string | null => {
  if (VISIBLE_ASCII.test(text)) return null;
  const bidi = BIDI.exec(text)?.[0];
  if (bidi !== undefined) return codeName(bidi);
  let first: string | null = null;
  for (const [run] of text.replace(/\r(?=\n)/g, '').matchAll(EMOJI_CANDIDATE)) {
    if (!unseenClass().test(run)) continue;
    eachUnseen(run, (all) => {
      first = codeName(all);
      return true;
    });
    if (first !== null) return first;
  }
  return null;
};

const emojiHere = onUse(() => new RegExp(EMOJI_CLASS, 'vy'));
/** What may be one emoji, by its form alone; no emoji has more parts. */
const formHere = onUse(
  () =>
    /\p{RI}{2}[\ufe0e\ufe0f]?|\p{Emoji}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?\u20e3?[\u{e0020}-\u{e007f}]{0,8}(?:\u200d\p{Emoji}\p{Emoji_Modifier}?\ufe0f?){0,5}/vy,
);
/** By its form, how many code units of it are one emoji: the list is long, and texts repeat themselves. */
const known = new Map<string, number>();
const MAX_KNOWN = 5_000;
/** A part of a text keeps the whole of it in memory, a copy does not. */
const copied = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

/** How many code units of an emoji begin here, which is seen as a whole. */
export const emojiAt = (text: string, at: number): number => {
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
  known.set(copied(form), units);
  return units;
};

/** Of one character. */
export const isUnseen = (c: string): boolean => unseenClass().test(c);

/** As Unicode writes it: `U+200B`. */
export const codeName = (c: string): string => `U+${codeOf(c).toUpperCase().padStart(4, '0')}`;
const codeOf = (c: string): string => (c.codePointAt(0) ?? 0).toString(16);
export const escapeCharacter = (c: string): string => `\\u{${codeOf(c)}}`;

/** Each of them once, as it is. */
export const unseenIn = (text: string): Set<string> => {
  const found = new Set<string>();
  replaced(text, (c) => {
    if (c !== '\n' && c !== '\t') found.add(c);
    return c;
  });
  return found;
};

/** The same text with each of them written out, so that it can be read. */
export const showInvisible = (text: string): string =>
  replaced(text.replace(/\r\n/g, '\n').replace(/\t/g, '  '), (c) => (c === '\n' ? c : escapeCharacter(c)));

/**
 * A name of a file: also without ends of lines and tabs, and with every blank that could be missed
 * written out.
 */
export const visibleName = (name: string): string =>
  replaced(name, escapeCharacter)
    .replace(/[\n\t]/g, escapeCharacter)
    .replace(/(?! )\p{Zs}|(?<=^|\/) | (?=$|\/)| (?= )/gu, escapeCharacter);

/** Whether a name has something in it that is not seen, or ends in what some systems drop. */
export const hiddenInName = (name: string): boolean =>
  hiddenCharacterKind(name) !== null || /[\n\r\t]/.test(name);
export const endsUnseen = (name: string): boolean =>
  name.split('/').some((part) => /[\s.]$/u.test(part) && !/^\.\.?$/.test(part));

/** The same text without them; a control leaves a blank. */
export const withoutUnseen = (text: string): string =>
  replaced(text.replace(/\r\n/g, '\n'), (c) => (c === '\n' || c === '\t' ? c : /\p{Cc}/u.test(c) ? ' ' : ''));

/** Every one of them gone, also inside an emoji. */
export const withoutAnyUnseen = (text: string): string => text.replace(new RegExp(UNSEEN_CLASS, 'gv'), '');
