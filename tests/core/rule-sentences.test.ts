/** E7, F14: sentences of ordinary kinds in ten languages are read as somebody labelled them beforehand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readContributionRules } from '../../discovery/contribution-rules.ts';
import { ROOT } from '../rules/product.ts';

const ROWS = z
  .array(z.strictObject({ text: z.string(), says: z.array(z.string()) }))
  .min(90)
  .parse(parse(readFileSync(join(ROOT, 'tests/corpus/rule-sentences.yaml'), 'utf8')));

const readSentence = (text: string): string[] =>
  readContributionRules([{ path: 'CONTRIBUTING.md', text: `# Contributing\n\n${text}\n` }]).rules.map(
    ({ kind, value }) => {
      if (value === undefined) return kind;
      return kind === 'other' && value === 'ai' ? 'asked' : `${kind} ${value}`;
    },
  );

describe('a sentence of a guide', () => {
  it.each(ROWS)('E7: is read as it is labelled: $text', ({ text, says }) => {
    expect(readSentence(text).sort()).toEqual([...says].sort());
  });
});
