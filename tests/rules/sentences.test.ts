/** One Fluent file for each language: all have the same sentences, and code knows what each needs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSentences } from '../../bot/language/load-sentences.ts';
import { readLanguageFiles, sentenceTreeSource } from './write-sentence-tree.ts';

const file = (language: string, ...lines: string[]) => ({ language, text: `${lines.join('\n')}\n` });
const treeOf = (...files: Parameters<typeof sentenceTreeSource>[0]) => sentenceTreeSource(files, {});

describe('the sentences of the languages', () => {
  it('C1: are the same ones in each, with the parameters that code gives (else: npm run sentences)', () => {
    const today = readFileSync(new URL('../../bot/language/sentence-tree.ts', import.meta.url), 'utf8');
    expect(sentenceTreeSource(readLanguageFiles())).toBe(today);
  });

  it('C1: a sentence that one language lacks, cannot read or has twice is named', () => {
    const english = file('en', 'tap-gone = Gone', 'tap-by = By { $who }');
    expect(() => treeOf(english, file('zh', 'tap-gone = 没了'))).toThrow('zh.ftl has no “tap-by”');
    expect(() => treeOf(file('en', 'tap-by = By { $who'))).toThrow('en.ftl: “tap-by”');
    expect(() => treeOf(file('en', 'tap-by = By', 'tap-by = Of'))).toThrow('en.ftl: “tap-by”');
    expect(() => treeOf(file('en', 'tap = Tap', 'tap-by = By'))).toThrow('“tap-by” begins like “tap”');
  });

  it('C1: what a sentence needs follows from how the languages use it', () => {
    const choice = ['size = { $level ->', '    [low] low', '   *[high] high { $n }', '}'];
    const tree = treeOf(
      file('en', ...choice, 'by = { GIVEN($who) ->', '    [yes] { $who }', '   *[no] nobody', '}'),
      file('zh', 'size = { $n ->', '    [one] 一', '   *[other] 多', '}', 'by = 有'),
    );
    expect(tree).toContain("size: (level: 'low' | 'high', n: Counted) => string");
    expect(tree).toContain('by: (who: Shown | null | undefined) => string');
    expect(tree).toContain("'size': 'level n'");
  });

  it('C1: a rewording leaves the order of parameters as it is', () => {
    const reworded = file('en', 'tap-by = { $what } by { $who }');
    expect(sentenceTreeSource([reworded], { 'tap-by': 'who what' })).toContain(
      'by: (who: Shown, what: Shown)',
    );
  });
});

it('C1: a sentence shows numbers as they are, lists with its separator, and nothing where nothing was given', () => {
  const text = file(
    'en',
    'listSeparator = {", "}',
    'waits-some = { $names }: { COUNT($names) } of { NUMBER($all) }, { $all }',
    'waits-by = { GIVEN($who) ->',
    '    [yes] by { $who }',
    '   *[no] by nobody',
    '}',
  ).text;
  const order = { 'waits-some': 'names all', 'waits-by': '*' };
  const { waits } = parseSentences('en', text, order) as unknown as {
    waits: { some: (names: string[], all: number) => string; by: (of: object) => string };
  };
  expect(waits.some(['a', 'b'], 1234)).toBe('a, b: 2 of 1,234, 1234');
  expect(waits.by({ who: null })).toBe('by nobody');
  expect(waits.by({ who: 'Ana { $x }' })).toBe('by Ana { $x }');
});
