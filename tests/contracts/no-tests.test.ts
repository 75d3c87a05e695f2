/** E19: what runners print when they run no test, and when they ran some. */
import { describe, expect, it } from 'vitest';
import { classifyTestRun } from '../../executors/checks/classify-test-run.ts';
import {
  compareWithBaseline,
  type Baseline,
  isBlockingCheck,
  isPassingEvidence,
  isExcusedRed,
  type CheckResult,
} from '#model/evidence';
import { NO_CLAIMS } from '#model/agent';
import { gradeAttempt } from '../../governor/grade-attempt.ts';
import { assessAction } from '../../governor/assess-action.ts';
import { LANGUAGE_TEXTS } from '#language';
import { check, context, push } from '../support/actions.ts';

const ranNone = (output: Parameters<typeof classifyTestRun>[0]): boolean =>
  classifyTestRun(output) === 'none';

/** What runners print when they run none; a program that prints just that stands for each. */
const NO_TESTS: readonly [runner: string, prints: string][] = [
  ['npm without a script', '> x@1.0.0 test\n> echo "Error: no test specified"\n\nError: no test specified'],
  ['jest, none found', 'No tests found, exiting with code 0'],
  ['jest, none counted', 'Test Suites: 0 total\nTests:       0 total\nSnapshots:   0 total'],
  ['jest, all skipped', 'Test Suites: 1 skipped, 0 of 1 total\nTests:       4 skipped, 4 total'],
  ['vitest, none found', 'No test files found, exiting with code 0'],
  ['vitest, all skipped', ' Test Files  1 skipped (1)\n      Tests  3 skipped (3)'],
  ['mocha', '\n  0 passing (2ms)\n  3 pending\n'],
  ['node --test', 'TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0'],
  ['node --test, all skipped', 'ℹ tests 2\nℹ pass 0\nℹ fail 0\nℹ skipped 2'],
  ['jasmine', 'Ran 0 of 0 specs\n0 specs, 0 failures'],
  ['bun', ' 0 pass\n 0 fail\nRan 0 tests across 0 files.'],
  ['deno', 'ok | 0 passed | 0 failed (3ms)'],
  ['pytest', 'collected 0 items\n\n===== no tests ran in 0.01s ====='],
  [
    'pytest, all deselected',
    'collected 5 items / 5 deselected / 0 selected\n\n===== 5 deselected in 0.02s =====',
  ],
  ['pytest -q, all skipped', 'ss\n2 skipped in 0.01s'],
  ['unittest', 'Ran 0 tests in 0.000s\n\nNO TESTS RAN'],
  ['go test', '?   \texample.com/m\t[no test files]\n?   \texample.com/m/a\t[no test files]'],
  ['go test -run', 'testing: warning: no tests to run\nPASS\nok  \texample.com/m\t0.002s [no tests to run]'],
  ['go test -cover', '\texample.com/m\t\tcoverage: 0.0% of statements'],
  [
    'cargo test',
    'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ],
  [
    'cargo test, all ignored',
    'running 2 tests\ntest result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ],
  ['maven', '[INFO] No tests to run.\n[INFO] BUILD SUCCESS'],
  ['gradle', '> Task :compileJava\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s'],
  ['sbt', '[info] No tests were executed\n[info] Passed: Total 0, Failed 0, Errors 0, Passed 0'],
  ['rspec', 'No examples found.\n\nFinished in 0.0003 seconds\n0 examples, 0 failures'],
  ['minitest', '0 runs, 0 assertions, 0 failures, 0 errors, 0 skips'],
  ['phpunit', 'PHPUnit 11.0.0\n\nNo tests executed!'],
  ['dotnet', 'No test is available in /src/bin/Debug/net8.0/x.dll.'],
  ['ctest', 'Test project /build\nNo tests were found!!!'],
  ['googletest', '[==========] Running 0 tests from 0 test suites.\n[  PASSED  ] 0 tests.'],
  ['bats', '1..0'],
  ['swift', "Test Suite 'All tests' passed\n\t Executed 0 tests, with 0 failures"],
  ['mix', 'There are no tests to run'],
  ['playwright', 'Error: No tests found'],
];

/** Something ran, whatever else stands beside it. */
const SOME_TESTS: readonly [what: string, prints: string][] = [
  ['jest, one workspace of two', 'Tests:       0 total\nTests:       3 passed, 3 total'],
  ['vitest, some skipped', ' Test Files  2 passed (2)\n      Tests  3 passed | 1 skipped (4)'],
  ['mocha after an empty suite', '  0 passing (1ms)\n\n  4 passing (9ms)'],
  ['node --test', 'ℹ tests 3\nℹ pass 3\nℹ fail 0'],
  ['pytest, one of two calls', '===== no tests ran in 0.01s =====\n===== 3 passed, 2 skipped in 0.10s ====='],
  ['go test ./...', '?   \texample.com/m\t[no test files]\nok  \texample.com/m/a\t0.010s'],
  ['go test, cached', '?   \texample.com/m\t[no test files]\nok  \texample.com/m/a\t(cached)'],
  [
    'cargo with doc tests',
    'running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n   Doc-tests x\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
  ],
  [
    'maven, several modules',
    '[INFO] No tests to run.\n[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0',
  ],
  ['gradle, several modules', '> Task :app:test NO-SOURCE\n> Task :lib:test\n\nBUILD SUCCESSFUL in 2s'],
  ['npm workspaces', 'Error: no test specified\n  5 passing (3ms)'],
  ['rspec', '10 examples, 0 failures'],
  ['a linter', '0 problems (0 errors, 0 warnings)'],
  ['prose', 'There were 0 tests to migrate. No tests found here are obsolete.'],
  ['no word at all', ''],
];

describe('a check that ran no test', () => {
  it.each(NO_TESTS)('E19: is told by what %s prints', (_, prints) => {
    expect(ranNone({ stdout: prints, stderr: '' })).toBe(true);
    expect(ranNone({ stdout: '', stderr: `\u001b[1m${prints.replaceAll('\n', '\u001b[0m\n')}\r\n` })).toBe(
      true,
    );
  });

  it.each(SOME_TESTS)('E19: is not seen in %s', (_, prints) => {
    expect(ranNone({ stdout: prints, stderr: '' })).toBe(false);
  });

  it('E19: one suite that ran a test is enough, on whichever stream it says so', () => {
    for (const [runner, prints] of NO_TESTS)
      for (const [what, others] of SOME_TESTS.slice(0, 7))
        expect(ranNone({ stdout: prints, stderr: others }), `${runner}, ${what}`).toBe(false);
  });

  it('O10: a megabyte that only looks like counts is read in time', () => {
    for (const line of ['0 ', 'no tests ', 'Tests: 0 skipped, ', '1 skipped, ', '= 5 deselected, ', '0']) {
      const hostile = `${line.repeat(Math.ceil(390 / line.length))}\n`.repeat(2_500);
      expect(ranNone({ stdout: hostile.slice(0, 1_000_000), stderr: '' })).toBe(false);
    }
  });
});

const none = (more: Partial<CheckResult> = {}): CheckResult => ({
  ...check('ran_no_test'),
  exitCode: 0,
  ...more,
});
const baseOf = (result: CheckResult): Baseline => ({
  key: 'k',
  sha: 'b',
  at: 0,
  from: null,
  tools: [],
  installs: [],
  checks: [result],
});
const judged = (checks: CheckResult[]) => {
  const passed = !checks.some(isBlockingCheck);
  const action = push({ checks, passed });
  const { decision, reasons } = assessAction(action, context);
  const grade = gradeAttempt({
    commit: action.commit,
    checks,
    contract: null,
    ordered: false,
    summary: '',
    claims: NO_CLAIMS,
  });
  return { decision, grade, said: reasons.map((r) => LANGUAGE_TEXTS.en.judgement(r.reason)) };
};

describe('what follows from a check that ran no test', () => {
  it('E19: it proves nothing and blocksChange nothing: a person decides, and reads why', () => {
    const one = none();
    expect([isPassingEvidence(one), isBlockingCheck(one), isExcusedRed(one)]).toEqual([false, false, false]);
    const { decision, grade, said } = judged([one]);
    expect(decision).toBe('escalate');
    expect(said).toContain(`ran no test: ${one.name}`);
    expect(said.join()).not.toContain('no check of this repository was run');
    expect(grade).toMatchObject({ level: 'NEEDS_REVIEW', gradedBy: [] });
    expect(grade.reasons.map((r) => r.reason.kind)).toContain('ran_no_test');
  });

  it('E19: beside another check that proves something it is said, and asks nobody', () => {
    const { decision, grade, said } = judged([none({ name: 'test' }), check('passed')]);
    expect(decision).toBe('allow');
    expect(said).toContain('ran no test: test');
    expect(grade.reasons.map((r) => r.reason.kind)).toContain('ran_no_test');
  });

  it('E19: where the base ran tests, the change has taken them away: nobody can sign that', () => {
    const now = compareWithBaseline(none(), baseOf(none({ outcome: 'passed' })));
    expect(now.onBase).toEqual({ outcome: 'tested', excused: false, newFailures: [] });
    expect(isBlockingCheck(now)).toBe(true);
    const { decision, grade, said } = judged([now]);
    expect(decision).toBe('deny');
    expect(said).toContain(`ran tests on the base branch and runs none now: ${now.name}`);
    expect(grade.level).toBe('FAIL');
  });

  it('E19: a runner that calls it a failure is excused only by the same on the base', () => {
    const now = none({ exitCode: 5 });
    expect(isBlockingCheck(compareWithBaseline(now, baseOf(none({ exitCode: 5 }))))).toBe(false);
    expect(isBlockingCheck(compareWithBaseline(now, baseOf(none())))).toBe(true);
    expect(isBlockingCheck(compareWithBaseline(now, null))).toBe(true);
    const red = { ...check('failed'), exitCode: 1 };
    expect(isBlockingCheck(compareWithBaseline(red, baseOf(none({ exitCode: 5 }))))).toBe(true);
    expect(isBlockingCheck(compareWithBaseline(none(), baseOf(red)))).toBe(true);
  });

  it('E19: the card says so in both languages', () => {
    const count = { n: 0, ref: 'main', untested: 1, unjudged: 0 };
    expect(LANGUAGE_TEXTS.en.card.checks(1, 2, count)).toBe('1 of 2 checks passed, 1 ran no test ⚠');
    expect(LANGUAGE_TEXTS.zh.card.checks(1, 2, count)).toBe('2 项检查中 1 项通过，1 项没有运行任何测试 ⚠');
    for (const words of [LANGUAGE_TEXTS.en, LANGUAGE_TEXTS.zh])
      expect(words.evidence.ranNoTest('it')).not.toBe(words.evidence.passed('it'));
  });
});
