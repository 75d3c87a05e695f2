/** Applies one block to one file. Never guesses: ambiguous lines are refused. */
import type { SearchReplace, PatchEdit, EditPlacement } from './edit-types.ts';
import { LINE_FITS, findLineSequences, type LineFit, reindentBy } from './match-lines.ts';
import { spliceLines, type FileLine, type FileText } from './file-text.ts';
import { variantsOf } from './edit-variants.ts';

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
const isBlankPart = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');

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
    if (isBlankPart(part)) {
      if (!stays && !isBlankPart(by))
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

type Replace = Extract<PatchEdit, { kind: 'replace' }>;

const isBlank = (line: string): boolean => line.trim() === '';
const weight = (lines: readonly string[]): number => lines.join('').replace(/\s/g, '').length;

const written = (
  { search, replace }: SearchReplace,
  found: readonly FileLine[],
  likeness: LineFit,
): readonly FileLine[] | null => {
  const rule =
    likeness === 'exact'
      ? (line: string): string => line
      : reindentBy(
          search,
          found.map(({ text }) => text),
        );
  if (rule === null) return null;
  const tail = commonTail(search, replace);
  const lines: FileLine[] = [];
  let next = 0;
  for (const [i, line] of replace.entries()) {
    const fromEnd = replace.length - i;
    const same = fromEnd <= tail ? search.length - fromEnd : search.indexOf(line, next);
    const kept = same >= 0 && (fromEnd <= tail || same < search.length - tail) ? found[same] : undefined;
    if (kept !== undefined) {
      lines.push(kept);
      next = same + 1;
      continue;
    }
    const text = rule(line);
    if (text === null) return null;
    lines.push({ text, end: '' });
  }
  return lines;
};
const commonTail = (a: readonly string[], b: readonly string[]): number => {
  let n = 0;
  while (n < a.length && n < b.length && a[a.length - 1 - n] === b[b.length - 1 - n]) n += 1;
  return n;
};

const chosen = (
  places: readonly number[],
  { line, under }: Replace,
  texts: readonly string[],
): number | null => {
  if (places.length === 1) return places[0] ?? null;
  if (under !== null) {
    const heads = findLineSequences(
      texts.map((text) => text.trim()),
      [under.trim()],
    );
    const below = places.filter((place) => place >= (heads[0] ?? Infinity));
    if (heads.length === 1 && below.length > 0) return below[0] ?? null;
  }
  return line !== null && places.includes(line - 1) ? line - 1 : null;
};

const ends = (text: FileText, lines: readonly FileLine[]): FileLine[] => {
  const end = text.lines.find((line) => line.end !== '')?.end ?? '\n';
  return lines.map((line) => (line.end === '' ? { ...line, end } : line));
};

const one = (
  text: FileText,
  texts: readonly string[],
  reading: SearchReplace,
  edit: Replace,
): EditPlacement => {
  for (const [likeness, key] of LINE_FITS) {
    const keys = likeness === 'exact' ? texts : texts.map(key);
    for (const variant of variantsOf(reading, edit.hunk)) {
      const { search } = variant;
      if (search.every(isBlank)) continue;
      const places = findLineSequences(keys, search.map(key));
      if (places.length === 0) continue;
      const at = chosen(places, edit, texts);
      if (at === null) return { kind: 'several', at: places };
      const found = text.lines.slice(at, at + search.length);
      const lines = written(variant, found, likeness);
      if (lines === null)
        return {
          kind: 'refused',
          why: 'they stand there with an indentation from which that of the new lines does not follow',
        };
      return { kind: 'placed', likeness, at, text: spliceLines(text, at, search.length, ends(text, lines)) };
    }
  }
  return { kind: 'nowhere' };
};

const added = (
  text: FileText,
  texts: readonly string[],
  { replace }: SearchReplace,
  { under }: Replace,
): EditPlacement => {
  const lines = replace.map((line): FileLine => ({ text: line, end: '' }));
  if (under === null) {
    const at = texts.length;
    return { kind: 'placed', likeness: 'exact', at, text: spliceLines(text, at, 0, ends(text, lines)) };
  }
  const heads = findLineSequences(
    texts.map((line) => line.trim()),
    [under.trim()],
  );
  if (heads.length > 1) return { kind: 'several', at: heads };
  const [head] = heads;
  if (head === undefined) return { kind: 'nowhere' };
  return {
    kind: 'placed',
    likeness: 'exact',
    at: head + 1,
    text: spliceLines(text, head + 1, 0, ends(text, lines)),
  };
};

const placedBy = (
  text: FileText,
  texts: readonly string[],
  reading: SearchReplace,
  edit: Replace,
): EditPlacement => {
  const { search, replace } = reading;
  if (search.every(isBlank)) {
    if (edit.hunk && edit.line === null) return added(text, texts, reading, edit);
    if (text.lines.length === 0) return added(text, texts, reading, { ...edit, under: null });
    return { kind: 'refused', why: 'it searches for nothing, and the file has lines already' };
  }
  if (search.length === replace.length && search.every((line, i) => line === replace[i]))
    return { kind: 'there' };
  const direct = one(text, texts, reading, edit);
  if (direct.kind === 'placed' && leavesOut(search, replace, texts))
    return { kind: 'refused', why: 'the new lines leave some out (“...”): write them in full' };
  if (direct.kind !== 'nowhere') return direct;
  if (search.some(isElision))
    return placeElided(text, texts, reading, (part, from) => within(text, texts, part, edit, from));
  const part = partOfLine(text, texts, reading, edit);
  if (part !== null) return part;
  if (weight(replace) >= 20 && findLineSequences(texts, replace).length === 1) return { kind: 'there' };
  return direct;
};

const SHORTEST_PART = 8;

const partOfLine = (
  text: FileText,
  texts: readonly string[],
  { search, replace }: SearchReplace,
  edit: Replace,
): EditPlacement | null => {
  const [piece = ''] = search;
  const [by = ''] = replace;
  if (edit.hunk || search.length !== 1 || replace.length === 0 || weight([piece]) < SHORTEST_PART)
    return null;
  const at = texts.findIndex((line) => line.includes(piece));
  const line = text.lines[at];
  if (line === undefined) return null;
  const [before = '', after = '', ...more] = line.text.split(piece);
  const again = texts.findIndex((other, i) => i > at && other.includes(piece));
  if (more.length > 0 || again >= 0) return { kind: 'several', at: again < 0 ? [at, at] : [at, again] };
  if (replace.length === 1) {
    const lines = text.lines.with(at, { ...line, text: before + by + after });
    return { kind: 'placed', likeness: 'exact', at, text: { ...text, lines } };
  }
  // Several lines would tear this line apart.
  if (!isBlank(before))
    return {
      kind: 'refused',
      why: `they are only a part of line ${at + 1} (“${line.text.trim().slice(0, 160)}”), and several lines are to replace them: search the whole line`,
    };
  const put = replace.map((one, i): FileLine => ({
    text: (one === '' ? '' : before + one) + (i === replace.length - 1 ? after : ''),
    end: '',
  }));
  return { kind: 'placed', likeness: 'exact', at, text: spliceLines(text, at, 1, ends(text, put)) };
};

const within = (
  text: FileText,
  texts: readonly string[],
  part: SearchReplace,
  edit: Replace,
  from: number,
) => {
  const rest: FileText = { ...text, lines: text.lines.slice(from) };
  const placed = one(rest, texts.slice(from), part, { ...edit, line: null, under: null });
  return placed.kind === 'placed'
    ? {
        ...placed,
        at: placed.at + from,
        text: { ...text, lines: [...text.lines.slice(0, from), ...placed.text.lines] },
      }
    : placed;
};

export const placeEdit = (text: FileText, edit: Replace): EditPlacement => {
  const texts = text.lines.map((line) => line.text);
  const all = edit.readings.map((reading) => placedBy(text, texts, reading, edit));
  const placed = all.filter(({ kind }) => kind === 'placed' || kind === 'there');
  if (placed.length > 1)
    return { kind: 'refused', why: 'it has more than one line “=======”, and can be read in two ways' };
  return placed[0] ?? all.find(({ kind }) => kind !== 'nowhere') ?? { kind: 'nowhere' };
};
