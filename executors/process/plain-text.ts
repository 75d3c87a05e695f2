/** Removes escape sequences and hidden characters from output, and shortens it. */
import { withoutUnseen } from '#text-safety';
import { withoutLast, cutText } from '#model/values';

const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** The line that a terminal shows after carriage returns. */
const toTerminalLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text.trimEnd() : toVisibleLine(text);
const toVisibleLine = (text: string): string =>
  withoutUnseen(
    (withoutLast(text, '\r').split('\r').at(-1) ?? '').replaceAll('\t', '  ').replace(/\p{Cc}/gu, ''),
  ).trimEnd();

export const plainLines = (text: string): string[] =>
  (text.includes('\u001b') ? text.replace(ESCAPES, '') : text).split('\n').map(toTerminalLine);

/** Limit of text that is read for one sentence (characters). */
const MOST_READ = 64_000;

export const plainLine = (text: string, limit: number): string =>
  cutText(plainLines(text.slice(0, MOST_READ)).join(' ').trim(), limit);

export const lastLine = (text: string, limit = 300): string | null => {
  const last = plainLines(text.slice(-MOST_READ)).findLast((candidate) => candidate.trim() !== '');
  return last === undefined ? null : cutText(last.trim(), limit);
};
