/** What becomes public of recorded orders, changes and words: a change of it is seen, and meant. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TEXTS, published } from '../support/recorded-texts.ts';

const recorded = readFileSync(new URL('../fixtures/published.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

it('E14: every recorded text is there, and no other', () => {
  expect(recorded).toHaveLength(TEXTS.length);
});

it.each(TEXTS.map((one, i) => [one[0], one, recorded[i]] as const))('E14: %s', (_, one, said) => {
  expect(published(one)).toBe(said);
});
