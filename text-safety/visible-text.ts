/** Makes every byte of a text visible, so that people see exactly what is published (G8). */
import { emojiLengthAt, isInvisibleCharacter } from './invisible-characters.ts';
import { createTextBuilder } from '#model/values';

/** Maximum size of a change shown as a file (bytes). Chats take 50 MB, but phones open less. */
export const DOCUMENT_LIMIT = 8_000_000;

/** Characters that look like a blank, and our own mark `⟦`. */
const ODD = /(?! )[⟦\p{Zs}]/u;

/** Control characters, and invalid UTF-8 bytes as lone surrogates U+DC80 to U+DCFF. */
const isByte = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a) || code === 0x7f || (code >= 0xdc80 && code <= 0xdcff);

const DIGITS = '0123456789abcdef';

export const formatByteMark = (run: string): string => {
  const text = createTextBuilder();
  for (let i = 0; i < run.length; i += 1) {
    const byte = run.charCodeAt(i) & 0xff;
    text.add(DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15));
  }
  return `⟦${text.join()}⟧`;
};

const mayBeEmoji = (code: number): boolean =>
  code >= 0x1f000 || (code >= 0x203c && code <= 0x3299) || code === 0xa9 || code === 0xae;

/** Characters that continue an emoji: joiners, selectors, skin tones, tags, flags. */
const goesOn = (code: number): boolean =>
  code === 0x200d ||
  code === 0xfe0e ||
  code === 0xfe0f ||
  code === 0x20e3 ||
  (code >= 0x1f1e6 && code <= 0x1f1ff) ||
  (code >= 0x1f3fb && code <= 0x1f3ff) ||
  (code >= 0xe0020 && code <= 0xe007f);

const asName = (code: number): string => `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;

/** Reversible: `⟦fffe⟧` is bytes, `⟦U+202E⟧` a character, and a literal `⟦` is `⟦U+27E6⟧`. */
export const toVisibleText = (text: string): string => {
  const out = createTextBuilder();
  let from = 0;
  let i = 0;
  const addShown = (shown: string, next: number): void => {
    out.add(text.slice(from, i) + shown);
    from = i = next;
  };
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (isByte(unit)) {
      let end = i + 1;
      while (end < text.length && isByte(text.charCodeAt(end))) end += 1;
      addShown(formatByteMark(text.slice(i, end)), end);
    } else if (unit < 0x7f) i += 1;
    else {
      const code = text.codePointAt(i) ?? 0;
      const next = i + (code > 0xffff ? 2 : 1);
      const character = text.slice(i, next);
      if (isInvisibleCharacter(character) || ODD.test(character)) addShown(asName(code), next);
      else
        i +=
          (mayBeEmoji(code) && goesOn(text.codePointAt(next) ?? 0) && emojiLengthAt(text, i)) ||
          character.length;
    }
  }
  if (from === 0) return text;
  out.add(text.slice(from));
  return out.join();
};
