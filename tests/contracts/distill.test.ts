/**
 * E8, F6: of a log of any size, the first failure with its place, the summary and the end reach an
 * agent.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { distillOutput, distillLog } from '../../executors/checks/distill-output.ts';

const dir = new URL('../fixtures/logs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(`${name}.txt`, dir), 'utf8');
const bytes = (text: string): number => Buffer.byteLength(text);

/**
 * What real tools printed: the log, the failing assertion, where it is, and what sums it up if the
 * tool does that.
 */
const LOGS: [string, string, string, string?][] = [
  ['cargo-build', 'error[E0308]: mismatched types', 'src/lib.rs:3:5', 'could not compile `broken`'],
  ['cargo-test', 'refunds must not count', 'src/lib.rs:17:9', 'test result: FAILED. 1 passed; 2 failed'],
  ['eslint', "2:7   error    'unused' is assigned", 'ts/b.ts', '✖ 5 problems (3 errors'],
  ['go-build', 'undefined: missing', 'bad/bad.go:3:25'],
  ['go-json', 'Price(3) = 6, want 5', 'price_test.go:14'],
  ['go-panic', 'panic: runtime error: index out of range [5]', 'pick/pick.go:3'],
  ['go-test', 'Price(3) = 6, want 5', 'price_test.go:14', 'FAIL  example.com/shop/pick'],
  ['go-test-v', 'Price(3) = 6, want 5', 'price_test.go:14'],
  ['go-vet', 'undeclared name: missing', 'bad/bad.go:3:25'],
  ['gxx', 'no matching function for call', 't.cpp:3:53'],
  ['javac', 'error: cannot find symbol', 'Calc.java:2'],
  ['jest', 'expect(received).toBe(expected)', 'src/date.test.js:8:24', 'Tests:       2 failed, 4 passed'],
  ['jest-verbose', 'Received: 32', 'src/date.test.js:8:24', 'Test Suites: 1 failed'],
  ['make-assert', "Assertion `sum(2, 1) == 3' failed", 'sum.c:6', 'make: *** [Makefile:7: test]'],
  ['make-gcc', '‘y’ undeclared', 'bad.c:2:11: error', 'make: *** [Makefile:10: bad.o] Error 1'],
  ['make-link', 'undefined reference to `gone', 'link.c:', 'ld returned 1 exit status'],
  ['make-no-rule', "No rule to make target 'nothing'", 'make: ***'],
  ['maven', 'expected: <3> but was: <1>', 'CalcTest.adds:6', 'Tests run: 2, Failures: 1'],
  ['mocha', 'AssertionError [ERR_ASSERTION]: 32 == 1', 'src/date.spec.js:5:28', '1 failing'],
  ['node-crash', 'Cannot find module', 'test/crash.test.js', 'ℹ fail 1'],
  ['node-dot', '2 !== 6', 'test/cart.test.js:10:12'],
  ['node-junit', '2 !== 6', 'test/cart.test.js:10:12'],
  ['node-spec', '2 !== 6', 'test/cart.test.js:10:12', 'ℹ fail 3'],
  ['node-tap', '2 !== 6', 'test/cart.test.js:10:12', '# fail 3'],
  ['node-throws', "TypeError: Cannot read properties of undefined (reading 'price')", 'src/cart.js:2:66'],
  ['npm-run', "1:5   error    'count' is never reassigned", 'ts/b.ts', '✖ 5 problems'],
  ['prettier', '[warn] a.ts', '[warn] d.ts', 'Code style issues found in 2 files'],
  ['prove', "Failed test 'adds up'", 't/sum.t line 3', 'Failed tests:  2-3'],
  ['pytest', 'assert 9 == 10', 'tests/test_money.py:12', '3 failed, 7 passed'],
  ['pytest-collect', "cannot import name 'nothing_like_it'", 'tests/test_import.py:1', '1 error in'],
  ['pytest-junit', 'AssertionError: nothing may be lost', 'tests/test_money.py:12'],
  [
    'pytest-short',
    'assert 9 == 10',
    'tests/test_money.py:12',
    'FAILED tests/test_money.py::test_unknown_code',
  ],
  ['pytest-verbose', 'assert 9 == 10', 'tests/test_money.py:12', '3 failed, 7 passed'],
  ['python-syntax', 'SyntaxError: invalid syntax', 'bad.py", line 1'],
  ['python-traceback', "KeyError: 'CHF'", 'money.py", line 6'],
  ['tap-perl', 'not ok 2 - adds up', 't/sum.t line 3', 'Looks like you failed 2 tests of 3'],
  ['tsc', "TS2322: Type 'string' is not assignable", 'a.ts(1,14)'],
  ['tsc-pretty', "TS2322: Type 'string' is not assignable", 'a.ts:1:14', 'Found 3 errors'],
  ['unittest', 'AssertionError: 9 != 10', 'tests/test_money.py", line 21', 'FAILED (failures=1)'],
  ['vitest', "Cannot find module './no-such-file.ts'", 'src/broken.test.ts:1:1', '3 failed | 6 passed (9)'],
  [
    'vitest-actions',
    "Cannot find module './no-such-file.ts'",
    'src/broken.test.ts:1:1',
    '2 failed | 5 passed',
  ],
  ['vitest-junit', 'Cannot find module &apos;./no-such-file.ts', 'src/broken.test.ts:1:1'],
  ['vitest-tap', "Cannot find module './no-such-file.ts'", 'src/broken.test.ts:1:1'],
  ['vitest-verbose', "expected 'hello,-world!' to be", 'src/slug.test.ts:10:35', '3 failed | 2 passed'],
];

const written = new URL('../fixtures/logs-written/', import.meta.url);

/** Of tools that we could not run: logs written by hand after their documentation. */
const WRITTEN: [string, ...string[]][] = [
  ['ava', 'adds tax', 'cart.test.js:8', '- 100', '1 test failed'],
  ['bazel', 'cart/cart_test.cc:9: Failure', 'Which is: 100', 'Executed 1 out of 1 test: 1 fails'],
  ['behave', 'Assertion Failed: 100 != 120', 'features/cart.feature:3'],
  ['black', 'would reformat src/a.py'],
  ['bun', 'expect(received).toBe(expected)', 'cart.test.ts:6:19', 'Received: 100', '1 fail'],
  ['busted', 'Expected objects to be equal', 'cart_spec.lua:8'],
  ['dart', 'Expected: <120>', 'cart_test.dart 8:5'],
  ['deno', 'Values are not equal', 'cart_test.ts:8:3', '1 passed | 1 failed'],
  ['dotnet', 'Expected: 120', 'CartTests.cs:line 11', 'Failed:     1'],
  ['exunit', 'Assertion with == failed', 'test/cart_test.exs:8', '4 tests, 1 failure'],
  ['gcc-chinese', '未声明'],
  ['gcc-french', '« y » non déclaré'],
  ['golangci-lint', 'ineffassign', 'cart.go:7:2'],
  ['gradle', 'expected: <120> but was: <100>', 'CartTest.java:12', '4 tests completed, 1 failed'],
  ['gradle-short', 'addsTax() FAILED', 'CartTest.java:12'],
  ['gtest', 'cart_test.cc:9: Failure', 'Which is: 100', '1 FAILED TEST'],
  ['hspec', 'expected: 120', 'CartSpec.hs:9:15', '2 examples, 1 failure'],
  ['kotlinc', 'Unresolved reference: taxx', 'Cart.kt:7:20'],
  ['make-german', '»y« nicht deklariert', 'bad.c:2:11'],
  ['minitest', 'Expected: 120', 'test/cart_test.rb:9', '1 failures'],
  ['msbuild', 'error CS0103', 'Cart.cs(7,20)'],
  ['pester', 'Expected 120, but got 100', 'Cart.Tests.ps1:8'],
  ['phpunit', 'Failed asserting that 100 matches expected 120', 'CartTest.php:14', 'Failures: 1'],
  ['playwright', 'Expected string: "120"', 'cart.spec.ts:9:40', '1 failed'],
  ['rspec', 'expected: 120', 'spec/cart_spec.rb:12', '5 examples, 1 failure'],
  ['rubocop', 'Style/StringLiterals', 'lib/cart.rb:3:5'],
  ['ruff', 'F401', 'src/a.py:1:8'],
  ['sbt', '100 did not equal 120', 'CartSpec.scala:12', 'failed 1'],
  ['scalac', 'not found: value taxx', 'Cart.scala:7:20'],
  ['shellcheck', 'SC2086', 'deploy.sh line 3'],
  ['swift-testing', 'Expectation failed: (cart.total', 'CartTests.swift:9:5', 'Test run with 2 tests failed'],
  ['swift-xctest', 'XCTAssertEqual failed: ("100")', 'CartTests.swift:9', 'Executed 2 tests, with 1 failure'],
];

const noise = (lines: number, word: string): string =>
  Array.from(
    { length: lines },
    (_, i) => `${word} ${i}: GET 200 https://registry.example/pkg-${i}.tgz 12ms\n`,
  ).join('');

const around = (text: string): string => `${noise(500, 'install')}${text}\n${noise(500, 'cleanup')}`;

describe('the failure of a log', () => {
  it('has a case for each log that we keep', () => {
    expect(readdirSync(dir).sort()).toEqual(LOGS.map(([name]) => `${name}.txt`).sort());
  });

  it.each(LOGS)('F6: keeps what failed and where, of %s as it is', (name, ...words) => {
    const short = distillLog(read(name));
    expect(bytes(short)).toBeLessThanOrEqual(4096);
    for (const word of words) expect(short).toContain(word);
  });

  it.each(LOGS)('F6: keeps it when %s stands in the middle of a large log', (name, ...words) => {
    const log = `${noise(400, 'install')}${read(name)}\n${noise(450, 'cleanup')}`;
    const short = distillLog(log);
    expect(bytes(log)).toBeGreaterThan(50_000);
    expect(bytes(short)).toBeLessThanOrEqual(Math.min(4096, bytes(log) / 20));
    for (const word of words) expect(short).toContain(word);
    expect(short).toContain('cleanup 449');
  });

  it.each(LOGS)('E8: is found in either stream of a check: %s', (name, assertion, place) => {
    const warnings = noise(900, 'warning');
    for (const output of [
      { stdout: read(name), stderr: warnings },
      { stdout: warnings, stderr: read(name) },
    ]) {
      const short = distillOutput(output, 'Note.');
      expect(bytes(short)).toBeLessThanOrEqual(4096);
      expect(short.startsWith('Note.\n')).toBe(true);
      expect(short).toContain(assertion);
      expect(short).toContain(place);
    }
  });
});

describe('the failure in the log of a tool that was never run here', () => {
  it('has a case for each log that we keep', () => {
    expect(readdirSync(written).sort()).toEqual(WRITTEN.map(([name]) => `${name}.txt`).sort());
  });

  it.each(WRITTEN)(
    'F6: is kept from the middle of a large log, whatever its lines end with: %s',
    (name, ...words) => {
      const log = readFileSync(new URL(`${name}.txt`, written), 'utf8');
      const large = `${noise(400, 'install')}${log}\n${noise(450, 'cleanup')}`;
      const coloured = large.replace(/^.*$/gm, (line) => `\u001b[31m${line}\u001b[39m`);
      for (const text of [large, large.replaceAll('\n', '\r\n'), coloured]) {
        const short = distillLog(text);
        expect(bytes(short)).toBeLessThanOrEqual(4096);
        for (const word of words) expect(short).toContain(word);
      }
    },
  );
});

/** How a line of a tool comes out of what runs it. */
const RUNNERS: [string, (line: string, i: number) => string[]][] = [
  ['Turborepo', (line) => [`@acme/cart:test: ${line}`, '@acme/shop:build: transforms modules']],
  ['Compose', (line) => [`web-1  | ${line}`, 'db-1   | LOG:  checkpoint complete', 'cache-1  | ready']],
  ['pnpm', (line) => [`packages/cart test: ${line}`, 'packages/shop build: bundles']],
  ['Lerna', (line) => [`@acme/cart: ${line}`, '@acme/shop: bundles']],
  ['Yarn', (line) => [`➤ YN0000: [@acme/cart]: ${line}`, '➤ YN0000: [@acme/shop]: bundles']],
  ['concurrently', (line) => [`[0] ${line}`, '[1] bundles']],
  ['npm-run-all', (line) => [`[test   ] ${line}`, '[build  ] bundles']],
  ['act', (line) => [`[CI/test]   | ${line}`]],
  ['Nx', (line) => [`cart:test: ${line}`]],
  ['GitHub', (line) => [`2026-01-01T00:00:00.1234567Z ${line}`]],
  ['GitLab', (line, i) => [`2026-01-01T00:00:00.123456Z 01${i % 2 ? 'O' : 'E'} ${line}`]],
  ['Jenkins', (line) => [`[2026-01-01T00:00:00.123Z] ${line}`]],
  ['BuildKit', (line, i) => [`#12 ${i}.345 ${line}`]],
  ['Compose with times', (line) => [`web-1  | 2026-01-01T00:00:00.123Z ${line}`]],
];

describe('the failure of a log behind what a runner writes before each line', () => {
  it.each(RUNNERS)('F6: is kept, of every tool: %s', (_, lines) => {
    const missed: string[] = [];
    for (const [name, ...words] of [...LOGS, ...WRITTEN]) {
      const folder = LOGS.some(([log]) => log === name) ? dir : written;
      const log = readFileSync(new URL(`${name}.txt`, folder), 'utf8');
      const wrapped = log.split('\n').flatMap(lines).join('\n');
      const short = distillLog(`${noise(400, 'install')}${wrapped}\n${noise(450, 'cleanup')}`);
      expect(bytes(short)).toBeLessThanOrEqual(4096);
      if (!words.every((word) => word === undefined || short.includes(word))) missed.push(name);
    }
    expect(missed).toEqual([]);
  });

  it('F6: is kept where the host marks its lines as errors', () => {
    const short = distillLog(around(read('eslint').replace(/^(?=.)/gm, '##[error]')));
    for (const word of LOGS.find(([name]) => name === 'eslint') ?? [])
      if (word !== 'eslint') expect(short).toContain(word);
  });

  it('says whose it is, and leaves out what others printed between its lines', () => {
    const lines = read('vitest')
      .split('\n')
      .flatMap((line) => [`@acme/cart:test: ${line}`, '@acme/shop:test: ✓ good']);
    const short = distillLog(`${lines.join('\n')}\n ERROR  run failed: command exited (1)`);
    expect(short.split('\n')[0]).toBe('@acme/cart:test:');
    expect(short).not.toContain('good');
    expect(short.endsWith('run failed: command exited (1)')).toBe(true);
  });
});

describe('what counts as a failure', () => {
  it('is not a test that is allowed to fail', () => {
    const todo = `TAP version 13\nnot ok 1 - someday # TODO later\n${noise(300, 'ok')}`;
    const short = distillLog(around(`${todo}not ok 3 - adds up\n  at: sum.js:3:1`));
    expect(short).toContain('not ok 3 - adds up');
    expect(short).not.toContain('someday');
  });

  it('is nothing that only looks like the report of a tool that did not run', () => {
    const short = distillLog(around(`[warn] a.ts\nE  here\n${noise(300, 'ok')}${read('cargo-test')}`));
    expect(short).toContain('src/lib.rs:17:9');
    expect(short).not.toContain('[warn] a.ts');
  });

  it('leaves room for the end, however long its lines are', () => {
    const wide = read('go-panic').replaceAll('\n', `${'~'.repeat(380)}\n`);
    const short = distillLog(around(`--- FAIL: TestPick (0.00s)\n${wide}`));
    expect(short.split('\n').filter((line) => line.startsWith('cleanup')).length).toBeGreaterThan(10);
  });

  it('is a report rather than an error that a passing test printed', () => {
    const short = distillLog(around(`Error: expected by a test\n${noise(300, 'ok')}${read('cargo-test')}`));
    expect(short).toContain('src/lib.rs:17:9');
    expect(short).not.toContain('expected by a test');
  });

  it('is what is told of it at the end, not its place in a list', () => {
    const list = `  Cart\n    ✓ is empty\n    1) adds\n${'    ✓ another test of it\n'.repeat(400)}`;
    const end = '\n  401 passing (4s)\n  1 failing\n\n  1) Cart\n       adds:\n     Error: 32 is not 1\n';
    expect(distillLog(around(`${list}${end}      at Context.<anonymous> (src/cart.spec.js:5:28)`))).toContain(
      'src/cart.spec.js:5:28',
    );
  });

  it('is the first of several reports', () => {
    const short = distillLog(around(`${read('tsc')}\n${noise(300, 'ok')}${read('pytest')}`));
    expect(short).toContain('a.ts(1,14)');
  });

  it('is found in an endless line', () => {
    const line = `<?xml version="1.0"?><testsuite>${'<testcase name="fine"/>'.repeat(9000)}`;
    const short = distillLog(
      `${line}<testcase name="adds"><failure message="2 is not 3">sum.js:3</failure></testcase></testsuite>`,
    );
    expect(short).toContain('<testcase name="adds"><failure message="2 is not 3">sum.js:3');
    expect(bytes(short)).toBeLessThanOrEqual(4096);
  });

  it('F6: looks past the steps of a CI job that ran after the failed one', () => {
    const ended = '##[error]Process completed with exit code 1.';
    const short = distillLog(
      `${noise(300, 'install')}${read('go-test')}\n${ended}\n${noise(900, 'Post job')}`,
    );
    expect(short).toContain('price_test.go:14');
    expect(short.endsWith(ended)).toBe(true);
  });

  it('without one, the last lines are shown', () => {
    const short = distillLog(noise(3000, 'line'));
    expect(short.endsWith('line 2999: GET 200 https://registry.example/pkg-2999.tgz 12ms')).toBe(true);
    expect(bytes(short)).toBeGreaterThan(3900);
  });
});
