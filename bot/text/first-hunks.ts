/** Extracts the most important hunks of a patch, cut to a phone's screen. */

import { unquoteGitName, countLines, trimEndCharacters } from '#model/values';
import { toReadablePatch } from './visible-patch.ts';

/** `path` is spelled as in the change's facts, `name` as git quotes it in the patch. */
export type FilePatch = {
  path: string;
  name: string;
  text: string;
  added: number;
  deleted: number;
  binary: boolean;
};

/** Only `\n` ends a line; other separators, and all after the first `@@`, are content. */
export const parseFilePatches = (patch: string): FilePatch[] =>
  patch
    .split(/(?:^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map((text) => {
      // A long file is looked at in place: as an array of lines it would take many times its size.
      const first = text.indexOf('\n@@') + 1;
      const header = (first === 0 ? text : text.slice(0, first - 1)).split('\n');
      const told = header.filter((l) => !/^(?:diff --git|index |--- |\+\+\+ )/.test(l));
      const content = first === 0 ? [] : [text.slice(first)];
      return {
        ...namesIn(header),
        text: trimEndCharacters([...told, ...content].join('\n'), '\n'),
        ...sizesIn(text, first),
        binary: text.includes('\0'),
      };
    });

/** Counts the changed lines from `first` on; 0 stands for a file without hunks. */
const sizesIn = (text: string, first: number): Pick<FilePatch, 'added' | 'deleted'> => {
  const sizes = { added: 0, deleted: 0 };
  for (let at = first; at > 0; at = text.indexOf('\n', at) + 1) {
    if (text[at] === '+') sizes.added += 1;
    else if (text[at] === '-') sizes.deleted += 1;
  }
  return sizes;
};

/** Writes bytes that are not UTF-8 as `\xNN`. */
const unquoteName = (name: string): string =>
  unquoteGitName(name).replace(/[\udc80-\udcff]/gu, (c) => `\\x${(c.charCodeAt(0) & 0xff).toString(16)}`);

/** Equal names, when only this line names the file, e.g. for a mode change. */
const readDoubleName = (names: string): string =>
  /^"(?:[^"\\]|\\.)*"/su.exec(names)?.[0] ?? names.slice(0, (names.length - 1) / 2);

/** Git appends a tab to names with a space. */
const FILE_NAME_PREFIXES: readonly (readonly [
  start: string,
  name: (rest: string) => string,
  prefix: string,
])[] = [
  ['+++ ', (rest) => rest.replace(/\t$/, ''), 'b/'],
  ['--- ', (rest) => rest.replace(/\t$/, ''), 'a/'],
  ['rename to ', (rest) => rest, ''],
  ['diff --git ', readDoubleName, 'a/'],
];

const namesIn = (header: readonly string[]): Pick<FilePatch, 'path' | 'name'> => {
  for (const [start, name, prefix] of FILE_NAME_PREFIXES)
    for (const line of header) {
      if (!line.startsWith(start)) continue;
      const said = name(line.slice(start.length));
      const path = unquoteName(said);
      if (!path.startsWith(prefix)) continue;
      const shown = said.replace(/^"/, '').replace(/"$/, said.startsWith('"') ? '' : '"');
      return { path: path.slice(prefix.length), name: shown.slice(prefix.length) };
    }
  return { path: '', name: '' };
};

/** A name is shown above its hunks, and may look like the start of one or like a changed line. */
const headingOf = ({ name }: FilePatch): string => (/^(?:@@|[+-])/.test(name) ? `./${name}` : name);

const countChanged = (lines: readonly string[]): number => lines.filter((l) => /^[+-]/.test(l)).length;

type ShownHunks = {
  text: string;
  whole: boolean;
  /** Counts what is not within the first `wholeLines` lines. */
  leftOut: (wholeLines: number) => { files: number; lines: number };
};

const LEAD = /(?<![^\n])@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@([^\n]*)\n((?: [^\n]*\n)+)/gm;
/** A folded quote shows a few lines: they are those that change, not what stands above. */
const beginAtChange = (text: string): string =>
  text.replace(
    LEAD,
    (
      _,
      old: string,
      oldLines: string | undefined,
      now: string,
      nowLines: string | undefined,
      heading: string,
      lead: string,
    ) => {
      const n = countLines(lead) - 1;
      const shiftSide = (line: string, lines = '1'): string => `${Number(line) + n},${Number(lines) - n}`;
      return `@@ -${shiftSide(old, oldLines)} +${shiftSide(now, nowLines)} @@${heading}\n`;
    },
  );

export const topHunks = (patch: string, first: readonly string[], limit: number): ShownHunks => {
  const rank = new Map(first.map((path, i) => [path, i]));
  const order = parseFilePatches(patch)
    .map((file, i) => ({ ...file, at: rank.get(file.path) ?? first.length + i }))
    .sort((a, b) => a.at - b.at)
    .map((f) => ({ ...f, text: `${headingOf(f)}\n${beginAtChange(f.text)}` }));
  const countLeftOut = (wholeLines: number): { files: number; lines: number } => {
    let room = wholeLines;
    const left = { files: 0, lines: 0 };
    for (const { text, added, deleted } of order) {
      const lines = countLines(text);
      if (lines > room) {
        left.files += 1;
        left.lines += added + deleted - countChanged(text.split('\n', Math.max(0, room)));
      }
      room -= lines;
    }
    return left;
  };
  const parts: string[] = [];
  let room = limit;
  for (const { text } of order) {
    if (room < 0) break;
    parts.push(text);
    room -= text.length + 1;
  }
  const text = parts.join('\n');
  const whole = text.length <= limit && parts.length === order.length;
  return { text: cutAtLine(text, limit), whole, leftOut: countLeftOut };
};

/** Characters read beyond the limit to complete a line. */
const MAX_LOOKAHEAD_LENGTH = 64_000;
/** Security: keeps lines whole, because half a secret is not recognised. */
const cutAtLine = (text: string, limit: number): string => {
  const end = text.indexOf('\n', limit);
  return toReadablePatch(text.slice(0, Math.min(end < 0 ? text.length : end, limit + MAX_LOOKAHEAD_LENGTH)));
};

export const selectHunks = (patch: string, paths: ReadonlySet<string>, limit: number): string =>
  cutAtLine(
    parseFilePatches(patch)
      .filter((f) => paths.has(f.path))
      .map((f) => `${headingOf(f)}\n${f.text}`)
      .join('\n'),
    limit,
  );

export type ChangedFile = Pick<FilePatch, 'path' | 'added' | 'deleted' | 'binary'>;
export const listChangedFiles = (patch: { text: string; omitted: number } | null): ChangedFile[] | null =>
  patch && patch.omitted === 0 && patch.text !== ''
    ? parseFilePatches(patch.text).map(({ path, added, deleted, binary }) => ({
        path,
        added,
        deleted,
        binary,
      }))
    : null;
