/**
 * E15: what a red check names, so that what was red before the change can be told from what is new;
 * and what an installer complains of.
 */
import { describe, expect, it } from 'vitest';
import { classifyCommandFailure } from '../../executors/checks/classify-command-failure.ts';
import { findFailureNames } from '../../executors/checks/failing-tests.ts';
import { findHostTool } from '#tools';

const named = (stdout: string, stderr = ''): string[] | null => findFailureNames({ stdout, stderr });

const RUNNERS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'pytest',
    '=== short test summary info ===\nFAILED tests/test_a.py::test_b[1-x] - assert 1 == 2\nERROR tests/test_c.py\n=== 1 failed, 1 error in 0.12s ===\n',
    ['tests/test_a.py::test_b[1-x]', 'tests/test_c.py'],
  ],
  [
    'unittest',
    'FAIL: test_b (tests.A.test_b)\n----\nAssertionError: 1\n\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n',
    ['test_b (tests.A.test_b)'],
  ],
  [
    'vitest',
    ' FAIL  tests/a.test.ts > adds > one\nAssertionError: x\n\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n',
    ['tests/a.test.ts > adds > one'],
  ],
  [
    'jest',
    'FAIL src/a.test.js (5.1 s)\n  ● adds › one\n\n    expect(1)\n\nTest Suites: 1 failed, 1 total\n',
    ['adds › one', 'src/a.test.js'],
  ],
  ['node:test', '✖ adds one (0.51ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n', ['adds one']],
  [
    'go test',
    '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/sub (0.00s)\nFAIL\nFAIL\texample.com/m/a\t0.003s\nok  \texample.com/m/b\t0.1s\n',
    ['example.com/m/a TestA', 'example.com/m/a TestA/sub'],
  ],
  [
    'cargo test',
    '     Running unittests src/lib.rs (target/debug/deps/m-0a1b2c3d4e5f6a7b)\ntest t::one ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed\n',
    ['unittests src/lib.rs t::one'],
  ],
  [
    'Maven',
    '[ERROR] com.acme.ATest.one -- Time elapsed: 0.01 s <<< FAILURE!\n[ERROR] Tests run: 1, Failures: 1\n',
    ['com.acme.ATest.one'],
  ],
  ['Gradle', '> Task :test FAILED\n\nATest > one FAILED\n\nBUILD FAILED in 2s\n', ['ATest > one']],
  ['RSpec', 'rspec ./spec/a_spec.rb:3 # A adds\n\n2 examples, 1 failure\n', ['./spec/a_spec.rb A adds']],
  [
    'PHPUnit',
    'PHPUnit 10.5\n\n1) Acme\\ATest::testOne\nFailed asserting\n\nTests: 1, Assertions: 1\n',
    ['Acme\\ATest::testOne'],
  ],
  [
    'mix test',
    '  1) test adds one (ATest)\n     test/a.exs:3\n\n2 tests, 1 failure\n',
    ['test adds one (ATest)'],
  ],
  ['mocha', '  1 passing (3ms)\n  1 failing\n\n  1) adds\n       one:\n     Error\n', ['adds one']],
  ['dotnet test', '  Failed Acme.ATest.One [12 ms]\nFailed!  - Failed: 1\n', ['Acme.ATest.One']],
  ['ctest', 'The following tests FAILED:\n\t  2 - parse (Failed)\nErrors while running CTest\n', ['parse']],
  [
    'tsc',
    'src/a.ts(3,5): error TS2304: Cannot find name x.\n',
    ['src/a.ts error TS2304: Cannot find name x.'],
  ],
  [
    'eslint',
    '/app/a.js\n  1:5  error  x is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n',
    ['/app/a.js: error x is not defined no-undef'],
  ],
];

describe('what a red check names', () => {
  it.each(RUNNERS)('E15: is read from the output of %s, in colours as well', (_, said, names) => {
    const found = named(said);
    for (const name of names) expect(found).toContain(name);
    expect(named(`\u001b[31m${said.replaceAll('\n', '\u001b[0m\n\u001b[31m')}\u001b[0m`)).toEqual(found);
  });

  it('E15: is the same when it takes longer, stands on another line or is told in another order', () => {
    const [a, b] = ['src/a.ts(3,5): error TS1: x', 'src/b.ts(9,1): error TS2: y'];
    expect(named(`${b}\n${a.replace('3,5', '7,1')}\n`)).toEqual(named(`${a}\n${b}\n`));
    const go = (s: string): string => `--- FAIL: TestA (${s})\nFAIL\nFAIL\tm/a\t${s}\n`;
    expect(named(go('9.31s'))).toEqual(named(go('0.02s')));
  });

  it('E15: holds what ended a run besides its tests, so that it is not hidden behind them', () => {
    const before = ' FAIL  a.test.ts > one\n Test Files  1 failed (1)\n';
    const now = `${before}ERROR: Coverage for lines (79.1%) does not meet global threshold (80%)\n`;
    expect(named(now)).not.toEqual(named(before));
    expect(named(now)).toEqual(named(now.replace('79.1', '78.2')));
  });

  it('E15: counts complaints that are alike, and tells long lists apart', () => {
    const line = 'src/a.ts(3,5): error TS1: x\n';
    expect(named(line.repeat(2))).not.toEqual(named(line));
    const many = (n: number): string =>
      Array.from({ length: n }, (_, i) => `src/f${i}.ts(1,1): error TS1: x\n`).join('');
    expect(named(many(500))).toHaveLength(1);
    expect(named(many(500).replace('f0.ts', 'g0.ts'))).not.toEqual(named(many(500)));
  });

  it('E15: is nothing where nothing is named', () => {
    expect(named('Something went wrong.\n')).toBeNull();
    expect(named('error: it failed\n')).toBeNull();
    expect(named('')).toBeNull();
  });
});

const REGISTRY_FAILURES: readonly [said: string, kind: object][] = [
  [
    'npm error code E401\nnpm error 401 Unauthorized - GET https://npm.acme.example/x',
    { kind: 'registry_refused', host: 'npm.acme.example', status: 401 },
  ],
  [
    'npm error code E403\nnpm error 403 403 Forbidden - GET https://registry.npmjs.org/x',
    { kind: 'registry_refused', host: 'registry.npmjs.org', status: 403 },
  ],
  [
    'npm error code E503\nnpm error 503 Service Unavailable - GET http://127.0.0.1:8080/registry/npm/x',
    { kind: 'registry_down', host: 'registry.npmjs.org', status: 503 },
  ],
  [
    'npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/nothing',
    { kind: 'no_package', host: 'registry.npmjs.org', status: 404 },
  ],
  [
    'npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/x failed',
    { kind: 'no_network', host: 'registry.npmjs.org' },
  ],
  [
    'npm error code ETIMEDOUT\nnpm error request to https://registry.npmjs.org/x failed, reason: connect ETIMEDOUT',
    { kind: 'no_network', host: 'registry.npmjs.org' },
  ],
  [
    'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://registry.npmjs.org/x failed, reason: self-signed certificate',
    { kind: 'bad_certificate', host: 'registry.npmjs.org' },
  ],
  [
    'npm error request to https://registry.npmjs.org/x failed, reason: tunneling socket could not be established, statusCode=403',
    { kind: 'proxy_refuses', host: 'registry.npmjs.org' },
  ],
  [
    ' ERR_PNPM_FETCH_403  GET https://npm.acme.example/x: Forbidden - 403',
    { kind: 'registry_refused', host: 'npm.acme.example', status: 403 },
  ],
  [
    'error An unexpected error occurred: "https://registry.yarnpkg.com/x: Request failed \\"500 Internal Server Error\\"".',
    { kind: 'registry_down', host: 'registry.yarnpkg.com', status: 500 },
  ],
  [
    'YN0035: x@npm:1: The remote server failed to provide the requested resource\n  Response Code: 403 (Forbidden)\n  Request URL: https://npm.acme.example/x',
    { kind: 'registry_refused', host: 'npm.acme.example', status: 403 },
  ],
  [
    'ERROR: HTTP error 403 while getting https://pypi.acme.example/simple/x/',
    { kind: 'registry_refused', host: 'pypi.acme.example', status: 403 },
  ],
  [
    "HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded with url: /simple/x/ (Caused by ResponseError('too many 503 error responses'))",
    { kind: 'registry_down', status: 503 },
  ],
  [
    'error: Failed to fetch: `https://pypi.org/simple/x/`\n  Caused by: HTTP status server error (502 Bad Gateway) for url (https://pypi.org/simple/x/)',
    { kind: 'registry_down', host: 'pypi.org', status: 502 },
  ],
  [
    'error: failed to download from `https://static.crates.io/crates/x`\n\nCaused by:\n  failed to get successful HTTP response from `https://static.crates.io/crates/x` (1.2.3.4), got 403',
    { kind: 'registry_refused', host: 'static.crates.io', status: 403 },
  ],
  [
    'go: example.com/x@v1: reading https://proxy.golang.org/example.com/x/@v/v1.info: 502 Bad Gateway',
    { kind: 'registry_down', host: 'proxy.golang.org', status: 502 },
  ],
  [
    'go: github.com/a/b: Get "https://proxy.golang.org/github.com/a/b/@v/list": dial tcp: lookup proxy.golang.org: no such host',
    { kind: 'no_network', host: 'proxy.golang.org' },
  ],
  [
    '[ERROR] Could not transfer artifact a:b:jar:1 from/to central (https://repo.maven.apache.org/maven2): status code: 503, reason phrase: Service Unavailable (503)',
    { kind: 'registry_down', host: 'repo.maven.apache.org', status: 503 },
  ],
  [
    "> Could not GET 'https://nexus.acme.example/x.pom'. Received status code 401 from server: Unauthorized",
    { kind: 'registry_refused', host: 'nexus.acme.example', status: 401 },
  ],
  [
    'Gem::RemoteFetcher::FetchError: bad response Forbidden 403 (https://rubygems.org/specs.4.8.gz)',
    { kind: 'registry_refused', host: 'rubygems.org', status: 403 },
  ],
  [
    'The "https://repo.packagist.org/packages.json" file could not be downloaded (HTTP/2 503 )',
    { kind: 'registry_down', host: 'repo.packagist.org', status: 503 },
  ],
];

describe('what an installer complains of', () => {
  const trouble = (stderr: string, stdout = ''): unknown =>
    classifyCommandFailure({ stdout, stderr }, (name) => findHostTool(name) !== null);

  it.each([
    ['sh: 1: pnpm: not found', { kind: 'no_program', program: 'pnpm' }],
    ['/usr/bin/env: ‘python’: No such file or directory', { kind: 'no_program', program: 'python' }],
    [
      '** (Mix) Could not find an SCM for dependency :ex_doc from A.Mixfile',
      { kind: 'no_program', program: 'hex' },
    ],
    [
      'npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
      { kind: 'stale_lockfile' },
    ],
    [' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"', { kind: 'stale_lockfile' }],
    ['error: The lockfile at `uv.lock` needs to be updated', { kind: 'stale_lockfile' }],
    ['npm error code ENOTFOUND\nnpm error network request to https://r failed', { kind: 'no_network' }],
    ['error: DNSResolveFailed downloading tarball x@github:x/x#1c30d7d', { kind: 'no_network' }],
    ['ERROR: No matching distribution found for nothing==9', { kind: 'no_package' }],
    ['npm error code E404\nnpm error 404 Not Found - GET https://r/x', { kind: 'no_package' }],
    ['no such option: --group', { kind: 'wrong_version', program: 'pip' }],
    [
      'Error: No compatible signature found in package metadata\n    at verifySignature (corepack.cjs:1:2)',
      { kind: 'wrong_version', program: 'corepack' },
    ],
    ['go: go.mod requires go >= 1.25 (running go 1.24.1)', { kind: 'wrong_version', program: 'go' }],
    [
      'npm error code EBADENGINE\nnpm error engine Unsupported engine',
      { kind: 'wrong_version', program: 'node' },
    ],
    [
      'Error: ERR_PNPM_BAD_CONFIG_DEP\n\n  × resolve package manager dependencies\n  ╰─▶ Failed to resolve config dependency @pnpm/linux-x64@10.33.0: No\n      matching version found',
      {
        kind: 'wrong_version',
        program: 'pnpm',
        says: '╰─▶ Failed to resolve config dependency @pnpm/linux-x64@10.33.0: No matching version found',
      },
    ],
    [
      '  × No solution found when resolving dependencies:\n  ╰─▶ Because nothing was not found in the package registry, your requirements are unsatisfiable.',
      {
        kind: 'no_package',
        says: '╰─▶ Because nothing was not found in the package registry, your requirements are unsatisfiable.',
      },
    ],
    ['cp: error writing: No space left on device', { kind: 'no_room' }],
    ...REGISTRY_FAILURES,
    // What tests print of hosts that are none of a registry is no trouble of the machine.
    [
      'requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://example.com/x',
      { kind: 'fails' },
    ],
    ['HTTPError: 503 Service Unavailable', { kind: 'fails' }],
    ['expected 200 to be 503', { kind: 'fails' }],
    ['make: *** [Makefile:3: deps] Error 2', { kind: 'fails', says: 'make: *** [Makefile:3: deps] Error 2' }],
  ])('E15: is told from its error: %s', (said, kind) => {
    expect(trouble(said)).toMatchObject(kind);
  });

  it('E15: is the first real error, not the last line', () => {
    const said =
      'npm warn deprecated x\nnpm error code 1\nnpm error path /app\nnpm error command failed\nnpm error TypeError: boom\nnpm error A complete log of this run can be found in: /l\n';
    expect(trouble(said)).toMatchObject({ kind: 'fails', says: 'npm error TypeError: boom' });
  });

  it('E15: is what a build of pip says, not the heading above it', () => {
    const said = `  error: subprocess-exited-with-error\n\n  × Preparing editable metadata did not run successfully.\n  ╰─> [34 lines of output]\n      Traceback (most recent call last):\n        File "x.py", line 1, in main\n      LookupError: no version\n      [end of output]\n`;
    expect(trouble(said)).toMatchObject({ kind: 'fails', says: 'LookupError: no version' });
  });

  it('E15: is the last of many tries to reach somebody, also where it is told within another error', () => {
    const tries = [4, 0].map(
      (n) => `  WARNING: Retrying (Retry(total=${n}, connect=None)) after connection broken by`,
    );
    const said = `  error: subprocess-exited-with-error\n${tries.join('\n')} 'NewConnectionError('Failed to establish a new connection')': /simple/x/\n`;
    expect(trouble(said)).toEqual({
      kind: 'no_network',
      program: null,
      says: "'NewConnectionError('Failed to establish a new connection')': /simple/x/",
    });
  });

  it('E15: does not take what a project installs for itself for a lack of the machine', () => {
    expect(trouble('sh: 1: vite: not found')).toMatchObject({ kind: 'fails' });
  });
});

it('O10: open brackets behind each failing PHP test cost what the same lines cost without one', () => {
  const lines = `FAIL ${'['.repeat(495)}\n`.repeat(400);
  const took = (sign: string): number => {
    const begun = process.threadCpuUsage();
    findFailureNames({ stdout: sign + lines, stderr: '' });
    const { user, system } = process.threadCpuUsage(begun);
    return user + system;
  };
  const grows = (): number => took('3 PASSED TESTS\n') / Math.max(1, took('3 TESTS PASSED\n'));
  took('3 PASSED TESTS\n');
  let tries = 5;
  while (grows() >= 6) expect((tries -= 1)).toBeGreaterThan(0);
});
