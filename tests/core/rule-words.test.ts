/** E7: rules of repositories by words of YAML files: each row holds for its examples. */
import { describe, expect, it } from 'vitest';
import { readRules } from '../../discovery/contribution-rules.ts';
import { wordRules } from '../../tools/words/index.ts';

const guideOf = (sentence: string): { path: string; text: string } => ({
  path: 'CONTRIBUTING.md',
  text: `# Contributing\n\n${sentence}\n`,
});
const kindsOf = (sentence: string): string[] =>
  readRules([guideOf(sentence)]).rules.map(({ kind, value = '' }) => `${kind} ${value}`);

describe('a row of rules', () => {
  const rows = wordRules('discovery/rules').map((row) => ({ ...row, at: `${row.kind} ${row.value ?? ''}` }));

  it.each(rows)('E7: is read in its examples, and not in what only sounds like it: $at', (row) => {
    const isRead = (sentence: string): boolean =>
      kindsOf(sentence).some((said) => said.startsWith(row.value === undefined ? row.kind : row.at));
    expect(row.examples.filter((sentence) => !isRead(sentence))).toEqual([]);
    expect(row.not.filter(isRead)).toEqual([]);
  });
});
