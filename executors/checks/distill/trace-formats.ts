/** Generic signs of failure for unknown tools, surest first. */
import { FAILURE_COUNT, JS_FRAME, type LogFormat } from './report-formats.ts';

export const TRACE_FORMATS: readonly LogFormat[] = [
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
export const ERROR_FORMATS: readonly LogFormat[] = [
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

export const LOCATION_FORMATS: readonly LogFormat[] = [
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
