/** What of a patch reaches a card: every line of it, under the name of its own file. */
import { expect, it } from 'vitest';
import { hunksOf, topHunks } from '../../bot/hunks.ts';

const header = (path: string): string =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;

it('P2: hides no line of a change, even when it looks like part of a header', () => {
  const body = ['@@ -1,2 +1,3 @@', '--- drop table users', '+++ count, evil();', ' index of it', ' x'].join(
    '\n',
  );
  expect(topHunks(`${header('a.sql')}${body}\n`, [], 1_000)).toBe(`a.sql\n${body}`);
});

it.each(['\r', '\u2028', '\u2029', '\u0085'])(
  'P2: takes %j in a line for content, not for the start of another file',
  (mark) => {
    const hidden = `+ok${mark}diff --git a/zz b/zz${mark}+++ b/zz`;
    const patch = `${header('a.js')}@@ -1 +1,2 @@\n${hidden}\n+evil()\n${header('b.js')}@@ -1 +1 @@\n+b\n`;
    expect(hunksOf(patch, new Set(['a.js']), 1_000)).toBe(`a.js\n@@ -1 +1,2 @@\n${hidden}\n+evil()`);
    expect(topHunks(patch, ['b.js'], 1_000)).toMatch(/^b\.js\n[^]*\na\.js\n[^]*evil/);
  },
);

it('names a file whose name has a blank or needs quotes', () => {
  const blank = 'diff --git a/a b.txt b/a b.txt\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -1 +1 @@\n+x\n';
  expect(hunksOf(blank, new Set(['a b.txt']), 100)).toBe('a b.txt\n@@ -1 +1 @@\n+x');
  const quoted = 'diff --git "a/q\\"x" "b/q\\"x"\n--- "a/q\\"x"\n+++ "b/q\\"x"\n@@ -1 +1 @@\n+x\n';
  expect(topHunks(quoted, [], 100)).toBe('q\\"x\n@@ -1 +1 @@\n+x');
});
