/** E19: what follows from running the tests of a change on its base. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '../../bot/language/languages.ts';
import { checkLine } from '../../bot/views/evidence-lines.ts';
import { ranTests, runnerSeesTests } from '../../orchestrator/model/path-kinds.ts';
import { EMPTY_REPORT } from '../../orchestrator/model/agent-report.ts';
import type { CheckResult } from '../../orchestrator/model/change-records.ts';
import { checkEvidence } from '../../pull-text/check-evidence.ts';
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
    expect(runnerSeesTests('npm test', ['python/test.py'])).toBe(false);
    expect(runnerSeesTests('npm run build && npm test', ['a.test.ts', 'python/test.py'])).toBe(true);
    expect(runnerSeesTests('pytest -q', ['web/a.test.ts'])).toBe(false);
    expect(runnerSeesTests('npm test', ['test/fixtures/a.json'])).toBe(true);
    for (const command of ['make test', './run.sh', 'sh test.sh'])
      expect(runnerSeesTests(command, ['python/test.py']), command).toBe(true);
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
      expect(ranTests(command, 'cc -o test test.o\nall tests passed', paths), command).toBe(false);
      expect(ranTests(command, 'cc tests/parse_number.c', paths), command).toBe(true);
      expect(ranTests(command, 'parse_number: PASS', paths), command).toBe(true);
    }
    expect(ranTests('npm test', '', ['a.test.ts'])).toBe(true);
  });

  it('E19: that fail there are one line of the card and one of the body', () => {
    const body = checkEvidence([tests('fails')], 'main');
    expect(body).toContain(
      'With the tests of this change alone, `npm test` fails on `main`; here it passes.',
    );
    expect(checkLine(tests('fails'), 'main', LANGUAGE_TEXTS.en)).toContain(
      'with the change’s tests alone it fails on main',
    );
    expect(checkLine(tests('fails'), 'main', LANGUAGE_TEXTS.zh)).toContain(
      '只加上这次修改的测试时，它在 main 上不通过',
    );
  });

  it('E19: are named in the body by the checks that they fail, and not by those that pass there', () => {
    const of = (command: string, tried: Tried): CheckResult => ({ ...tests(tried), name: command, command });
    const all = [of('npm run types', 'fails'), of('npm run unit', 'passes'), of('npm run api', 'fails')];
    expect(checkEvidence(all, 'main')).toContain(
      'With the tests of this change alone, `npm run types` and `npm run api` fail on `main`; here they pass.',
    );
  });

  it('E19: that pass there are a caution on the card, that could not run are told, and the body claims neither', () => {
    for (const tried of ['passes', 'not_run', undefined] as const)
      expect(checkEvidence([tests(tried)], 'main')).not.toContain('tests of this change');
    expect(checkLine(tests('passes'), 'main', LANGUAGE_TEXTS.en)).toMatch(/^⚠ .*also passes on main/);
    expect(checkLine(tests('not_run'), 'main', LANGUAGE_TEXTS.en)).toContain('could not be tried on main');
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
