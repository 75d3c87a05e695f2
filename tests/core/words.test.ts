/** Words in YAML files: each claim of a language holds for its examples, and code reads all of them. */
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORD_FOLDERS } from '../../tools/load-data.ts';
import { listClasses, readWords } from '../../tools/words/read-words.ts';
import { PRODUCT_FOLDERS, ROOT } from '../rules/product.ts';

const folders = WORD_FOLDERS.map((folder) => ({ folder, files: readWords(join(ROOT, folder)) }));
const classes = folders.flatMap(({ folder, files }) =>
  files.flatMap(({ language, classes: groups }) =>
    Object.entries(groups).flatMap(([group, told]) =>
      Object.entries(told).map(([name, one]) => {
        const whole = new RegExp(listClasses(files, group).get(name) ?? '', 'iu');
        return { at: `${folder}/${language}.yaml: ${group}.${name}`, whole, ...one };
      }),
    ),
  ),
);

describe('a class of words', () => {
  it('matches its examples, each by its own pattern', () => {
    expect(classes.length).toBeGreaterThan(100);
    const wrong = classes.flatMap(({ at, words }) =>
      Object.entries(words)
        .filter(([pattern, example]) => !new RegExp(pattern, 'iu').test(example))
        .map(([pattern]) => `${at}: ${pattern}`),
    );
    expect(wrong).toEqual([]);
  });

  it('matches none of its counter-examples, in any language', () => {
    const wrong = classes.flatMap(({ at, whole, not }) =>
      not.filter((text) => whole.test(text)).map((text) => `${at}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has patterns that fit a line', () => {
    const long = classes.flatMap(({ at, words }) =>
      Object.keys(words)
        .filter((pattern) => pattern.length > 140)
        .map((pattern) => `${at}: ${pattern}`),
    );
    expect(long).toEqual([]);
  });
});

it('reads each group of words somewhere', () => {
  const product = globSync(`{${PRODUCT_FOLDERS.join(',')}}/**/*.ts`, { cwd: ROOT });
  const sources = product.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  const groups = folders.flatMap(({ folder, files }) =>
    [...new Set(files.flatMap((file) => [...Object.keys(file.classes), ...Object.keys(file.lists)]))].map(
      (group) => `'${folder}', '${group}'`,
    ),
  );
  expect(groups.filter((group) => !sources.includes(group))).toEqual([]);
});

it.each([
  ['a class without a counter-example', "classes:\n  a:\n    b:\n      words: { 'a': a }\n", 'xx.yaml:4'],
  [
    'a pattern that is none',
    "classes:\n  a:\n    b:\n      words: { '(': a }\n      not: [b]\n",
    'xx.yaml:4: is no regular expression',
  ],
  [
    'a key that nobody knows',
    "classes:\n  a:\n    b:\n      words: { 'a': a }\n      not: [b]\n      nots: [b]\n",
    'xx.yaml:6',
  ],
])('refuses %s', (_what, text, says) => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  writeFileSync(join(folder, 'xx.yaml'), text);
  expect(() => readWords(folder)).toThrow(says);
});
