/** Push and opening on one card: one signature, for exactly what it showed, used for each once. */
import { describe, expect, it } from 'vitest';
import type { ApprovalChange, Effect } from '#effects';
import { enTexts } from '#language';
import { currentActivity } from '#views';
import { combineAssessments } from '../../governor/combine-assessments.ts';
import {
  approvePush,
  assessment,
  at,
  ben,
  bounds,
  cancel,
  confirm,
  deny,
  askChanges,
  failed,
  given,
  implemented,
  modify,
  ofEpoch,
  opened,
  pause,
  proposal,
  pushed,
  resume,
  rewordedTo,
  sha,
  turn,
  validated,
  ways,
  why,
  works,
  type Story,
} from '../support/core.ts';

const risky = { decision: 'escalate', risk: 'high', both: {} } as const;
const asked = at('LOCAL_VALIDATING').when(validated(risky));
const card = asked.run.gate.approval;
const bare = pushed(undefined, true);
const done = (story: Story, kind: Effect['do']['kind']): Effect['do'][] =>
  story.effects.flatMap((e) => (e.do.kind === kind ? [e.do] : []));
const ops = (story: Story): ApprovalChange['op'][] => story.approvals.map((a) => a.op);

describe('push and opening on one card', () => {
  it('C2: one signature pushes, and the opening follows it without another', () => {
    expect(asked.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'open_pr' } },
    });
    const signed = asked.when(confirm());
    expect(done(signed, 'push')).toEqual([
      { kind: 'push', commitSha: sha('a'), expectedHead: null, approvalId: card?.id },
    ]);
    expect(done(signed, 'open_pr')).toEqual([]);
    expect(ops(signed)).toEqual(['sign', 'consume']);
    const there = signed.when(bare);
    expect(there.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: null, consumedApproval: { id: card?.id } },
    });
    expect(done(there, 'open_pr')).toEqual([{ kind: 'open_pr', approvalId: card?.id, digest: card?.digest }]);
    const index = there.effects.findIndex((e) => e.do.kind === 'open_pr');
    expect(there.approvals).toEqual([
      { op: 'pass_on', id: card?.id, digest: card?.digest, effectIndex: index },
    ]);
    expect(there.when(opened()).run).toMatchObject({
      lifecycle: { state: 'CI_WAIT' },
      upstream: { pullRequest: { id: '#7' } },
    });
  });

  it('F12: a signed push that a merge queue holds up is said to wait, not to be under way', () => {
    const signed = asked.when(confirm());
    expect(currentActivity(signed.run, enTexts)).toBe('is pushing');
    const held = signed.when(turn({ action: 'push', why: 'merge_queue', position: 1 }));
    expect(currentActivity(held.run, enTexts)).toBe('is waiting for its turn to write on the code host');
  });

  it('G3: it takes as many people as each of them would', () => {
    const two = given({ bounds: bounds({ approvals: 2 }) }, ...ways.LOCAL_VALIDATING, validated(risky));
    const half = two.when(confirm());
    expect(works(half)).toEqual([]);
    expect(works(half.when(confirm({ by: ben })))).toEqual(['push']);
  });

  it('G1: a push of anything else than was signed is no reason to open', () => {
    const signed = asked.when(confirm());
    for (const other of [pushed('b', true), pushed()]) {
      const head = other(signed.run).input;
      const moved =
        head.type === 'worker.push.completed' && head.sha === sha('a')
          ? () => ({ input: { ...head, branch: 'feature/other' } })
          : other;
      const story = signed.when(moved);
      expect(works(story).filter((k) => k === 'open_pr')).toEqual([]);
      expect(ops(story)).not.toContain('pass_on');
    }
  });

  it('G6: what is said of either counts: the harder word, the higher risk, every reason once', () => {
    const small = { policy: 'small-change', verdict: 'allow', reason: { kind: 'high_risk' } } as const;
    const strict = { policy: 'custom:x', verdict: 'deny', reason: { kind: 'watched' } } as const;
    const open = assessment({ decision: 'allow', risk: 'low', reasons: [small] });
    const push = assessment({
      decision: 'deny',
      risk: 'high',
      reasons: [strict, { ...small, verdict: 'escalate' }],
    });
    for (const one of [combineAssessments(open, push), combineAssessments(push, open)])
      expect(one).toMatchObject({
        decision: 'deny',
        risk: 'high',
        reasons: [strict, { ...small, verdict: 'escalate' }],
      });
  });

  it('G6: the signature of a push card opens nothing', () => {
    const push = at('LOCAL_VALIDATING').when(
      validated({ decision: 'escalate', risk: 'high' }),
      approvePush(),
    );
    const story = push.when(pushed());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: { kind: 'open_pr' } },
    });
    expect(done(story, 'open_pr')).toEqual([]);
  });

  it('G1: after a pause the same card is asked about once more', () => {
    const signed = asked.when(confirm());
    const resumed = signed.when(pause, ofEpoch(signed.run.lifecycle.epoch, bare), resume());
    expect(resumed.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: { kind: 'open_pr', digest: card?.digest } },
    });
    expect(resumed.run.gate.approval?.id).not.toBe(card?.id);
    expect(done(resumed, 'open_pr')).toEqual([]);
    expect(works(resumed.when(confirm()))).toEqual(['open_pr']);
  });

  it('G1: nothing is opened for a run that was cancelled while it was pushed', () => {
    const signed = asked.when(confirm());
    const story = signed.when(cancel, ofEpoch(signed.run.lifecycle.epoch, bare));
    expect(story.run.lifecycle.state).toBe('FAILED_TERMINAL');
    expect(story.all.some((e) => e.do.kind === 'open_pr')).toBe(false);
  });

  it('G2: what moved before the push gets a new card of both', () => {
    const moved = proposal('open_pr', sha('a'), { pushes: true, title: 'New title' });
    const story = asked.when(confirm(), failed('seal_moved', { step: 'push', proposal: moved }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'open_pr', digest: moved.digest } },
    });
    expect(works(story.when(confirm()))).toEqual(['push']);
  });

  it('G2: what moved between the two gets a new card of the opening alone', () => {
    const moved = proposal('open_pr', sha('a'), { pushes: true, title: 'New title' });
    const story = asked.when(confirm(), bare, failed('seal_moved', { step: 'open_pr', proposal: moved }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: { digest: moved.digest } },
    });
    expect(works(story.when(confirm()))).toEqual(['open_pr']);
  });

  it('G4: the signature of a push alone is none for it', () => {
    expect(why(asked.when(approvePush()))).not.toBe('');
    expect(asked.when(approvePush()).run.gate.approval?.id).toBe(card?.id);
  });

  it('G6: words for an opening that do not say that they push ask nobody to push', () => {
    const story = at('LOCAL_VALIDATING').when((run) => {
      const { input } = validated(risky)(run);
      if (input.type !== 'worker.validation.completed') throw new Error('another input');
      return { input: { ...input, proposal: proposal('open_pr', sha('a')) } };
    });
    expect(story.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
  });

  it('G2: nobody is asked to push what conflicts, or what may not be opened', () => {
    const conflicts = at('LOCAL_VALIDATING').when(validated({ ...risky, both: { conflicts: true } }));
    expect(conflicts.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'merge_conflicts' } },
    });
    const assessment = { ...proposal('open_pr', sha('a')).fields.assessment, decision: 'deny' as const };
    const denied = at('LOCAL_VALIDATING').when(validated({ ...risky, both: { assessment } }));
    expect(denied.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      gate: { approval: null, deniedAction: { action: 'open_pr' } },
    });
  });

  it('P4: other words give a new card of both, and a reason goes to the agent as from any card before the push', () => {
    const reworded = asked.when(modify(), rewordedTo('Other words'));
    expect(reworded.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'open_pr' } },
    });
    expect(asked.when(deny('Too big.')).run.lifecycle.state).toBe('IMPLEMENTING');
    expect(asked.when(deny('')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(asked.when(askChanges('Smaller.')).run.lifecycle.state).toBe('IMPLEMENTING');
    expect(why(at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), modify()))).not.toBe('');
  });

  it('G6: where everything waits for a signature, the smallest change is pushed by the tap that opens it', () => {
    const after = { push: 'after_approval', autoIterate: true } as const;
    const small = { both: {} } as const;
    const waits = at('LOCAL_VALIDATING', after).when(validated(small));
    expect(waits.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'open_pr' } },
    });
    expect(done(waits, 'push')).toEqual([]);
    const signed = waits.when(confirm());
    expect(done(signed, 'push')).toMatchObject([{ approvalId: waits.run.gate.approval?.id }]);
    expect(done(signed.when(bare), 'open_pr')).toHaveLength(1);
    const fix = at('ITERATING', after).when(implemented('b'), validated());
    expect(done(fix, 'push')).toEqual([]);
    expect(fix.run.gate.approval).toMatchObject({ kind: 'push' });
    expect(done(at('LOCAL_VALIDATING').when(validated()), 'push')).toMatchObject([{ approvalId: null }]);
  });
});
