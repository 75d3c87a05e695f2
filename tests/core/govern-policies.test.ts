import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PolicyDescription, enTexts } from '#language';
import {
  BUILT_IN,
  BUILT_IN_VERSIONS,
  isBuiltIn,
  BUILT_IN_POLICIES,
} from '../../governor/built-in-policies.ts';
import { assessAction, POLICY_VERSION, versionOfPolicies } from '../../governor/assess-action.ts';
import { VERDICT_RANK } from '../../governor/combine-assessments.ts';
import { askPolicies, opinionsOf } from '../../governor/ask-policies.ts';
import { denyWhere, createPathQuestion } from '../../governor/policy-questions.ts';
import type { PolicyRow } from '../../governor/policy-types.ts';
import { assessRisk } from '../../governor/assess-risk.ts';
import { needsOwnCard } from '../../orchestrator/clusters/compare-changes.ts';
import { Finding } from '#model/change';
import { PolicySettings } from '#model/settings';
import {
  check,
  comment,
  context,
  file,
  finding,
  gone,
  link,
  own,
  pull,
  push,
  reply,
  says,
  withRule,
  with_,
} from '../support/actions.ts';
import { campaignSample } from '../support/codemod.ts';
import { CARDS, ROWS, type Row } from '../support/policy-cases.ts';

type Verdict = Row[1];
/**
 * What the catalogue says a policy can do; whatever it is, there are cases in which it has no
 * objection.
 */
const possible = ({ denies, escalates }: PolicyDescription): Verdict[] => [
  'allow',
  ...(escalates === null ? [] : (['escalate'] as const)),
  ...(denies === null ? [] : (['deny'] as const)),
];

const aboutOf = (id: string): PolicyDescription =>
  isBuiltIn(id) ? enTexts.describePolicy(id) : expect.fail(id);

describe('built-in policies', () => {
  it.each(ROWS.filter(([, verdict]) => verdict !== 'allow'))(
    'P3: %s says %s',
    (policy, verdict, action, around) => {
      expect(says(policy, action, around)).toBe(verdict);
      const whole = assessAction(action, around ?? context).decision;
      expect(VERDICT_RANK[whole]).toBeGreaterThanOrEqual(VERDICT_RANK[verdict]);
    },
  );

  it.each(ROWS.filter(([, verdict]) => verdict === 'allow'))(
    'P3: %s has no objection: %s',
    (policy, _, action, around) => {
      const verdict = says(policy, action, around);
      if (aboutOf(policy).allows) expect(verdict).toBe('allow');
      else expect(verdict ?? 'note').toBe('note');
    },
  );

  it('P3: no policy is without its cases: one for each verdict that it can give', () => {
    expect(Object.keys(BUILT_IN_POLICIES)).toEqual(BUILT_IN.map((p) => p.id));
    expect(BUILT_IN.filter(({ asks }) => asks.length === 0).map(({ id }) => id)).toEqual(['explicit-allow']);
    for (const { id, asks } of BUILT_IN) {
      if (asks.length === 0) continue;
      const tested = new Set(ROWS.filter(([policy]) => policy === id).map(([, verdict]) => verdict));
      expect([id, [...tested].sort()]).toEqual([id, possible(aboutOf(id)).sort()]);
    }
  });

  it.each(Object.entries(CARDS))('G6: what %s says is read on the %s card of a change', (policy, card) => {
    const said = { policy, verdict: 'escalate', reason: own('look') } as const;
    const sample = campaignSample({ text: '', assessment: { reasons: [said] } });
    expect(needsOwnCard(sample)).toBe(card === 'own');
  });

  it('P3: no policy objects to a small change to plain files with green checks', () => {
    for (const action of [push(), push({ iteration: true }), pull()])
      for (const policy of BUILT_IN) {
        const said = opinionsOf(policy, action, context, assessRisk(action, context)).map((j) => j.verdict);
        expect([policy.id, said.filter((v) => v === 'deny' || v === 'escalate')]).toEqual([policy.id, []]);
      }
  });

  it('P3: nothing but plain files at low risk goes as a small change; weak containment says nothing of the change', () => {
    for (const [, , action, around = context] of ROWS) {
      const { factors } = assessRisk(action, around);
      const flags = factors.filter((f) => f.level !== 'low' && f.id !== 'weak-containment');
      if (flags.length > 0) expect([flags, says('small-change', action, around)]).not.toContain('allow');
    }
    expect(says('small-change', push(), { ...context, containment: 'group' })).toBe('allow');
  });

  it.each([
    ['a mode', file('run.sh', { newMode: '100755' })],
    ['a link', link('a', '100644', '120000')],
    ['another type', file('a', { status: 'type_changed' })],
    ['a binary file', file('a.bin', { binary: true })],
    ['a file that goes away', gone('src/old.ts')],
    ['what runs on install', file('setup.py')],
    ['a manifest', file('package.json')],
    ['attributes', file('.gitattributes')],
    ['what is generated', file('dist/a.js')],
    ['many lines', file('src/a.ts', { added: 5_000 })],
  ])('P3: %s is no small change', (_, changed) => {
    const action = push({ files: [changed] });
    expect(assessRisk(action, context).level).not.toBe('low');
    expect(says('small-change', action)).toBeNull();
  });

  it('E13: a change that passes only with its own judge is of high risk, and says which check needs it', () => {
    const needed = push({
      checkConfig: { files: ['ci.sh'], baseResults: [{ ...check('failed'), name: 'lint' }] },
    });
    const { risk: level, reasons } = assessAction(needed, context);
    expect(level).toBe('high');
    expect(reasons.find((r) => r.policy === 'check-config-changed')).toMatchObject({
      verdict: 'escalate',
      reason: { kind: 'check_config_needed', names: ['lint'], at: ['ci.sh'] },
    });
    expect(
      assessAction(push({ checkConfig: { files: ['ci.sh'], baseResults: [check('passed')] } }), context).risk,
    ).toBe('medium');
  });

  it('P3: nor is one of which anything was found, or whose checks prove nothing', () => {
    for (const kind of Finding.shape.kind.options.filter(
      (one) => !['skipped_ignored', 'agent_git'].includes(one),
    ))
      expect([kind, says('small-change', push({ findings: [finding(kind)] }))]).toEqual([kind, null]);
    for (const action of [
      push({ checks: [] }),
      push({ checkConfig: { files: ['ci.sh'], baseResults: null } }),
    ])
      expect(says('small-change', action)).toBeNull();
  });

  it('P3: no policy gives a verdict that its entry in the catalogue does not tell of', () => {
    for (const [, , action, around = context] of ROWS)
      for (const policy of BUILT_IN)
        for (const { verdict } of opinionsOf(policy, action, around, assessRisk(action, around))) {
          const about = aboutOf(policy.id);
          const told = { allow: about.allows, escalate: about.escalates, deny: about.denies, note: '' }[
            verdict
          ];
          expect([policy.id, verdict, told]).not.toEqual([policy.id, verdict, null]);
        }
  });

  it('P1: a policy is its row: what it asks is said of an action under its id, without another file', () => {
    const row = {
      asks: [denyWhere(createPathQuestion('key_files', (path) => path === 'README'))],
      version: 1,
      settings: [],
      card: 'own',
    } as const satisfies PolicyRow;
    const policies = [...BUILT_IN, { id: 'no-readme', asks: row.asks }];
    expect(askPolicies(policies, push(), context).decision).toBe('allow');
    const { decision, reasons } = askPolicies(policies, push({ files: [file('README')] }), context);
    expect({ decision, first: reasons[0] }).toMatchObject({
      decision: 'deny',
      first: { policy: 'no-readme', verdict: 'deny' },
    });
  });

  it('P3: the documentation names every policy and every setting', () => {
    const text = readFileSync(new URL('../../docs/policies.md', import.meta.url), 'utf8');
    for (const name of [...Object.keys(BUILT_IN_POLICIES), ...Object.keys(PolicySettings.shape)])
      expect(text).toContain(`\`${name}\``);
  });

  it('P1: another list of policies, or another version of one, has another version', () => {
    const [first = '', ...others] = BUILT_IN_VERSIONS;
    expect(versionOfPolicies([first, ...others])).toBe(POLICY_VERSION);
    expect(first).toBe('no-secrets@1');
    const versions = [others, [...others, first], [first.replace('@1', '@2'), ...others]].map(
      versionOfPolicies,
    );
    expect(new Set([POLICY_VERSION, ...versions]).size).toBe(4);
  });

  it('G6: a comment or reply always waits for a person, and is never better than that', () => {
    for (const say of [comment, reply])
      for (const around of [context, withRule('ai_disclosure'), with_({ maxCommentLength: 65_536 })])
        expect(assessAction(say('Done by a coding agent.'), around)).toMatchObject({
          decision: 'escalate',
          risk: 'low',
        });
  });

  it('P3: DCO, CLA and disclosure are noted on a push, which reaches nobody yet', () => {
    for (const kind of ['dco', 'cla', 'ai_disclosure'] as const) {
      expect(says('contribution-rules', push(), withRule(kind))).toBe('note');
      expect(assessAction(push(), withRule(kind)).decision).toBe('allow');
    }
    expect(assessAction(pull(), withRule('ai_disclosure')).decision).toBe('allow');
  });
});
