/**
 * C2, G8: a change as the pages of a phone: file by file and hunk by hunk, every line of it on some
 * page.
 */
import { filesOf, type FilePatch } from './first-hunks.ts';
import { forPeople } from './visible-patch.ts';
import { escapeHtml } from './telegram-html.ts';

/** `hunk` of `hunks`, both from 1 on; one that is too long for a page has several parts. */
export type HunkPage = { text: string; hunk: number; hunks: number; part: number; parts: number };

/** What a page holds: columns and lines of a phone, and characters of markup. */
const MAX_PAGE_COLUMNS = 36;
const MAX_PAGE_LINES = 40;
const MAX_PAGE_MARKUP_LENGTH = 2_800;
/** Between two parts of a line that is too long for a page. Nothing that is published looks so. */
const CUT = '⟦↪⟧';

/** Whoever turns pages asks for the same patch again and again. */
let latest: { patch: string; files: FilePatch[] } = { patch: '', files: [] };
const filesIn = (patch: string): FilePatch[] => {
  if (latest.patch !== patch) latest = { patch, files: filesOf(patch) };
  return latest.files;
};

/** The files of a patch, those in `first` before all others, in their order. */
export const orderPatchFiles = (patch: string, first: readonly string[]): FilePatch[] => {
  const rank = new Map(first.map((path, i) => [path, i]));
  return filesIn(patch)
    .map((file, i) => ({ file, at: rank.get(file.path) ?? first.length + i }))
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
};

/** What git says of the file stands before its first hunk; a file may have nothing else. */
export const hunkPages = (file: FilePatch): HunkPage[] => {
  const made = known.get(file) ?? makePages(file);
  known.set(file, made);
  return made;
};
const known = new WeakMap<FilePatch, HunkPage[]>();

const makePages = ({ text }: FilePatch): HunkPage[] => {
  const hunks: string[][] = [];
  let header: string[] = [];
  for (const line of forPeople(text).split('\n')) {
    if (line.startsWith('@@')) {
      hunks.push([...header, line]);
      header = [];
    } else (hunks.at(-1) ?? header).push(line);
  }
  if (hunks.length === 0) hunks.push(header);
  return hunks.flatMap((lines, i) => {
    const parts = inParts(lines);
    return parts.map((part, j) => ({
      text: part,
      hunk: i + 1,
      hunks: hunks.length,
      part: j + 1,
      parts: parts.length,
    }));
  });
};

const inParts = (lines: readonly string[]): string[] => {
  const parts: string[] = [];
  let part: string[] = [];
  let room = { lines: MAX_PAGE_LINES, markup: MAX_PAGE_MARKUP_LENGTH };
  for (const line of lines.flatMap(inPieces)) {
    const cost = costOf(line);
    if (part.length > 0 && (cost.lines > room.lines || cost.markup > room.markup)) {
      parts.push(part.join('\n'));
      part = [];
      room = { lines: MAX_PAGE_LINES, markup: MAX_PAGE_MARKUP_LENGTH };
    }
    part.push(line);
    room = { lines: room.lines - cost.lines, markup: room.markup - cost.markup };
  }
  return [...parts, part.join('\n')];
};

/** East Asian characters are two columns wide; a tab is at most eight. */
const widthOf = (character: string): number =>
  character === '\t' ? 8 : (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;

/** Each character is one column: nearly all of a program. */
const SINGLE_WIDTH_TEXT = /^[ -~]*$/;

const costOf = (line: string): { lines: number; markup: number } => {
  let width = 0;
  if (SINGLE_WIDTH_TEXT.test(line)) width = line.length;
  else for (const character of line) width += widthOf(character);
  return { lines: Math.max(1, Math.ceil(width / MAX_PAGE_COLUMNS)), markup: escapeHtml(line).length + 1 };
};

/** A line that no page holds, in pieces that each fill one; never within one of our own signs. */
const inPieces = (line: string): string[] => {
  const { lines, markup } = costOf(line);
  if (lines <= MAX_PAGE_LINES && markup <= MAX_PAGE_MARKUP_LENGTH) return [line];
  const pieces: string[] = [];
  let piece = '';
  let room = {
    width: (MAX_PAGE_LINES - 1) * MAX_PAGE_COLUMNS,
    markup: MAX_PAGE_MARKUP_LENGTH - 2 * CUT.length,
  };
  for (const character of line.match(SIGN_OR_CHARACTER) ?? []) {
    const cost = {
      width: [...character].reduce((n, c) => n + widthOf(c), 0),
      markup: escapeHtml(character).length,
    };
    if (piece !== '' && (cost.width > room.width || cost.markup > room.markup)) {
      pieces.push(piece);
      piece = '';
      room = {
        width: (MAX_PAGE_LINES - 1) * MAX_PAGE_COLUMNS,
        markup: MAX_PAGE_MARKUP_LENGTH - 2 * CUT.length,
      };
    }
    piece += character;
    room = { width: room.width - cost.width, markup: room.markup - cost.markup };
  }
  pieces.push(piece);
  return pieces.map((one, i) => `${i > 0 ? CUT : ''}${one}${i < pieces.length - 1 ? CUT : ''}`);
};
/** One of our own signs, if it is short, or a character. */
const SIGN_OR_CHARACTER = /⟦[^⟧]{1,200}⟧|[^]/gu;

export type PageAt = { file: number; page: number };
export type PageStep = 'back' | 'on' | 'file_back' | 'file_on';

/** Where a step leads; null beyond either end. */
export const stepFrom = (
  book: readonly FilePatch[],
  { file, page }: PageAt,
  step: PageStep,
): PageAt | null => {
  const here = book[file];
  if (!here) return null;
  const to = (at: number, first: boolean): PageAt | null => {
    const found = book[at];
    return found ? { file: at, page: first ? 0 : hunkPages(found).length - 1 } : null;
  };
  switch (step) {
    case 'file_on':
      return to(file + 1, true);
    case 'file_back':
      return page > 0 ? to(file, true) : to(file - 1, true);
    case 'on':
      return page + 1 < hunkPages(here).length ? { file, page: page + 1 } : to(file + 1, true);
    case 'back':
      return page > 0 ? { file, page: page - 1 } : to(file - 1, false);
  }
};
