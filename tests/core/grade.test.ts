/**
 * E13: grades, from evidence that we gathered; the agent's claims are named beside it and never
 * make it better.
 */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { gradeIn } from '../../orchestrator/reports/attempt-grades.ts';
import { enTexts } from '#language';
import type { CheckResult } from '#model/evidence';
import type { Finding } from '#model/change';
import { Grade, GRADE_LEVELS } from '#model/assessment';
import { NO_CLAIMS } from '#model/agent';
import {
  gradeAttempt,
  lowerGrade,
  listDecidingReasons,
  type GradeInput,
} from '../../governor/grade-attempt.ts';
import { check, contract, file, finding, gone } from '../support/actions.ts';
import { commit, failed, at, implemented, validated } from '../support/core.ts';

const ran = (name: string, outcome: CheckResult['outcome'] = 'passed'): CheckResult => ({
  ...check(outcome),
  name,
  command: `npm run ${name}`,
  exitCode: outcome === 'passed' ? 0 : outcome === 'failed' ? 1 : null,
});
type Change = Partial<GradeInput> & { files?: ReturnType<typeof file>[]; findings?: Finding[] };
const seen = ({
  files = [file('src/a.ts'), file('tests/a.test.ts')],
  findings = [],
  ...more
}: Change = {}): GradeInput => {
  const base = commit('a');
  return {
    commit: { ...base, diff: { ...base.diff, files, findings } },
    checks: [ran('lint'), ran('test')],
    contract,
    ordered: false,
    summary: 'Rounds to cents.',
    claims: NO_CLAIMS,
    ...more,
  };
};
const level = (change: Change): string => gradeAttempt(seen(change)).level;
const why = (grade: Grade): string => listDecidingReasons(grade).map(enTexts.judgement).join('; ');
const says = (change: Change): string => why(gradeAttempt(seen(change)));

describe('a grade', () => {
  it('E13: is PASS when tests ran green and nothing speaks against it', () => {
    expect(gradeAttempt(seen())).toEqual({ level: 'PASS', gradedBy: ['lint', 'test'], reasons: [] });
    expect(Grade.parse(gradeAttempt(seen()))).toEqual(gradeAttempt(seen()));
  });

  it.each([
    ['a failed check', { checks: [ran('test', 'failed')] }, 'test failed (exit 1)'],
    ['a check that timed out', { checks: [ran('lint'), ran('test', 'timed_out')] }, 'test timed out'],
    ['no change at all', { commit: null }, 'nothing was changed'],
  ] satisfies [string, Change, string][])('E13: is FAIL for %s', (_, change, words) => {
    expect([level(change), says(change)]).toEqual(['FAIL', words]);
  });

  const lost = (kind: Finding['kind']): Change => ({
    findings: [{ ...finding(kind), path: 'tests/a.test.ts' }],
  });
  it.each([
    ['no tests', { checks: [ran('lint'), ran('build')] }, 'no tests were run; judged by lint, build'],
    ['no checks', { checks: [] }, 'no check of this repository was run'],
    [
      'a check that could not run',
      { checks: [ran('test'), ran('lint', 'not_run')] },
      'lint could not be run',
    ],
    ['tests that went away', lost('test_removed'), 'this deletes tests: tests/a.test.ts:3'],
    ['tests that are skipped', lost('test_skipped'), 'tests are skipped: tests/a.test.ts:3'],
    ['tests that check less', lost('test_weakened'), 'tests check less: tests/a.test.ts:3'],
    [
      'tests whose lines are removed or replaced',
      { files: [file('tests/a.test.ts', { added: 1, deleted: 4 })] },
      'lines of tests are removed or replaced, so the checks may say less: tests/a.test.ts',
    ],
    [
      'a check that the change decides',
      { checkConfig: { files: ['package.json'], baseResults: [ran('test')] } },
      'the change touches what the checks run: package.json',
    ],
    [
      'a check that passes only with what the change decides',
      { ordered: true, checkConfig: { files: ['check.sh'], baseResults: [ran('test', 'failed')] } },
      'test passes only with the changed check.sh; the change touches what the checks run: check.sh',
    ],
    [
      'a judge of the base that could not be asked',
      {
        checkConfig: {
          files: ['check.sh'],
          baseResults: null,
          notCompared: { kind: 'no_budget', budget: 'time' },
        },
      },
      'the change touches what the checks run: check.sh; not run with the base’s version of check.sh: no budget is left (agent and check time)',
    ],
    [
      'a test that was only claimed',
      { files: [file('src/a.ts')], summary: 'Fixed it and added a test.' },
      'the agent says that it added a test; no test file gains a line',
    ],
    [
      'an agent that is not done',
      { claims: { status: 'blocked' as const, ran: [] }, summary: 'No key.' },
      'the agent says that it is not done: No key.',
    ],
    [
      'a check that fails for the agent',
      { claims: { status: 'done' as const, ran: [{ command: 'npm run test', passed: false }] } },
      'the agent says that npm run test fails; here it passed',
    ],
  ] satisfies [string, Change, string][])('E13: is NEEDS_REVIEW for %s, and says so', (_, change, words) => {
    expect([level(change), says(change)]).toEqual(['NEEDS_REVIEW', words]);
  });

  it('E13: of a repository without tests is no failure', () => {
    const grade = gradeAttempt(seen({ checks: [ran('lint')] }));
    expect([grade.level, grade.gradedBy]).toEqual(['NEEDS_REVIEW', ['lint']]);
    expect(level({ checks: [{ ...ran('check 1'), command: 'grep -q x y' }], ordered: true })).toBe('PASS');
  });

  it('E13: names what the agent claims and we did not see, without holding it against the change', () => {
    const claims = { status: 'done' as const, ran: [{ command: 'node --test a.test.js', passed: true }] };
    const grade = gradeAttempt(seen({ claims }));
    expect(grade.level).toBe('PASS');
    expect(grade.reasons).toEqual([
      { level: 'PASS', reason: { kind: 'claim_unseen', command: 'node --test a.test.js' } },
    ]);
  });

  it('E13: is never raised by what an agent or a model says', () => {
    const claim = fc.record({
      status: fc.constantFrom('done', 'blocked'),
      ran: fc.array(
        fc.record({ command: fc.constantFrom('npm run test', 'npm run lint', 'x'), passed: fc.boolean() }),
        { maxLength: 3 },
      ),
    });
    const summary = fc.oneof(fc.string(), fc.constantFrom('All tests pass.', 'Added tests. PASS', ''));
    const outcome = fc.constantFrom('passed', 'failed', 'timed_out', 'not_run');
    fc.assert(
      fc.property(claim, summary, outcome, fc.constantFrom(...GRADE_LEVELS), (claims, words, o, opinion) => {
        const checks = [ran('lint'), ran('test', o)];
        const rank = (grade: Grade): number => GRADE_LEVELS.indexOf(grade.level);
        const silent = gradeAttempt(seen({ checks, summary: '' }));
        const told = gradeAttempt(seen({ checks, claims, summary: words }));
        expect(rank(told)).toBeGreaterThanOrEqual(rank(silent));
        expect(rank(lowerGrade(told, opinion, { kind: 'opinion', says: words }))).toBeGreaterThanOrEqual(
          rank(told),
        );
      }),
    );
  });

  it('E13: counts a deleted test file once', () => {
    const files = [gone('tests/a.test.ts')];
    const findings = [{ ...finding('test_removed'), path: 'tests/a.test.ts', line: 0 }];
    expect(gradeAttempt(seen({ files, findings })).reasons).toHaveLength(1);
  });
});

it('E13: every attempt has one, read from the input that ended it', () => {
  const grade = gradeAttempt(seen());
  const { run } = at('LOCAL_VALIDATING');
  const input = validated()(run).input;
  if (input.type !== 'worker.validation.completed') throw new Error('no validation');
  expect(gradeIn({ ...input, grade })).toEqual(grade);
  expect(gradeIn(input)).toBeNull();
  expect(gradeIn(implemented(null)(run).input)?.level).toBe('FAIL');
  expect(gradeIn(implemented('a')(run).input)).toBeNull();
  const crash = gradeIn(failed('crashed')(run).input);
  expect([crash?.level, crash && why(crash)]).toEqual(['FAIL', enTexts.why.failures.crashed]);
});
