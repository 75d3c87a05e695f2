/** E19: a check that ran no test is no evidence. Knows each runner's output for that. */
import { MB } from '../../orchestrator/model/units.ts';
import { plainLines } from '../process/plain-text.ts';

type Runner = {
  name: string;
  none: readonly RegExp[];
  some: readonly RegExp[];
};

const COUNTED_RUNNERS: readonly Runner[] = [
  {
    name: 'npm',
    none: [/^(?:Error: )?no test specified$/i],
    some: [],
  },
  {
    name: 'jest',
    none: [
      /^No tests found, exiting with code [01]\b/,
      /^No tests found related to files changed\b/,
      /^Tests: +(?:\d+ (?:skipped|todo), )*\d+ total$/,
      /^Test Suites: (?:\d+ skipped, )?0 (?:of \d+ )?total$/,
    ],
    some: [/^Tests: .*\b[1-9]\d* (?:passed|failed)\b/],
  },
  {
    name: 'vitest',
    none: [
      /^No test files found, exiting with code [01]\b/,
      /^ *Tests {2}(?:no tests|(?:\d+ (?:skipped|todo)(?: \| )?)+ \(\d+\))$/,
    ],
    some: [/^ *Tests {2}.*\b[1-9]\d* (?:passed|failed)\b/],
  },
  {
    name: 'mocha',
    none: [
      /^ *0 passing \(/,
      /^Error: No test files found\b/,
      /^Warning: Cannot find any files matching pattern\b/,
    ],
    some: [/^ *[1-9]\d* (?:passing \(|failing$)/],
  },
  {
    name: 'node:test, TAP',
    none: [/^[ℹ#] tests 0$/, /^1\.\.0(?: |$)/, /^[ℹ#] pass 0$/],
    some: [
      /^[ℹ#] (?:pass|fail) [1-9]/,
      /^[ℹ#] (?:pass|fail) {2}[1-9]/,
      /^(?:not )?ok \d+(?! .*# (?:SKIP|TODO)\b)/i,
    ],
  },
  {
    name: 'ava, tap, jasmine, karma, cypress, playwright, web test runner',
    none: [
      /^ *✖ Couldn’t find any files to test$/,
      /^ *0 specs, 0 failures$/,
      /^(?:No specs found\b|.*Executed 0 of 0\b)/,
      /^Error: No tests found\b/,
      /^Can't run because no spec files were found\b/,
      /^# No tests found$/,
    ],
    some: [
      /^ *[1-9]\d* (?:specs?, \d+ failures?|tests? (?:passed|failed)|(?:passed|failed|flaky) \()/,
      /Executed [1-9]\d* of [1-9]/,
    ],
  },
  {
    name: 'bun, deno',
    none: [
      /^ *0 pass$/,
      /^No tests found!$/,
      /^error: No test modules found$/,
      /^ok \| 0 passed \| 0 failed/,
    ],
    some: [
      /^ *[1-9]\d* (?:pass|fail)$/,
      /^(?:ok|FAILED) \| (?:[1-9]\d* passed|0 passed[^|]*\| [1-9]\d* failed)/,
    ],
  },
  {
    name: 'pytest',
    none: [
      /^=+ (?:no tests (?:ran|collected)|(?:\d+ (?:deselected|skipped|warnings?)(?:, )?)+) in [\d.]+s.*=+$/,
      /^(?:no tests (?:ran|collected)|(?:\d+ (?:deselected|skipped|warnings?)(?:, )?)+) in [\d.]+s\b/,
      /^collected 0 items(?: \/ \d+ (?:deselected|skipped).*)?$/,
    ],
    some: [/\b[1-9]\d* (?:passed|failed|errors?|xfailed|xpassed)\b.* in [\d.]+s/],
  },
  {
    name: 'unittest, nose',
    none: [/^Ran 0 tests in /, /^NO TESTS RAN$/],
    some: [/^Ran [1-9]\d* tests? in /],
  },
  {
    name: 'go test',
    none: [
      /^\?[ \t]+\S+[ \t]+\[no test files\]$/,
      /^ok[ \t]+\S+[ \t]+.*\[no tests to run\]$/,
      /^testing: warning: no tests to run$/,
      /^no test files$/,
      /^DONE 0 tests\b/,
      /^[ \t]+\S+[ \t]+coverage: 0\.0% of statements$/,
    ],
    some: [
      /^(?:ok|FAIL)[ \t]+\S+[ \t]+(?!.*\[no tests to run\])(?:[\d.]+s|\(cached\))/,
      /^ *--- (?:PASS|FAIL): /,
      /^DONE [1-9]\d* tests?\b/,
    ],
  },
  {
    name: 'cargo test, nextest',
    none: [
      /^running 0 tests$/,
      /^test result: ok\. 0 passed; 0 failed; /,
      /^ *Summary \[[^\]]*\] *0 tests run\b/,
      /^ *error: no tests to run\b/,
    ],
    some: [
      /^test result: \w+\. (?:[1-9]\d* passed|\d+ passed; [1-9]\d* failed)/,
      /^ *Summary \[[^\]]*\] *[1-9]\d* tests? run\b/,
    ],
  },
  {
    name: 'maven, gradle, sbt, JUnit console',
    none: [
      /^(?:\[(?:INFO|WARNING)\] )?Tests run: 0, Failures: 0, Errors: 0\b/,
      /^(?:\[(?:INFO|WARNING|ERROR)\] )?No tests (?:to run|were executed|found)\b/,
      /^(?:\[info\] )?No tests (?:were executed|to run)\b/,
      /^\[info\] (?:Total number of tests run: 0|Passed: Total 0)\b/,
      /^> Task :(?:[\w:-]+:)?test NO-SOURCE$/i,
      /^\[ +0 tests found +\]$/,
    ],
    some: [
      /\bTests run: [1-9]/,
      /^\[info\] (?:Total number of tests run: [1-9]|(?:Passed|Failed): Total [1-9])/,
      /^[1-9]\d* tests? completed\b/,
      // Gradle counts only failures, so a finished test task means that tests ran.
      /^> Task :(?:[\w:-]+:)?\w*test(?: (?:UP-TO-DATE|FROM-CACHE|FAILED))?$/i,
      /^\[ +[1-9]\d* tests (?:successful|failed) +\]$/,
      /^\S.* > .* (?:PASSED|FAILED)$/,
    ],
  },
  {
    name: 'rspec, minitest, test-unit',
    none: [/^0 examples, 0 failures\b/, /^0 (?:runs|tests), 0 assertions\b/, /^No examples found\.$/],
    some: [/^[1-9]\d* (?:examples?|runs|tests), /],
  },
  {
    name: 'phpunit, pest',
    none: [/^No tests executed!$/, /^ *(?:INFO|WARN) +No tests found\.$/],
    some: [
      /^OK \([1-9]\d* tests?\b/,
      /^Tests: [1-9]\d*, Assertions: /,
      /^ *Tests: .*\b[1-9]\d* (?:passed|failed)\b/,
    ],
  },
  {
    name: 'dotnet',
    none: [/^No test (?:is available in|matches the given testcase filter)\b/, /^Total tests: 0$/],
    some: [/^Total tests: [1-9]/, /^(?:Passed|Failed)! {2}- Failed: .*\bTotal: +[1-9]/],
  },
  {
    name: 'googletest, ctest, catch2, bats',
    none: [
      /^No tests were found!!!$/,
      /^\[=+\] Running 0 tests from 0 test (?:suites|cases)\./,
      /^No tests ran$/,
    ],
    some: [
      /^\[=+\] Running [1-9]/,
      /^\d+% tests passed, \d+ tests failed out of [1-9]/,
      /^All tests passed \([1-9]/,
    ],
  },
  {
    name: 'swift',
    none: [/^[ \t]*Executed 0 tests\b/, /^(?:✔|✘|◇) Test run with 0 tests\b/],
    some: [/^[ \t]*Executed [1-9]\d* tests?\b/, /^(?:✔|✘) Test run with [1-9]/],
  },
  {
    name: 'mix, flutter, dart, leiningen',
    none: [
      /^There are no tests to run$/,
      /^0 (?:tests|doctests), 0 failures\b/,
      /^No tests (?:ran|were found)\.$/,
      /^Ran 0 tests containing 0 assertions\b/,
    ],
    some: [
      /^[1-9]\d* (?:tests?|doctests?)\b.*\d+ failures?\b/,
      /^Ran [1-9]\d* tests containing\b/,
      /^All tests passed!$/,
    ],
  },
];

const SKIPPED_ONLY_PATTERNS: readonly RegExp[] = [
  /^(\d+) examples?, 0 failures, \1 pending\b/,
  /\bTests run: (\d+), Failures: 0, Errors: 0, Skipped: \1\b/,
  /^(\d+) (?:runs|tests), \d+ assertions, 0 failures, 0 errors, (?:\d+ pendings, \d+ omissions, )?\1 skips\b/,
  /^Tests: (\d+), Assertions: 0,.* Skipped: \1\b/,
  /\bExecuted (\d+) tests?, with \1 tests? skipped and 0 failures\b/,
  /^(\d+) tests?, 0 failures\b.*\b\1 (?:skipped|excluded)\b/,
  /^DONE (\d+) tests?, \1 skipped\b/,
  /^Skipped! {2}- Failed: +0, Passed: +0, Skipped: +(\d+), Total: +\1\b/,
  /^Ran (\d+) tests? in \S+ OK \(skipped=\1\)/,
];
/** Said by scripts of a repository's own. */
const PLAIN_ZERO =
  /^(?:(?:ran|running|found|executed|total:?) )?(?:0|no) tests?(?: (?:ran|run|passed|found|executed|total|to run))?[.!]?$/i;

const NO_TESTS_PATTERNS = [
  PLAIN_ZERO,
  ...SKIPPED_ONLY_PATTERNS,
  ...COUNTED_RUNNERS.flatMap(({ none }) => none),
];
const SOME_TESTS_PATTERNS = COUNTED_RUNNERS.flatMap(({ some }) => some);
/** No runner prints its count on a longer line (characters). */
const MAX_LINE = 400;
/** A longer output means that something ran (characters). */
const MAX_OUTPUT = 2 * MB;
/** Every line that reports zero tests contains one of these words. */
const MAYBE_NO_TESTS = /\b(?:0|no)\b|skip|pending|deselected|excluded|todo|cannot find|couldn/i;

/** unittest counts on one line, and says on a later one how many of these it skipped. */
const withVerdictOfUnittest = (lines: string[], line: string): string[] => {
  if (/^OK \(skipped=\d+\)$/.test(line)) {
    const at = lines.findLastIndex((one) => /^Ran \d+ tests? in \S+$/.test(one));
    if (at >= 0 && lines.length - at <= 3) lines[at] = `${lines[at]} ${line}`;
  }
  lines.push(line);
  return lines;
};

export const ranNoTest = ({ stdout, stderr }: { stdout: string; stderr: string }): boolean => {
  if (stdout.length + stderr.length > MAX_OUTPUT) return false;
  const lines = [...plainLines(stdout), ...plainLines(stderr)]
    .filter(({ length }) => length <= MAX_LINE)
    .reduce(withVerdictOfUnittest, []);
  const isAny = (line: string, patterns: readonly RegExp[]): boolean =>
    patterns.some((pattern) => pattern.test(line));
  const none = lines.some((line) => MAYBE_NO_TESTS.test(line) && isAny(line, NO_TESTS_PATTERNS));
  return (
    none &&
    !lines.some(
      (line) =>
        isAny(line, SOME_TESTS_PATTERNS) &&
        !(MAYBE_NO_TESTS.test(line) && isAny(line, SKIPPED_ONLY_PATTERNS)),
    )
  );
};
