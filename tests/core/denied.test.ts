/**
 * What a policy denies: it stops the run with all its reasons, nobody can sign it, and the agent is
 * told when it is retried.
 */
import { describe, expect, it } from 'vitest';
import type { AssessmentReason } from '#model/assessment';
import { lastAssessedPublication } from '#run';
import {
  assessment,
  at,
  confirm,
  failed,
  implemented,
  opened,
  proposal,
  pushed,
  retry,
  sha,
  validated,
  why,
  works,
  type Act,
} from '../support/core.ts';
import { reasonOf, toldIn } from '../support/english.ts';

const CALLS: AssessmentReason = {
  kind: 'public_text_signal',
  where: 'title',
  signal: 'mention',
  excerpt: '@ana',
  never: false,
};
const no = assessment({
  decision: 'deny',
  risk: 'high',
  reasons: [
    { policy: 'no-secrets', verdict: 'deny', reason: { kind: 'secret', at: ['a.ts:3'], more: 0 } },
    { policy: 'public-text', verdict: 'escalate', reason: CALLS },
  ],
});
const SAYS = 'no-secrets: what looks like a secret is in a.ts:3';
const pushedThenDenied: Act = (run) => {
  const act = pushed()(run);
  if (act.input.type !== 'worker.push.completed') throw new Error('no push');
  const { sha: head } = act.input;
  return { ...act, input: { ...act.input, proposal: proposal('open_pr', head, { assessment: no }) } };
};

describe('an opening that a policy denies', () => {
  const stories = {
    'right after the push': at('LOCAL_VALIDATING').when(validated(), pushedThenDenied),
    'when the approval is used': at('PUSHED').when(
      confirm(),
      failed('policy_denied', { step: 'open_pr', assessment: no }),
    ),
  };
  for (const [when, story] of Object.entries(stories)) {
    it(`P3: keeps what the governor said, ${when}`, () => {
      expect(story.run).toMatchObject({
        lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
        gate: { approval: null },
      });
      expect(lastAssessedPublication(story.run)).toEqual({ action: 'open_pr', assessment: no });
      // The branch is on the code host, whatever is said of a pull request.
      expect(story.run.change.pushedHead?.sha).toBe(sha('a'));
    });

    it(`P4: tells the agent why, ${when}, and never asks anybody to sign it`, () => {
      expect(why(story.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
      const again = story.when(retry());
      expect(again.run).toMatchObject({
        lifecycle: { state: 'IMPLEMENTING' },
        agent: { round: { kind: 'rejection_fix' } },
      });
      expect(toldIn(again.run)).toContain(SAYS);
      expect(toldIn(again.run)).not.toContain('calls somebody');
      const better = again.when(implemented('b'), validated(), pushed());
      expect(better.run).toMatchObject({ lifecycle: { state: 'PUSHED' }, gate: { deniedAction: null } });
      expect(lastAssessedPublication(better.run)?.assessment.decision).toBe('allow');
      expect(better.when(confirm(), opened()).run.lifecycle.state).toBe('CI_WAIT');
    });
  }

  it('P3: says so in words at the push', () => {
    expect(reasonOf(stories['right after the push'].run)).toContain(SAYS);
    expect(works(stories['right after the push'])).toEqual([]);
  });
});

it('P3: a signed push that a policy denies by then keeps what it said', () => {
  const story = at('LOCAL_VALIDATING').when(failed('policy_denied', { step: 'push', assessment: no }));
  expect(lastAssessedPublication(story.run)).toEqual({ action: 'push', assessment: no });
});

it('P3: a failure that no policy has caused says nothing of policies', () => {
  const story = at('LOCAL_VALIDATING').when(validated(), failed('push_rejected', { step: 'push' }));
  expect(story.run.gate.deniedAction).toBeNull();
  expect(story.run.agent.round.kind).toBe('implement');
});
