/** Reads diffs whose hunks have as many lines as they say, with the package `diff`. */
import type { StructuredPatch } from 'diff';
import { parsePatch } from 'diff/lib/patch/parse.js';
import { type DiffFile, type DiffHunk, findHunkHeading, toDiffFile, withoutBlankEnd } from './diff-files.ts';

const FIRST = /^(?:diff --git |--- )/;
// The box shows the files of this engine alone.
const HEAD = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@(.*)$/;
const ABOUT = /^(?:index |(?:old|new|new file|deleted file) mode |similarity index |rename (?:from|to) )/;
/** Words and fences may stand around the diff, but nothing that could be a part of it. */
const AROUND = /^(?![-+@ ]|\*\*\*|rename |diff --git )/;

const tryParsePatch = (text: string): StructuredPatch[] => {
  try {
    return parsePatch(text);
  } catch {
    return [];
  }
};

const nameIn = (line: string): string => line.slice(4).split('\t')[0] ?? '';

/** The package takes any names that follow `diff --git` for those of the same file. */
const isHeader = (lines: readonly string[]): boolean => {
  const [now = '', old = ''] = lines.toReversed();
  const [git, ...about] = lines.slice(0, -2);
  if (!old.startsWith('--- ') || !now.startsWith('+++ ')) return false;
  if (git === undefined) return true;
  const same = git.endsWith(` ${nameIn(now)}`) || git.startsWith(`diff --git ${nameIn(old)} `);
  return same && about.every((line) => ABOUT.test(line));
};

/** Counts that are too high take the names of the next file for changed lines. */
const endsWithHeader = (body: readonly string[]): boolean =>
  body.at(-2)?.startsWith('--- ') === true && body.at(-1)?.startsWith('+++ ') === true;

/** Null where a count is wrong or a line would be passed over: the package throws for the first alone. */
export const readCountedDiff = (all: readonly string[]): DiffFile[] | null => {
  const first = all.findIndex((line) => FIRST.test(line));
  const lines = all.slice(Math.max(0, first));
  let at = 0;
  let whole = true;
  const files = tryParsePatch(lines.join('\n')).map((patch): DiffFile => {
    const hunks = patch.hunks.map(({ newStart, lines: body }, i): DiffHunk => {
      let head = at;
      while (head < lines.length && !lines[head]?.startsWith('@@')) head += 1;
      const above = lines.slice(at, head).filter((line) => line !== '');
      if (i === 0 ? !isHeader(above) : above.length > 0) whole = false;
      if (endsWithHeader(body)) whole = false;
      at = head + 1 + body.length;
      return {
        line: newStart,
        under: findHunkHeading(HEAD.exec(lines[head] ?? '')?.[1] ?? ''),
        lines: withoutBlankEnd(body.filter((line) => !line.startsWith('\\'))),
      };
    });
    if (hunks.length === 0) whole = false;
    const { oldFileName = '', newFileName = '' } = patch;
    return { ...toDiffFile(oldFileName, newFileName), hunks };
  });
  const around = [...all.slice(0, Math.max(0, first)), ...lines.slice(at)];
  return whole && files.length > 0 && around.every((line) => AROUND.test(line)) ? files : null;
};
