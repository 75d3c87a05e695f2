/** What of a patch reaches a card: every line of it, under the name of its own file. */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { quoteOf } from '../../bot/views/patch-quote.ts';
import { selectHunks, topHunks } from '../../bot/text/first-hunks.ts';
import { listChangedFiles } from '../../bot/text/parse-patch.ts';
import { toVisibleText } from '../../text-safety/visible-text.ts';

const header = (path: string): string =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;

it('P2: hides no line of a change, even when it looks like part of a header', () => {
  const body = ['@@ -1,2 +1,3 @@', '--- drop table users', '+++ count, evil();', ' index of it', ' x'].join(
    '\n',
  );
  expect(topHunks(`${header('a.sql')}${body}\n`, [], 1_000).text).toBe(`a.sql\n${body}`);
});

it.each(['\r', '\u2028', '\u2029', '\u0085'])(
  'P2: takes %j in a line for content, not for the start of another file',
  (mark) => {
    const hidden = `+ok${mark}diff --git a/zz b/zz${mark}+++ b/zz`;
    const patch = `${header('a.js')}@@ -1 +1,2 @@\n${hidden}\n+evil()\n${header('b.js')}@@ -1 +1 @@\n+b\n`;
    expect(selectHunks(patch, new Set(['a.js']), 1_000)).toBe(
      `a.js\n@@ -1 +1,2 @@\n${toVisibleText(hidden)}\n+evil()`,
    );
    expect(topHunks(patch, ['b.js'], 1_000).text).toMatch(/^b\.js\n[^]*\na\.js\n[^]*evil/);
  },
);

it('names a file whose name has a blank or needs quotes', () => {
  const blank = 'diff --git a/a b.txt b/a b.txt\n--- a/a b.txt\t\n+++ b/a b.txt\t\n@@ -1 +1 @@\n+x\n';
  expect(selectHunks(blank, new Set(['a b.txt']), 100)).toBe('a b.txt\n@@ -1 +1 @@\n+x');
  const quoted = 'diff --git "a/q\\"x" "b/q\\"x"\n--- "a/q\\"x"\n+++ "b/q\\"x"\n@@ -1 +1 @@\n+x\n';
  expect(topHunks(quoted, [], 100).text).toBe('q\\"x\n@@ -1 +1 @@\n+x');
});

it.each([
  ['a b', 'diff --git a/a b b/a b\nold mode 100644\nnew mode 100755\n'],
  ['a "b\t\u0001', 'diff --git "a/a \\"b\\t\\001" "b/a \\"b\\t\\001"\nnew file mode 100644\n'],
  ['new "x', 'diff --git a/old "b/new \\"x"\nsimilarity index 100%\nrename from old\nrename to "new \\"x"\n'],
  ['gone', 'diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'],
  ['caf\\xe9', 'diff --git a/caf\udce9 b/caf\udce9\n--- a/caf\udce9\n+++ b/caf\udce9\n@@ -1 +1 @@\n-x\n+y\n'],
])('knows the file %j by the name that the facts have', (path, patch) => {
  expect(listChangedFiles({ text: patch, omitted: 0 })?.map((f) => f.path)).toEqual([path]);
  expect(selectHunks(patch, new Set([path]), 1_000)).not.toBe('');
});

it('C2: a file that is called like a hunk or a changed line is shown as a file', () => {
  for (const name of ['@@ -1 +1 @@', '+added', '-gone']) {
    const patch = `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;
    const { text, leftOut } = topHunks(patch, [], 1_000);
    expect(text).toBe(`./${name}\n@@ -1 +1 @@\n-a\n+b`);
    expect(leftOut(1)).toEqual({ files: 1, lines: 2 });
    const shown = quoteOf({ text: patch, omitted: 0 }, [{ path: name }], LANGUAGE_TEXTS.en, 1_000);
    expect(shown.match(/line 1:/g)).toHaveLength(1);
  }
});

it('G8: counts the changed lines and the files that do not fit', () => {
  const one = (name: string, n: number): string =>
    `${header(name)}@@ -1 +1,${n} @@\n${Array.from({ length: n }, (_, i) => `+line ${i}\n`).join('')} same\n`;
  const patch = one('a', 3) + one('b', 5) + one('c', 2);
  const { leftOut, whole, text } = topHunks(patch, ['b'], 10_000);
  expect(whole).toBe(true);
  const lines = text.split('\n');
  expect(lines[0]).toBe('b');
  expect(leftOut(lines.length)).toEqual({ files: 0, lines: 0 });
  expect(leftOut(lines.indexOf('+line 3'))).toEqual({ files: 3, lines: 2 + 3 + 2 });
  expect(leftOut(lines.indexOf('a'))).toEqual({ files: 2, lines: 5 });
  expect(leftOut(0)).toEqual({ files: 3, lines: 10 });
  expect(topHunks(patch, [], 20)).toMatchObject({ whole: false });
});

it('C5: of a secret that the limit would cut in half nothing is shown', () => {
  const key = `ghp_${'a1'.repeat(18)}`;
  const patch = `${header('a')}@@ -1 +1,2 @@\n same\n+key = ${key}\n+more\n`;
  for (let limit = 1; limit < patch.length; limit += 1)
    for (const shown of [topHunks(patch, [], limit).text, selectHunks(patch, new Set(['a']), limit)])
      expect(shown).not.toContain('ghp_');
});

it('C2: a quote begins with the lines that change, and counts its lines from there', () => {
  const body = '@@ -2,7 +2,7 @@ fn\n a\n b\n c\n-old\n+new\n d\n e\n f\n@@ -20 +20,2 @@\n+only\n z';
  expect(topHunks(`${header('a.js')}${body}\n`, [], 1_000).text).toBe(
    'a.js\n@@ -5,4 +5,4 @@ fn\n-old\n+new\n d\n e\n f\n@@ -20 +20,2 @@\n+only\n z',
  );
});
