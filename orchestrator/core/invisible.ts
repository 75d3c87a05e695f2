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
const JOINED_CLASS =
  '(?=\\p{RI}|\\p{Emoji}\\p{Emoji_Modifier}?[\\u200d\\ufe0e\\ufe0f\\u{e0020}-\\u{e007f}])(?:' +
  EMOJI_CLASS +
  ')';
const EACH = new RegExp(`${UNSEEN_CLASS}|(${JOINED_CLASS})`, 'gv');
const JOINED = new RegExp(JOINED_CLASS, 'gv');
const UNSEEN = new RegExp(UNSEEN_CLASS, 'v');
/** Most texts have nothing of it. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

/**
 * What may be or have an emoji; the list of those is long, so it is asked only where something
 * unseen is.
 */
const RUN = /[0-9#*]?[^\n\t\x20-\x7e]+/g;

const replaced = (text: string, unseen: (c: string) => string): string =>
  PLAIN.test(text)
    ? text
    : text.replace(RUN, (run) =>
        UNSEEN.test(run)
          ? run.replace(EACH, (c, emoji?: string) => (emoji === undefined ? unseen(c) : c))
          : run,
      );

/**
 * Characters that a reader does not see; bidirectional controls are the worst. Ends of lines and
 * tabs are no such ones.
 */
export const hidden = (text: string): 'bidi' | 'invisible' | null => {
  if (PLAIN.test(text)) return null;
  if (BIDI.test(text)) return 'bidi';
  return firstUnseen(text) === null ? null : 'invisible';
};

/** The first of them as `U+200B`. */
export const firstUnseen = (text: string): string | null => {
  if (PLAIN.test(text)) return null;
  const bidi = BIDI.exec(text)?.[0];
  if (bidi !== undefined) return codeName(bidi);
  for (const [run] of text.replace(/\r(?=\n)/g, '').matchAll(RUN)) {
    // A blank stays: what stands on both sides of an emoji makes no pair.
    const found = UNSEEN.test(run) ? UNSEEN.exec(run.replace(JOINED, ' '))?.[0] : undefined;
    if (found !== undefined) return codeName(found);
  }
  return null;
};

const EMOJI_HERE = new RegExp(EMOJI_CLASS, 'vy');

/** How many code units of an emoji begin here, which is seen as a whole. */
export const emojiAt = (text: string, at: number): number => {
  EMOJI_HERE.lastIndex = at;
  return EMOJI_HERE.test(text) ? EMOJI_HERE.lastIndex - at : 0;
};

/** Of one character. */
export const isUnseen = (c: string): boolean => UNSEEN.test(c);

/** As Unicode writes it: `U+200B`. */
export const codeName = (c: string): string => `U+${codeOf(c).toUpperCase().padStart(4, '0')}`;
const codeOf = (c: string): string => (c.codePointAt(0) ?? 0).toString(16);
export const escaped = (c: string): string => `\\u{${codeOf(c)}}`;

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
export const visible = (text: string): string =>
  replaced(text.replace(/\r\n/g, '\n').replace(/\t/g, '  '), (c) => (c === '\n' ? c : escaped(c)));

/**
 * A name of a file: also without ends of lines and tabs, and with every blank that could be missed
 * written out.
 */
export const visibleName = (name: string): string =>
  replaced(name, escaped)
    .replace(/[\n\t]/g, escaped)
    .replace(/(?! )\p{Zs}|(?<=^|\/) | (?=$|\/)| (?= )/gu, escaped);

/** Whether a name has something in it that is not seen, or ends in what some systems drop. */
export const hiddenInName = (name: string): boolean => hidden(name) !== null || /[\n\r\t]/.test(name);
export const endsUnseen = (name: string): boolean =>
  name.split('/').some((part) => /[\s.]$/u.test(part) && !/^\.\.?$/.test(part));

/** The same text without them; a control leaves a blank. */
export const withoutUnseen = (text: string): string =>
  replaced(text.replace(/\r\n/g, '\n'), (c) => (c === '\n' || c === '\t' ? c : /\p{Cc}/u.test(c) ? ' ' : ''));

/** Every one of them gone, also inside an emoji. */
export const withoutAnyUnseen = (text: string): string => text.replace(new RegExp(UNSEEN_CLASS, 'gv'), '');
