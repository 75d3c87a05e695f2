/** Forms of code that no linter of ours forbids, and that have misled us. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const sources = globSync('**/*.ts', {
  cwd: ROOT,
  exclude: (path) => ['node_modules', 'dist', '.git', 'fixtures', 'sample'].includes(path),
});

/** `file:line` of every line that a pattern is found in. */
const placesOf = (pattern: RegExp): string[] =>
  sources.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}`] : [])),
  );

it('finds the sources', () => {
  expect(sources.length).toBeGreaterThan(1_000);
});

it('no regular expression has modifiers: V8 loses them once a process has compiled many', () => {
  expect(placesOf(/\(\?(?:[ims]+|[ims]*-[ims]+):/)).toEqual([]);
});

it('no object is spread where it is written: its properties stand there', () => {
  expect(placesOf(/(?<!\w|\})\.\.\.\{/)).toEqual([]);
});
