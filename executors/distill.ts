/** Distils what a check printed to the few lines that a person or an agent needs. */
import { plainLines, shorten } from './plain-text.ts';

const BYTES = 4096;
const LINE = 400;

/** Sure signs of a failed assertion first, then anything that sounds like an error. */
const SIGNS = [
  /AssertionError|assertion .*failed|not ok \d|panicked at|^\s*(FAIL(ED)?\b|--- FAIL|[✗✖×]\s)|\bexpected\b.*\b(but|to|got|received)\b/i,
  /\berror\b\s*(\[|:|TS\d)|^Traceback|\w+(Error|Exception):/i,
];

const firstFailure = (lines: readonly string[]): string | undefined =>
  SIGNS.map((sign) => lines.find((line) => sign.test(line))).find((line) => line !== undefined);

/** As many whole last lines as fit. */
const last = (lines: readonly string[], bytes: number): string[] => {
  let left = bytes;
  const from = lines.findLastIndex((line) => (left -= Buffer.byteLength(line) + 1) < 0);
  return lines.slice(from + 1);
};

/** The last half megabyte is enough, and keeps this quick. Runs of empty lines become one. */
const clean = (text: string): string[] =>
  plainLines(text.slice(-512 * 1024).trimEnd())
    .map((line) => shorten(line, LINE))
    .filter((line, i, all) => line !== '' || (i > 0 && all[i - 1] !== ''));

/** At most 4 KB: `note` (a sentence of ours), the first failing line if the end does not show it, then the last lines. */
export const distill = (output: { stdout: string; stderr: string }, note: string | null): string => {
  const [out, err] = [clean(output.stdout), clean(output.stderr)];
  const failure = firstFailure([...out, ...err]);
  const head = note === null ? [] : [note];
  const room = BYTES - Buffer.byteLength(head.join('\n')) - Buffer.byteLength(failure ?? '') - 16;
  // Standard error gets a third at most, so that warnings do not push the report out.
  const tail = last(err, Math.max(room / 3, room - Buffer.byteLength(out.join('\n')) - 1));
  const before = last(out, room - Buffer.byteLength(tail.join('\n')) - 1);
  const shown = [...before, ...tail];
  if (failure !== undefined && !shown.includes(failure)) head.push(failure, '…');
  return [...head, ...shown].join('\n').trim();
};
