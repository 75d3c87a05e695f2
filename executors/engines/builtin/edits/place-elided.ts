/** Applies blocks that omit lines by a line with `...`. */
import type { SearchReplace, EditPlacement } from './edit-types.ts';
import type { FileText } from './file-text.ts';

const ELLIPSIS_LINE = /^\s*(?:\.\.\.|…)\s*$/;
const COMMENT =
  /^\s*(?:\/\/|#|--|;|%|\/\*|\{\/\*|<!--|\*)\s*(?:(?:\.\.\.|…).*|(?:existing|rest of|remaining|unchanged|same|other|previous)\b.*(?:\.\.\.|…))\s*(?:\*\/\}?|-->)?\s*$/i;
export const isElision = (line: string): boolean => ELLIPSIS_LINE.test(line) || COMMENT.test(line);

const LAZY =
  /^\s*(?:\/\/|#|--|;|%|\/\*|\{\/\*|<!--)\s*(?:\.\.\.|…)?.*\b(?:existing|rest|remaining|unchanged|omitted|same)\b.*(?:\.\.\.|…|\bcode\b|\bas before\b)/i;

export const leavesOut = (
  search: readonly string[],
  replace: readonly string[],
  file: readonly string[],
): boolean => {
  const suspects = replace.filter((line) => LAZY.test(line) && isElision(line) && !search.includes(line));
  if (suspects.length === 0) return false;
  const there = new Set(file.map((line) => line.trim()));
  return suspects.some((line) => !there.has(line.trim()));
};

const partsOf = (lines: readonly string[]): string[][] => {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (isElision(line)) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
};
const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i]);
const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');

export const placeElided = (
  text: FileText,
  texts: readonly string[],
  { search, replace }: SearchReplace,
  placeIn: (part: SearchReplace, from: number) => EditPlacement,
): EditPlacement => {
  const searched = partsOf(search);
  const replaced = partsOf(replace);
  if (searched.length !== replaced.length)
    return { kind: 'refused', why: '“...” must stand as often, and in the same places, in both halves' };
  const changes: { at: number; count: number; to: FileText }[] = [];
  let from = 0;
  for (const [i, part] of searched.entries()) {
    const by = replaced[i] ?? [];
    const stays = same(part, by);
    if (isBlank(part)) {
      if (!stays && !isBlank(by))
        return { kind: 'refused', why: 'it adds lines beside a “...” without a line to find the place by' };
      continue;
    }
    const placed = placeIn({ search: part, replace: by }, from);
    if (placed.kind !== 'placed') {
      if (stays) continue;
      return placed;
    }
    if (!stays) changes.push({ at: placed.at, count: part.length, to: placed.text });
    from = placed.at + part.length;
  }
  if (changes.length === 0) return { kind: 'there' };
  let result = text;
  for (const { at, count, to } of changes.toReversed()) {
    const grown = to.lines.length - texts.length;
    const lines = to.lines.slice(at, at + count + grown);
    result = {
      ...result,
      lines: [...result.lines.slice(0, at), ...lines, ...result.lines.slice(at + count)],
    };
  }
  return { kind: 'placed', text: result, likeness: 'elided', at: changes[0]?.at ?? 0 };
};
