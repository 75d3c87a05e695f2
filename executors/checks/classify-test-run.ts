/** A check that ran no test is no evidence, and one whose tests failed has not passed (E19). */
import { readTestResults, type TestResults } from '#tools/output';
import { MB } from '#model/values';
import { toPlainLines } from '../process/plain-text.ts';

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

const isAny = (line: string, patterns: readonly RegExp[]): boolean =>
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

const scannablePartsOf = (line: string): string[] => {
  if (line.length <= MAX_LINE) return [line];
  return line.startsWith('{"') ? [line.slice(0, MAX_LINE), line.slice(-MAX_LINE)] : [];
};

type Printed = { stdout: string; stderr: string };

const scannableLinesOf = ({ stdout, stderr }: Printed): string[] =>
  stdout.length + stderr.length > MAX_OUTPUT
    ? []
    : [...toPlainLines(stdout), ...toPlainLines(stderr)]
        .flatMap(scannablePartsOf)
        .reduce(withVerdictOfUnittest, []);

type Counts = { none: boolean; some: boolean };

const readCounts = (
  lines: readonly string[],
  rows: readonly TestResults[],
  allSkipped: readonly RegExp[],
): Counts => {
  const hasAnyLine = (patterns: readonly RegExp[]): boolean =>
    patterns.length > 0 && lines.some((line) => isAny(line, patterns) && !isAny(line, allSkipped));
  const isUncounted = ({ someTestsUnlessCounted, countedBy }: TestResults): boolean =>
    hasAnyLine(someTestsUnlessCounted) && !lines.some((line) => isAny(line, countedBy));
  return {
    none: lines.some((line) => rows.some(({ noTests }) => isAny(line, noTests))),
    some: rows.some((row) => hasAnyLine(row.someTests) || isUncounted(row)),
  };
};

/** `failures` whatever the exit code is; null where it says neither. */
/** `some`: tests were counted, and none that failed. */
export const classifyTestRun = (output: Printed): 'none' | 'some' | 'failures' | null => {
  const lines = scannableLinesOf(output);
  const { runners, starters, allSkipped } = readTestResults();
  const rows = [...runners, ...starters];
  if (lines.some((line) => rows.some(({ failures }) => isAny(line, failures)))) return 'failures';
  const tests = readCounts(lines, runners, allSkipped);
  if (tests.some) return 'some';
  const started = readCounts(lines, starters, allSkipped);
  const isNone =
    tests.none ||
    (started.none && !started.some) ||
    lines.some((line) => PLAIN_ZERO.test(line) || isAny(line, allSkipped));
  return isNone || isIdle(lines) ? 'none' : null;
};
