/** Formats of test runner, compiler and linter reports, one row each. Generic ones: find-failure.ts. */

export type LogFormat = {
  name: string;
  /** A log without any of these words does not have this format. */
  sees?: readonly string[];
  /** Best first. Repetition must be bounded, because lines can be endless. */
  first: readonly [RegExp, ...RegExp[]];
  before: number;
  after: number;
  /** The nearest later line with file and line number, if the context has none. */
  place?: RegExp;
  /** The nearest earlier line that names the file or the test. */
  head?: RegExp;
  summary?: RegExp;
};

export const JS_FRAME = /^[ \t]+(?:at |❯ )?(?!.*(?:node_modules|[( ]node:|https?:)).*:\d+:\d+\)?(?: \{)?$/;

/** Matches `5 examples, 1 failure`, `Failed: 1`, `1 tests failed out of 2`. */
export const FAILURE_COUNT =
  /\b\d+ (?:tests? )?(?:fail(?:ed|s|ures?|ing)?|errors?)\b|\b(?:failed|failures|errors)[:,]? +[1-9]/i;

export const REPORT_FORMATS: readonly LogFormat[] = [
  {
    name: 'node:test',
    first: [/^test at .{1,300}:\d+:\d+$/m, /^[ \t]{0,99}✖ .{1,300} \(\d[\d.]*ms\)$/m],
    before: 0,
    after: 12,
    place: JS_FRAME,
    summary: /^ℹ (?:tests|suites|pass|fail|cancelled) \d|^✖ .+ms\)$/,
  },
  {
    name: 'Node, ended by an exception',
    first: [/^Node\.js v\d+\.\d+\.\d+$/m],
    before: 18,
    after: 3,
    head: /^(?:Uncaught )?\w*Error(?: \[\w+\])?: /,
    summary: /^ℹ (?:tests|pass|fail) \d/,
  },
  {
    name: 'vitest',
    first: [/^[ \t]{0,99}FAIL {2}\S.{0,300}/m],
    before: 0,
    after: 12,
    place: /^[ \t]*❯ .+:\d+:\d+$/,
    summary: /^[ \t]*(?:(?:Test Files|Tests|Snapshots|Errors) {2}\d|FAIL {2}\S)/,
  },
  {
    name: 'jest',
    sees: ['Test Suites:', 'FAIL '],
    first: [/^ {2}● (?!Console$).{1,300}/m],
    before: 0,
    after: 16,
    place: JS_FRAME,
    head: /^FAIL \S/,
    summary: /^(?:Test Suites|Tests|Snapshots): |^ {2}● (?!Console$)/,
  },
  {
    name: 'mocha',
    sees: [' passing ('],
    first: [/^ {2}\d+ failing$/m, /^[ \t]{0,99}1\) \S/m],
    before: 1,
    after: 14,
    place: JS_FRAME,
    summary: /^ {2}\d+ (?:passing|failing|pending)\b/,
  },
  {
    name: 'pytest',
    sees: ['= FAILURES =', '= ERRORS =', '= short test summary info ='],
    first: [/^E {2,99}\S/m],
    before: 5,
    after: 6,
    place: /^\S+:\d+: /,
    head: /^_{3,} .+ _{3,}$/,
    summary: /^(?:FAILED|ERROR) \S|^=+ .*\b(?:failed|passed|error)/,
  },
  {
    name: 'unittest',
    first: [/^(?:FAIL|ERROR): \w+ \(/m],
    before: 0,
    after: 12,
    place: /^\w[\w.]*(?:Error|Exception|Failure)\b/,
    summary: /^Ran \d+ tests? in |^FAILED \(|^(?:FAIL|ERROR): \w+ \(/,
  },
  {
    name: 'go test',
    first: [
      /^[ \t]{0,99}--- FAIL: /m,
      /^\{"Time":"[^"]{1,60}","Action":"output".{1,300}--- FAIL/m,
      /^panic: /m,
    ],
    before: 3,
    after: 16,
    place: /^[ \t]*\S+\.go:\d+/,
    summary: /^(?:FAIL|panic:|--- FAIL:)[ \t]+\S/,
  },
  {
    name: 'cargo test',
    first: [/^thread '.{1,300}' (?:\(\d+\) )?panicked at /m],
    before: 1,
    after: 5,
    head: /^---- .+ ----$/,
    summary: /^test result: FAILED|^error: test failed|^ {4}\w+(?:::\w+)+$/,
  },
  {
    name: 'TAP',
    sees: ['TAP version ', '1..'],
    first: [/^# {3}Failed test/m, /^[ \t]{0,99}not ok\b(?!.{0,999}# (?:todo|skip|TODO|SKIP)\b)/m],
    before: 1,
    after: 16,
    place: /\(\S+:\d+:\d+\)$|^\s+at: .+:\d+|^#\s+at .+ line \d+/,
    summary: /^# (?:tests|suites|pass|fail|cancelled) \d|^# Looks like |^Result: FAIL|^ {2}Failed tests?: /,
  },
  {
    name: 'JUnit XML',
    sees: ['<testsuite'],
    first: [/^[ \t]{0,99}<(?:failure|error)[ >]/m, /^<\?xml .*?<(?:failure|error)[ >]/m],
    before: 1,
    after: 14,
    place: /:\d+(?::\d+)?\b/,
    head: /<testcase /,
    summary: /<testsuite [^>]*failures="[1-9]/,
  },
  {
    name: 'tsc, and MSBuild, which prints alike',
    first: [/\(\d+,\d+\): error [A-Z]{2,8}\d+: /, /:\d+:\d+ - error TS\d+: /],
    before: 0,
    after: 4,
    summary: /^Found \d+ errors? in |: error [A-Z]{2,8}\d+: | - error TS\d+: /,
  },
  {
    name: 'eslint',
    first: [/^ {1,99}\d+:\d+ {1,99}error {1,99}\S/m],
    before: 0,
    after: 3,
    head: /^(?! )\S.*\.\w+$/,
    summary: /^✖ \d+ problems?/,
  },
  {
    name: 'prettier',
    sees: ['Checking formatting', 'Code style issues'],
    first: [/^\[error\] \S{1,300}: /m, /^\[warn\] \S{1,300}\.\w+$/m],
    before: 0,
    after: 6,
    summary: /^\[(?:warn|error)\] Code style issues/,
  },
  {
    name: 'rustc',
    sees: ['--> ', 'could not compile'],
    first: [/^error(?:\[E\d+\])?: (?!aborting|could not compile|test failed)/m],
    before: 0,
    after: 8,
    place: /^ *--> .+:\d+:\d+$/,
    summary: /^error: (?:could not compile|aborting)/,
  },
  {
    name: 'C compilers',
    first: [/^[^\s:]{1,300}:\d+:(?:\d+:)? (?:fatal )?error: /m, /: undefined reference to /],
    before: 1,
    after: 5,
    summary: /^collect2: error|^make(?:\[\d+\])?: \*\*\* /,
  },
  {
    name: 'go build',
    first: [/^(?:vet: )?[^\s:]{1,300}\.go:\d+:\d+: /m],
    before: 1,
    after: 4,
  },
  {
    name: 'surefire',
    first: [/^\[ERROR\] {1,99}\S{1,300}(?::\d+\b|:\[\d+,\d+\]) /m],
    before: 0,
    after: 3,
    summary: /^\[ERROR\] Tests run: .+(?:Failures|Errors): [1-9]/,
  },
  {
    name: 'bun test',
    sees: ['bun test v'],
    first: [/^error: \S/m],
    before: 6,
    after: 8,
    place: JS_FRAME,
    summary: /^ +\d+ (?:pass|fail)$/,
  },
  {
    name: 'numbered failures',
    sees: [' fail'],
    first: [/^[ \t]{0,99}1\) \S.{0,300}/m],
    before: 2,
    after: 16,
    place: /\w:\d+\b/,
    summary: FAILURE_COUNT,
  },
  {
    name: 'dotnet test',
    sees: ['Failed!  - '],
    first: [/^ {2}Failed \S.{0,300} \[[^\]\n]{1,20}\]$/m, /\[FAIL\]$/m],
    before: 0,
    after: 12,
    place: /:line \d+$/,
    summary: FAILURE_COUNT,
  },
  {
    name: 'googletest',
    sees: ['[  FAILED  ]'],
    first: [/^\S{1,300}:\d+: Failure$/m],
    before: 1,
    after: 8,
    summary: /^\[ {2}FAILED {2}\] |^ *\d+ FAILED TEST|^Executed \d+ out of /,
  },
  {
    name: 'gradle',
    sees: ['> Task :'],
    first: [/^\S.{0,200} > .{1,200} FAILED$/m, /^e: .{1,300}:\d+/m, /^> Task \S{1,200} FAILED$/m],
    before: 1,
    after: 8,
    place: /\.(?:java|kts?|groovy|scala):\d+/,
    summary: FAILURE_COUNT,
  },
  {
    name: 'sbt',
    sees: ['[info] '],
    first: [/^\[info\] .{1,300} \*\*\* FAILED \*\*\*$/m, /^\[error\] \S{1,300}:\d+:\d+: /m],
    before: 0,
    after: 4,
    summary: FAILURE_COUNT,
  },
  {
    name: 'swift test',
    first: [/^✘ Test .{1,300} recorded an issue at /m],
    before: 0,
    after: 4,
    summary: FAILURE_COUNT,
  },
];
