/**
 * E7: sentences in the many words that guides have for the same rule, and those that only sound
 * like it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { discoverContract } from '../../discovery/discover-contract.ts';

const lines = readFileSync(new URL('../corpus/sentences.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const rows = lines.map((line) => {
  const at = line.indexOf('|');
  return { says: line.slice(0, at), text: line.slice(at + 1) };
});

const rulesOf = (text: string): string[] => {
  const file = text.startsWith('- [') ? '.github/pull_request_template.md' : 'CONTRIBUTING.md';
  const { rules } = discoverContract([file], () => `# Contributing\n\n${text}\n`);
  return rules.flatMap(({ kind, value }) => [kind, `${kind}=${value ?? ''}`]);
};

describe('a sentence of a guide', () => {
  it.each(rows.filter((r) => !r.says.startsWith('-')))('E7: says $says: $text', ({ says, text }) => {
    expect(rulesOf(text)).toContain(says);
  });
  it.each(rows.filter((r) => r.says.startsWith('-')))(
    'E7: does not say it ($says): $text',
    ({ says, text }) => {
      expect(rulesOf(text)).not.toContain(says.slice(1));
    },
  );
});

describe('a fence', () => {
  const inside = ['````text', 'src', '```js', "import('x')", '````', '', 'Please update CHANGELOG.md.'].join(
    '\n',
  );
  it('E7: is ended by one that is as long and names no language, and by no shorter one', () => {
    expect(rulesOf(inside)).toContain('changelog=file');
    expect(rulesOf(inside.replaceAll('````', '```'))).toContain('changelog=file');
    expect(rulesOf(inside.replace('\n````\n', '\n```\n'))).toEqual([]);
  });
  it('E7: is begun by no span of code on a line of its own', () => {
    expect(rulesOf('```make```\n\nPlease update CHANGELOG.md.')).toContain('changelog=file');
  });
});
