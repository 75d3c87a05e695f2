/** G8: what is shown can be turned back into what is published, whatever bytes those are. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { toReadablePatch } from '#chat-text';
import { toReadableText } from '../../bot/text/visible-patch.ts';
import { decodePreservingBytes } from '../../executors/git/byte-preserving-text.ts';
import { findLastLine, toPlainLines } from '../../executors/process/plain-text.ts';
import { findInvisibleCharacter } from '../../text-safety/invisible-characters.ts';
import { toVisibleText } from '../../text-safety/visible-text.ts';
import { bytesOf, original } from '../support/original.ts';

/** Bytes of which some are UTF-8, some nearly, and some our own signs. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 8 }).map((s) => Buffer.from(s, 'utf8')),
      fc
        .constantFrom('⟦', '⟧', '⟦ff⟧', '⟦hidden⟧', '\u202e', '\ufeff', '\r\n', ' \n', '\t\n', '+a \n', '@@')
        .map((s) => Buffer.from(s)),
    ),
    { maxLength: 20 },
  )
  .map((parts) => Buffer.concat(parts));

describe('what is shown', () => {
  it('G8: an emoji stays as it is, alone or of several characters, and its parts elsewhere do not', () => {
    const whole = [
      '😀',
      '👍🏽',
      '👨‍👩‍👧‍👦',
      '🇩🇪',
      '❤️',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '👁️‍🗨️',
    ];
    for (const one of whole)
      for (const text of [one, `${one}${one}`, `a${one}b`, `${one}é`]) expect(toVisibleText(text)).toBe(text);
    expect(toVisibleText(`a\ufe0f${'😀'}\u200b\u200d`)).toBe('a⟦U+FE0F⟧😀⟦U+200B⟧⟦U+200D⟧');
    const many = '😀'.repeat(500_000);
    expect(toVisibleText(many)).toBe(many);
  });

  it('C1: of a line that a program wrote over and over is what stood there last, however often it was', () => {
    const rows = ['\r', '\r\n', 'x\r', '\u001b[2K\r'].map((part) => `${part.repeat(200_000)}last\r\r`);
    for (const row of rows) expect(findLastLine(row)).toBe('last');
    expect(toPlainLines(rows.join('\n')).filter((line) => line !== '')).toEqual([
      'last',
      'last',
      'last',
      'last',
    ]);
  });

  it('G8: says every byte, whatever the encoding is', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        const text = decodePreservingBytes(raw);
        expect(bytesOf(text).equals(raw)).toBe(true);
        for (const show of [toVisibleText, toReadableText, toReadablePatch]) {
          const shown = show(text);
          expect(shown.isWellFormed()).toBe(true);
          expect(original(shown).equals(raw)).toBe(true);
          expect(findInvisibleCharacter(shown)).toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['caf\xe9', 'caf⟦e9⟧'],
    ['a\r\nb', 'a⟦0d⟧\nb'],
    ['\xff\xfec\x00', '⟦fffe⟧c⟦00⟧'],
    ['\xe2\x80\xae', '⟦U+202E⟧'],
    ['\xed\xa0\x80', '⟦eda080⟧'],
    ['\xc0\xaf', '⟦c0af⟧'],
    ['a\tb', 'a\tb'],
    ['\xc3\xa4 \xf0\x9f\x98\x80', 'ä 😀'],
    ['\xe2\x9f\xa6ff\xe2\x9f\xa7', '⟦U+27E6⟧ff⟧'],
    ['\x7f\x1b[0m', '⟦7f1b⟧[0m'],
  ])('shows the bytes %j as %j', (raw, shown) => {
    expect(toVisibleText(decodePreservingBytes(Buffer.from(raw, 'latin1')))).toBe(shown);
  });

  it('shows blanks at the end of a changed line, and those of git’s own header as they are', () => {
    const header = 'diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n';
    expect(toReadablePatch(`${header}@@ -1 +1 @@\n-x\n+x \t\n  y \n`)).toBe(
      `${header}@@ -1 +1 @@\n-x\n+x⟦2009⟧\n  y \n`,
    );
  });

  it('C5: a hidden line says so, and no file can say it in its place', () => {
    const key = `AKIA${'QWERTYUIOPASDFGH'}`;
    expect(
      toReadablePatch(`@@ -1 +1,3 @@\n+key = ${key}\n+key = [secret]\n+key = [secret] ⟦hidden⟧`).split('\n'),
    ).toEqual([
      '@@ -1 +1,3 @@',
      '+key = [secret] ⟦hidden⟧',
      '+key = [secret]',
      '+key = [secret] ⟦U+27E6⟧hidden⟧',
    ]);
  });
});
