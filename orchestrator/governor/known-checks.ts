/** Lists programs that run a repository's own checks, with their harmless arguments. */
import { optionsOf, type HarmlessUse } from './harmless-use.ts';

/** `@file` adds arguments from a file. */
const NO_ARGUMENT_FILE = /^[^@]/;

/** Runner options that neither load nor write files. */
const RUNNER =
  '-(?:[tkxiuqv]|vv+|qq)|--(?:run|watch=false|watchAll=false|coverage|no-coverage|silent|verbose|bail(?:=\\d+)?|ci|testNamePattern(?:=.*)?|testPathPatterns?(?:=.*)?|grep(?:=.*)?|reporter=\\w+|runInBand|no-color|passWithNoTests|fix|check|quiet|max-warnings(?:=\\d+)?|noEmit|tb=\\w+|maxfail=\\d+)';
const GO =
  '--?(?:v|race|json|short|cover|failfast|benchmem|shuffle(?:=\\w+)?|count=\\d+|(?:run|skip|bench|list)(?:=.*)?|timeout(?:=\\w+)?|tags(?:=[\\w,]+)?|(?:parallel|p|cpu)(?:=\\d+)?|vet=off|[nxf]|all|src)';
const CARGO = optionsOf(
  '-(?:[qrvpFj]|vv)',
  'package(?:=.*)? all workspace lib bins bin(?:=.*)? tests test(?:=.*)? doc examples example(?:=.*)? all-features features(?:=.*)? no-default-features release quiet verbose all-targets no-run no-fail-fast locked offline frozen check message-format=\\w+ color=\\w+ jobs(?:=\\d+)? depth=\\d+ edges=\\w+',
);
const CARGO_PASSED = optionsOf(
  '-[DWAF]|[\\w:-]+',
  'nocapture no-capture ignored include-ignored exact list quiet check test-threads=\\d+ show-output',
);
const PYTEST: HarmlessUse = {
  options: optionsOf(
    '-(?:[vqsxl]+|[kmnr]\\w*)|-pno:\\w+',
    'tb=\\w+ lf ff last-failed failed-first stepwise maxfail=\\d+ no-header no-summary co collect-only durations=\\d+ cov(?:=[\\w./-]+)? no-cov disable-warnings strict-markers strict-config exitfirst quiet verbose showlocals color=\\w+ timeout=\\d+',
  ),
  valued: /^-[km]$/,
  operands: NO_ARGUMENT_FILE,
};
const MYPY: HarmlessUse = {
  options: optionsOf(
    '-[pmv]',
    'strict ignore-missing-imports no-error-summary pretty show-error-codes no-incremental no-color-output explicit-package-bases namespace-packages',
  ),
  operands: NO_ARGUMENT_FILE,
};
const FLAKE8_USE: HarmlessUse = {
  options: optionsOf(
    '-[qv]',
    '(?:select|ignore|extend-ignore|exclude|max-line-length|max-complexity)=[\\w,./-]+ count statistics show-source',
  ),
  operands: NO_ARGUMENT_FILE,
};
const BLACK: HarmlessUse = {
  options: optionsOf('-[qvlS]', 'check diff quiet verbose fast line-length(?:=\\d+)? color no-color'),
  operands: NO_ARGUMENT_FILE,
};
const RUFF: HarmlessUse = {
  sub: /^(?:check|format)$/,
  options: optionsOf(
    '-[qvn]',
    'check diff fix quiet verbose no-cache (?:select|ignore|extend-select|exclude)=[\\w,./-]+ output-format=\\w+ show-fixes statistics',
  ),
  operands: NO_ARGUMENT_FILE,
};
/** Variables are excluded, because `SHELL=` replaces the shell. */
const MAKE_TARGET = /^(?:test|check|lint|build)$/;
const MAVEN_PHASE = /^(?:test|verify|compile)$/;
const GRADLE_TASK = /^:?(?:[\w-]+:)*(?:test|check|build)$/;

/** Arguments may not make them run anything but the repository's checks. */
export const KNOWN_CHECKS: readonly [names: string, use: HarmlessUse][] = [
  ['pytest', PYTEST],
  ['mypy', MYPY],
  ['flake8', FLAKE8_USE],
  ['black', BLACK],
  ['ruff', RUFF],
  [
    'tsc',
    {
      options: optionsOf(
        '-[pbw]',
        'noEmit project build pretty incremental skipLibCheck strict listFiles watch',
      ),
      operands: NO_ARGUMENT_FILE,
    },
  ],
  [
    'eslint',
    {
      options: optionsOf(
        '',
        'fix quiet max-warnings(?:=\\d+)? ext(?:=[\\w,.]+)? cache no-cache color no-color report-unused-disable-directives',
      ),
    },
  ],
  ['prettier', { options: optionsOf('-[clw]', 'check list-different write log-level(?:=\\w+)? no-color') }],
  [
    'vitest jest mocha',
    {
      options: new RegExp(
        `^(?:${RUNNER}|-b|--(?:project(?:=[\\w-]+)?|maxWorkers=\\d+|timeout(?:=\\d+)?|recursive|exit))$`,
      ),
    },
  ],
  ['gofmt', { options: /^-[ldsew]$/ }],
  ['rustfmt', { options: optionsOf('-[qvl]', 'check edition(?:=\\d+)? quiet verbose') }],
  [
    'npm',
    {
      sub: /^(?:test|t|run|run-script)$/,
      options: optionsOf('-s|-q|-w|-ws', 'silent quiet if-present workspaces workspace=[\\w@./-]+ no-color'),
      valued: /^-w$/,
      passed: new RegExp(`^(?:${RUNNER}|[^-].*)$`),
    },
  ],
  [
    'pnpm',
    { sub: /^(?:test|run)$/, options: new RegExp(`^(?:${RUNNER}|-[sr]|--(?:if-present|recursive))$`) },
  ],
  ['yarn', { sub: /^(?:test|run|lint|build)$/, options: new RegExp(`^(?:${RUNNER}|-s)$`) }],
  // Bun runs a file when no script has the name.
  ['bun', { sub: /^(?:test|run)$/, options: new RegExp(`^(?:${RUNNER})$`), operands: /^[\w:-]+$/ }],
  [
    'node',
    {
      sub: /^--test$/,
      subFirst: true,
      options: optionsOf(
        '',
        'test-only test-name-pattern=.* test-reporter=(?:spec|tap|dot|junit) experimental-test-coverage test-concurrency=\\d+ test-timeout=\\d+',
      ),
    },
  ],
  ['go', { sub: /^(?:test|vet|build|fmt|list|doc)$/, subFirst: true, options: new RegExp(`^(?:${GO})$`) }],
  ['cargo', { sub: /^(?:test|check|build|clippy|fmt|tree)$/, options: CARGO, passed: CARGO_PASSED }],
  [
    'make',
    {
      sub: MAKE_TARGET,
      options: optionsOf(
        '-[skBi]+|-[skBi]*j\\d*',
        'silent quiet no-print-directory keep-going jobs(?:=\\d+)?',
      ),
      valued: /^-[skBi]*j$/,
      operands: MAKE_TARGET,
    },
  ],
  [
    'mvn',
    {
      sub: MAVEN_PHASE,
      options: optionsOf(
        '-(?:q|B|o|e|ntp|DskipTests(?:=true)?|Dtest=[\\w.#*,+-]+)',
        'quiet batch-mode offline no-transfer-progress',
      ),
      operands: MAVEN_PHASE,
    },
  ],
  [
    'gradle',
    {
      sub: GRADLE_TASK,
      options: optionsOf('-[qi]', 'quiet info stacktrace offline no-daemon console=plain continue tests'),
      valued: /^--tests$/,
      operands: GRADLE_TASK,
    },
  ],
];

export const PYTHON_CHECKS: readonly [names: string, use: HarmlessUse][] = [
  ['pytest', PYTEST],
  ['mypy', MYPY],
  ['flake8', FLAKE8_USE],
  ['black', BLACK],
  ['ruff', RUFF],
  ['unittest', { options: optionsOf('-[vfbcqk]', 'verbose quiet failfast buffer locals') }],
  ['compileall', { options: optionsOf('-[qfl]') }],
  // The second operand is an output file.
  [
    'json.tool',
    { options: optionsOf('', 'sort-keys no-ensure-ascii compact indent(?:=\\d+)?'), maxOperands: 1 },
  ],
];
