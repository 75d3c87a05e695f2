/** E19: red is blamed on the base, the machine or the change by evidence. */
import { checksOf } from '../../orchestrator/kernel/preparation/check-selection.ts';
import { tryCommands } from '#preparation';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import {
  compareWithBaseline,
  findGapOnBase,
  findBaselineStops,
  isBlockingCheck,
  type CheckResult,
} from '#model/evidence';
import { findEnvironmentGap, type EnvironmentGap } from '#model/environment';
import { MISSING_PROGRAMS } from '../../model/environment/missing-programs.ts';
import { describeCheckEvidence } from '../../pull-text/describe-evidence.ts';
import { contract as someContract } from '../support/core-samples.ts';
import { someBaseline } from '../support/ready-run.ts';

const red = (more: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'pytest',
  exitCode: 1,
  outcome: 'failed',
  ms: 1,
  tail: 'FAILED tests/test_a.py::test_a - assert 1 == 2',
  failing: ['test_a'],
  ...more,
});
const NOTHING = { tools: [], ciVersions: [], needs: [], ciGreen: false };
const python = { name: 'python', asked: '>=3.12', version: '3.11.2', fits: false };

const MISFITS: readonly (readonly [string, CheckResult, Partial<typeof NOTHING> & object, EnvironmentGap])[] =
  [
    [
      'another version',
      red(),
      { tools: [python] as never[] },
      { kind: 'tool_version', name: 'python', asked: '>=3.12', version: '3.11.2' },
    ],
    [
      'services',
      red(),
      { needs: [{ kind: 'services', names: ['postgres'] }] as never[] },
      { kind: 'needs', needs: [{ kind: 'services', names: ['postgres'] }] },
    ],
    ['the time limit', red({ outcome: 'timed_out', exitCode: null, tail: '' }), {}, { kind: 'time_limit' }],
    [
      'no network',
      red({ tail: 'Error: getaddrinfo ENOTFOUND api.example.org' }),
      {},
      { kind: 'lacks', what: 'network' },
    ],
    [
      'no database',
      red({ tail: 'connect ECONNREFUSED 127.0.0.1:5432' }),
      {},
      { kind: 'lacks', what: 'service' },
    ],
    [
      'a system library',
      red({ tail: 'a.c:3:10: fatal error: openssl/ssl.h: No such file or directory' }),
      {},
      { kind: 'lacks', what: 'system_library' },
    ],
    [
      'a browser',
      red({ tail: "Executable doesn't exist at /ms-playwright/chrome" }),
      {},
      { kind: 'lacks', what: 'browser' },
    ],
    [
      'a browser that does not start, beside another version',
      red({ tail: 'Error: Failed to launch the browser process!' }),
      { tools: [python] as never[] },
      { kind: 'lacks', what: 'browser' },
    ],
    [
      'a Node that still has what is used',
      red({ tail: 'TypeError: util.isDate is not a function\n    at _deepEqual (node_modules/core-assert)' }),
      {},
      { kind: 'lacks', what: 'older_node' },
    ],
    [
      'a Node before its loader of modules',
      red({
        tail: 'SyntaxError: Cannot use import statement outside a module\n    at new Script (node:vm:117:7)\n    at N._moduleCompile (/box/tree/node_modules/v8-compile-cache/v8-compile-cache.js:240:18)',
      }),
      {},
      { kind: 'lacks', what: 'older_node' },
    ],
    [
      'a Python that still has what is used',
      red({ tail: "ModuleNotFoundError: No module named 'distutils'" }),
      {},
      { kind: 'lacks', what: 'older_python' },
    ],
    [
      'a module of Perl',
      red({ tail: "Can't locate Test/Needs.pm in @INC (you may need to install the Test::Needs module)" }),
      {},
      { kind: 'lacks', what: 'package' },
    ],
    [
      'a registry gap',
      red({ commandFailure: { kind: 'no_package', program: null, says: 'x' } }),
      {},
      { kind: 'lacks', what: 'package' },
    ],
    ['a green CI of this commit', red(), { ciGreen: true }, { kind: 'ci_green' }],
  ];

describe('a check that is red with and without the change', () => {
  it.each(MISFITS)(
    'E19: by %s tells of the machine, in body and on the card, and never of the base',
    (_, then, around, environmentGap) => {
      const found = findEnvironmentGap(then, { ...NOTHING, ...around });
      expect(found).toEqual(environmentGap);
      const seen = compareWithBaseline(
        then,
        someBaseline({ checks: [{ ...then, ...(found ? { environmentGap: found } : {}) }] }),
      );
      expect(isBlockingCheck(seen)).toBe(false);
      const body = describeCheckEvidence([seen], 'main');
      expect(body).toContain('fails here without this change too');
      expect(body).not.toMatch(/base branch|passed/);
      for (const words of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh]) {
        const line = checkLine(seen, 'main', words);
        expect(line).toMatch(/^⚠ /);
        expect(line).not.toContain('main');
        expect(words.evidence.environmentGap(environmentGap)).toMatch(
          words.code === 'zh' ? /\p{Script=Han}/u : /^(?:it|CI|the repository) /,
        );
      }
    },
  );

  it('E19: without evidence against the machine is the base’s own', () => {
    expect(findEnvironmentGap(red(), { ...NOTHING, tools: [{ ...python, fits: null }] })).toBeNull();
    const seen = compareWithBaseline(red(), someBaseline({ checks: [red()] }));
    expect(describeCheckEvidence([seen], 'main')).toContain(
      '`pytest`: fails on the base branch too, with no new failure (exit 1)',
    );
    expect(checkLine(seen, 'main', LANGUAGE_TEXTS.en)).toContain('fails on main too');
  });

  it('E19: is not said to be all that fails where its tests have no names, or it was cut off', () => {
    const { failing: _, ...unnamed } = red();
    const seen = compareWithBaseline(unnamed, someBaseline({ checks: [unnamed] }));
    expect(describeCheckEvidence([seen], 'main')).toContain('too (exit 1)');
    const named = compareWithBaseline(red(), someBaseline({ checks: [red()] }));
    expect(describeCheckEvidence([{ ...named, outcome: 'timed_out' }], 'main')).not.toContain('no new');
  });

  it('E19: a new failure stays the change’s, whatever the machine lacks', () => {
    const then = red({ environmentGap: { kind: 'time_limit' } });
    const seen = compareWithBaseline(
      red({ failing: ['test_a', 'test_b'] }),
      someBaseline({ checks: [then] }),
    );
    expect(isBlockingCheck(seen)).toBe(true);
    expect(describeCheckEvidence([seen], 'main')).toContain('FAILED (exit 1)');
  });
});

describe('a check that somebody went on without', () => {
  const idle = { ...red(), exitCode: null, outcome: 'not_run' as const, tail: '' };
  const failing = (kind: 'no_program' | 'no_network' | 'fails', program: string | null = null) =>
    ({ ...red(), commandFailure: { kind, program, says: '' } }) satisfies CheckResult;
  const install = {
    name: 'install',
    command: 'python3 -m venv .venv && . ./.venv/bin/activate && make deps',
  };

  it.each([
    [
      'its own program is missing',
      [],
      { ...idle, commandFailure: failing('no_program', 'uv').commandFailure },
      '`uv` is not installed on the machine',
      'uv is not installed on this machine',
    ],
    [
      'the installation lacks a program',
      [{ ...failing('no_program', 'uv'), ...install }],
      { ...idle, commandFailure: { kind: 'not_installed', program: null, says: '' } },
      '`uv` is not installed on the machine',
      'uv is not installed on this machine',
    ],
    [
      'the installation fails',
      [{ ...failing('fails'), ...install }],
      { ...idle, commandFailure: { kind: 'not_installed', program: null, says: '' } },
      '`make deps` fails on the machine',
      'make deps fails here',
    ],
    [
      'the network is missing',
      [],
      { ...idle, commandFailure: failing('no_network').commandFailure },
      'it needs the network that the machine lacks',
      'it needs the network',
    ],
  ] satisfies [string, CheckResult[], CheckResult, string, string][])(
    'E19: is told with the cause: %s',
    (_, installs, check, body, card) => {
      const gap = findGapOnBase({ installs, checks: [check] }, { name: 'test' });
      const seen = {
        ...idle,
        command: `. ./.venv/bin/activate && pytest`,
        ...(gap && { environmentGap: gap }),
      };
      expect(describeCheckEvidence([seen], 'main')).toContain(`- \`pytest\`: ${body}`);
      expect(checkLine(seen, 'main', LANGUAGE_TEXTS.en)).toBe(
        `⚠ <code>pytest</code> was not run here: ${card}`,
      );
      expect(checkLine(seen, 'main', LANGUAGE_TEXTS.zh)).toMatch(/没有在这里运行/);
    },
  );

  it('E19: has no cause where it only failed there, or nothing is known of it', () => {
    expect(findGapOnBase({ installs: [], checks: [red()] }, { name: 'test' })).toBeNull();
    expect(findGapOnBase(null, { name: 'test' })).toBeNull();
  });

  it('E19: where no check was found, nothing is said to have failed to run', () => {
    expect(describeCheckEvidence([], 'main')).toBe(
      'No check was run: none was found in this repository for this change.',
    );
  });
  it.each([
    'test/bench_all.lua',
    'docs/spec.md',
    'mypkg.spec',
    'img/test-pattern.png',
    'docs/specs/a.txt',
    '.github/workflows/test.yml',
    'x.rs',
  ])('E19: where no check was found beside %s, it is said that tests are untold if it is one', (file) => {
    const said = file.startsWith('test/')
      ? 'there are tests, and nothing in this repository says how they are run'
      : 'none was found in this repository for this change';
    const contract = discoverContract([file, 'json.lua'], () => '');
    expect(contract.checks).toEqual([]);
    expect(describeCheckEvidence([], 'main', { contract, changed: ['json.lua'] })).toBe(
      `No check was run: ${said}.`,
    );
  });
});

it('E19: what CI gives the job of a check stands beside the check', () => {
  const ci = `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      postgres:
        image: postgres
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          submodules: recursive
          lfs: true
      - run: pytest
`;
  const files: Record<string, string> = {
    '.github/workflows/ci.yml': ci,
    'pyproject.toml': '[project]\nname = "x"\n',
    '.gitmodules': '[submodule "x"]\n',
  };
  const { checks } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
  expect(checks.find(({ name }) => name === 'test')?.needs).toEqual([
    { kind: 'history', names: [] },
    { kind: 'submodules', names: [] },
    { kind: 'services', names: ['postgres'] },
  ]);
});

describe('what a job of CI has and a fork of it has not', () => {
  const learn = (job: string, more: Record<string, string> = {}) => {
    const files: Record<string, string> = {
      '.github/workflows/ci.yml': `on: pull_request\njobs:\n  test:\n${job}`,
      'pyproject.toml': '[project]\nname = "x"\n[tool.pytest.ini_options]\n',
      'tests/test_a.py': '',
      ...more,
    };
    return discoverContract(Object.keys(files), (path) => files[path] ?? null);
  };
  const needsOf = (job: string) => learn(job).checks.find(({ name }) => name === 'test')?.needs;

  it('E19: secrets of the step, the job or the workflow stand beside the check', () => {
    const env = '        env:\n          BUCKET_KEY: ${{ secrets.BUCKET_KEY }}\n';
    expect(needsOf(`    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n${env}`)).toEqual([
      { kind: 'secrets', names: ['BUCKET_KEY'] },
    ]);
  });
  it('E19: a token for reports is nothing that tests need', () => {
    const env =
      '        env:\n          A: ${{ secrets.GITHUB_TOKEN }}\n          B: ${{ secrets.CODECOV_TOKEN }}\n';
    expect(needsOf(`    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n${env}`)).toBeUndefined();
  });
  it('E19: tests that CI runs on other systems alone need them, and that is said', () => {
    const { checks, riskFlags } = learn('    runs-on: macos-14\n    steps:\n      - run: pytest\n');
    expect(checks.find(({ name }) => name === 'test')?.needs).toEqual([{ kind: 'system', names: ['macOS'] }]);
    expect(riskFlags.join()).toContain('its tests run on macOS in CI: pytest (.github/workflows/ci.yml:6)');
  });
  it('E19: tests that CI runs on Linux as well need nothing', () => {
    const also =
      '    runs-on: ubuntu-latest\n    steps:\n      - run: pytest\n  mac:\n    runs-on: macos-14\n    steps:\n      - run: pytest\n';
    expect(needsOf(also)).toBeUndefined();
    const unreadable = also.replace('run: pytest', 'run: cd made-by-a-step && pytest');
    expect(needsOf(unreadable)).toBeUndefined();
  });
});

describe('a matrix', () => {
  const matrix = (rows: string): string =>
    `on: pull_request
jobs:
  test:
    strategy:
      matrix:
${rows}
    runs-on: \${{ matrix.os }}
    steps:
      - run: swift test
`;
  const needsIn = (rows: string) => {
    const files: Record<string, string> = {
      '.github/workflows/ci.yml': matrix(rows),
      'Package.swift': '',
      'Tests/ATests/ATests.swift': '',
    };
    const { checks } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
    return checks.find(({ name }) => name === 'test')?.needs;
  };
  it.each([
    ['a list of macOS', '        os: [macos-14, macos-15]', ['macOS']],
    ['a list of Windows', '        os: [windows-2022]', ['Windows']],
    ['rows of macOS', '        include:\n          - os: macos-14\n          - os: macos-15', ['macOS']],
    ['Linux among others', '        os: [macos-14, ubuntu-latest, windows-2022]', undefined],
    [
      'Linux among rows',
      '        include:\n          - os: macos-14\n          - os: ubuntu-24.04',
      undefined,
    ],
  ])('E19: %s is read as the systems that it names', (_, rows, systems) => {
    expect(needsIn(rows)).toEqual(systems && [{ kind: 'system', names: systems }]);
  });
});

it('E19: CI that runs several versions of a tool asks for none above the oldest', () => {
  const asked = (versions: string) => {
    const files: Record<string, string> = {
      '.github/workflows/ci.yml': `on: pull_request
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node-version: ${versions}
    steps:
      - uses: actions/setup-node@v4
        with:
          node-version: \${{ matrix.node-version }}
      - run: npm test
`,
      'package.json': '{"scripts":{"test":"node --test"}}',
    };
    const { tools } = discoverContract(Object.keys(files), (path) => files[path] ?? null);
    return tools.find(({ name }) => name === 'node')?.asked;
  };
  expect(asked('[18, 20, 22, 25]')).toBe('>=18');
  expect(asked('[20.x, 22.x]')).toBe('>=20');
  expect(asked('[22]')).toBe('22');
});

describe('a check that needs what only CI has', () => {
  const needs = [{ kind: 'secrets' as const, names: ['BUCKET_KEY'] }];
  const environmentGap = { kind: 'needs' as const, needs };
  const notRun: CheckResult = {
    name: 'test',
    command: 'pytest',
    exitCode: null,
    outcome: 'not_run',
    ms: 0,
    tail: '',
    environmentGap,
  };
  it('E19: is planned with what it needs, unless a person ordered it', () => {
    const contract = someContract({
      checks: [
        {
          name: 'lint',
          command: 'ruff check',
          dir: '',
          source: 'a',
          needs: [{ kind: 'history', names: [] }],
        },
        { name: 'test', command: 'pytest', dir: '', source: 'a', needs },
      ],
    });
    const of = { target: { contract }, change: { commit: null } };
    expect(checksOf({ ...of, order: { checks: [] } }).map((one) => one.needs)).toEqual([undefined, needs]);
    expect(checksOf({ ...of, order: { checks: ['pytest'] } }).map((one) => one.needs)).toEqual([undefined]);
  });
  it('E19: is not run on the base, stops nothing there, and may be reused', async () => {
    const run = async () => Promise.reject(new Error('it was run'));
    const place = { renew: async () => undefined, reused: null };
    const check = { name: 'test', command: 'pytest', dir: '', needs };
    const wanted = { installs: [], checks: [check], tools: [], ordered: false, goesOn: () => true };
    const signal = new AbortController().signal;
    const { checks } = await tryCommands(run, place as never, wanted, signal, async () => undefined);
    expect(checks).toEqual([notRun]);
    expect(findBaselineStops({ installs: [], checks }, { ordered: false, without: [] })).toEqual([]);
  });
  it('E19: is told as not run for want of it, on the card and in the body', () => {
    expect(describeCheckEvidence([notRun], 'main')).toContain(
      'No check was run here:\n\n- `pytest`: it needs secrets (`BUCKET_KEY`)',
    );
    expect(checkLine(notRun, 'main', LANGUAGE_TEXTS.en)).toBe(
      '⚠ <code>pytest</code> was not run here: it needs secrets (BUCKET_KEY), as CI gives it',
    );
    expect(checkLine(notRun, 'main', LANGUAGE_TEXTS.zh)).toContain('没有在这里运行');
  });
});

describe('a check that is red on the base', () => {
  const red: CheckResult = {
    name: 'test',
    command: 'pytest',
    exitCode: 1,
    outcome: 'failed',
    ms: 1,
    tail: '',
  };
  const runs = async (needy: readonly string[]): Promise<number> => {
    let count = 0;
    const run = async () => ((count += 1), { result: red, says: '' });
    const place = { renew: async () => undefined, reused: null };
    const check = { name: 'test', command: 'pytest', dir: '' };
    const wanted = { installs: [], checks: [check], tools: [], ordered: false, goesOn: () => true, needy };
    const signal = new AbortController().signal;
    await tryCommands(run, place as never, wanted, signal, async () => undefined);
    return count;
  };
  it('E19: is tried once more, unless it needs what the machine has not', async () => {
    expect(await runs([])).toBe(2);
    expect(await runs(['test'])).toBe(1);
  });
});

describe('what real programs print where the machine is to blame', () => {
  it.each([
    ['free_port', 'Error: listen EADDRINUSE: address already in use :::36373'],
    ['free_port', 'OSError: [Errno 98] Address already in use'],
    ['writable_folder', "Error: EROFS: read-only file system, open 'a'"],
    ['writable_folder', "OSError: [Errno 30] Read-only file system: 'a'"],
    ['open_files', "Error: EMFILE: too many open files, open '/dev/null'"],
    ['open_files', "OSError: [Errno 24] Too many open files: '/dev/null'"],
    ['git_identity', 'Author identity unknown\n\n*** Please tell me who you are.'],
    ['time_zone', "zoneinfo._common.ZoneInfoNotFoundError: 'No time zone found with key Europe/Berlin'"],
    ['terminal', 'OSError: [Errno 25] Inappropriate ioctl for device'],
    ['terminal', 'TypeError: process.stdin.setRawMode is not a function'],
    ['ordinary_user', 'initdb: error: cannot be run as root'],
    ['ordinary_user', "KeyError: 'getpwuid(): uid not found: 54321'"],
    ['interpreter', 'ERROR: InterpreterNotFound: python2.7'],
    [
      'interpreter',
      'pypy: failed with could not find python interpreter matching any of the specs pypy\n  py311: OK (13.4 seconds)',
    ],
    ['variable', './ci/test.sh: line 4: DATABASE_HOST: unbound variable'],
    ['variable', "KeyError: 'AWS_DEFAULT_REGION'"],
    ['variable', 'Error: environment variable API_TOKEN is not set'],
    ['variable', 'Makefile:12: x\nmake: *** KUBECONFIG is not set.  Stop.'],
    ['package', "ModuleNotFoundError: No module named 'hypothesis'"],
    ['package', '/srv/tree/.venv/bin/python: No module named build'],
    ['package', "Error: Cannot find module 'tap'"],
    ['package', 'Error in library(testthat) : there is no package called ‘testthat’'],
    ['package', 'cannot load such file -- minitest/autorun (LoadError)'],
    ['network', 'npm error tunneling socket could not be established, statusCode=403'],
  ] as const)('E19: says %s of “%s”, and blames no base', (what, tail) => {
    expect(findEnvironmentGap(red({ tail }), NOTHING)).toEqual({ kind: 'lacks', what });
  });

  it.each(MISSING_PROGRAMS)('E19: says that $program is not installed: $example', ({ example, program }) => {
    const then = red({ tail: `FAIL\n${example}\n` });
    const found = findEnvironmentGap(then, NOTHING);
    expect(found).toEqual({ kind: 'no_program', program });
    const gap = found ? { environmentGap: found } : {};
    const seen = compareWithBaseline(then, someBaseline({ checks: [{ ...then, ...gap }] }));
    const said = `fails here without this change too: \`${program}\` is not installed on the machine`;
    expect(describeCheckEvidence([seen], 'main')).toContain(said);
  });

  it.each([
    "AssertionError: expected '' to be 'sh: x: not found'",
    "Error: Cannot find module './lib/own'",
    "KeyError: 'name'",
    'ERROR: cpython: No modules named in setup.cfg',
    'AssertionError: could not find python interpreters',
    'AssertionError: expected 80 to be 81',
    'ok: rejects a port in use',
    'error: zone is unknown',
  ])('E19: blames no machine for “%s”', (tail) => {
    expect(findEnvironmentGap(red({ tail }), NOTHING)).toBeNull();
  });
});
