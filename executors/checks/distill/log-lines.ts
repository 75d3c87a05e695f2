/** Iterates over the lines of a possibly huge text from a given position. */
import { toPlainLines } from '../../process/plain-text.ts';
import { cutText } from '#model/values';

export type LineSpan = { start: number; end: number };

const MAX_SHOWN_LINE_LENGTH = 400;
const MAX_RAW_LINE_LENGTH = 8192;

export const lineAt = (text: string, at: number): LineSpan => {
  const end = text.indexOf('\n', at);
  return { start: at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1, end: end < 0 ? text.length : end };
};
const lineAfter = (text: string, { end }: LineSpan): LineSpan | null =>
  end >= text.length ? null : lineAt(text, end + 1);
const lineBefore = (text: string, { start }: LineSpan): LineSpan | null =>
  start === 0 ? null : lineAt(text, start - 1);

export function* linesAfter(text: string, from: LineSpan, count: number): Generator<LineSpan> {
  let line = lineAfter(text, from);
  for (let i = 0; line !== null && i < count; i += 1, line = lineAfter(text, line)) yield line;
}
export function* linesBefore(text: string, from: LineSpan, count: number): Generator<LineSpan> {
  let line = lineBefore(text, from);
  for (let i = 0; line !== null && i < count; i += 1, line = lineBefore(text, line)) yield line;
}

/** Shortens an endless line to the part around `focus`, a progress bar to its last state. */
export const shortenLogLine = (text: string, { start, end }: LineSpan, focus = start): string => {
  const skipped = focus - start > MAX_SHOWN_LINE_LENGTH / 2 ? focus - MAX_SHOWN_LINE_LENGTH / 4 : start;
  const raw = text.slice(skipped, Math.min(end, skipped + MAX_RAW_LINE_LENGTH));
  const short =
    end - skipped > MAX_RAW_LINE_LENGTH && raw.includes('\r')
      ? text.slice(end - MAX_RAW_LINE_LENGTH, end)
      : raw;
  const line = toPlainLines(short)[0] ?? '';
  return cutText(skipped > start ? `…${line}` : line, MAX_SHOWN_LINE_LENGTH);
};
