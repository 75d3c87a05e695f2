/**
 * What the governor's judgements hang on at their edges: the version, what a person can do, where a
 * modification goes, and which reason of a grade decides.
 */
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '#model/evidence';
import type { Finding } from '#model/change';
import type { GradeLevel } from '#model/assessment';
import { NO_CLAIMS } from '#model/agent';
import { DEFAULT_POLICY_SETTINGS, PolicySettings, type CustomPolicy } from '#model/settings';
import { listPublicTexts } from '../../governor/public-texts.ts';
import type { GovernedAction } from '../../governor/governed-action.ts';
import { createCustomPolicy } from '../../governor/custom-policies.ts';
import { assessModification } from '../../governor/assess-modification.ts';
import { explainAssessment } from '../../governor/explain-assessment.ts';
import {
  listDecidingReasons,
  gradeAttempt,
  lowerGrade,
  type GradeInput,
} from '../../governor/grade-attempt.ts';
import { opinionsOf } from '../../governor/ask-policies.ts';
import { assessRisk } from '../../governor/assess-risk.ts';
import { assessAction, POLICY_VERSION, policyVersion } from '../../governor/assess-action.ts';
import {
  check,
  command,
  comment,
  context,
  contract,
  file,
  finding,
  own,
  pull,
  push,
  reply,
} from '../support/actions.ts';
import { commit } from '../support/core.ts';

describe('the version of the policies', () => {
  const rule = (id: string): CustomPolicy => ({ id, when: { paths: ['a'] }, verdict: 'deny', reason: 'No' });

  it('P1: is the plain one for the defaults alone, and another for each set of rules that a repository adds', () => {
    expect(policyVersion(DEFAULT_POLICY_SETTINGS)).toBe(POLICY_VERSION);
    const added = ['x', 'y'].map((id) => policyVersion(DEFAULT_POLICY_SETTINGS, [rule(id)]));
    expect(new Set([POLICY_VERSION, ...added]).size).toBe(3);
  });

  it('P1: has a name of one length, whatever the limits are', () => {
    const names = Array.from({ length: 300 }, (_, i) =>
      policyVersion({ ...DEFAULT_POLICY_SETTINGS, maxOpenPrs: i + 1_000 }),
    );
    for (const name of names) expect(name.slice(POLICY_VERSION.length)).toMatch(/^\+[0-9a-f]{16}$/);
    expect(new Set(names).size).toBe(300);
  });
});

describe('what a person can do', () => {
  const said = (
    decision: 'allow' | 'escalate' | 'deny',
    ...policies: (readonly [string, typeof decision])[]
  ) =>
    explainAssessment({
      decision,
      risk: 'low',
      factors: [],
      policyVersion: 'builtin-0',
      reasons: policies.map(([policy, verdict]) => ({ policy, verdict, reason: own('x') })),
    }).can;

  it('P3: is nothing more where it was allowed, whatever settings the policies have', () => {
    expect(said('allow', ['forbidden-paths', 'allow'])).toEqual([{ kind: 'allow' }]);
    expect(said('escalate', ['nobody', 'escalate'])).toEqual([{ kind: 'escalate' }]);
  });

  it('P3: is to look into the repository’s file when one objection of many is its own', () => {
    expect(said('deny', ['nobody', 'deny'], ['repository:x', 'escalate'])).toEqual([
      { kind: 'deny' },
      { kind: 'repository_file' },
    ]);
    expect(said('deny', ['nobody', 'deny'], ['repository:x', 'allow'])).toEqual([{ kind: 'deny' }]);
  });
});

it('C5: the words of each action are looked at where they stand', () => {
  const where = (action: GovernedAction): string[] => listPublicTexts(action).map(([place]) => place);
  expect(where(push())).toEqual(['commit_message', 'branch_name']);
  expect(where(pull())).toEqual(['title', 'description', 'commit_message', 'branch_name']);
  expect([comment('a'), reply('b'), command('ls')].map(listPublicTexts)).toEqual([
    [['comment', 'a']],
    [['reply', 'b']],
    [],
  ]);
});

describe('a policy of the operator', () => {
  const holds = (when: CustomPolicy['when'], action: GovernedAction = push(), around = context): boolean =>
    opinionsOf(
      createCustomPolicy({ id: 'x', when, verdict: 'deny', reason: 'No' }),
      action,
      around,
      assessRisk(action, around),
    ).length === 1;

  it('P1: about some repositories says nothing of others', () => {
    expect([
      holds({ repos: ['ana/*'] }),
      holds({ repos: ['bo/*'] }),
      holds({ repos: ['bo/*', 'ana/app'] }),
    ]).toEqual([...[true, false, true]]);
  });

  it('P1: about some people holds for each of them, by id or by name', () => {
    expect([['7'], ['bo', 'ANA'], ['8', 'bo'], ['7', 'bo']].map((authors) => holds({ authors }))).toEqual([
      ...[true, true, false, true],
    ]);
  });

  it('P1: about so many lines counts those of the files, and what git said, whichever are more', () => {
    const lines = (added: number, ...files: number[]) => {
      const action = push({ files: files.map((n, i) => file(`a${i}`, { added: n })) });
      const { commit: made } = action;
      return { ...action, commit: { ...made, diff: { ...made.diff, added } } };
    };
    const least = { minAdded: 10 };
    expect(
      [lines(0, 6, 4), lines(0, 6, 3), lines(10, 1), lines(9, 1)].map((one) => holds(least, one)),
    ).toEqual([...[true, false, true, false]]);
    expect([holds({ minAdded: 0 }, comment('a')), holds({ minAdded: 1 }, comment('a'))]).toEqual([
      true,
      false,
    ]);
  });

  it('P1: has an id of its own', () => {
    const two = (...ids: string[]) =>
      PolicySettings.safeParse({
        custom: ids.map((id) => ({ id, when: { paths: ['a'] }, verdict: 'deny', reason: 'No' })),
      });
    expect([two('x', 'y').success, two('x', 'x').success]).toEqual([true, false]);
  });
});

describe('a modification', () => {
  const original = (action: GovernedAction) => ({
    id: 'r:1',
    action,
    assessment: assessAction(action, context),
  });
  const becomes = (before: GovernedAction, after: GovernedAction) =>
    assessModification(original(before), after, context, { by: 'human', reason: 'shorter' }).decision;

  it.each<[string, GovernedAction, GovernedAction]>([
    ['another base of a push', push(), { ...push(), baseRef: 'another' }],
    ['another branch of a push', push(), { ...push(), branch: 'another' }],
    ['another base of a pull request', pull(), { ...pull(), baseRef: 'another' }],
    ['another branch of a pull request', pull(), { ...pull(), branch: 'another' }],
    ['another thread', comment('a'), { kind: 'comment', on: 'another', body: 'a' }],
    ['another thread of a reply', reply('a'), { ...reply('a'), on: 'another' } as GovernedAction],
    ['another person', reply('a'), { ...reply('a'), to: 'another' } as GovernedAction],
    ['a comment in place of a reply', reply('a'), comment('a')],
    ['a pull request in place of a push', push(), pull()],
  ])('P4: goes where the original goes: %s is rejected', (_, before, after) => {
    expect(becomes(before, after)).toMatchObject({ kind: 'rejected', why: { kind: 'goes_elsewhere' } });
  });

  it.each<[string, GovernedAction]>([
    ['push', push()],
    ['pull request', pull()],
    ['comment', comment('a')],
    ['reply', reply('a')],
    ['command', command('ls')],
  ])('P4: that goes to the same place is not told that it goes elsewhere: a %s', (_, action) => {
    expect(becomes(action, action)).not.toMatchObject({ why: { kind: 'goes_elsewhere' } });
  });
});

describe('a grade', () => {
  const ran = (name: string, outcome: CheckResult['outcome'] = 'passed'): CheckResult => ({
    ...check(outcome),
    name,
    command: `npm run ${name}`,
  });
  type Change = Partial<GradeInput> & { files?: ReturnType<typeof file>[]; findings?: Finding[] };
  const graded = ({
    files = [file('src/a.ts'), file('tests/a.test.ts')],
    findings = [],
    ...more
  }: Change = {}) => {
    const base = commit('a');
    return gradeAttempt({
      commit: { ...base, diff: { ...base.diff, files, findings } },
      checks: [ran('lint'), ran('test')],
      contract,
      ordered: false,
      summary: 'Rounds to cents.',
      claims: NO_CLAIMS,
      ...more,
    });
  };
  const claims = (...claimed: GradeInput['claims']['ran']) => ({ status: 'done' as const, ran: claimed });
  const levels = (change: Change): GradeLevel[] => graded(change).reasons.map(({ level }) => level);
  const kinds = (change: Change): string[] => graded(change).reasons.map(({ reason }) => reason.kind);

  it('E13: needs no contract', () => {
    expect(graded({ contract: null }).level).toBe('PASS');
  });

  it('E13: of tests that the agent alone named names where it found them, and no others', () => {
    const checks = [
      { name: 'lint', command: 'npm run lint', dir: '', source: 'package.json' },
      { name: 'test', command: 'npm run test', dir: '', source: 'docs/ci.md', by: 'agent' as const },
    ];
    expect(graded({ contract: { checks } }).reasons).toEqual([
      { level: 'NEEDS_REVIEW', reason: { kind: 'tests_found_by_agent', at: ['docs/ci.md'], more: 0 } },
    ]);
  });

  it('E13: is judged by the checks that passed', () => {
    expect(graded({ checks: [ran('test'), ran('lint', 'not_run')] }).gradedBy).toEqual(['test']);
  });

  it('E13: holds no claim against the change that we saw to be so', () => {
    expect(kinds({ claims: claims({ command: 'npm run test', passed: true }) })).toEqual([]);
    const red = { checks: [ran('lint'), ran('test', 'failed')] };
    expect(kinds({ ...red, claims: claims({ command: 'npm run test', passed: false }) })).toEqual([
      'check_failed',
    ]);
    expect(kinds({ ...red, claims: claims({ command: 'npm run test', passed: true }) })).toEqual([
      'check_failed',
      'claim_differs',
    ]);
  });

  it('E13: believes in an added test when a test gains a line, and in nothing else', () => {
    const summary = 'Fixed it and added a test.';
    expect(kinds({ summary })).toEqual([]);
    expect(
      kinds({ summary, files: [file('src/a.ts'), file('tests/a.test.ts', { added: 0, deleted: 0 })] }),
    ).toEqual(['claim_of_test']);
    expect(kinds({ summary: 'Fixed it.', files: [file('src/a.ts')] })).toEqual([]);
  });

  it('E13: says so when everything is said to be green and one check is not', () => {
    const checks = [ran('test'), ran('lint', 'not_run')];
    expect(kinds({ summary: 'All tests pass.', checks })).toEqual(['check_not_run', 'claim_of_green']);
    expect(kinds({ summary: 'Fixed it.', checks })).toEqual(['check_not_run']);
    expect(kinds({ summary: 'All tests pass.' })).toEqual([]);
  });

  it('E13: names a test that checks less once, whatever else shows it', () => {
    const files = [file('tests/a.test.ts', { added: 1, deleted: 9 })];
    const findings = [{ ...finding('test_weakened'), path: 'tests/a.test.ts' }];
    expect(kinds({ files, findings })).toEqual(['tests_weakened']);
    expect(kinds({ files })).toEqual(['tests_thinner']);
  });

  it('E13: tells the worst first, also what a model thinks of it', () => {
    const change: Change = {
      summary: 'Added a test.',
      files: [file('src/a.ts')],
      claims: claims({ command: 'make', passed: true }),
    };
    expect(levels(change)).toEqual(['NEEDS_REVIEW', 'PASS']);
    const worse = lowerGrade(graded(change), 'FAIL', { kind: 'opinion', says: 'No.' });
    expect(worse.reasons.map(({ level }) => level)).toEqual(['FAIL', 'NEEDS_REVIEW', 'PASS']);
  });

  it('E13: is decided by the reasons of its level; a PASS by the checks that judged it', () => {
    const unseen = claims({ command: 'make', passed: true });
    expect(listDecidingReasons(graded({ claims: unseen }))).toEqual([
      { kind: 'graded_by', names: ['lint', 'test'] },
    ]);
    const { level, ...rest } = graded({ claims: unseen, checks: [ran('lint')] });
    expect(level).toBe('NEEDS_REVIEW');
    expect(listDecidingReasons({ level, ...rest }).map(({ kind }) => kind)).toEqual(['no_tests']);
  });

  it('E13: never says that no tests were run of tests that are as red as before', () => {
    const red: CheckResult = {
      ...ran('test', 'failed'),
      failing: ['a'],
      onBase: { outcome: 'failing', excused: true, newFailures: [] },
    };
    const seen = graded({ checks: [ran('lint'), red] });
    expect(seen.level).toBe('NEEDS_REVIEW');
    expect(listDecidingReasons(seen).map(({ kind }) => kind)).toEqual(['red_before']);
  });
});
