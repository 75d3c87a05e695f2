/** Finds where the old lines of an edit stand in a file and puts the new ones there. Never guesses: ambiguous lines are refused. */
import type { EditPlacement, ReplaceEdit, SearchReplace } from './edit-types.ts';
import { isElision, hasNewElision, partsAroundElisions } from './elided-lines.ts';
import { type FileLine, type FileText, isBlankLine, spliceLines } from './file-text.ts';
import { listReadingVariants } from './reading-variants.ts';
import { reindentReplacement } from './reindent.ts';

type Scene = { text: FileText; texts: readonly string[]; edit: ReplaceEdit };

/** Whole lines that are alike by `key`; a `plain` level is enough to tell one file from another. */
type LineLevel = { key: (line: string) => string; plain: boolean };
type MatchLevel = LineLevel | { place: (scene: Scene, reading: SearchReplace) => EditPlacement };

const TYPED: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201A\u201B]/g, "'"],
  [/[\u201C\u201D\u201E\u201F]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/\u2026/g, '...'],
  [/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
];
const withoutTypography = (line: string): string =>
  TYPED.reduce((text, [from, to]) => text.replace(from, to), line)
    .trim()
    .replace(/\s+/g, ' ');

const LINE_LEVELS = {
  exact: { key: (line) => line, plain: true },
  trailing_whitespace: { key: (line) => line.trimEnd(), plain: true },
  indentation: { key: (line) => line.trim(), plain: false },
  typography: { key: withoutTypography, plain: false },
} satisfies Record<string, LineLevel>;

/** From strict to tolerant, for edits of every format: the first at which the lines stand somewhere decides. */
const MATCH_LEVELS: Readonly<Record<string, MatchLevel>> = {
  ...LINE_LEVELS,
  lines_left_out: { place: (scene, reading) => placeElided(scene, reading) },
  part_of_a_line: { place: (scene, reading) => placePartOfLine(scene, reading) },
  already_there: { place: (scene, reading) => findReplacement(scene, reading) },
};

const weightOf = (lines: readonly string[]): number => lines.join('').replace(/\s/g, '').length;
const sameLines = (ourLines: readonly string[], theirLines: readonly string[]): boolean =>
  ourLines.length === theirLines.length && ourLines.every((line, i) => line === theirLines[i]);
const toUnendedLines = (lines: readonly string[]): FileLine[] => lines.map((text) => ({ text, end: '' }));

const putLines = (
  text: FileText,
  at: number,
  count: number,
  by: readonly FileLine[],
  { plain = true }: { plain?: boolean } = {},
): EditPlacement => {
  const end = text.lines.find((line) => line.end !== '')?.end ?? '\n';
  const ended = by.map((line) => (line.end === '' ? { ...line, end } : line));
  return { kind: 'placed', text: spliceLines(text, at, count, ended), plain, at };
};

const MAX_LINE_MATCHES = 20;

const findLineSequences = (hay: readonly string[], needle: readonly string[], from = 0): number[] => {
  if (needle.length === 0) return [];
  const back: number[] = [0];
  for (let i = 1, k = 0; i < needle.length; i += 1) {
    while (k > 0 && needle[i] !== needle[k]) k = back[k - 1] ?? 0;
    if (needle[i] === needle[k]) k += 1;
    back.push(k);
  }
  const found: number[] = [];
  for (let i = from, k = 0; i < hay.length && found.length < MAX_LINE_MATCHES; i += 1) {
    while (k > 0 && hay[i] !== needle[k]) k = back[k - 1] ?? 0;
    if (hay[i] === needle[k]) k += 1;
    if (k < needle.length) continue;
    found.push(i - k + 1);
    k = back[k - 1] ?? 0;
  }
  return found;
};

const placeUnder = (texts: readonly string[], under: string): number[] =>
  findLineSequences(
    texts.map((text) => text.trim()),
    [under.trim()],
  );

const choosePlace = (places: readonly number[], { texts, edit: { line, under } }: Scene): number | null => {
  if (places.length === 1) return places[0] ?? null;
  if (line !== null && places.includes(line - 1)) return line - 1;
  if (under === null) return null;
  const heads = placeUnder(texts, under);
  const [head = Infinity] = heads;
  return heads.length === 1 ? (places.find((place) => place >= head) ?? null) : null;
};

const placeLines = (scene: Scene, reading: SearchReplace, { key, plain }: LineLevel): EditPlacement => {
  const { text, texts, edit } = scene;
  const keys = texts.map(key);
  for (const variant of listReadingVariants(reading, { hunk: edit.hunk })) {
    const { search } = variant;
    if (search.every(isBlankLine)) continue;
    const places = findLineSequences(keys, search.map(key));
    if (places.length === 0) continue;
    const at = choosePlace(places, scene);
    if (at === null) return { kind: 'several', at: places };
    const lines = reindentReplacement(variant, text.lines.slice(at, at + search.length));
    if (lines === null)
      return {
        kind: 'refused',
        why: 'they stand there with an indentation from which that of the new lines does not follow',
      };
    return putLines(text, at, search.length, lines, { plain });
  }
  return { kind: 'nowhere' };
};

const placePart = (scene: Scene, part: SearchReplace, from: number): EditPlacement => {
  const { lines } = scene.text;
  const rest: Scene = {
    text: { ...scene.text, lines: lines.slice(from) },
    texts: lines.slice(from).map(({ text }) => text),
    edit: { ...scene.edit, line: null, under: null },
  };
  for (const level of Object.values(LINE_LEVELS)) {
    const placed = placeLines(rest, part, level);
    if (placed.kind === 'nowhere') continue;
    if (placed.kind !== 'placed') return placed;
    const text = { ...placed.text, lines: [...lines.slice(0, from), ...placed.text.lines] };
    return { ...placed, at: placed.at + from, text };
  }
  return { kind: 'nowhere' };
};

const placeElided = (scene: Scene, { search, replace }: SearchReplace): EditPlacement => {
  if (!search.some(isElision)) return { kind: 'nowhere' };
  const searched = partsAroundElisions(search);
  const replaced = partsAroundElisions(replace);
  if (searched.length !== replaced.length)
    return { kind: 'refused', why: '“...” must stand as often, and in the same places, in both halves' };
  let { text } = scene;
  let from = 0;
  let first: number | null = null;
  for (const [i, part] of searched.entries()) {
    const by = replaced[i] ?? [];
    const stays = sameLines(part, by);
    if (part.every(isBlankLine)) {
      if (!stays && !by.every(isBlankLine))
        return { kind: 'refused', why: 'it adds lines beside a “...” without a line to find the place by' };
      continue;
    }
    const placed = placePart({ ...scene, text }, { search: part, replace: by }, from);
    if (placed.kind !== 'placed') {
      if (stays) continue;
      return placed;
    }
    from = placed.at + part.length;
    if (stays) continue;
    from += placed.text.lines.length - text.lines.length;
    text = placed.text;
    first ??= placed.at;
  }
  return first === null ? { kind: 'there' } : { kind: 'placed', text, plain: false, at: first };
};

const MIN_PART_WEIGHT = 8;

const placePartOfLine = ({ text, texts, edit }: Scene, { search, replace }: SearchReplace): EditPlacement => {
  const [piece = ''] = search;
  if (edit.hunk || search.length !== 1 || replace.length === 0 || weightOf([piece]) < MIN_PART_WEIGHT)
    return { kind: 'nowhere' };
  const at = texts.findIndex((line) => line.includes(piece));
  const line = text.lines[at];
  if (line === undefined) return { kind: 'nowhere' };
  const [before = '', after = '', ...more] = line.text.split(piece);
  const again = texts.findIndex((other, i) => i > at && other.includes(piece));
  if (more.length > 0 || again >= 0) return { kind: 'several', at: again < 0 ? [at, at] : [at, again] };
  if (replace.length > 1 && !isBlankLine(before))
    return {
      kind: 'refused',
      why: `they are only a part of line ${at + 1} (“${line.text.trim().slice(0, 160)}”), and several lines are to replace them: search the whole line`,
    };
  const put = replace.map((one, i): FileLine => ({
    text: (one === '' && replace.length > 1 ? '' : before + one) + (i === replace.length - 1 ? after : ''),
    end: replace.length === 1 ? line.end : '',
  }));
  return putLines(text, at, 1, put);
};

const MIN_REPLACEMENT_WEIGHT = 20;

const findReplacement = ({ texts }: Scene, { replace }: SearchReplace): EditPlacement =>
  weightOf(replace) >= MIN_REPLACEMENT_WEIGHT && findLineSequences(texts, replace).length === 1
    ? { kind: 'there' }
    : { kind: 'nowhere' };

const placeAdded = (
  { text, texts }: Scene,
  { replace }: SearchReplace,
  under: string | null,
): EditPlacement => {
  const heads = under === null ? [texts.length - 1] : placeUnder(texts, under);
  if (heads.length > 1) return { kind: 'several', at: heads };
  const [head] = heads;
  return head === undefined ? { kind: 'nowhere' } : putLines(text, head + 1, 0, toUnendedLines(replace));
};

const placeReading = (scene: Scene, reading: SearchReplace): EditPlacement => {
  const { texts, edit } = scene;
  const { search, replace } = reading;
  if (search.every(isBlankLine)) {
    if (edit.hunk && edit.line === null) return placeAdded(scene, reading, edit.under);
    if (texts.length === 0) return placeAdded(scene, reading, null);
    return { kind: 'refused', why: 'it searches for nothing, and the file has lines already' };
  }
  if (sameLines(search, replace)) return { kind: 'there' };
  for (const level of Object.values(MATCH_LEVELS)) {
    const whole = 'key' in level;
    const placed = whole ? placeLines(scene, reading, level) : level.place(scene, reading);
    if (placed.kind === 'nowhere') continue;
    return whole && placed.kind === 'placed' && hasNewElision(search, replace, texts)
      ? { kind: 'refused', why: 'the new lines leave some out (“...”): write them in full' }
      : placed;
  }
  return { kind: 'nowhere' };
};

export const placeEdit = (text: FileText, edit: ReplaceEdit): EditPlacement => {
  const scene: Scene = { text, texts: text.lines.map((line) => line.text), edit };
  const all = edit.readings.map((reading) => placeReading(scene, reading));
  const placed = all.filter(({ kind }) => kind === 'placed' || kind === 'there');
  if (placed.length > 1)
    return { kind: 'refused', why: 'it has more than one line “=======”, and can be read in two ways' };
  return placed[0] ?? all.find(({ kind }) => kind !== 'nowhere') ?? { kind: 'nowhere' };
};
