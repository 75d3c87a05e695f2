import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { enTexts } from '#language';
import type { GovernedAction } from '../../governor/governed-action.ts';
import type { PolicyContext } from '../../governor/policy-types.ts';
import { assessModification, type OriginalAction } from '../../governor/assess-modification.ts';
import { explainAssessment } from '../../governor/explain-assessment.ts';
import { assessAction, POLICY_VERSION, policyVersion } from '../../governor/assess-action.ts';
import { VERDICT_RANK } from '../../governor/combine-assessments.ts';
import { selectRepositorySettings } from '../../governor/repository-settings.ts';
import { ProposalDecision, type NotModified } from '#model/assessment';
import { PolicySettings } from '#model/settings';
import { matchesGlob } from '../../text-safety/glob.ts';
import {
  command,
  comment,
  context,
  file,
  finding,
  move,
  own,
  pull,
  push,
  reply,
  says,
} from '../support/actions.ts';

const LEVELS = ['low', 'medium', 'high'];
const settings = (policies: unknown): PolicyContext => ({
  ...context,
  settings: PolicySettings.parse(policies),
});
const custom = (when: object, verdict = 'deny'): PolicyContext =>
  settings({ custom: [{ id: 'mine', when, verdict, reason: 'Not here' }] });

describe('policies of the operator', () => {
  it.each<[object, GovernedAction, boolean]>([
    [{ paths: ['src/**'] }, push(), true],
    [{ paths: ['docs/**'] }, push(), false],
    [{ paths: ['SUM.ts'] }, push(), true],
    [{ paths: ['old'] }, push({ files: [move('old/a.ts', 'b.ts')] }), true],
    [{ paths: ['**'] }, comment('a'), false],
    [{ actions: ['comment', 'reply'] }, reply('a'), true],
    [{ actions: ['open_pr'] }, push(), false],
    [{ minAdded: 8 }, push(), true],
    [{ minAdded: 9 }, push(), false],
    [{ minAdded: 1 }, command('ls'), false],
    [{ repos: ['ana/*'] }, push(), true],
    [{ repos: ['ANA/app'] }, push(), true],
    [{ repos: ['ana/*-site', 'ben/*'] }, push(), false],
    [{ authors: ['7'] }, push(), true],
    [{ authors: ['ana'] }, push(), true],
    [{ authors: ['8', 'ben'] }, push(), false],
    [{ authors: ['7'], paths: ['docs/**'] }, push(), false],
  ])('P1: one that says %j', (when, action, speaks) => {
    for (const verdict of ['deny', 'escalate'] as const) {
      const around = custom(when, verdict);
      expect(says('custom:mine', action, around)).toBe(speaks ? verdict : null);
      if (speaks)
        expect(VERDICT_RANK[assessAction(action, around).decision]).toBeGreaterThanOrEqual(
          VERDICT_RANK[verdict],
        );
    }
  });

  it('P1: one about people holds for whoever is not known, and names what it found', () => {
    const around = { ...custom({ authors: ['ben'], paths: ['*.ts'] }), requester: null };
    const said = assessAction(push(), around).reasons.find((r) => r.policy === 'custom:mine');
    expect(said?.reason).toEqual(own('Not here', ['src/sum.ts', 'tests/sum.test.ts']));
  });

  it('P1: cannot be written so that it allows, matches by a pattern of its own, or says nothing of when', () => {
    const good = { id: 'a', when: { paths: ['x'] }, verdict: 'deny', reason: 'r' };
    const parses = (...custom: object[]): boolean => PolicySettings.safeParse({ custom }).success;
    expect(parses(good)).toBe(true);
    for (const bad of [
      { verdict: 'allow' },
      { when: {} },
      { when: { pattern: '.*' } },
      { when: { actions: ['merge'] } },
      { id: 'No Secrets' },
      { reason: 'two\nlines' },
      { reason: 'a\u202eb' },
      { also: 1 },
    ])
      expect(parses({ ...good, ...bad })).toBe(false);
    expect(parses(good, good)).toBe(false);
    expect(PolicySettings.safeParse({ repositories: { app: {} } }).success).toBe(false);
    expect(PolicySettings.safeParse({ repositories: { 'a/b': { custom: [] } } }).success).toBe(false);
  });

  const anyCustom = fc.record({
    id: fc.constantFrom('a', 'b'),
    verdict: fc.constantFrom('deny', 'escalate'),
    reason: fc.constant('r'),
    when: fc.record(
      {
        paths: fc.array(fc.constantFrom('src/**', '*.ts', 'docs/'), { minLength: 1 }),
        actions: fc.array(fc.constantFrom('push', 'open_pr', 'comment', 'command'), { minLength: 1 }),
        minAdded: fc.integer({ min: 1, max: 20 }),
        authors: fc.array(fc.constantFrom('7', 'ben'), { minLength: 1 }),
      },
      { requiredKeys: ['actions'] },
    ),
  });
  const anyAction = fc.constantFrom<GovernedAction[]>(
    ...[push(), pull(), comment('a'), reply('@ana'), command('ls'), command('rm -rf /')],
    push({ files: [file('.npmrc')] }),
    push({ findings: [finding('secret')] }),
  );

  it('P1: one more never makes a decision milder or the risk lower', () => {
    fc.assert(
      fc.property(anyAction, anyCustom, (action, one) => {
        const [before, after] = [
          assessAction(action, context),
          assessAction(action, settings({ custom: [one] })),
        ];
        expect(VERDICT_RANK[after.decision]).toBeGreaterThanOrEqual(VERDICT_RANK[before.decision]);
        expect(after.risk).toBe(before.risk);
      }),
    );
  });
});

describe('limits for some repositories', () => {
  const policies = {
    maxFiles: 9,
    forbiddenPaths: ['a'],
    repositories: { 'ana/*': { maxFiles: 1, forbiddenPaths: ['b'] }, 'ana/big': { maxFiles: 5 } },
  };

  it('P1: replace numbers and add to lists, the later entry over the earlier', () => {
    const all = PolicySettings.parse(policies);
    expect(selectRepositorySettings(all, 'Ana/App')).toMatchObject({
      maxFiles: 1,
      forbiddenPaths: ['a', 'b'],
    });
    expect(selectRepositorySettings(all, 'ana/big')).toMatchObject({
      maxFiles: 5,
      forbiddenPaths: ['a', 'b'],
    });
    expect(selectRepositorySettings(all, 'ben/app')).toMatchObject({ maxFiles: 9, forbiddenPaths: ['a'] });
  });

  it('P1: hold when an action is judged there', () => {
    const around = settings(policies);
    expect(says('max-diff-size', push(), around)).toBe('escalate');
    expect(says('max-diff-size', push(), { ...around, repo: 'ben/app' })).toBeNull();
    expect(says('forbidden-paths', push({ files: [file('b')] }), around)).toBe('deny');
  });

  it('P1: what does not concern a repository does not change the version of its decisions', () => {
    const version = (policies: unknown, repo = 'ana/app'): string =>
      assessAction(push(), { ...settings(policies), repo }).policyVersion;
    const elsewhere = { id: 'a', when: { repos: ['ben/*'] }, verdict: 'deny', reason: 'r' };
    expect(version({ custom: [elsewhere], repositories: { 'ben/*': { maxFiles: 1 } } })).toBe(POLICY_VERSION);
    expect(version({ custom: [elsewhere] }, 'ben/x')).not.toBe(POLICY_VERSION);
    expect(version({ repositories: { '*/*': { maxFiles: 1 } } })).toBe(version({ maxFiles: 1 }));
    const all = [{}, { maxFiles: 1 }, { custom: [elsewhere] }, { custom: [{ ...elsewhere, reason: 's' }] }];
    expect(new Set(all.map((p) => policyVersion(PolicySettings.parse(p)))).size).toBe(all.length);
  });
});

describe('globs', () => {
  /** What each means, told by a regular expression that the tests alone use. */
  const expected = (path: string, glob: string): boolean => {
    const body = glob
      .replace(/\/$/, '/**')
      .replace(/\*\*\/|\*\*|\*|\?|\./g, (c) =>
        c === '**/' ? '(?:.*/)?' : c === '**' ? '.*' : c === '*' ? '[^/]*' : c === '?' ? '[^/]' : '\\.',
      );
    const anywhere = glob.replace(/\/$/, '').includes('/') ? '' : '(?:.*/)?';
    return new RegExp(`^${anywhere}${body}(?:/.*)?$`, 'is').test(path);
  };

  it('P3: mean the same as a regular expression would, for any glob and path', () => {
    const path = fc.array(fc.constantFrom('a', 'B', '/', '.', 'ab'), { maxLength: 7 }).map((p) => p.join(''));
    const glob = fc
      .array(fc.constantFrom('a', 'b', '*', '**', '**/', '?', '/', '.'), { minLength: 1, maxLength: 6 })
      .map((p) => p.join(''))
      .filter((g) => !/^\.?\/|\/\/|\*{3}/.test(g));
    fc.assert(
      fc.property(path, glob, (p, g) => {
        expect([p, g, matchesGlob(p, [g])]).toEqual([p, g, expected(p, g)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('P3: cost no more than their length times the path’s, whoever wrote them', () => {
    const glob = '*a'.repeat(150);
    expect(matchesGlob('a'.repeat(4_000), [glob])).toBe(true);
    expect(matchesGlob(`${'a'.repeat(4_000)}b`, [glob])).toBe(false);
    expect(matchesGlob(`${'a/'.repeat(2_000)}b`, ['**/'.repeat(90) + 'c'])).toBe(false);
  });
});

describe('explaining', () => {
  it('P3: says which policy stopped it, what it guards, what raised the risk, and what a person can do', () => {
    const around = settings({
      forbiddenPaths: ['src/**'],
      custom: [{ id: 'x', when: { paths: ['a'] }, verdict: 'deny', reason: 'No' }],
    });
    const e = explainAssessment(
      assessAction(push({ files: [file('.npmrc'), file('src/a'), file('a')] }), around),
    );
    expect(e.objections[0]).toMatchObject({
      policy: 'forbidden-paths',
      verdict: 'deny',
      settings: ['forbiddenPaths'],
    });
    expect(e.objections.map((o) => o.policy)).toContain('trust-roots-changed');
    expect(e.raised).toContainEqual({
      id: 'trust-root',
      level: 'high',
      reason: { kind: 'trust_root_changed', at: ['.npmrc'], more: 0 },
    });
    const settings_ = [
      { kind: 'setting', name: 'forbiddenPaths' },
      { kind: 'own_policy', name: 'x' },
    ];
    expect(e.can).toEqual([{ kind: 'deny' }, { kind: 'change_settings', settings: settings_ }]);
    const text = enTexts.policyWords.explained(e).join('\n');
    expect(text).toContain('policies.forbiddenPaths, the entry x of policies.custom');
    expect(text).toContain(`denied, high risk, by policies ${POLICY_VERSION}+`);
    expect(text).toContain('✘ forbidden-paths: these paths may not be changed: src/a (guards: paths that');
  });

  it('P3: says it as well of an assessment that older or stranger policies made', () => {
    const reasons = [
      { policy: 'gone-since', verdict: 'escalate' as const, reason: own('old') },
      { policy: 'toString', verdict: 'deny' as const, reason: own('odd') },
    ];
    const factors = [{ id: 'odd', level: 'high' as const, reason: own('nobody knows') }];
    const e = explainAssessment({
      decision: 'deny',
      risk: 'low',
      reasons,
      factors,
      policyVersion: 'builtin-0',
    });
    expect(e.objections.map((o) => [o.policy, o.settings])).toEqual([
      ['toString', []],
      ['gone-since', []],
    ]);
    expect(enTexts.policyWords.explained(e)).toContain('  ✘ toString: odd');
    expect(e.raised).toEqual(factors);
    expect(e.policyVersion).toBe('builtin-0');
  });

  it('P3: loses no reason of any assessment', () => {
    for (const action of [push(), pull({ body: '@ana' }), comment('/merge'), command('rm -rf /')]) {
      const assessment = assessAction(action, context);
      const { objections, others, raised } = explainAssessment(assessment);
      expect(objections.length + others.length).toBe(assessment.reasons.length);
      expect(raised).toEqual(assessment.factors);
    }
  });
});

describe('modified proposals', () => {
  const original = (action: GovernedAction): OriginalAction => ({
    id: 'r7:4',
    action,
    assessment: assessAction(action, context),
  });
  const why = { by: 'human', reason: 'shorter' } as const;

  it('P4: are judged anew, and carry the original’s id and the reason', () => {
    const { decision, assessment } = assessModification(
      original(comment('Thanks @ana')),
      comment('Thanks'),
      context,
      why,
    );
    expect(decision).toEqual({ kind: 'modified', original: 'r7:4', ...why });
    expect(ProposalDecision.parse(decision)).toEqual(decision);
    expect(assessment).toEqual(assessAction(comment('Thanks'), context));
  });

  const elsewhere: NotModified = { kind: 'goes_elsewhere' };
  it.each<[NotModified | { kind: 'forbidden' }, GovernedAction, GovernedAction]>([
    [{ kind: 'raises_risk', from: 'low', to: 'medium' }, comment('Thanks'), comment('Thanks @ana')],
    [{ kind: 'raises_risk', from: 'low', to: 'high' }, push(), push({ files: [file('.npmrc')] })],
    [{ kind: 'forbidden' }, push({ files: [file('.npmrc')] }), push({ findings: [finding('secret')] })],
    [elsewhere, push(), pull()],
    [elsewhere, push(), push({ branch: 'another' })],
    [elsewhere, pull(), { ...pull(), baseRef: 'another' }],
    [elsewhere, comment('a'), { kind: 'comment', on: '13', body: 'a' }],
    [elsewhere, reply('a'), { kind: 'reply', on: '12', to: 'x', body: 'a' }],
  ])('P4: are rejected by policy: %o', (no, before, after) => {
    const { decision } = assessModification(original(before), after, context, why);
    expect(decision).toMatchObject({ kind: 'rejected', by: 'policy', why: no });
    expect(ProposalDecision.parse(decision)).toEqual(decision);
  });

  it('P4: never are riskier than the original, whatever is modified', () => {
    const anyPath = fc.constantFrom('src/a.ts', 'package.json', '.npmrc', 'tests/a.test.ts', 'dist/x.js');
    const anyWords = fc.constantFrom('x', '@ana', 'Fixes #1', 'a\u200bb', `sk-${'a1'.repeat(20)}`, '/merge');
    const any: fc.Arbitrary<GovernedAction> = fc.oneof(
      fc
        .record({
          paths: fc.array(anyPath, { minLength: 1, maxLength: 3 }),
          message: anyWords,
          passed: fc.boolean(),
        })
        .map(({ paths, ...more }) => push({ files: paths.map((p) => file(p)), ...more })),
      fc.record({ title: anyWords, body: anyWords }).map(pull),
      anyWords.map(comment),
      anyWords.map(reply),
    );
    fc.assert(
      fc.property(any, any, fc.constantFrom('human', 'policy'), (before, after, by) => {
        const first = original(before);
        const { decision, assessment } = assessModification(first, after, context, { by, reason: 'r' });
        expect(assessment).toEqual(assessAction(after, context));
        if (decision.kind !== 'modified') return;
        expect(LEVELS.indexOf(assessment.risk)).toBeLessThanOrEqual(LEVELS.indexOf(first.assessment.risk));
        expect(assessment.decision).not.toBe('deny');
        expect(after.kind).toBe(before.kind);
      }),
      { numRuns: 500 },
    );
  });
});
