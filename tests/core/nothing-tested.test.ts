/** E19: suites that only skip, and scripts that say that they ran nothing, prove nothing. */
import { describe, expect, it } from 'vitest';
import { classifyTestRun } from '../../executors/checks/classify-test-run.ts';

const says = (stdout: string): boolean => classifyTestRun({ stdout, stderr: '' }) === 'none';

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
    ['vitest in JSON', '{"numTotalTestSuites":2,"numTotalTests":1,"numPassedTests":0,"numFailedTests":0}'],
    ['vitest in TAP', 'TAP version 13\n1..1\nok 1 - a.test.js # SKIP {\n    ok 1 - b # SKIP\n}'],
    ['vitest that a test ended', ' RUN  v4.1.1 /src\n'],
    [
      'mocha in JSON',
      '{\n  "stats": {\n    "tests": 1,\n    "passes": 0,\n    "pending": 1,\n    "failures": 0,',
    ],
    ['JUnit XML', '<testsuites tests="1">\n<testcase name="a">\n<skipped/>\n</testcase>\n</testsuites>'],
    ['node --test with an empty suite', "ok 1 - a\n  ---\n  type: 'suite'\n1..1\n# tests 0\n# pass 0"],
    ['uvu', '  Total:     0\n  Passed:    0\n  Skipped:   1'],
    ['jasmine', '1 spec, 0 failures, 1 pending spec'],
    ['bats', '1..1\nok 1 a # skip'],
    ['prove', 't/a.t .. skipped: no\nFiles=1, Tests=0,  1 wallclock secs\nResult: NOTESTS'],
    ['prove -v', '1..1\nok 1 # skip no\nok\nFiles=1, Tests=1,  1 wallclock secs\nResult: PASS'],
    ['pytest that only collects', '===== 1 test collected in 0.02s ====='],
    ['pytest that only collects, quietly', 'test_a.py::test_a\n\n1 test collected in 0.04s'],
    ['pytest that a test ended', '===== test session starts =====\ncollected 3 items\n'],
    ['pytest -qq', 's                       [100%]'],
    ['go test -v', '=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tx\t0.002s'],
    [
      'go test -json',
      '{"Action":"skip","Package":"x","Test":"A"}\n{"Action":"pass","Package":"x","Elapsed":1}',
    ],
    ['cargo without targets', '    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.22s'],
    ['CTest', '1/1 Test #1: t ......***Skipped   0.01 sec\n\n100% tests passed, 0 tests failed out of 1'],
    ['Meson', 'Ok:                 0   \nFail:               0   \nSkipped:            1   '],
    ['Meson without tests', 'ninja: no work to do.\nNo tests defined.'],
    [
      'RSpec in JSON',
      `{"version":"3.12.0","examples":[${'0'.repeat(400)}],"summary_line":"1 example, 0 failures, 1 pending"}`,
    ],
    ['PHPUnit, incomplete', 'Tests: 1, Assertions: 0, Incomplete: 1.'],
    ['busted', '0 successes / 0 failures / 0 errors / 1 pending : 0.000467 seconds'],
    ['Maven that skips them', '[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS'],
    ['stestr', 'Ran: 1 tests in 0.0001 sec.\n - Passed: 0\n - Skipped: 1'],
    ['tox 3 without the interpreter', 'SKIPPED:  py27: InterpreterNotFound: python2.7\n  congratulations :)'],
    ['tox 4 without the interpreter', '  py27: SKIP (0.00 seconds)\n  congratulations :)'],
    ['nox', 'nox > Session t skipped: no (took 2 seconds).'],
    ['turbo', ' Tasks:    0 successful, 0 total\nCached:    0 cached, 0 total'],
    ['lerna', "lerna success run No packages found with the lifecycle script 'test'"],
    [
      'make with nothing to do',
      "make[1]: Entering directory '/src'\nmake[1]: Nothing to be done for 'test'.\n",
    ],
    ['make that is up to date', "make: 'test' is up to date.\n"],
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
    ['make before a script of its own', "make[1]: Nothing to be done for 'all'.\n./run.sh\nfine"],
    ['tox with one interpreter missing', '  py27: SKIP (0.00 seconds)\n  py3: OK (1.20 seconds)'],
    [
      'cargo with a runner of its own',
      '    Finished `test` profile [x] in 1s\n     Running tests/ui.rs (target/x)',
    ],
    ['bats', '1..2\nok 1 a # skip\nok 2 b'],
    ['CTest, quiet', '100% tests passed, 0 tests failed out of 1'],
    ['pytest with dots', 'sss.. [100%]'],
    ['vitest', ' RUN  v4.1.1 /src\n\n      Tests  3 passed | 1 skipped (4)'],
  ])('E19: of %s that ran some is evidence', (_, stdout) => {
    expect(says(stdout)).toBe(false);
  });
});
