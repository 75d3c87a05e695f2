/** Words in YAML files: each claim of a language holds for its examples, and code reads all of them. */
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORD_FOLDERS } from '../../tools/load-data.ts';
import { joinSources, partSource, readWords, toWordSources } from '../../tools/read-words.ts';
import { PRODUCT_FOLDERS, ROOT } from '../rules/product.ts';

const folders = Object.entries(WORD_FOLDERS).map(([folder, flags]) => ({
  folder,
  flags,
  files: readWords(join(ROOT, folder)),
}));
const parts = folders.flatMap(({ folder, flags, files }) =>
  files.flatMap(({ name: file, classes, terms }) =>
    Object.entries(classes).flatMap(([group, told]) =>
      Object.entries(told).flatMap(([name, all]) =>
        all.map((one) => ({ at: `${folder}/${file}.yaml: ${group}.${name}`, flags, terms, ...one })),
      ),
    ),
  ),
);

describe('a class of words', () => {
  it('matches its examples, each by its own pattern', () => {
    expect(parts.length).toBeGreaterThan(250);
    const wrong = parts.flatMap(({ at, flags, terms, ...part }) =>
      Object.entries(part.words)
        .filter(([pattern, example]) => {
          const alone = partSource({ ...part, plain: [], words: { [pattern]: example } }, terms);
          return !new RegExp(alone, flags).test(example);
        })
        .map(([pattern]) => `${at}: ${pattern}`),
    );
    expect(wrong).toEqual([]);
  });

  it('matches none of its counter-examples', () => {
    const wrong = parts.flatMap(({ at, flags, terms, not, ...part }) =>
      not
        .filter((text) => new RegExp(partSource(part, terms), flags).test(text))
        .map((text) => `${at}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of a template matches none of its counter-examples in another language either', () => {
    const files = readWords(join(ROOT, 'pull-text/words')).map(toWordSources);
    const wrong = parts.flatMap(({ at, flags, not }) => {
      const [, file = '', group = '', name = ''] = /^(\S+): (\w+)\.(\w+)/.exec(at) ?? [];
      const whole = new RegExp(joinSources(files, group).get(name) ?? '', flags);
      return file.startsWith('pull-text/') ? not.filter((text) => whole.test(text)) : [];
    });
    expect(wrong).toEqual([]);
  });

  it('has patterns that fit a line', () => {
    const long = parts.flatMap(({ at, words }) =>
      Object.keys(words)
        .filter((pattern) => pattern.length > (at.startsWith('discovery/') ? 100 : 160))
        .map((pattern) => `${at}: ${pattern}`),
    );
    expect(long).toEqual([]);
  });
});

it.each(folders)('reads each group of $folder somewhere', ({ folder, files }) => {
  const product = globSync(`{${PRODUCT_FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT });
  const readers = product
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => text.includes(`'${folder}'`))
    .join('\n');
  const groups = new Set(
    files.flatMap(({ classes, lists }) => [...Object.keys(classes), ...Object.keys(lists)]),
  );
  expect([...groups].filter((group) => !readers.includes(`'${group}'`))).toEqual([]);
});

it.each([
  'discovery/index.ts',
  'pull-text/index.ts',
  'bot/phrases/understand-phrase.ts',
  'bot/phrases/pull-phrases.ts',
])('has the classes that are read by %s, and no others', async (reader) => {
  await expect(import(join(ROOT, reader))).resolves.toBeDefined();
});

it('names each class of rules in a row of them, so that a typo is noticed', () => {
  const files = readWords(join(ROOT, 'discovery/rules'));
  const named = new Set(
    files
      .flatMap(({ rules }) => rules)
      .flatMap(({ needs, forbids, forbidsInClause, unsure, notUnder, reads = '' }) =>
        [...needs, ...forbids, ...forbidsInClause, ...unsure, ...notUnder, reads].flatMap((one) =>
          one.split('|'),
        ),
      ),
  );
  const unnamed = files.flatMap(({ name, classes }) =>
    Object.keys(classes['rules'] ?? {})
      .filter((one) => !named.has(one))
      .map((one) => `${name}.yaml: rules.${one}`),
  );
  expect(unnamed).toEqual([]);
});

it.each([
  ['a class without a counter-example', "classes:\n  a:\n    b:\n      words: { 'a': a }\n", 'xx.yaml:'],
  [
    'a pattern that is none',
    "classes:\n  a:\n    b:\n      words: { '(': a }\n      not: [b]\n",
    'is no regular expression',
  ],
  [
    'a key that nobody knows',
    "classes:\n  a:\n    b:\n      words: { 'a': a }\n      not: [b]\n      nots: [b]\n",
    'xx.yaml:',
  ],
  [
    'a frame without a place',
    "classes:\n  a:\n    b:\n      frame: x\n      words: { 'a': a }\n      not: [b]\n",
    'has no {}',
  ],
])('refuses %s', (_what, text, says) => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  writeFileSync(join(folder, 'xx.yaml'), text);
  expect(() => readWords(folder)).toThrow(says);
});
