/** E19: what test runners print when they ran no test, when they ran some, and when some failed. */

export type TestSummary = {
  name: string;
  none: readonly RegExp[];
  some: readonly RegExp[];
  /** Lines that count as `some` only where no line is one of `counted`, which says it better. */
  weak?: readonly RegExp[];
  counted?: RegExp;
  /** Failures, whatever the exit code. */
  red: readonly RegExp[];
};

export const TEST_RUNNERS: readonly TestSummary[] = [
  {
    name: 'npm',
    none: [/^(?:Error: )?no test specified$/i],
    some: [],
    red: [],
  },
  {
    name: 'jest',
    none: [
      /^No tests found, exiting with code [01]\b/,
      /^No tests found related to files changed\b/,
      /^Tests: +(?:\d+ (?:skipped|todo), )*\d+ total$/,
      /^Test Suites: (?:\d+ skipped, )?0 (?:of \d+ )?total$/,
      /^\{"num.*"numPassedTests":0\b/,
    ],
    some: [/^Tests: .*\b[1-9]\d* (?:passed|failed)\b/, /^\{"num.*"num(?:Passed|Failed)Tests":[1-9]/],
    red: [
      /^Tests: +[1-9]\d* failed\b/,
      /^Test Suites: +[1-9]\d* failed\b/,
      /^\{"num.*"numFailedTests":[1-9]/,
    ],
  },
  {
    name: 'vitest',
    none: [
      /^No test files found, exiting with code [01]\b/,
      /^ *Tests {2}(?:no tests|(?:\d+ (?:skipped|todo)(?: \| )?)+ \(\d+\))$/,
      /^ *RUN {2}v\d/,
    ],
    some: [/^ *Tests {2}.*\b[1-9]\d* (?:passed|failed)\b/],
    red: [/^ *(?:Tests|Test Files) {2}[1-9]\d* failed\b/, /^ *Errors {2}[1-9]\d* errors?$/],
  },
  {
    name: 'mocha',
    none: [
      /^ *0 passing \(/,
      /^Error: No test files found\b/,
      /^Warning: Cannot find any files matching pattern\b/,
      /^ *"passes": 0,$/,
    ],
    some: [/^ *[1-9]\d* (?:passing \(|failing$)/, /^ *"(?:passes|failures)": [1-9]\d*,$/],
    red: [/^ *[1-9]\d* failing$/, /^ *"failures": [1-9]\d*,$/],
  },
  {
    name: 'node:test',
    none: [/^[ℹ#] tests 0$/, /^[ℹ#] pass 0$/, /^\t*<!-- pass 0 -->$/],
    some: [/^[ℹ#] (?:pass|fail) [1-9]/, /^\t*<!-- (?:pass|fail) [1-9]/],
    red: [/^[ℹ#] fail [1-9]/, /^\t*<!-- fail [1-9]/],
  },
  {
    name: 'TAP',
    none: [/^1\.\.0(?: |$)/, /^TAP version 1\d$/, /^ok \d+.* # SKIP\b/i],
    some: [/^[ℹ#] (?:pass|fail) {2}[1-9]/],
    // Suites and files are lines, too, where node:test counts.
    weak: [/^(?:not )?ok \d+(?!.* # (?:SKIP|TODO)\b)/i],
    counted: /^[ℹ#] tests \d+$/,
    red: [/^not ok \d+(?!.* # (?:SKIP|TODO)\b)/i, /^# fail {2}[1-9]/, /^Bail out!/],
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
      /^ *Passed: +0$/,
    ],
    some: [
      /^ *[1-9]\d* (?:specs?, \d+ failures?|tests? (?:passed|failed)|(?:passed|failed|flaky) \()/,
      /Executed [1-9]\d* of [1-9]/,
      /^ *Passed: +[1-9]/,
    ],
    red: [
      /^ *[1-9]\d* (?:tests? failed|failed)$/,
      /^ *[1-9]\d* specs?, [1-9]\d* failures?\b/,
      /Executed \d+ of \d+ \([1-9]\d* FAILED\)/,
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
    red: [/^ *[1-9]\d* fail$/, /^FAILED \| /],
  },
  {
    name: 'pytest',
    none: [
      /^=+ (?:no tests (?:ran|collected)|(?:\d+ (?:deselected|skipped|warnings?)(?:, )?)+) in [\d.]+s.*=+$/,
      /^(?:no tests (?:ran|collected)|(?:\d+ (?:deselected|skipped|warnings?)(?:, )?)+) in [\d.]+s\b/,
      /^collected 0 items(?: \/ \d+ (?:deselected|skipped).*)?$/,
      /^(?:=+ )?\d+(?:\/\d+)? tests? collected\b.* in [\d.]+s\b/,
      /^=+ test session starts =+$/,
      /^(?:\S+\.py )?s+ +\[ *\d{1,3}%\]$/,
    ],
    some: [
      /\b[1-9]\d* (?:passed|failed|errors?|xfailed|xpassed)\b.* in [\d.]+s/,
      /^(?:\S+\.py )?s*[.xXFE][.sxXFE]* +\[ *\d{1,3}%\]$/,
    ],
    red: [/^(?:=+ )?(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s\b/],
  },
  {
    name: 'unittest, nose',
    none: [/^Ran 0 tests in /, /^NO TESTS RAN$/, /^ - Passed: +0$/],
    some: [/^Ran [1-9]\d* tests? in /, /^ - (?:Passed|Failed|Expected Fail): +[1-9]/],
    red: [
      /^FAILED \((?:failures|errors|unexpected successes)=/,
      /^\*\*\*Test Failed\*\*\* [1-9]/,
      /^ - Failed: +[1-9]/,
    ],
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
      /^ *--- SKIP: /,
      /"Action":"skip","Package":"[^"]*"/,
    ],
    some: [
      /^ *--- (?:PASS|FAIL): /,
      /^DONE [1-9]\d* tests?\b/,
      /"Action":"(?:pass|fail)","Package":"[^"]*","Test":/,
    ],
    weak: [/^(?:ok|FAIL)[ \t]+\S+[ \t]+(?!.*\[no tests to run\])(?:[\d.]+s|\(cached\))/],
    counted: /^ *--- (?:PASS|FAIL|SKIP): /,
    red: [/^FAIL[ \t]+\S/, /^--- FAIL: /, /^DONE .*\b[1-9]\d* failures?\b/, /"Action":"fail","Package":/],
  },
  {
    name: 'cargo test, nextest',
    weak: [/^ +Running (?!unittests )\S/],
    counted: /^running \d+ tests?$/,
    none: [
      /^running 0 tests$/,
      /^test result: ok\. 0 passed; 0 failed; /,
      /^ *Summary \[[^\]]*\] *0 tests run\b/,
      /^ *error: no tests to run\b/,
      /^ *Finished `test` profile /,
    ],
    some: [
      /^test result: \w+\. (?:[1-9]\d* passed|\d+ passed; [1-9]\d* failed)/,
      /^ *Summary \[[^\]]*\] *[1-9]\d* tests? run\b/,
    ],
    red: [/^test result: FAILED\b/, /^ *Summary \[[^\]]*\] .*\b[1-9]\d* failed\b/],
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
      /^\[INFO\] Tests are skipped\.$/,
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
    red: [
      /^(?:\[\w+\] )?Tests run: \d+, Failures: (?:[1-9]|0, Errors: [1-9])/,
      /^[1-9]\d* tests? completed, [1-9]\d* failed\b/,
      /^\[(?:info|error)\] Failed: Total \d+, Failed [1-9]/,
      /^\[ +[1-9]\d* tests failed +\]$/,
    ],
  },
  {
    name: 'rspec, minitest, test-unit',
    none: [/^0 examples, 0 failures\b/, /^0 (?:runs|tests), 0 assertions\b/, /^No examples found\.$/],
    some: [/^[1-9]\d* (?:examples?|runs|tests), /, /"summary_line":"[1-9]/],
    red: [
      /^\d+ examples?, [1-9]\d* failures?\b/,
      /^\d+ examples?, .*, [1-9]\d* errors? occurred outside of examples$/,
      /^\d+ (?:runs|tests), \d+ assertions, (?:[1-9]\d* failures|0 failures, [1-9]\d* errors)\b/,
    ],
  },
  {
    name: 'phpunit, pest',
    none: [/^No tests executed!$/, /^ *(?:INFO|WARN) +No tests found\.$/],
    some: [
      /^OK \([1-9]\d* tests?\b/,
      /^Tests: [1-9]\d*, Assertions: /,
      /^ *Tests: .*\b[1-9]\d* (?:passed|failed)\b/,
    ],
    red: [/^Tests: \d+, Assertions: \d+, (?:Errors|Failures): [1-9]/, /^ *Tests: +[1-9]\d* failed\b/],
  },
  {
    name: 'dotnet',
    none: [/^No test (?:is available in|matches the given testcase filter)\b/, /^Total tests: 0$/],
    some: [/^Total tests: [1-9]/, /^(?:Passed|Failed)! {2}- Failed: .*\bTotal: +[1-9]/],
    red: [/^Failed! {2}- Failed: +[1-9]/, /^ *Failed: [1-9]\d*$/],
  },
  {
    name: 'googletest, ctest, catch2, bats',
    none: [
      /^No tests were found!!!$/,
      /^\[=+\] Running 0 tests from 0 test (?:suites|cases)\./,
      /^No tests ran$/,
      / Test +#\d+: .*\*\*\*(?:Skipped|Not Run \(Disabled\))/,
    ],
    some: [
      /^\[=+\] Running [1-9]/,
      /^All tests passed \([1-9]/,
      / Test +#\d+: .*(?:Passed|\*\*\*(?:Failed|Timeout|Exception|Not Run {2}))/,
    ],
    weak: [/^\d+% tests passed, \d+ tests failed out of [1-9]/],
    counted: / Test +#\d+: /,
    red: [
      /^\[ {2}FAILED {2}\] [1-9]\d* tests?, listed below:$/,
      /^\d+% tests passed, [1-9]\d* tests failed out of/,
      /^test cases: .*\b[1-9]\d* failed\b/,
    ],
  },
  {
    name: 'swift',
    none: [/^[ \t]*Executed 0 tests\b/, /^(?:✔|✘|◇) Test run with 0 tests\b/],
    some: [/^[ \t]*Executed [1-9]\d* tests?\b/, /^(?:✔|✘) Test run with [1-9]/],
    red: [
      /^[ \t]*Executed \d+ tests?, with (?:\d+ tests? skipped and )?[1-9]\d* failures?\b/,
      /^✘ Test run with [1-9]/,
    ],
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
    red: [
      /^(?:\d+ (?:tests?|doctests?|propert(?:y|ies)), )+[1-9]\d* failures?\b/,
      /^Some tests failed\.$/,
      /^(?:[1-9]\d* failures|0 failures, [1-9]\d* errors)\.$/,
    ],
  },
  {
    name: 'meson',
    none: [/^No (?:suitable )?tests defined\.$/, /^Ok: +0$/],
    some: [/^(?:Ok|Fail|Expected Fail|Unexpected Pass|Timeout): +[1-9]/],
    red: [/^(?:Fail|Unexpected Pass|Timeout): +[1-9]/],
  },
  {
    name: 'prove',
    none: [/^Result: NOTESTS$/],
    some: [],
    weak: [/^Files=\d+, Tests=[1-9]/],
    counted: /^(?:not )?ok \d/,
    red: [/^Result: FAIL$/],
  },
  {
    name: 'busted',
    none: [/^0 successes \/ 0 failures \/ 0 errors \//],
    some: [/^[1-9]\d* success(?:es)? \/ /],
    red: [/^\d+ success(?:es)? \/ (?:[1-9]\d* failures?|0 failures \/ [1-9]\d* errors?) \//],
  },
  {
    name: 'JUnit XML',
    none: [/^[ \t]*<testsuites? (?:[^>]* )?tests="0"/, /^[ \t]*<skipped\b/],
    some: [],
    weak: [/^[ \t]*<testcase\b[^>]*(?:\/>|<\/testcase>)$/, /^[ \t]*<(?:failure|error)\b/],
    counted: /^\t*<!-- pass \d/,
    red: [/^[ \t]*<(?:failure|error)\b/],
  },
];

export const SKIPPED_ONLY_PATTERNS: readonly RegExp[] = [
  /^(\d+) examples?, 0 failures, \1 pending\b/,
  /\bTests run: (\d+), Failures: 0, Errors: 0, Skipped: \1\b/,
  /^(\d+) (?:runs|tests), \d+ assertions, 0 failures, 0 errors, (?:\d+ pendings, \d+ omissions, )?\1 skips\b/,
  /^Tests: (\d+), Assertions: 0,.* Skipped: \1\b/,
  /\bExecuted (\d+) tests?, with \1 tests? skipped and 0 failures\b/,
  /^(\d+) tests?, 0 failures\b.*\b\1 (?:skipped|excluded)\b/,
  /^DONE (\d+) tests?, \1 skipped\b/,
  /^Skipped! {2}- Failed: +0, Passed: +0, Skipped: +(\d+), Total: +\1\b/,
  /^Ran (\d+) tests? in \S+ OK \(skipped=\1\)/,
  /^(\d+) specs?, 0 failures, \1 pending specs?$/,
  /^Tests: (\d+), Assertions: 0, Incomplete: \1\./,
  /"summary_line":"(\d+) examples?, 0 failures, \1 pending"/,
];

/** Programs that start others: what these count weighs more than that something was started. */
export const TEST_STARTERS: readonly TestSummary[] = [
  {
    name: 'tox',
    none: [/^(?:SKIPPED: )? {2}\S+: (?:InterpreterNotFound|SKIP \()/, /^SKIPPED: {2}\S+: /],
    some: [/^ {2}\S+: (?:commands succeeded|OK[ (]|ignored failed command)/],
    red: [/^ {2}\S+: ignored failed command$/],
  },
  {
    name: 'nox',
    none: [/^nox > (?:Session \S+ skipped\b|\* \S+: skipped)/],
    some: [/^nox > (?:Session \S+ was successful\b|\* \S+: success)/],
    red: [],
  },
  {
    name: 'turbo, nx, lerna, pnpm',
    none: [
      /^ *Tasks: +0 successful, 0 total$/,
      /^lerna (?:success|info) run No packages found with the lifecycle script\b/,
      /^ *(?:NX +)?No (?:tasks were run|projects with the target\b)/i,
      /^None of the selected packages has an? "[^"]*" script$/,
    ],
    some: [/^ *Tasks: +[1-9]\d* successful\b/, /^lerna success run Ran npm script\b/],
    red: [],
  },
];
