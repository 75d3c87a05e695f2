/** E19: what follows from running the tests of a change on its base. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { isTest, hasRunTests, canRunnerFindTests } from '#model/paths';
import { NO_CLAIMS, EMPTY_REPORT } from '#model/agent';
import {
  listsOnlyTests,
  mayListTests,
  readTestsOnBase,
} from '../../orchestrator/kernel/rounds/tests-on-base.ts';
import type { CheckResult } from '#model/evidence';
import { gradeAttempt, isTestCheck } from '../../governor/grade-attempt.ts';
import { describeCheckEvidence, describeCautions } from '../../pull-text/describe-evidence.ts';
import { file, push } from '../support/actions.ts';
import { at, given, implemented, validated, ways, works } from '../support/core.ts';

type Tried = NonNullable<CheckResult['withTestsOnBase']>;
const tests = (withTestsOnBase?: Tried): CheckResult => ({
  name: 'test',
  command: 'npm test',
  exitCode: 0,
  outcome: 'passed',
  ms: 1,
  tail: '',
  ...(withTestsOnBase ? { withTestsOnBase } : {}),
});
const checking = () => given({ engine: 'codex' }, ...ways.LOCAL_VALIDATING);
const told = (tried?: Tried, letter = 'a') => validated({ letter, checks: [tests(tried)] });

describe('tests of the change on its base', () => {
  it('E19: are tried by a runner of their language alone, so that nothing is said of tests it never saw', () => {
    expect(canRunnerFindTests('npm test', ['python/test.py'])).toBe(false);
    expect(canRunnerFindTests('npm run build && npm test', ['a.test.ts', 'python/test.py'])).toBe(true);
    expect(canRunnerFindTests('pytest -q', ['web/a.test.ts'])).toBe(false);
    expect(canRunnerFindTests('npm test', ['test/fixtures/a.json'])).toBe(true);
    for (const command of ['make test', './run.sh', 'sh test.sh'])
      expect(canRunnerFindTests(command, ['python/test.py']), command).toBe(true);
  });

  it('E19: are tried by a check that tests, not by one that only looks at them', () => {
    const all = [
      ['test', 'pnpm test'],
      ['web test', 'make check'],
      ['check 1', 'pytest -q'],
      ['types', 'pnpm build && pnpm test:types'],
      ['web lint', 'npm run lint:tests'],
    ].map(([name = '', command = '']) => ({ name, command }));
    expect(all.filter(isTestCheck).map(({ name }) => name)).toEqual(['test', 'web test', 'check 1']);
  });
  it('E19: come with the build file that lists them, unless it gains more', () => {
    const files = ['CMakeLists.txt', 'src/Makefile', 'tests.mk', 'meson.build', 'package.json', 'src/a.c'];
    expect(files.filter(mayListTests)).toEqual(['CMakeLists.txt', 'src/Makefile', 'tests.mk', 'meson.build']);
    const list = 'add_library(a a.c)\nadd_test(one)\n';
    expect(listsOnlyTests(list, `${list}\n  add_test(two)\n`)).toBe(true);
    expect(listsOnlyTests(list, `${list}add_test(two)\nadd_library(b b.c)\n`)).toBe(false);
    expect(listsOnlyTests(list, `${list}\n`)).toBe(false);
  });

  it('E19: of Perl are tests by their folder', () => {
    expect(['t/a.t', 't/sub/b.t', 'lib/A.pm', 'src/t/README.md'].filter(isTest)).toEqual([
      't/a.t',
      't/sub/b.t',
    ]);
  });

  it('E19: that pass there count only where their runner finds tests by itself, or its output names one', () => {
    const paths = ['tests/parse_number.c', 'tests/test.c'];
    for (const command of [
      'make test',
      './run.sh',
      '/bin/sh run',
      'sh test.sh',
      'cmake --build .',
      'just test',
    ]) {
      expect(hasRunTests(command, 'cc -o test test.o\nall tests passed', paths), command).toBe(false);
      expect(hasRunTests(command, 'cc tests/parse_number.c', paths), command).toBe(true);
      expect(hasRunTests(command, 'parse_number: PASS', paths), command).toBe(true);
    }
    expect(hasRunTests('npm test', '', ['a.test.ts'])).toBe(true);
  });

  it('E19: that fail there are one line of the card and one of the body', () => {
    const body = describeCheckEvidence([tests('fails')], 'main');
    expect(body).toContain(
      'With the tests of this change alone, `npm test` fails on `main`; here it passes.',
    );
    expect(checkLine(tests('fails'), 'main', LANGUAGE_TEXTS.en)).toContain(
      'with the change’s tests alone it fails on main',
    );
    expect(checkLine(tests('fails'), 'main', LANGUAGE_TEXTS.zh)).toContain(
      '只加上这次改动的测试时，它在 main 上不通过',
    );
  });

  it('E19: are named in the body by the checks that they fail, and not by those that pass there', () => {
    const of = (command: string, tried: Tried): CheckResult => ({ ...tests(tried), name: command, command });
    const all = [of('npm run types', 'fails'), of('npm run unit', 'passes'), of('npm run api', 'fails')];
    expect(describeCheckEvidence(all, 'main')).toContain(
      'With the tests of this change alone, `npm run types` and `npm run api` fail on `main`; here they pass.',
    );
  });

  it('E19: that pass there are a caution on the card and in the body, and that could not run are told on the card', () => {
    const none = { changed: '', removed: '', skipped: '' };
    const green =
      'With the tests of this change alone, `npm test` passes on `main` as well, so it does not show what this changes.';
    for (const tried of ['not_run', undefined] as const)
      expect(describeCheckEvidence([tests(tried)], 'main')).not.toContain('tests of this change');
    expect(describeCheckEvidence([tests('passes')], 'main')).toContain(`: passed\n\n${green}`);
    expect(describeCautions([tests('passes')], 'main', none)).toBe(green);
    for (const tried of ['fails', 'does_not_load', 'not_run', undefined] as const)
      expect(describeCautions([tests(tried)], 'main', none)).toBe('');
    expect(checkLine(tests('passes'), 'main', LANGUAGE_TEXTS.en)).toMatch(/^⚠ .*also passes on main/);
    expect(checkLine(tests('not_run'), 'main', LANGUAGE_TEXTS.en)).toContain('could not be tried on main');
  });

  it.each([
    ['failing', 'passed, and fails on the base branch'],
    ['flaky', 'passed, and passes only sometimes on the base branch'],
    ['tested', 'passed'],
  ] as const)('E19: a check that passes, and was %s there, is told as that in the body', (outcome, said) => {
    const check = { ...tests('not_run'), onBase: { outcome, excused: false, newFailures: [] } };
    expect(describeCheckEvidence([check], 'main')).toMatch(new RegExp(`^- \`npm test\`: ${said}$`, 'm'));
  });

  it('E19: that do not load there are told as that, in card and body, and are no red tests', () => {
    const one = tests('does_not_load');
    expect(describeCheckEvidence([one], 'main')).toContain(
      'The tests of this change need the rest of it to load: `npm test` cannot run them on `main`.',
    );
    expect(describeCheckEvidence([one], 'main')).not.toContain('fails on');
    for (const texts of Object.values(LANGUAGE_TEXTS))
      expect(checkLine(one, 'main', texts)).not.toBe(checkLine(tests('fails'), 'main', texts));
    expect(checking().when(told('does_not_load')).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it.each([
    ['vitest', "Error: Failed to resolve import './new' from 'a.test.js'", ['a.test.js [ a.test.js ]']],
    ['jest', "Cannot find module './new' from 'a.test.js'", ['Test suite failed to run', 'a.test.js']],
    [
      'an export of a module',
      "SyntaxError: The requested module './a.js' does not provide an export named 'b'",
      null,
    ],
    ['pytest', 'ImportError: cannot import name "b" from "a"', ['tests/test_a.py']],
    [
      'unittest',
      'ERROR: test_a (unittest.loader._FailedTest.test_a)',
      ['test_a (unittest.loader._FailedTest)'],
    ],
    ['go test', './a_test.go:5:2: undefined: B\nFAIL\tx [build failed]', ['x [build failed]']],
    ['cargo test', 'error[E0425]: cannot find function `b` in this scope', null],
    ['Maven', '[ERROR] COMPILATION ERROR :', null],
    ['Gradle', '> Task :compileTestJava FAILED', null],
    ['RSpec', 'An error occurred while loading ./spec/a_spec.rb.', null],
    [
      'CMake',
      'CMake Error at CMakeLists.txt:9 (add_executable):\n  Cannot find source file:\n\n    new.c',
      null,
    ],
    ['make', "make: *** No rule to make target 'new.o', needed by 'tests/new'.  Stop.", null],
    ['a C compiler', 'test.c:3: error: ‘b’ undeclared (first use in this function)', null],
  ])('E19: of %s that lack what the change adds do not load there', (_, tail, failing) => {
    const red = {
      ...tests(),
      outcome: 'failed' as const,
      exitCode: 1,
      tail,
      ...(failing ? { failing } : {}),
    };
    expect(readTestsOnBase(red, ['a.test.js', 'tests/test_a.py'])).toBe('does_not_load');
  });

  it.each([
    ['vitest', 'AssertionError', ['a.test.js > adds'], ['a.test.js'], 'fails'],
    [
      'vitest beside a file that does not load',
      "Cannot find module './x'",
      ['a.test.js > adds'],
      ['a.test.js'],
      'fails',
    ],
    [
      'pytest, of other tests alone',
      'assert 1 == 2',
      ['tests/test_b.py::test_b'],
      ['tests/test_a.py'],
      'not_run',
    ],
    [
      'pytest, below a changed fixture',
      'assert 1 == 2',
      ['tests/test_b.py::test_b'],
      ['tests/conftest.py'],
      'fails',
    ],
    [
      'pytest, below changed data',
      'assert 1 == 2',
      ['tests/test_b.py::test_b'],
      ['tests/data/a.json'],
      'fails',
    ],
    ['go test, which names no files', '--- FAIL: TestA', ['x TestA'], ['a_test.go'], 'fails'],
    ['a script that names nothing', 'no', null, ['tests/a.sh'], 'fails'],
  ] as const)('E19: of %s are judged by the tests that fail', (_, tail, failing, paths, is) => {
    const red = { ...tests(), outcome: 'failed' as const, exitCode: 1, tail };
    expect(readTestsOnBase({ ...red, ...(failing ? { failing: [...failing] } : {}) }, paths)).toBe(is);
  });

  it('E19: in a language that no check runs are told on the card', () => {
    const { commit } = push({ files: ['python/test.py', 'a.test.js', 'index.js'].map((path) => file(path)) });
    const gradedWith = (...commands: string[]) =>
      gradeAttempt({
        commit,
        checks: commands.map((command) => ({ ...tests(), name: command, command })),
        contract: null,
        ordered: true,
        summary: '',
        claims: NO_CLAIMS,
      }).reasons.map(({ reason }) => reason);
    const told = { kind: 'tests_not_run', at: ['python/test.py'], more: 0 };
    expect(gradedWith('npm test')).toContainEqual(told);
    expect(gradedWith('npm test', 'make test')).not.toContainEqual(told);
    expect(gradedWith('npm run lint').map(({ kind }) => kind)).not.toContain('tests_not_run');
  });

  it('E19: that pass there are told to the agent once, and then go to the card', () => {
    const first = checking().when(told('passes'));
    expect(first.run.lifecycle).toMatchObject({
      state: 'IMPLEMENTING',
      reason: { kind: 'tests_pass_on_base' },
    });
    expect(first.run.agent.round.feedback).toEqual([{ kind: 'tests_pass_on_base' }]);
    const again = first.when(implemented('b'), told('passes', 'b'));
    expect(works(again)).toContain('push');
    expect(again.run.agent.round.feedback).toEqual([]);
  });

  it.each(['fails', 'not_run', undefined] as const)('E19: that came out as %s call no agent', (tried) => {
    expect(checking().when(told(tried)).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('E19: call no engine that cannot hear', () => {
    expect(at('LOCAL_VALIDATING').when(told('passes')).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('E19: of a change that alters no behaviour call no agent', () => {
    const said = { ...EMPTY_REPORT, type: 'refactor' as const };
    const claims = { status: 'done' as const, ran: [], reported: said };
    const story = given({ engine: 'codex' }, ...ways.IMPLEMENTING).when(
      implemented('a', 1_000, { claims }),
      told('passes'),
    );
    expect(story.run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });
});
