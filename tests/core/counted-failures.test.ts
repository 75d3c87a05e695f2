/** E19: an exit code of 0 is no pass where the summary of the tests counts failures. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { readVerdict } from '../../executors/checks/read-verdict.ts';
import {
  compareWithBaseline,
  type Baseline,
  isBlockingCheck,
  isPassingEvidence,
  type CheckResult,
} from '#model/evidence';
import { describeCheckEvidence } from '../../pull-text/describe-evidence.ts';

const judge = (stdout: string, exitCode = 0, command = './run-tests.sh') =>
  readVerdict({
    kind: 'check',
    command,
    end: { ended: 'exited', exitCode, signal: null, ms: 1, stdout, stderr: '' },
    refusal: null,
  });

/** Last lines of real runs that failed, below a wrapper that ends with 0. */
const FAILED: readonly [runner: string, prints: string][] = [
  ['jest', 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total'],
  ['jest, a suite that does not load', 'Test Suites: 1 failed, 1 total\nTests:       0 total'],
  ['vitest', ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)'],
  [
    'vitest, errors outside of tests',
    ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error',
  ],
  ['mocha', '  3 passing (8ms)\n  1 failing\n'],
  ['node --test', 'ℹ tests 2\nℹ pass 1\nℹ fail 1'],
  ['TAP', 'TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2'],
  ['pytest', '===== 1 failed, 3 passed in 0.06s ====='],
  ['pytest -q, a file that cannot be imported', '1 error in 0.02s'],
  ['unittest', 'Ran 2 tests in 0.009s\n\nFAILED (failures=1)'],
  ['doctest', '***Test Failed*** 1 failures.'],
  ['go test', '--- FAIL: TestA (0.00s)\nFAIL\texample.com/m\t0.002s'],
  ['go test -json', '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"x","Elapsed":0.005}'],
  ['cargo', 'test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out'],
  ['Maven', '[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0'],
  ['Gradle', '3 tests completed, 1 failed'],
  ['RSpec', '4 examples, 1 failure'],
  ['minitest', '3 runs, 3 assertions, 1 failures, 0 errors, 0 skips'],
  ['PHPUnit', 'FAILURES!\nTests: 1, Assertions: 1, Failures: 1.'],
  ['.NET', 'Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3'],
  ['CTest', '50% tests passed, 1 tests failed out of 2'],
  ['Meson', 'Ok:                 0\nFail:               1'],
  ['a program that marks each test', '[pass] reads\n[fail] writes : a.lua:7: no file'],
  ['prove', 'Files=1, Tests=1,  1 wallclock secs\nResult: FAIL'],
  ['XCTest', '\t Executed 2 tests, with 1 failure (0 unexpected) in 0.1 seconds'],
  ['ExUnit', '3 tests, 1 failure'],
  ['bun', ' 1 pass\n 1 fail'],
  ['deno', 'FAILED | 1 passed | 1 failed (3ms)'],
  ['busted', '1 success / 1 failure / 0 errors / 0 pending : 0.0 seconds'],
  ['a program that counts by itself', 'Tests failed: 1\nTests passed: 338'],
  ['another', '3 passed, 1 failed'],
  ['tox', '  py3: ignored failed command\n  congratulations :)'],
];

const PASSED: readonly [runner: string, prints: string][] = [
  ['jest', 'Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total'],
  [
    'node --test with a todo',
    '# Subtest: a\nnot ok 1 - a # TODO later\nℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ todo 1',
  ],
  ['pytest', '===== 3 passed, 1 xfailed, 2 warnings in 0.06s ====='],
  ['minitest', '3 runs, 3 assertions, 0 failures, 0 errors, 0 skips'],
  ['Maven', '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0'],
  ['CTest', '100% tests passed, 0 tests failed out of 2'],
  ['a target whose cleaning fails', 'rm old\nmake: [Makefile:2: clean] Error 1 (ignored)\nok'],
  ['a program that counts by itself', 'Tests failed: 0\nTests passed: 338'],
  ['a test that speaks of failures', '✓ counts 3 failed logins\n  ✓ says FAIL: no\n 2 pass\n 0 fail'],
];

describe('a summary that counts failures below an exit code of 0', () => {
  it.each(FAILED)('E19: of %s has not passed', (_, prints) => {
    expect(judge(prints).outcome).toBe('failed');
    expect(judge(`\u001b[31m${prints.replaceAll('\n', '\u001b[0m\r\n')}`).outcome).toBe('failed');
  });

  it.each(PASSED)('E19: of %s has', (_, prints) => {
    expect(judge(prints).outcome).toBe('passed');
  });

  it('E19: of suites that do not load is a failure, and never a run without tests', () => {
    expect(judge('Test Suites: 1 failed, 1 total\nTests:       0 total', 1).outcome).toBe('failed');
    expect(judge(' Test Files  1 failed (1)\n      Tests  no tests', 1).outcome).toBe('failed');
  });

  it('E19: is told as such on card and in the body, and blames the base for no failure', () => {
    const red: CheckResult = {
      name: 'test',
      command: 'npm test',
      exitCode: 0,
      ms: 1,
      ...judge('Tests:       1 failed, 1 total\n\n  ● adds\n\nTest Suites: 1 failed, 1 total'),
    };
    const base: Baseline = { key: 'k', sha: 'b', at: 0, from: null, tools: [], installs: [], checks: [red] };
    expect([isBlockingCheck(red), isPassingEvidence(red)]).toEqual([true, false]);
    const before = compareWithBaseline(red, base);
    expect(isBlockingCheck(before)).toBe(false);
    expect(describeCheckEvidence([before], 'main')).toContain(
      '- `npm test`: counts failures, on the base branch too, though it ends with exit code 0',
    );
    for (const one of [red, before])
      for (const texts of Object.values(LANGUAGE_TEXTS)) {
        expect(checkLine(one, 'main', texts)).toContain('0');
        expect(checkLine(one, 'main', texts)).not.toBe(checkLine({ ...one, exitCode: 1 }, 'main', texts));
      }
    expect(checkLine(red, 'main', LANGUAGE_TEXTS.en)).toContain(
      'counts failures, though it ends with exit code 0',
    );
  });

  it('E19: that the base does not count is a failure of the change', () => {
    const then: CheckResult = {
      name: 'test',
      command: 'npm test',
      exitCode: 0,
      outcome: 'passed',
      ms: 1,
      tail: '',
    };
    const now = { ...then, ...judge('Tests:       1 failed, 1 total') };
    const base = { key: 'k', sha: 'b', at: 0, from: null, tools: [], installs: [], checks: [then] };
    expect(isBlockingCheck(compareWithBaseline(now, base))).toBe(true);
  });
});
