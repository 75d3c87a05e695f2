/** The one list of characters that nobody sees, where it counts: judged, written out, taken out. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { showInvisible as inChat } from '../../text-safety/index.ts';
import { contentFindings } from '../../executors/git/workspace/content-findings.ts';
import { checkPathName } from '../../executors/git/path-names.ts';
import { toPlainLines } from '../../executors/process/plain-text.ts';
import { assessAction } from '../../governor/assess-action.ts';
import { endsInDotOrSpace } from '../../governor/policies/path-policies.ts';
import {
  findInvisibleCharacter,
  findHiddenCharacterKind,
  showInvisible,
  visibleName,
  withoutUnseen,
} from '../../text-safety/invisible-characters.ts';
import { neutraliseText } from '../../text-safety/neutralise-text.ts';
import { context, file, pull, push } from '../support/actions.ts';

const UNSEEN: [name: string, code: number][] = [
  ['soft hyphen', 0xad],
  ['combining grapheme joiner', 0x34f],
  ['Hangul filler', 0x115f],
  ['Hangul vowel filler', 0x1160],
  ['halfwidth Hangul filler', 0xffa0],
  ['Hangul letter filler', 0x3164],
  ['Khmer vowel', 0x17b4],
  ['Khmer vowel', 0x17b5],
  ['Mongolian selector', 0x180b],
  ['Mongolian separator', 0x180e],
  ['zero width space', 0x200b],
  ['zero width joiner', 0x200d],
  ['line separator', 0x2028],
  ['paragraph separator', 0x2029],
  ['word joiner', 0x2060],
  ['invisible times', 0x2062],
  ['Braille blank', 0x2800],
  ['variation selector 1', 0xfe00],
  ['variation selector 16', 0xfe0f],
  ['byte order mark', 0xfeff],
  ['interlinear anchor', 0xfff9],
  ['object', 0xfffc],
  ['shorthand overlap', 0x1bca0],
  ['musical null head', 0x1d159],
  ['musical beam', 0x1d173],
  ['musical phrase', 0x1d17a],
  ['hieroglyph blank', 0x13441],
  ['Khitan filler', 0x16fe4],
  ['tag', 0xe0041],
  ['variation selector 17', 0xe0100],
  ['variation selector 256', 0xe01ef],
  ['private use', 0xe000],
  ['noncharacter', 0xffffe],
  ['lone surrogate', 0xd800],
  ['null', 0],
  ['escape', 0x1b],
  ['next line', 0x85],
];
const BIDI = [0x61c, 0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069];

describe.each(UNSEEN)('G8: %s', (_, code) => {
  const c = String.fromCodePoint(code);
  const said = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

  it('G8: is found in content, names, words and titles, and written out in the chat', () => {
    expect(findInvisibleCharacter(`a${c}b`)).toBe(said);
    expect(
      checkPathName(Buffer.from(`a${c}b`).toString('latin1'), { symlink: false }) ??
        (code === 0xd800 ? 'x' : null),
    ).not.toBe(null);
    const lines = contentFindings(null, { path: 'a.txt', bytes: Buffer.from(`x\na${c}b\n`) });
    if (code !== 0 && code !== 0xd800)
      expect(lines).toMatchObject([
        { kind: 'hidden_text', line: 2, note: { kind: 'character', code: said } },
      ]);
    for (const action of [
      push({ files: [file(`src/a${c}b`)] }),
      push({ message: `a${c}b` }),
      pull({ title: `a${c}b` }),
    ])
      expect(assessAction(action, context).reasons).toContainEqual(
        expect.objectContaining({ policy: 'hidden-text', verdict: 'escalate' }),
      );
    for (const shown of [showInvisible(`a${c}b`), inChat(`a${c}b`), visibleName(`a${c}b`)])
      expect(shown).toBe(`a\\u{${code.toString(16)}}b`);
    expect(findHiddenCharacterKind(withoutUnseen(`a${c}b`))).toBe(null);
    expect(findHiddenCharacterKind(neutraliseText(`a${c}b`))).toBe(null);
    expect(findHiddenCharacterKind(toPlainLines(`a${c}b`).join(''))).toBe(null);
  });
});

describe('G8: what is seen', () => {
  it.each(BIDI)('G8: U+%d reorders a text, whatever else is in it', (code) => {
    const c = String.fromCodePoint(code);
    expect(findHiddenCharacterKind(`👩‍💻\u200b${c}`)).toBe('bidi');
    const many = `${'a\u200bb\n'.repeat(20)}x${c}y\n`;
    const kinds = contentFindings(null, { path: 'a.txt', bytes: Buffer.from(many) }).map((f) => f.kind);
    expect(kinds).toContain('bidi_text');
  });

  it.each([
    '✨️',
    '👩‍💻',
    '❤️‍🔥',
    '🏳️‍🌈',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '👍🏽',
    '©️',
    '🇩🇪\ufe0f🇦🇩',
    '👍🏽\ufe0f',
    '🏽\ufe0f',
    '👩🏽‍💻👩👩‍💻',
    '日本語',
    'naïve',
    'привет',
    'नमस्ते',
    'a\tb\r\nc\n',
  ])('G8: %j is what it seems', (text) => {
    expect(findHiddenCharacterKind(text)).toBe(null);
    expect(showInvisible(text)).toBe(text.replace(/\r\n/g, '\n').replace(/\t/g, '  '));
  });

  it.each([
    '👍\ufe0f\ufe0f',
    '👍\u{e0100}',
    'a\ufe0f',
    '👩\u200d\u200d💻',
    'a\u200d👩',
    '🏴\u{e0061}\u{e0062}',
    '\ud83d🏽\udc69',
    '\ud83d👩‍💻\udc69',
    '🇦🇩🇪\ufe0f',
    '👍🏽🏽\u200d',
  ])('G8: %j hides something behind an emoji or beside one', (text) => {
    expect(findHiddenCharacterKind(text)).toBe('invisible');
  });

  it('G8: text of hostile emoji is written out in a time that grows with its length', () => {
    /** Of this thread alone (µs): what else the machine does does not count. */
    const took = (parts: number): number => {
      const text = '👩\u200d'.repeat(parts);
      const begun = process.threadCpuUsage();
      const shown = showInvisible(text);
      const { user, system } = process.threadCpuUsage(begun);
      expect(shown).toBe('👩\\u{200d}'.repeat(parts));
      return user + system;
    };
    took(5_000);
    // Eight times as long; what tried each part with all that follow would need sixty-four times, in
    // every try. A collection of garbage may fall into one.
    const grows = (): number => took(40_000) / Math.max(1, took(5_000));
    let tries = 10;
    while (grows() >= 24) expect((tries -= 1)).toBeGreaterThan(0);
  });

  it('G8: a carriage return alone hides what stands before it', () => {
    expect(findHiddenCharacterKind('evil()\rgood()')).toBe('invisible');
    const bytes = Buffer.from('evil()\r\r\ngood()\r\n');
    expect(contentFindings(null, { path: 'a', bytes })).toMatchObject([{ kind: 'hidden_text', line: 1 }]);
  });

  it('G8: nothing unseen is left in what is written out, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(findHiddenCharacterKind(showInvisible(text))).toBe(null);
        expect(findHiddenCharacterKind(visibleName(text))).toBe(null);
        expect(findHiddenCharacterKind(withoutUnseen(text))).toBe(null);
        expect(showInvisible(text).split('\n')).toHaveLength(text.split('\n').length);
      }),
      { numRuns: 2_000 },
    );
  });

  it('G8: a name shows the blanks that could be missed', () => {
    expect(visibleName('src/a.js ')).toBe('src/a.js\\u{20}');
    expect(visibleName(' src/a b.js')).toBe('\\u{20}src/a b.js');
    expect(visibleName('src /a\u00a0b')).toBe('src\\u{20}/a\\u{a0}b');
    expect(visibleName('a  b')).toBe('a\\u{20} b');
    expect(visibleName('a\nb\tc')).toBe('a\\u{a}b\\u{9}c');
    for (const name of ['a ', 'a.', 'src /a', 'a\u3000', 'a. '] as const) {
      expect(endsInDotOrSpace(name), name).toBe(true);
      expect(assessAction(push({ files: [file(name)] }), context).reasons).toContainEqual(
        expect.objectContaining({ policy: 'hidden-text', verdict: 'escalate' }),
      );
    }
    for (const name of ['a', '.a', 'a b', 'a.b/c'] as const) expect(endsInDotOrSpace(name), name).toBe(false);
  });
});
