/** Turns the files of a diff, however they were read, into edits. */
import type { PatchEdit, SearchReplace } from './edit-types.ts';

export type DiffHunk = { line: number | null; under: string | null; lines: readonly string[] };
export type DiffFile = {
  path: string | null;
  to: string | null;
  kind: 'update' | 'add' | 'delete';
  hunks: readonly DiffHunk[];
};

/** Blank lines at the end of a hunk are mostly those before what follows it. */
export const withoutBlankEnd = (lines: readonly string[]): readonly string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

export const findHunkHeading = (said: string): string | null => {
  const heading = said.replace(/@@\s*$/, '').trim();
  return heading === '' || heading === '...' ? null : heading;
};

const nameOf = (said: string): string | null => (said === '/dev/null' || said === '' ? null : said);

/** git's letters are no part of a name, where both names have them. */
export const toDiffFile = (old: string, now: string): Pick<DiffFile, 'path' | 'to' | 'kind'> => {
  const [from, to] = [nameOf(old), nameOf(now)];
  const lettered = (from ?? 'a/').startsWith('a/') && (to ?? 'b/').startsWith('b/');
  const [before, after] = lettered ? [from?.slice(2) ?? null, to?.slice(2) ?? null] : [from, to];
  return {
    path: before ?? after,
    to: before !== null && after !== before ? after : null,
    kind: from === null ? 'add' : to === null ? 'delete' : 'update',
  };
};

const readHunk = ({ lines }: DiffHunk): SearchReplace => {
  const splitHalves = (context: (line: string) => string): SearchReplace => ({
    search: lines.flatMap((line) =>
      line.startsWith('+') ? [] : [line.startsWith('-') ? line.slice(1) : context(line)],
    ),
    replace: lines.flatMap((line) =>
      line.startsWith('-') ? [] : [line.startsWith('+') ? line.slice(1) : context(line)],
    ),
  });
  return {
    ...splitHalves((line) => (line.startsWith(' ') ? line.slice(1) : line)),
    unmarked: splitHalves((line) => line),
  };
};

export const editsOfFile = ({ path, to, kind, hunks }: DiffFile): PatchEdit[] => {
  const edits = hunks.flatMap((hunk): PatchEdit[] => {
    if (kind === 'add')
      return [{ kind: 'create', path, lines: hunk.lines.map((line) => line.replace(/^\+/, '')) }];
    const reading = readHunk(hunk);
    if (kind === 'delete' || reading.search.length + reading.replace.length === 0) return [];
    return [{ kind: 'replace', path, readings: [reading], line: hunk.line, under: hunk.under, hunk: true }];
  });
  if (kind === 'add' && hunks.length === 0) edits.push({ kind: 'create', path, lines: [] });
  if (kind === 'delete') {
    const lines = hunks.flatMap((hunk) => readHunk(hunk).search);
    edits.push({ kind: 'delete', path, lines: lines.length > 0 ? lines : null });
  }
  if (to !== null && to !== path) edits.push({ kind: 'move', path, to });
  return edits;
};
