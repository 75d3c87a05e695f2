/** Names, comments and doors stay within the limits that keep the code readable for a stranger. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { glossaryPage } from './glossary.ts';
import { ROOT } from './product.ts';
import { beginsWithCode, isRiddle, measureReadability, wordsIn } from './readability.ts';

const found = measureReadability();

it('sees the product', () => {
  expect(found.files).toBeGreaterThan(500);
  expect(found.exportedNames).toBeGreaterThan(1_500);
  expect(found.comments).toBeGreaterThan(1_000);
});

it('no exported name and no file name uses a word that the glossary bans', () => {
  expect(found.banned).toEqual([]);
});

it('few exported names are one bare word, and each is exported by one file', () => {
  expect(found.bare.percent, found.bare.list.join('\n')).toBeLessThanOrEqual(6);
  expect(found.shared.length, found.shared.join('\n')).toBeLessThanOrEqual(5);
});

it('functions and their parameters are named by what they give back', () => {
  expect(found.functions).toBeGreaterThan(5_000);
  expect(found.participles.percent, found.participles.list.join('\n')).toBeLessThanOrEqual(0.5);
  expect(found.oneWord.percent, found.oneWord.list.join('\n')).toBeLessThanOrEqual(10);
  expect(found.letters.percent, found.letters.list.join('\n')).toBeLessThanOrEqual(1);
  expect(found.flags.percent, found.flags.list.join('\n')).toBeLessThanOrEqual(0.3);
});

it('no constant has one name in more than three files', () => {
  expect(found.repeatedConstants).toEqual([]);
});

it('comments are few, and begin with their subject', () => {
  expect(found.commentLinesPercent).toBeLessThanOrEqual(5.5);
  expect(found.riddles.percent, found.riddles.list.join('\n')).toBeLessThanOrEqual(5);
});

it('the head of a file says what it is for before any code of a rule', () => {
  expect(found.codeHeads).toEqual([]);
});

it('every door gives at most thirty names', () => {
  expect(found.doors.length).toBeGreaterThan(10);
  expect(found.doors.filter(({ names }) => names > 30 || names === 0)).toEqual([]);
});

it('docs/glossary.md is what docs/glossary.json says; `npm run docs:glossary` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')).toBe(glossaryPage());
});

it('the measure sees what it counts', () => {
  expect(['MAX_DIFF_BYTES', 'killProcessTree', 'held'].map((name) => wordsIn(name).length)).toEqual([
    3, 3, 1,
  ]);
  expect(['What it is.', 'Returns null.', 'By name.'].map(isRiddle)).toEqual([true, false, true]);
  expect(
    ['/** G3, F6: it expires. */', '/**\n * G3: it expires.\n */', '/** It expires (G3). */'].map(
      beginsWithCode,
    ),
  ).toEqual([true, true, false]);
});
