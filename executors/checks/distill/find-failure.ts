/** Finds the first failure in a log: the strongest evidence at the earliest position. */
import { readLogFormats, SHARED_LINES, type LogFormat } from '#tools/output';

const JS_FRAME = SHARED_LINES['a JavaScript frame'];
const FAILURE_COUNT = SHARED_LINES['a count of failures'];

/** Several runners number their failures so. */
const NUMBERED: LogFormat = {
  name: 'numbered failures',
  sees: [' fail'],
  first: [/^[ \t]{0,99}1\) \S.{0,300}/m],
  before: 2,
  after: 16,
  place: /\w:\d+\b/,
  summary: FAILURE_COUNT,
};
const reportFormats = (): readonly LogFormat[] => [...readLogFormats(), NUMBERED];

const TRACE_FORMATS: readonly LogFormat[] = [
  {
    name: 'assertion',
    first: [
      /AssertionError|[Aa]ssertion .{0,300}[Ff]ailed/,
      /^[ \t]{0,99}(?:[✗✘✖⨯×] |not ok \d|FAIL(?:ED)?\b)|^Failure → | \[E\]$/m,
      /\b[Ee]xpected\b.{0,80}\b(?:but|to|got|received)\b/,
    ],
    before: 2,
    after: 12,
    place: JS_FRAME,
    summary: new RegExp(`^make(?:\\[\\d+\\])?: \\*\\*\\* |${FAILURE_COUNT.source}`, 'i'),
  },
  {
    name: 'traceback',
    first: [/^Traceback \(most recent call last\)/m],
    before: 0,
    after: 8,
    place: /^\w[\w.]*(?:Error|Exception|Exit|Interrupt)\b/,
  },
  {
    name: 'exception',
    first: [
      /^(?:Uncaught |Exception in thread .{1,100} )?[A-Z][\w.]{0,100}(?:Error|Exception)(?: \[\w+\])?: /m,
    ],
    before: 5,
    after: 8,
    place: JS_FRAME,
  },
];
const ERROR_FORMATS: readonly LogFormat[] = [
  {
    name: 'CI host',
    first: [/^(?:##\[error\](?!Process completed)|::error\b)/m],
    before: 4,
    after: 3,
  },
  {
    name: 'complaint',
    first: [/\b(?:[Ee]rror|ERROR)(?: ?[:[]| ?TS\d)/, /\w(?:Error|Exception):/],
    before: 3,
    after: 4,
    summary: /^npm error code /,
  },
  {
    name: 'make',
    first: [/^make(?:\[\d+\])?: \*\*\* /m],
    before: 10,
    after: 2,
  },
];

const LOCATION_FORMATS: readonly LogFormat[] = [
  {
    name: 'place',
    first: [
      /^[^\s:()]{1,300}\.[a-z]\w{0,9}:\d+(?::\d+)?:? \S/m,
      /^In \S{1,300} line \d+:$/m,
      /^would reformat \S/m,
    ],
    before: 1,
    after: 6,
    summary: FAILURE_COUNT,
  },
];

export type FailureMatch = { format: LogFormat; start: number; end: number; strength: number };

const WEAKER_KINDS = [TRACE_FORMATS, ERROR_FORMATS, LOCATION_FORMATS] as const;
export const MAX_EVIDENCE_RANK = WEAKER_KINDS.length + 1;

/** `met` is the first sign of the format, `start` the best line for the failure. */
type Seen = { format: LogFormat; met: number; start: number; end: number };

/** One scan per kind is faster than one scan for all kinds. */
const findFormatMatch = (text: string, format: LogFormat): Seen | null => {
  if (format.sees?.some((word) => text.includes(word)) === false) return null;
  const matches = format.first.map((kind) => kind.exec(text)).filter((match) => match !== null);
  const [best] = matches;
  if (!best) return null;
  const met = Math.min(...matches.map((match) => match.index));
  return { format, met, start: best.index, end: best.index + best[0].length };
};

export const findFirstFailure = (text: string): FailureMatch | null => {
  for (const [i, formats] of [reportFormats(), ...WEAKER_KINDS].entries()) {
    const found = formats.map((format) => findFormatMatch(text, format)).filter((one) => one !== null);
    const [first] = found.sort((a, b) => a.met - b.met);
    if (first)
      return { format: first.format, start: first.start, end: first.end, strength: MAX_EVIDENCE_RANK - i };
  }
  return null;
};
