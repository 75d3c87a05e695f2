/** Chooses the lines of a log that fit into the given room: failure, summary, end. */
import type { FailureMatch } from './find-failure.ts';
import { lineAt, linesAfter, linesBefore, shortenLogLine, type LineSpan } from './log-lines.ts';
import { KB } from '#model/values';

/** Search distance for the failure's place (lines) and for the summary (characters from the end). */
const MAX_LINES_TO_LOCATION = 300;
const MAX_END_BYTES = 256 * KB;
const SUMMARY_LINES = 10;
const GAP_MARK = '…';
const GAP_BYTES = Buffer.byteLength(GAP_MARK) + 1;

type Taken = LineSpan & { words: string };
type Page = {
  /** Returns false if the line does not fit. A gap before it costs room too. */
  take(line: LineSpan, words: string, apart?: boolean): boolean;
  left(): number;
  print(): string;
};

const createPage = (text: string, room: number): Page => {
  const taken = new Map<number, Taken>();
  let left = room - GAP_BYTES;
  return {
    left: () => left,
    take(line, words, apart = false) {
      if (taken.has(line.start)) return true;
      const bytes = Buffer.byteLength(words) + 1 + (apart ? GAP_BYTES : 0);
      if (bytes > left) return false;
      left -= bytes;
      taken.set(line.start, { ...line, words });
      return true;
    },
    print() {
      const lines = [...taken.values()].sort((a, b) => a.start - b.start);
      const parts = lines.map((line, i) => {
        const last = lines[i - 1];
        if (last?.words === '' && line.words === '') return null;
        const apart =
          last &&
          (line.start - last.end > MAX_LINES_TO_LOCATION || text.slice(last.end, line.start).trim() !== '');
        return apart ? `${GAP_MARK}\n${line.words}` : line.words;
      });
      return parts.filter((part) => part !== null).join('\n');
    },
  };
};

/** `text` must have no colour codes and no trailing white space. `room` is in bytes. */
export const selectLines = (text: string, room: number, failure: FailureMatch | null): string => {
  if (text === '' || room <= 0) return '';
  const page = createPage(text, room);
  if (failure) takeFailure(text, page, failure, room);
  if (failure?.format.summary) takeSummary(text, page, failure.format.summary, room);
  takeEnd(text, page);
  return page.print();
};

const takeFailure = (text: string, page: Page, { format, start, end }: FailureMatch, room: number): void => {
  const line = lineAt(text, start);
  page.take(line, shortenLogLine(text, line, end));
  const findNearestLine = (lines: Iterable<LineSpan>, pattern: RegExp | undefined): LineSpan | undefined => {
    if (pattern) for (const one of lines) if (pattern.test(shortenLogLine(text, one))) return one;
    return undefined;
  };
  const place = findNearestLine(linesAfter(text, line, MAX_LINES_TO_LOCATION), format.place);
  const head = findNearestLine(linesBefore(text, line, MAX_LINES_TO_LOCATION), format.head);
  for (const one of [place, head]) if (one) page.take(one, shortenLogLine(text, one), true);
  const after = [...linesAfter(text, line, format.after)];
  const around = [
    ...after.slice(0, 3),
    ...linesBefore(text, line, format.before),
    ...(place ? [...linesBefore(text, place, 3)].filter((one) => one.start > line.start) : []),
    ...after.slice(3),
  ];
  for (const one of around) {
    if (page.left() < room * 0.4 || !page.take(one, shortenLogLine(text, one))) break;
  }
};

const takeSummary = (text: string, page: Page, pattern: RegExp, room: number): void => {
  const from = Math.max(0, text.length - MAX_END_BYTES);
  let found = 0;
  for (const line of linesBefore(text, { start: text.length + 1, end: text.length + 1 }, Infinity)) {
    if (line.start < from || found === SUMMARY_LINES || page.left() < room * 0.2) break;
    const words = shortenLogLine(text, line);
    if (!pattern.test(words)) continue;
    found += 1;
    if (!page.take(line, words, true)) break;
  }
};

const takeEnd = (text: string, page: Page): void => {
  for (const line of linesBefore(text, { start: text.length + 1, end: text.length + 1 }, Infinity)) {
    if (!page.take(line, shortenLogLine(text, line))) break;
  }
};
