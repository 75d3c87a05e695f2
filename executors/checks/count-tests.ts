/** E19: a check that ran no test is no evidence, and one whose tests failed has not passed. */
import { MB } from '../../orchestrator/model/units.ts';
import { plainLines } from '../process/plain-text.ts';
import { SKIPPED_ONLY_PATTERNS, TEST_RUNNERS, TEST_STARTERS, type TestSummary } from './test-summaries.ts';

const PLAIN_ZERO =
  /^(?:(?:ran|running|found|executed|total:?) )?(?:0|no) tests?(?: (?:ran|run|passed|found|executed|total|to run))?[.!]?$/i;

/** Lines of `make` and npm alone: nothing was run. */
const IDLE =
  /^(?:g?make(?:\[\d+\])?: (?:Nothing to be done for\b|'[^']*' is up to date\.|(?:Entering|Leaving) directory\b).*|> .*|)$/;
const isIdle = (lines: readonly string[]): boolean =>
  lines.some((line) => line.includes('make')) && lines.every((line) => IDLE.test(line));

/** No runner prints its count on a longer line (characters), except in JSON. */
const MAX_LINE = 400;
/** A longer output means that something ran (characters). */
const MAX_OUTPUT = 2 * MB;

const isAny = (line: string, patterns: readonly RegExp[] = []): boolean =>
  patterns.some((pattern) => pattern.test(line));

/** unittest counts on one line, and says on a later one how many of these it skipped. */
const withVerdictOfUnittest = (lines: string[], line: string): string[] => {
  if (/^OK \(skipped=\d+\)$/.test(line)) {
    const at = lines.findLastIndex((one) => /^Ran \d+ tests? in \S+$/.test(one));
    if (at >= 0 && lines.length - at <= 3) lines[at] = `${lines[at]} ${line}`;
  }
  lines.push(line);
  return lines;
};

const countedParts = (line: string): string[] => {
  if (line.length <= MAX_LINE) return [line];
  return line.startsWith('{"') ? [line.slice(0, MAX_LINE), line.slice(-MAX_LINE)] : [];
};

type Printed = { stdout: string; stderr: string };

const countedLines = ({ stdout, stderr }: Printed): string[] =>
  stdout.length + stderr.length > MAX_OUTPUT
    ? []
    : [...plainLines(stdout), ...plainLines(stderr)].flatMap(countedParts).reduce(withVerdictOfUnittest, []);

type Counts = { none: boolean; some: boolean };

const readCounts = (lines: readonly string[], rows: readonly TestSummary[]): Counts => {
  const isCounted = (line: string): boolean => !isAny(line, SKIPPED_ONLY_PATTERNS);
  const some = (patterns: readonly RegExp[] = []): boolean =>
    patterns.length > 0 && lines.some((line) => isAny(line, patterns) && isCounted(line));
  const isWeak = ({ weak, counted }: TestSummary): boolean =>
    some(weak) && !lines.some((line) => counted?.test(line));
  return {
    none: lines.some((line) => rows.some(({ none }) => isAny(line, none))),
    some: rows.some((row) => some(row.some) || isWeak(row)),
  };
};

/** `failures` whatever the exit code is; null where it says neither. */
export const readTestCount = (output: Printed): 'none' | 'failures' | null => {
  const lines = countedLines(output);
  const rows = [...TEST_RUNNERS, ...TEST_STARTERS];
  if (lines.some((line) => rows.some(({ red }) => isAny(line, red)))) return 'failures';
  const tests = readCounts(lines, TEST_RUNNERS);
  if (tests.some) return null;
  const started = readCounts(lines, TEST_STARTERS);
  const isNone =
    tests.none ||
    (started.none && !started.some) ||
    lines.some((line) => PLAIN_ZERO.test(line) || isAny(line, SKIPPED_ONLY_PATTERNS));
  return isNone || isIdle(lines) ? 'none' : null;
};
