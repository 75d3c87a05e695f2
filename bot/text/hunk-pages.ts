/** Splits a change into phone-sized pages without omitting a line (C2, G8). */
import { iterateLines } from '#model/values';
import { parseFilePatches, type FilePatch } from './parse-patch.ts';
import { toReadablePatch } from './visible-patch.ts';
import { escapeHtml } from './telegram-html.ts';

/** `hunk` and `part` count from 1; a long hunk has several parts. */
export type HunkPage = { text: string; hunk: number; hunks: number; part: number; parts: number };

const MAX_PAGE_COLUMNS = 36;
const MAX_PAGE_LINES = 40;
const MAX_PAGE_MARKUP_LENGTH = 2_800;
/** Marks a split line; published text cannot contain it, because `⟦` is escaped. */
const CUT = '⟦↪⟧';

/** Cache: paging asks for the same patch again and again. */
let latest: { patch: string; files: FilePatch[] } = { patch: '', files: [] };
const filesIn = (patch: string): FilePatch[] => {
  if (latest.patch !== patch) latest = { patch, files: parseFilePatches(patch) };
  return latest.files;
};

/** Plain data, which can be passed between threads. */
type PatchPages = { file: FilePatch; pages: HunkPage[] }[];
export const paginatePatch = (patch: string): PatchPages =>
  parseFilePatches(patch).map((file) => ({ file, pages: makePages(file) }));

export const isPatchPaginated = (patch: string): boolean => latest.patch === patch;
/** O10: keeps what a thread has read, so that the main thread does not read it again. */
export const cachePatchPages = (patch: string, read: PatchPages): void => {
  latest = { patch, files: read.map(({ file }) => file) };
  for (const { file, pages } of read) known.set(file, pages);
};

export const orderPatchFiles = (patch: string, first: readonly string[]): FilePatch[] => {
  const rank = new Map(first.map((path, i) => [path, i]));
  return filesIn(patch)
    .map((file, i) => ({ file, at: rank.get(file.path) ?? first.length + i }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
};

/** Git's file header precedes the first hunk, or is the only content. */
export const paginateFile = (file: FilePatch): HunkPage[] => {
  const made = known.get(file) ?? makePages(file);
  known.set(file, made);
  return made;
};
const known = new WeakMap<FilePatch, HunkPage[]>();

const hunksIn = (shown: string): string[] => {
  const [first = '', second, ...more] = shown.split(/\n(?=@@)/);
  if (second === undefined) return [first];
  return first.startsWith('@@') ? [first, second, ...more] : [`${first}\n${second}`, ...more];
};

const makePages = ({ text }: FilePatch): HunkPage[] => {
  const hunks = hunksIn(toReadablePatch(text));
  return hunks.flatMap((hunk, i) => {
    const parts = inParts(hunk);
    return parts.map((part, j) => ({
      text: part,
      hunk: i + 1,
      hunks: hunks.length,
      part: j + 1,
      parts: parts.length,
    }));
  });
};

const inParts = (hunk: string): string[] => {
  const parts: string[] = [];
  let part: string[] = [];
  let room = { lines: MAX_PAGE_LINES, markup: MAX_PAGE_MARKUP_LENGTH };
  const addPiece = (piece: string, cost: Cost): void => {
    if (part.length > 0 && (cost.lines > room.lines || cost.markup > room.markup)) {
      parts.push(part.join('\n'));
      part = [];
      room = { lines: MAX_PAGE_LINES, markup: MAX_PAGE_MARKUP_LENGTH };
    }
    part.push(piece);
    room = { lines: room.lines - cost.lines, markup: room.markup - cost.markup };
  };
  for (const line of iterateLines(hunk)) {
    const cost = costOf(line);
    if (cost.lines <= MAX_PAGE_LINES && cost.markup <= MAX_PAGE_MARKUP_LENGTH) addPiece(line, cost);
    else for (const piece of inPieces(line)) addPiece(piece, costOf(piece));
  }
  return [...parts, part.join('\n')];
};

/** Estimates: East Asian characters take two columns, a tab at most eight. */
const widthOf = (character: string): number =>
  character === '\t' ? 8 : (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;

/** Fast path: each character takes one column. */
const SINGLE_WIDTH_TEXT = /^[ -~]*$/;

type Cost = { lines: number; markup: number };
const costOf = (line: string): Cost => {
  let width = 0;
  if (SINGLE_WIDTH_TEXT.test(line)) width = line.length;
  else for (const character of line) width += widthOf(character);
  return { lines: Math.max(1, Math.ceil(width / MAX_PAGE_COLUMNS)), markup: escapeHtml(line).length + 1 };
};

/** Splits a line that is longer than a page, but never inside one of our marks. */
const inPieces = (line: string): string[] => {
  const pieces: string[] = [];
  const fullRoom = (): { width: number; markup: number } => ({
    width: (MAX_PAGE_LINES - 1) * MAX_PAGE_COLUMNS,
    markup: MAX_PAGE_MARKUP_LENGTH - 2 * CUT.length,
  });
  let start = 0;
  let room = fullRoom();
  for (const { 0: unit, index } of line.matchAll(SIGN_OR_CHARACTER)) {
    const cost = { width: 0, markup: escapeHtml(unit).length };
    for (const character of unit) cost.width += widthOf(character);
    if (index > start && (cost.width > room.width || cost.markup > room.markup)) {
      pieces.push(line.slice(start, index));
      start = index;
      room = fullRoom();
    }
    room = { width: room.width - cost.width, markup: room.markup - cost.markup };
  }
  pieces.push(line.slice(start));
  return pieces.map((one, i) => `${i > 0 ? CUT : ''}${one}${i < pieces.length - 1 ? CUT : ''}`);
};
const SIGN_OR_CHARACTER = /⟦[^⟧]{1,200}⟧|[^]/gu;

export type PageAt = { file: number; page: number };
export type PageStep = 'back' | 'on' | 'file_back' | 'file_on';

export const findPageAfter = (
  book: readonly FilePatch[],
  { file, page }: PageAt,
  step: PageStep,
): PageAt | null => {
  const here = book[file];
  if (!here) return null;
  const findPage = (at: number, { first }: { first: boolean }): PageAt | null => {
    const found = book[at];
    return found ? { file: at, page: first ? 0 : paginateFile(found).length - 1 } : null;
  };
  switch (step) {
    case 'file_on':
      return findPage(file + 1, { first: true });
    case 'file_back':
      return page > 0 ? findPage(file, { first: true }) : findPage(file - 1, { first: true });
    case 'on':
      return page + 1 < paginateFile(here).length
        ? { file, page: page + 1 }
        : findPage(file + 1, { first: true });
    case 'back':
      return page > 0 ? { file, page: page - 1 } : findPage(file - 1, { first: false });
  }
};
