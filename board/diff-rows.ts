/** Rows of a change, with numbers, changed words, and without changes of blanks. */
import { diffWordsWithSpace } from 'diff';
import { readHunkHeader } from '#model/values';

export type DiffRow = {
  kind: 'hunk' | 'same' | 'added' | 'deleted' | 'note';
  old: number | null;
  new: number | null;
  text: string;
  /** Pieces of the text, changed ones marked; absent where the whole line is meant. */
  words?: { text: string; changed: boolean }[];
};

export const listDiffRows = (lines: readonly string[], from: number, to: number): DiffRow[] => {
  const rows: DiffRow[] = [];
  let before = 0;
  let after = 0;
  for (let i = 0; i < Math.min(to, lines.length); i += 1) {
    const line = lines[i] ?? '';
    const hunk = readHunkHeader(line);
    const row = hunk ? null : rowOf(line, before, after);
    if (hunk) [before, after] = [hunk.old, hunk.new];
    if (i >= from)
      rows.push(
        row ?? { kind: 'hunk', old: before, new: after, text: hunk?.heading.replace(/^ /, '') ?? line },
      );
    before += row?.old === null || !row ? 0 : 1;
    after += row?.new === null || !row ? 0 : 1;
  }
  return rows;
};

const rowOf = (line: string, before: number, after: number): DiffRow => {
  const text = line.slice(1);
  switch (line[0]) {
    case '+':
      return { kind: 'added', old: null, new: after, text };
    case '-':
      return { kind: 'deleted', old: before, new: null, text };
    case '\\':
      return { kind: 'note', old: null, new: null, text: line.slice(2) };
    default:
      return { kind: 'same', old: before, new: after, text };
  }
};

const MAX_COMPARED_LENGTH = 1_000;
/** Comparing costs this times the length. */
const MAX_EDITS = 40;
const MAX_COMPARED_PAIRS = 400;

const countSameKind = (rows: readonly DiffRow[], at: number, kind: DiffRow['kind']): number => {
  let end = at;
  while (rows[end]?.kind === kind) end += 1;
  return end - at;
};

/** Lines that were replaced one by one. */
const pairsIn = (rows: readonly DiffRow[]): [DiffRow, DiffRow][] => {
  const pairs: [DiffRow, DiffRow][] = [];
  for (let at = 0; at < rows.length;) {
    const gone = countSameKind(rows, at, 'deleted');
    const come = countSameKind(rows, at + gone, 'added');
    for (let i = 0; gone === come && i < gone; i += 1) {
      const [before, after] = [rows[at + i], rows[at + gone + i]];
      if (before && after) pairs.push([before, after]);
    }
    at += Math.max(1, gone + come);
  }
  return pairs;
};

export const markChangedWords = (rows: readonly DiffRow[]): void => {
  for (const [before, after] of pairsIn(rows).slice(0, MAX_COMPARED_PAIRS)) {
    const longest = Math.max(before.text.length, after.text.length);
    const shortest = Math.min(before.text.length, after.text.length);
    if (longest > MAX_COMPARED_LENGTH) continue;
    const words = diffWordsWithSpace(before.text, after.text, { maxEditLength: MAX_EDITS });
    const same = words?.reduce(
      (n, { value, added, removed }) => n + (added || removed ? 0 : value.length),
      0,
    );
    if (!words || same === undefined || same * 2 < shortest) continue;
    before.words = words
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, changed: removed }));
    after.words = words
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, changed: added }));
  }
};

const withoutBlanks = (text: string): string => text.replace(/⟦(?:20|09|0d)+⟧|\s+/g, '');

/** Replaced lines that differ in blanks alone count as unchanged. */
export const ignoreWhitespaceChanges = (rows: readonly DiffRow[]): DiffRow[] => {
  const alike = new Map<DiffRow, DiffRow>();
  const dropped = new Set<DiffRow>();
  for (const [before, after] of pairsIn(rows)) {
    if (withoutBlanks(before.text) !== withoutBlanks(after.text)) continue;
    dropped.add(before);
    alike.set(after, { ...after, kind: 'same', old: before.old });
  }
  return rows.filter((row) => !dropped.has(row)).map((row) => alike.get(row) ?? row);
};
