/** Knows the reports of test runners, compilers and linters, so that a log is cut to what matters (E15). */
import { toPattern } from '../pattern.ts';
import { createRowTable } from '../tool-rows.ts';
import type { ToolRow } from '../tool-schema.ts';

type Told = NonNullable<ToolRow['reports']>[number];

export type LogFormat = {
  name: string;
  /** A log without any of these words does not have this format. */
  sees?: readonly string[];
  /** Best first. Repetition must be bounded, because lines can be endless. */
  first: readonly RegExp[];
  before: number;
  after: number;
  /** The nearest later line with file and line number, if the context has none. */
  place?: RegExp;
  /** The nearest earlier line that names the file or the test. */
  head?: RegExp;
  summary?: RegExp;
};

/** Patterns that several rows share, by what they are called there. */
export const SHARED_LINES = {
  'a JavaScript frame': /^[ \t]+(?:at |❯ )?(?!.*(?:node_modules|[( ]node:|https?:)).*:\d+:\d+\)?(?: \{)?$/,
  /** Matches `5 examples, 1 failure`, `Failed: 1`, `1 tests failed out of 2`. */
  'a count of failures':
    /\b\d+ (?:tests? )?(?:fail(?:ed|s|ures?|ing)?|errors?)\b|\b(?:failed|failures|errors)[:,]? +[1-9]/i,
} as const;

const isShared = (text: string): text is keyof typeof SHARED_LINES => Object.hasOwn(SHARED_LINES, text);
const lineIf = <Key extends 'place' | 'head' | 'summary'>(
  key: Key,
  text: string | undefined,
): Partial<Record<Key, RegExp>> => {
  const made: Partial<Record<Key, RegExp>> = {};
  if (text !== undefined) made[key] = isShared(text) ? SHARED_LINES[text] : toPattern(text);
  return made;
};

const toFormat = (name: string, { first, place, head, summary, sees, before, after }: Told): LogFormat => ({
  name,
  first: first.map((one) => toPattern(one, 'm')),
  before,
  after,
  ...(sees === undefined ? {} : { sees }),
  ...lineIf('place', place),
  ...lineIf('head', head),
  ...lineIf('summary', summary),
});

export const readLogFormats = createRowTable((rows): readonly LogFormat[] =>
  rows.flatMap(({ id, reports = [] }) => reports.map((told) => toFormat(id, told))),
);
