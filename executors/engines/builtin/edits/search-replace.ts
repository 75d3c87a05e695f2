/** Parses search/replace blocks with markers. */
import type { PatchEdit, PatchRead, SearchReplace, WrongBlock } from './edit-types.ts';
import { findFileName, findFenceFileName, isFence } from './file-names.ts';

const SEARCH_MARKER = /^\s*(?:<{5,9}|-{5,9})\s*(?:SEARCH|ORIGINAL|OLD|BEFORE|HEAD)\b[>:]?[ \t]*(.*)$/i;
const DIVIDER = /^\s*={5,9}\s*$/;
const REPLACE_MARKER = /^\s*(?:>{5,9}|\+{5,9})(?:\s*(?:REPLACE|UPDATED|NEW|AFTER)\b.*|\s*)$/i;
const START = /^\s*:start_line:\s*(\d+)\s*$/;
const END_LINE = /^\s*:end_line:\s*\d+\s*$/;
const RULE = /^\s*-{5,9}\s*$/;

export const hasSearchBlocks = (lines: readonly string[]): boolean =>
  lines.some((line) => SEARCH_MARKER.test(line));

const LOOK_BACK = 5;

const fileAbove = (lines: readonly string[], head: number, last: number): string | null => {
  for (let i = head - 1; i >= 0 && i > last && i >= head - LOOK_BACK; i -= 1) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const name = isFence(line) ? findFenceFileName(line) : findFileName(line);
    if (name !== null) return name;
    if (!isFence(line)) break;
  }
  return null;
};

const isDivider = (line: string): boolean => DIVIDER.test(line);

const readStartLine = (body: readonly string[]): { body: readonly string[]; line: number | null } => {
  const line = START.exec(body[0] ?? '')?.[1];
  if (line === undefined) return { body, line: null };
  let at = 1;
  while (END_LINE.test(body[at] ?? '') || RULE.test(body[at] ?? '')) at += 1;
  return { body: body.slice(at), line: Number(line) };
};

const readingsOf = (body: readonly string[]): SearchReplace[] => {
  const dividers = body.flatMap((line, i) => (isDivider(line) ? [i] : []));
  const splitAt = (at: number): SearchReplace => ({ search: body.slice(0, at), replace: body.slice(at + 1) });
  return dividers.map(splitAt);
};

const MOST_BLOCKS = 200;

export const parseSearchBlocks = (lines: readonly string[], usual: string | null): PatchRead => {
  const edits: PatchEdit[] = [];
  const wrong: WrongBlock[] = [];
  let file: string | null = null;
  let last = -1;
  let block = 0;
  for (let i = 0; i < lines.length && block < MOST_BLOCKS; i += 1) {
    const head = SEARCH_MARKER.exec(lines[i] ?? '');
    if (head === null) continue;
    block += 1;
    const named = findFileName(head[1] ?? '') ?? fileAbove(lines, i, last);
    if (named !== null) file = named;
    let end = i + 1;
    while (
      end < lines.length &&
      !REPLACE_MARKER.test(lines[end] ?? '') &&
      !SEARCH_MARKER.test(lines[end] ?? '')
    )
      end += 1;
    if (!REPLACE_MARKER.test(lines[end] ?? '')) {
      wrong.push({ block, says: 'it does not end with “>>>>>>> REPLACE”: send it again, whole' });
      i = end - 1;
      continue;
    }
    const { body, line } = readStartLine(lines.slice(i + 1, end));
    last = end;
    i = end;
    const readings = readingsOf(body);
    const path = file ?? usual;
    if (readings.length === 0) {
      wrong.push({ block, says: 'it has no line “=======” between what is searched and what replaces it' });
      continue;
    }
    const [only] = readings;
    if (readings.length === 1 && only?.search.every((one) => one.trim() === '') && only.replace.length > 0)
      edits.push({ kind: 'create', path, lines: only.replace });
    else edits.push({ kind: 'replace', path, readings, line, under: null, hunk: false });
  }
  return { edits, wrong };
};
