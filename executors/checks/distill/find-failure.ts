/** Finds the first failure in a log: the strongest evidence at the earliest position. */
import { REPORT_FORMATS, type LogFormat } from './report-formats.ts';
import { ERROR_FORMATS, LOCATION_FORMATS, TRACE_FORMATS } from './trace-formats.ts';

export type FailureMatch = { format: LogFormat; start: number; end: number; strength: number };

const EVIDENCE_KINDS = [REPORT_FORMATS, TRACE_FORMATS, ERROR_FORMATS, LOCATION_FORMATS] as const;
export const MAX_EVIDENCE_RANK = EVIDENCE_KINDS.length;

/** `met` is the first sign of the format, `start` the best line for the failure. */
type Seen = { format: LogFormat; met: number; start: number; end: number };

/** One scan per kind is faster than one scan for all kinds. */
const seen = (text: string, format: LogFormat): Seen | null => {
  if (format.sees?.some((word) => text.includes(word)) === false) return null;
  const matches = format.first.map((kind) => kind.exec(text)).filter((match) => match !== null);
  const [best] = matches;
  if (!best) return null;
  const met = Math.min(...matches.map((match) => match.index));
  return { format, met, start: best.index, end: best.index + best[0].length };
};

export const firstFailure = (text: string): FailureMatch | null => {
  for (const [i, formats] of EVIDENCE_KINDS.entries()) {
    const found = formats.map((format) => seen(text, format)).filter((one) => one !== null);
    const [first] = found.sort((a, b) => a.met - b.met);
    if (first)
      return { format: first.format, start: first.start, end: first.end, strength: MAX_EVIDENCE_RANK - i };
  }
  return null;
};
