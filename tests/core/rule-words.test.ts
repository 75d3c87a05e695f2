/** E7: rules of repositories by words of YAML files: each row holds for its examples. */
import { describe, expect, it } from 'vitest';
import { readContributionRules } from '../../discovery/contribution-rules.ts';
import { wordRules } from '../../tools/words/index.ts';

type Where = ReturnType<typeof wordRules>[number]['where'];
/** `If you are a model: stop` is a list with one item. */
const textOf = (sentence: string, where: Where): string =>
  where === 'with lead' ? sentence.replace(/(?<=:) /, '\n\n- ') : sentence;
const guideOf = (sentence: string, where: Where): { path: string; text: string } => ({
  path: where === 'for agents' ? 'AGENTS.md' : 'CONTRIBUTING.md',
  text: `# Contributing\n\n${textOf(sentence, where)}\n`,
});
const kindsOf = (sentence: string, where: Where): string[] =>
  readContributionRules([guideOf(sentence, where)]).rules.map(({ kind, value = '' }) => `${kind} ${value}`);

describe('a row of rules', () => {
  const rows = wordRules('discovery/rules').map((row) => ({ ...row, at: `${row.kind} ${row.value ?? ''}` }));

  it.each(rows)('E7: is read in its examples, and not in what only sounds like it: $at', (row) => {
    const isRead = (sentence: string): boolean =>
      kindsOf(sentence, row.where).some((said) =>
        said.startsWith(row.value === undefined ? row.kind : row.at),
      );
    expect(row.examples.filter((sentence) => !isRead(sentence))).toEqual([]);
    expect(row.not.filter(isRead)).toEqual([]);
  });
});
