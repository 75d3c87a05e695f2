/** Approvals by rule: who has to approve, how many, and how long nothing is published after them. */
import { describe, expect, it } from 'vitest';
import { assessAction } from '#governor';
import { coolDownOf, demandsOf, isSignatureHelpful, signatureProgress } from '#model/assessment';
import { PolicySettings } from '#model/settings';
import { enTexts } from '#language';
import { context, file, push } from '../support/actions.ts';
import {
  ana,
  approvePush,
  assessment,
  at,
  ben,
  confirm,
  proposal,
  pushed,
  sha,
  validated,
  why,
  works,
  type Act,
} from '../support/core.ts';
import type { SignatureDemand } from '../../model/assessment/signature-demands.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';

const cat = { id: '3', name: 'Cat' };
const dba = { name: '@dba', ids: [ben.id] };
const lead = { name: '@lead', ids: [cat.id, '4'] };
const asking = (...asks: Record<string, unknown>[]) =>
  assessment({
    decision: 'escalate',
    reasons: asks.map((one, no) => ({
      policy: `custom:rule-${no}`,
      verdict: 'escalate' as const,
      reason: { kind: 'custom_policy' as const, says: 'Read it', at: [], more: 0, asks: one },
    })),
  });

describe('whose approvals are needed', () => {
  const needs = (demands: readonly SignatureDemand[], ...ids: string[]) =>
    signatureProgress(
      demands,
      ids.map((id) => ({ id })),
    );

  it('G10: the strongest of all policies that match holds', () => {
    const demands = demandsOf(asking({ approvals: 2 }, { approvals: 3 }, {}), 1);
    expect(needs(demands)).toEqual({ have: 0, needed: 3, next: [] });
    expect(needs(demandsOf(asking(), 2))).toEqual({ have: 0, needed: 2, next: [] });
  });

  it('G10: one approval counts for every policy that it meets', () => {
    const demands = demandsOf(asking({ approvers: [dba, lead] }, { approvals: 2 }), 1);
    expect(needs(demands, ana.id)).toEqual({ have: 1, needed: 2, next: ['@dba', '@lead'] });
    expect(needs(demands, ben.id)).toEqual({ have: 1, needed: 2, next: [] });
    expect(needs(demands, ben.id, ana.id)).toEqual({ have: 2, needed: 2, next: [] });
  });

  it('G10: groups without a common person add up', () => {
    const demands = demandsOf(asking({ approvers: [dba] }, { approvers: [lead] }), 1);
    expect(needs(demands)).toMatchObject({ needed: 2, next: ['@dba', '@lead'] });
    expect(needs(demands, ben.id)).toEqual({ have: 1, needed: 2, next: ['@lead'] });
    expect(isSignatureHelpful(demands, [{ id: ben.id }], { id: '4' })).toBe(true);
    expect(isSignatureHelpful(demands, [{ id: ben.id }], { id: ana.id })).toBe(false);
  });

  it('G10: a role is what somebody has, not what they are called', () => {
    const demands = demandsOf(asking({ approvers: [{ name: 'admin', role: 'admin' }] }), 1);
    expect(signatureProgress(demands, [{ id: 'admin', role: 'approver' }]).next).toEqual(['admin']);
    expect(signatureProgress(demands, [{ id: '9', role: 'admin' }])).toMatchObject({ needed: 1, next: [] });
  });

  it('G10: the longest cool-down holds', () => {
    expect(coolDownOf(asking({ afterMs: 5 }, { afterMs: 9 }))).toBe(9);
    expect(coolDownOf(asking({}))).toBe(0);
  });
});

describe('policies of the operator that name approvers', () => {
  const rule = {
    id: 'sql',
    when: { paths: ['*.sql'] },
    verdict: 'escalate',
    reason: 'Database people read it',
  };
  const parse = (more: object, groups: object = { dba: [2, 'U012AB3CD'] }) =>
    PolicySettings.safeParse({ groups, custom: [{ ...rule, ...more }] });
  const sqlPush = push({ files: [file('db/a.sql')] });
  const asksIn = (more: object) => {
    const settings = PolicySettings.parse({
      groups: { dba: [2, 'U012AB3CD'] },
      custom: [{ ...rule, ...more }],
    });
    const { reasons } = assessAction(sqlPush, { ...context, settings });
    return reasons.flatMap(({ reason }) => (reason.kind === 'custom_policy' ? [reason.asks] : []));
  };

  it('G10: what a policy asks is judged with the people of its groups', () => {
    expect(asksIn({ approvals: 2, approvers: ['@dba', 'admin', 7], after: '2h' })).toEqual([
      {
        approvals: 2,
        approvers: [
          { name: '@dba', ids: ['2', 'U012AB3CD'] },
          { name: 'admin', role: 'admin' },
          { name: '7', ids: ['7'] },
        ],
        afterMs: 7_200_000,
      },
    ]);
    expect(asksIn({})).toEqual([undefined]);
  });

  it('G10: a group that nobody defines, a denial that asks, and too few people are refused', () => {
    const why = (result: ReturnType<typeof parse>): string =>
      result.success ? 'fine' : (result.error.issues[0]?.message ?? '');
    expect(why(parse({ approvers: ['@dba'] }))).toBe('fine');
    expect(why(parse({ approvers: ['@lead'] }))).toContain('there is no group @lead');
    expect(why(parse({ approvals: 2, verdict: 'deny' }))).toContain('need the verdict escalate');
    expect(why(parse({ approvals: 2, approvers: [7] }))).toContain('approvers names one person');
    expect(why(parse({ approvals: 2, approvers: [7, '7'] }))).toContain('approvers names one person');
    expect(why(parse({ approvals: 3, approvers: ['@dba', 2] }))).toContain('approvers names 2 people');
    expect(why(parse({ approvals: 3, approvers: ['@dba', 'admin'] }))).toBe('fine');
    expect(why(parse({ approvers: ['dba'] }))).toContain('a group such as @dba, or admin');
    expect(why(parse({}, { dba: ['Ana'] }))).toContain('"Ana" names nobody who could approve');
    expect(why(parse({ approvers: ['@dbas'] }))).toBe('there is no group @dbas. Did you mean @dba?');
    expect(why(parse({ approvers: ['@oracles'] }))).toBe('there is no group @oracles. There are: @dba');
    for (const after of ['2', 'soon', '0h', '91d']) expect(parse({ after }).success, after).toBe(false);
  });

  it('G10: a card says which policy asks for what', () => {
    const settings = PolicySettings.parse({
      groups: { dba: [2, 3] },
      custom: [{ ...rule, approvals: 2, approvers: ['@dba'], after: '90m' }],
    });
    const { reasons } = assessAction(sqlPush, { ...context, settings });
    const [reason] = reasons.flatMap((one) => (one.policy === 'custom:sql' ? [one.reason] : []));
    if (!reason) throw new Error('the policy said nothing');
    expect(enTexts.judgement(reason)).toBe(
      'Database people read it: db/a.sql (2 approvals of @dba · published 90 minutes after the last approval)',
    );
  });
});

describe('a card of a policy that names approvers', () => {
  const withProposal =
    (act: Act, judged: ReturnType<typeof asking>, action: 'push' | 'open_pr'): Act =>
    (run) => {
      const made = act(run);
      const more = { proposal: proposal(action, sha('a'), { assessment: judged }) };
      return { ...made, input: { ...made.input, ...more } as typeof made.input };
    };
  const card = (judged: ReturnType<typeof asking>) =>
    at('LOCAL_VALIDATING').when(validated(), withProposal(pushed(), judged, 'open_pr'));
  const signersOf = (run: Run) => run.gate.consumedApproval?.signedBy?.map(({ name }) => name);

  it('G10: nothing is opened before two people approved, one of them of the group', () => {
    const asked = card(asking({ approvals: 2 }, { approvers: [dba] }));
    expect(asked.run.gate.approval?.needed).toBe(2);
    const once = asked.when(confirm({ by: ana }));
    expect(works(once)).toEqual([]);
    expect(why(once.when(confirm({ by: cat })))).toBe(
      'A policy names who approves this: it still needs one of @dba.',
    );
    const twice = once.when(confirm({ by: ben }));
    expect(works(twice)).toEqual(['open_pr']);
    expect(signersOf(twice.run)).toEqual(['Ana', 'Ben']);
  });

  it('G10: whoever cannot help the policy is refused, and nothing is recorded', () => {
    const asked = card(asking({ approvers: [dba] }));
    expect(asked.run.gate.approval?.needed).toBe(1);
    expect(why(asked.when(confirm({ by: ana })))).toContain('one of @dba');
    expect(works(asked.when(confirm({ by: ben })))).toEqual(['open_pr']);
  });

  it('G10: a signature that meets one policy does not stand for the other, which another person could', () => {
    const both = { name: '@both', ids: [ana.id, ben.id] };
    const asked = card(asking({ approvers: [both] }, { approvers: [{ name: '@ana', ids: [ana.id] }] }));
    expect(asked.run.gate.approval?.needed).toBe(1);
    expect(works(asked.when(confirm({ by: ana })))).toEqual(['open_pr']);
    const once = asked.when(confirm({ by: ben }));
    expect(works(once)).toEqual([]);
    expect(works(once.when(confirm({ by: ana })))).toEqual(['open_pr']);
  });

  it('G3: a card that asked for two people is not used up by one, whatever is asked of a new one', () => {
    const { run, now } = card(asking());
    const asked = patchRun(run, {
      gate: { approval: run.gate.approval && { ...run.gate.approval, needed: 2 } },
    });
    const stamp = { at: now, nonce: 'n', effectEpoch: null };
    expect(decideStep(asked, confirm({ by: ana })(asked).input, stamp)).toMatchObject({
      kind: 'moved',
      run: { gate: { approval: { signatures: [{ name: 'Ana' }] }, consumedApproval: null } },
    });
  });

  it('G10: a signature for a push is counted in the same way', () => {
    const judged = validated({ decision: 'escalate' });
    const asked = at('LOCAL_VALIDATING').when(withProposal(judged, asking({ approvals: 2 }), 'push'));
    expect(asked.run.gate.approval).toMatchObject({ kind: 'push', needed: 2 });
    const once = asked.when(approvePush({ by: ana }));
    expect(works(once)).toEqual([]);
    expect(works(once.when(approvePush({ by: ben })))).toEqual(['push']);
  });
});
