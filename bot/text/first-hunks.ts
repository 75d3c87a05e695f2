/** Extracts the most important hunks of a patch, cut to a phone's screen. */

import { countLines } from '#model/values';
import { type FilePatch, parseFilePatches } from './parse-patch.ts';
import { toReadablePatch } from './visible-patch.ts';

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
