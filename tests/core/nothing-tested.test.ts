/** E19: suites that only skip, and scripts that say that they ran nothing, prove nothing. */
import { describe, expect, it } from 'vitest';
import { ranNoTest } from '../../executors/checks/count-tests.ts';

const says = (stdout: string): boolean => ranNoTest({ stdout, stderr: '' });

describe('output of a suite', () => {
  it.each([
    ['a script of its own', '0 tests'],
    ['a script of its own, in words', 'Ran 0 tests.'],
    ['a script that found none', 'No tests found!'],
    ['rspec', '5 examples, 0 failures, 5 pending'],
    ['Maven', '[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 4, Time elapsed: 0.1 s'],
    ['minitest', '3 runs, 0 assertions, 0 failures, 0 errors, 3 skips'],
    ['PHPUnit', 'Tests: 5, Assertions: 0, Skipped: 5.'],
    ['XCTest', '\t Executed 2 tests, with 2 tests skipped and 0 failures (0 unexpected) in 0.1 seconds'],
    ['mix', '5 tests, 0 failures, 5 excluded'],
    ['gotestsum', 'DONE 7 tests, 7 skipped in 0.1s'],
    ['.NET', 'Skipped!  - Failed:     0, Passed:     0, Skipped:     3, Total:     3, Duration: 1 ms'],
    ['unittest', 'Ran 5 tests in 0.001s\n\nOK (skipped=5)'],
    ['pytest', '===== 5 skipped in 0.01s ====='],
    ['jest', 'Tests:       3 skipped, 3 total'],
  ])('E19: of %s that only skips, or runs none, counts no test', (_, stdout) => {
    expect(says(stdout)).toBe(true);
  });

  it.each([
    ['rspec', '5 examples, 0 failures, 4 pending'],
    ['Maven', 'Tests run: 14, Failures: 0, Errors: 0, Skipped: 4'],
    ['minitest', '13 runs, 9 assertions, 0 failures, 0 errors, 3 skips'],
    ['PHPUnit', 'Tests: 15, Assertions: 20, Skipped: 5.'],
    ['XCTest', 'Executed 12 tests, with 2 tests skipped and 0 failures'],
    ['mix', '15 tests, 0 failures, 5 excluded'],
    ['unittest', 'Ran 5 tests in 0.001s\n\nOK (skipped=4)'],
    ['two suites', '5 examples, 0 failures, 5 pending\n7 examples, 0 failures'],
    ['a script of its own', '10 tests\nok'],
  ])('E19: of %s that ran some is evidence', (_, stdout) => {
    expect(says(stdout)).toBe(false);
  });
});
