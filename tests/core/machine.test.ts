/** The rows of the machine's table, as sentences: given a story, when something is said, then this follows. */
import { describe, expect, it } from 'vitest';
import { FAILURE_CLASSES, consequence } from '../../orchestrator/core/failures.ts';
import { step } from '../../orchestrator/core/machine.ts';
import { ACTIVE, STATES, isTerminal } from '../../orchestrator/core/states.ts';
import {
  BRANCH,
  ana,
  approvePush,
  at,
  ben,
  bounds,
  cancel,
  cards,
  check,
  ci,
  comment,
  confirm,
  countOf,
  deny,
  discovered,
  expired,
  failed,
  given,
  headIs,
  implemented,
  iterate,
  later,
  markDone,
  notes,
  ofEpoch,
  opened,
  pause,
  proposal,
  pull,
  pushed,
  red,
  rerun,
  resume,
  retry,
  review,
  rings,
  running,
  sendToChecks,
  sha,
  skip,
  startDiscovery,
  startWork,
  timer,
  validated,
  wakes,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';

const HOUR = 3_600_000;
const settleTime = later(30_000, timer('timer.settle'));
/** One fix, from ITERATING to CI_WAIT, as an allowed and automatic push. */
const fix = (letter: string): Act[] => [implemented(letter), validated(), pushed()];
const auto = { autoIterate: true };

describe('creating and starting', () => {
  it('S2: a new run is QUEUED and asks for a slot', () => {
    const story = given();
    expect(story.run).toMatchObject({ state: 'QUEUED', version: 1, epoch: 1 });
    expect(works(story)).toEqual(['start']);
  });

  it('S2: a run that exists is not created again', () => {
    const again: Act = () => ({
      input: { type: 'command.run.create', runId: 'r1', order: given().run.order },
    });
    expect(why(at('CI_WAIT').when(again))).toContain('exists already');
  });

  it('S2: discovery starts when there is a slot, and its contract makes the plan ready', () => {
    const story = given({}, startDiscovery);
    expect(works(story)).toEqual(['discover']);
    const ready = story.when(discovered());
    expect(ready.run).toMatchObject({ state: 'PLAN_READY', contract: { packageManager: 'npm' } });
    expect(wakes(ready.effects)).toContain('command.start.implementation');
  });

  it('S2: a rule against such changes, or an archived repository, skips the run and quotes the reason', () => {
    const banned = at('DISCOVERY').when(discovered({ banned: true }));
    expect(banned.run.state).toBe('SKIPPED');
    expect(banned.run.reason).toContain('“No AI, please.” (CONTRIBUTING.md:3)');
    const archived = at('DISCOVERY').when(discovered({ archived: true }));
    expect(archived.run).toMatchObject({ state: 'SKIPPED', reason: 'The repository is archived.' });
  });

  it('S2: the plan goes on by itself, and the agent is asked to work', () => {
    const story = at('PLAN_READY').when(startWork());
    expect(story.run.state).toBe('IMPLEMENTING');
    expect(works(story)).toEqual(['implement']);
  });
});

describe('a plan that a person must see first', () => {
  const waiting = at('DISCOVERY').when(discovered({ escalate: 'CI files would change.' }));

  it('S2, G6: rings once, waits without a time limit, and is asked about again', () => {
    expect(waiting.run).toMatchObject({ state: 'PLAN_READY', reason: 'CI files would change.' });
    expect(rings(waiting.effects)).toBe(1);
    expect(wakes(waiting.effects)).toEqual(['timer.reminder']);
    expect(rings(waiting.when(timer('timer.reminder')).effects)).toBe(1);
  });

  it('G6: no rule starts it, only a person', () => {
    expect(why(waiting.when(startWork()))).toContain('A person must look at the plan');
    expect(waiting.when(startWork(ana)).run.state).toBe('IMPLEMENTING');
  });

  it('G6: pausing and resuming does not answer the question', () => {
    const resumed = waiting.when(pause, resume());
    expect(resumed.run.state).toBe('PLAN_READY');
    expect(wakes(resumed.effects)).not.toContain('command.start.implementation');
    expect(rings(resumed.effects)).toBe(1);
    expect(why(waiting.when(pause, resume('IMPLEMENTING')))).toContain('look at the plan');
  });

  it('G6: once answered, it is not asked again', () => {
    const back = waiting.when(startWork(ana), implemented(null), retry('PLAN_READY'));
    expect(wakes(back.effects)).toContain('command.start.implementation');
  });
});

describe('implementing and checking', () => {
  it('S2: a commit is checked; no change is a question for a person', () => {
    const checked = at('IMPLEMENTING').when(implemented('a'));
    expect(checked.run.state).toBe('LOCAL_VALIDATING');
    expect(checked.effects).toContainEqual(
      expect.objectContaining({ do: { kind: 'check', commitSha: sha('a') } }),
    );
    const nothing = at('IMPLEMENTING').when(implemented(null));
    expect(nothing.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(nothing.effects)).toBe(1);
  });

  it('S2: a person may send an existing commit to the checks', () => {
    expect(why(at('IMPLEMENTING').when(sendToChecks))).toContain('no commit to validate');
    const again = at('LOCAL_VALIDATING').when(validated({ passed: false }));
    expect(again.run.state).toBe('IMPLEMENTING');
    expect(again.when(sendToChecks).run.state).toBe('LOCAL_VALIDATING');
  });

  it('S2: green and allowed pushes, without a card', () => {
    const story = at('LOCAL_VALIDATING').when(validated());
    expect(works(story)).toEqual(['push']);
    expect(story.run).toMatchObject({ state: 'LOCAL_VALIDATING', approval: null });
  });

  it('S2: red goes back to the agent with the failure, and after the bound to a person, once', () => {
    let story = at('LOCAL_VALIDATING', { maxReflections: 2 });
    for (const letter of ['b', 'c']) {
      story = story.when(validated({ passed: false }));
      expect(story.run).toMatchObject({ state: 'IMPLEMENTING', feedback: 'test: expected bonjour' });
      expect(story.effects).toContainEqual(
        expect.objectContaining({ do: { kind: 'implement', feedback: 'test: expected bonjour' } }),
      );
      story = story.when(implemented(letter));
    }
    story = story.when(validated({ passed: false }));
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(countOf(story.all, 'implement')).toBe(3);
    expect(rings(story.all)).toBe(1);
  });

  it('E6: red with no time left asks a person', () => {
    const story = at('LOCAL_VALIDATING', { runMs: 2_000 }).when(validated({ passed: false }));
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('P4: denied by a policy asks a person, and the reason becomes input of the next round', () => {
    const reasons = [{ policy: 'no-secrets', verdict: 'deny' as const, reason: 'a key in a.ts' }];
    const story = at('LOCAL_VALIDATING').when(validated({ decision: 'deny', reasons }));
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(story.run.reason).toContain('no-secrets: a key in a.ts');
    const again = story.when(retry());
    expect(again.run.state).toBe('IMPLEMENTING');
    expect(again.run.feedback).toContain('a key in a.ts');
  });

  it('S2: escalated stays, and a push card waits', () => {
    const story = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(story.run).toMatchObject({ state: 'LOCAL_VALIDATING', approval: { kind: 'push' } });
    expect(works(story)).toEqual([]);
    expect(cards(story.effects)).toEqual([story.run.approval?.id]);
  });

  it('G6: high risk is signed by a person even when every policy allows it', () => {
    const story = at('LOCAL_VALIDATING').when(validated({ risk: 'high' }));
    expect(story.run.approval?.kind).toBe('push');
    expect(works(story)).toEqual([]);
  });

  it('S5: a validation of another commit decides nothing', () => {
    expect(at('LOCAL_VALIDATING').when(validated({ letter: 'e' })).step.kind).toBe('ignored');
  });

  it('S3: what would be published being unknown is a question for a person, not a crash', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate', bare: true }));
    expect(push.run.state).toBe('NEEDS_HUMAN_REVIEW');
    const pr = at('LOCAL_VALIDATING').when(validated(), pushed('a', true));
    expect(pr.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', pushed: { sha: sha('a') } });
  });

  it('S2: a push that was read back waits for a decision with one card', () => {
    const story = at('LOCAL_VALIDATING').when(validated(), pushed());
    expect(story.run).toMatchObject({
      state: 'PUSHED',
      pushed: { branch: BRANCH, sha: sha('a') },
      approval: { kind: 'open_pr', digest: proposal('open_pr', sha('a')).digest },
    });
    expect(cards(story.effects)).toHaveLength(1);
  });
});

describe('approving', () => {
  const asked = at('PUSHED');
  const card = asked.run.approval?.id ?? '';

  it('G1: a signature on the live card consumes it and asks for the pull request, in one step', () => {
    const story = asked.when(confirm());
    expect(story.run).toMatchObject({ state: 'PUSHED', approval: null, consumed: { id: card, by: 'Ana' } });
    const index = story.effects.findIndex((e) => e.do.kind === 'open_pr');
    expect(story.effects[index]?.do).toEqual({
      kind: 'open_pr',
      approvalId: card,
      digest: asked.run.proposal?.digest,
    });
    expect(story.approvals.map((a) => a.op)).toEqual(['sign', 'consume']);
    expect(story.approvals[1]).toMatchObject({ op: 'consume', id: card, effectIndex: index });
  });

  it('G4: another digest or another card is refused', () => {
    expect(why(asked.when(confirm({ digest: 'other' })))).toContain('is not what would be published');
    expect(why(asked.when(confirm({ id: 'other' })))).toContain('replaced by a newer one');
  });

  it('G3: an expired card is refused, and no sooner', () => {
    const { approvalMs } = bounds();
    const spent = asked.now - (asked.run.approval?.expiresAt ?? 0) + approvalMs;
    const left = approvalMs - spent;
    expect(why(asked.when(later(left, confirm())))).toContain('expired');
    expect(works(asked.when(later(left - 1, confirm())))).toEqual(['open_pr']);
  });

  it('G3: whoever asked may not approve where that is the rule', () => {
    const strict = at('PUSHED', { requesterMayApprove: false });
    expect(why(strict.when(confirm({ by: ana })))).toContain('another approver');
    expect(works(strict.when(confirm({ by: ben })))).toEqual(['open_pr']);
  });

  it('G3: two of two means two people', () => {
    const both = at('PUSHED', { approvals: 2 }).when(confirm({ by: ana }));
    expect(works(both)).toEqual([]);
    expect(both.run.approval?.signatures).toMatchObject([{ id: 1, name: 'Ana' }]);
    expect(why(both.when(confirm({ by: ana })))).toContain('1 more to go');
    const done = both.when(confirm({ by: ben }));
    expect(works(done)).toEqual(['open_pr']);
    expect(done.run.consumed?.by).toBe('Ana, Ben');
  });

  it('G3: a double Confirm opens one pull request', () => {
    const twice = asked.when(
      confirm(),
      confirm({ by: ben, id: card, digest: asked.run.approval?.digest ?? '' }),
    );
    expect(why(twice)).toContain('Ana approved it already');
    expect(countOf(twice.all, 'open_pr')).toBe(1);
  });

  it('G1: an approval that was used is not used again after the run went round', () => {
    const round = asked.when(confirm(), pause, resume());
    expect(round.run.approval?.id).not.toBe(card);
    const digest = round.run.approval?.digest ?? '';
    expect(why(round.when(confirm({ id: card, digest })))).toContain('newer one');
  });

  it('G3: a card that expires closes as expired, is never approved, and a new one asks', () => {
    const story = asked.when(later(25 * HOUR, expired));
    expect(story.run.state).toBe('PUSHED');
    expect(story.approvals.map((a) => a.op)).toEqual(['close', 'open']);
    expect(story.approvals[0]).toMatchObject({ id: card, state: 'expired' });
    expect(works(story)).toEqual([]);
    expect(cards(story.effects)).toEqual([story.run.approval?.id]);
    const stale: Act = () => ({ input: { type: 'timer.approval.expired', approvalId: card } });
    expect(story.when(stale).step.kind).toBe('ignored');
  });

  it('S2: a push card is approved with its own command, and pushes what it showed', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const story = push.when(approvePush());
    expect(story.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'push', commitSha: sha('a'), expect: null, approvalId: push.run.approval?.id },
      }),
    );
    expect(story.when(pushed()).run.state).toBe('PUSHED');
  });

  it('G6: a fix waits for a card unless automatic pushes are on and the risk is low', () => {
    const gated = at('ITERATING').when(implemented('b'), validated());
    expect(gated.run.approval?.kind).toBe('push');
    expect(works(gated.when(approvePush()))).toEqual(['push']);
    const free = at('ITERATING', auto).when(implemented('b'), validated());
    expect(works(free)).toEqual(['push']);
    const medium = at('ITERATING', auto).when(implemented('b'), validated({ risk: 'medium' }));
    expect(medium.run.approval?.kind).toBe('push');
  });

  it('C5: the card of an approval tells how it ended', () => {
    const story = asked.when(confirm(), opened());
    expect(story.effects).toContainEqual(
      expect.objectContaining({
        do: expect.objectContaining({ kind: 'tell', slot: `gate:${card}` }) as unknown,
      }),
    );
  });
});

describe('denying', () => {
  it('P4: the reason becomes input of the next round', () => {
    const story = at('PUSHED').when(deny('Use a constant.'));
    expect(story.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', approval: null });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'denied' }]);
    const again = story.when(retry());
    expect(again.run.state).toBe('IMPLEMENTING');
    expect(again.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'implement', feedback: 'A reviewer rejected the change: Use a constant.' },
      }),
    );
  });

  it('S2: for good ends the run', () => {
    expect(at('PUSHED').when(deny('No.', true)).run.state).toBe('FAILED_TERMINAL');
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(push.when(deny('No.', true)).run.state).toBe('FAILED_TERMINAL');
  });

  it('S2: a push card with a reason goes back to the agent within the bound, else to a person', () => {
    const push = at('LOCAL_VALIDATING', { maxReflections: 1 }).when(validated({ decision: 'escalate' }));
    const again = push.when(deny('Smaller.'));
    expect(again.run).toMatchObject({
      state: 'IMPLEMENTING',
      feedback: expect.stringContaining('Smaller.') as string,
    });
    const bound = again.when(implemented('b'), validated({ decision: 'escalate' }), deny('Smaller!'));
    expect(bound.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(bound.when(retry()).run.state).toBe('IMPLEMENTING');
    const fixing = at('ITERATING').when(implemented('b'), validated(), deny('Smaller.'));
    expect(fixing.run.state).toBe('ITERATING');
    expect(works(fixing)).toEqual(['implement']);
    expect(push.when(deny('')).run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G4: without a card, or on an older card, it is refused', () => {
    expect(why(at('LOCAL_VALIDATING').when(deny('No.')))).toContain('no card to deny');
    expect(why(at('PUSHED').when(deny('No.', false, 'other')))).toContain('newer one');
  });
});

describe('the pull request', () => {
  it('G1: its number enters the run only for the approval that was consumed for it', () => {
    expect(at('PUSHED').when(opened()).step.kind).toBe('ignored');
    const asked = at('PUSHED').when(confirm());
    const stranger: Act = () => ({
      input: { type: 'worker.pr.opened', approvalId: 'other', number: 9, url: 'u', adopted: false },
    });
    expect(asked.when(stranger).run.pr).toBeNull();
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    expect(push.when(opened()).run.pr).toBeNull();
    expect(asked.when(opened(7)).run).toMatchObject({ state: 'CI_WAIT', pr: { number: 7 } });
    expect(asked.when(opened(7), opened(8)).run.pr?.number).toBe(7);
  });

  it('S2: CI that finished before the pull request was linked counts', () => {
    const early = at('PUSHED').when(confirm(), check({ conclusion: 'failure' }));
    expect(early.run.state).toBe('PUSHED');
    expect(early.when(opened()).run).toMatchObject({ state: 'ITERATING', feedback: 'CI is red: test' });
    const green = at('PUSHED').when(confirm(), check(), later(HOUR, opened()));
    expect(green.run.state).toBe('REVIEW_WAIT');
  });

  it('S2: a pull request that was merged or closed before it was linked counts', () => {
    expect(at('PUSHED').when(confirm(), pull({ merged: true }), opened(7)).run.state).toBe('DONE');
    expect(at('PUSHED').when(confirm(), pull({ closed: true }), opened(7)).run.state).toBe('FAILED_TERMINAL');
    expect(at('PUSHED').when(confirm(), pull({ merged: true, number: 8 }), opened(7)).run.state).toBe(
      'CI_WAIT',
    );
    expect(at('PUSHED').when(pull({ merged: true, head: 'e' })).step.kind).toBe('ignored');
  });

  it('G2: what moved is told, and a new card asks; a conflict or a denial is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    const moved = proposal('open_pr', sha('a'), { title: 'New title' });
    const story = asked.when(
      failed('seal_moved', { step: 'open_pr', proposal: moved, message: 'the title moved' }),
    );
    expect(story.run).toMatchObject({ state: 'PUSHED', approval: { digest: moved.digest } });
    expect(story.run.reason).toContain('the title moved');
    expect(cards(story.effects)).toHaveLength(1);
    expect(asked.when(failed('seal_moved', { step: 'open_pr' })).run.state).toBe('NEEDS_HUMAN_REVIEW');
    const denied = proposal('open_pr', sha('a'), {
      assessment: { decision: 'deny', risk: 'high', reasons: [], policyVersion: 'p2' },
    });
    const no = asked.when(failed('seal_moved', { step: 'open_pr', proposal: denied }));
    expect(no.run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G2: a signed push whose bytes moved asks anew with a push card', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    const moved = proposal('push', sha('a'), { title: 'New title' });
    const story = push.when(failed('seal_moved', { step: 'push', proposal: moved }));
    expect(story.run).toMatchObject({
      state: 'LOCAL_VALIDATING',
      approval: { kind: 'push', digest: moved.digest },
    });
  });

  it('S2: an outage asks again with a new card; a refusal is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    const again = asked.when(failed('forge_unavailable', { step: 'open_pr' }));
    expect(again.run.state).toBe('PUSHED');
    expect(cards(again.effects)).toHaveLength(1);
    expect(asked.when(failed('forge_refused', { step: 'open_pr' })).run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S7: three failed outside effects in a row pause the run and ring once', () => {
    const outage = failed('forge_unavailable', { step: 'open_pr' });
    const story = at('PUSHED').when(confirm(), outage, confirm(), outage, confirm(), outage);
    expect(story.run).toMatchObject({ state: 'PAUSED', back: 'PUSHED' });
    expect(rings(story.all)).toBe(1);
    expect(story.run.reason).toContain('3 attempts');
    const resumed = story.when(resume());
    expect(resumed.run).toMatchObject({ state: 'PUSHED', counts: { failedOutside: 0 } });
  });

  it('S7: a success in between starts the count again', () => {
    const outage = failed('forge_unavailable', { step: 'push' });
    const story = at('LOCAL_VALIDATING').when(validated(), outage, timer('timer.retry'));
    expect(story.run.counts.failedOutside).toBe(1);
    expect(story.when(validated(), pushed()).run.counts.failedOutside).toBe(0);
  });

  it('S2: a failure that arrives while a person is asked changes nothing', () => {
    expect(at('PUSHED').when(failed('forge_unavailable', { step: 'open_pr' })).step.kind).toBe('ignored');
  });
});

describe('CI and reviews', () => {
  it('F3: green counts after its settle time, also when nothing else happens', () => {
    const green = at('CI_WAIT').when(check());
    expect(green.run.state).toBe('CI_WAIT');
    expect(wakes(green.effects)).toContain('timer.settle');
    expect(green.when(later(24_000, timer('timer.settle'))).step.kind).toBe('ignored');
    expect(green.when(later(25_000, timer('timer.settle'))).run.state).toBe('REVIEW_WAIT');
  });

  it('F3: no CI is marked as such, after its grace', () => {
    const silent = at('CI_WAIT').when(ci([]));
    expect(silent.run.state).toBe('CI_WAIT');
    const over = silent.when(later(180_000, timer('timer.settle')));
    expect(over.run.state).toBe('REVIEW_WAIT');
    expect(over.run.reason).toContain('ran no checks');
  });

  it('S2: checks running again, or waiting for a maintainer, move back to CI_WAIT', () => {
    expect(at('REVIEW_WAIT').when(running).run.state).toBe('CI_WAIT');
    expect(at('REVIEW_WAIT').when(check({ conclusion: 'action_required', name: 'b' })).run.state).toBe(
      'CI_WAIT',
    );
  });

  it('S2: red starts a fix from both waits', () => {
    for (const state of ['CI_WAIT', 'REVIEW_WAIT'] as const) {
      const story = at(state).when(check({ conclusion: 'failure', startedAt: 9 }));
      expect(story.run).toMatchObject({ state: 'ITERATING', counts: { iterations: 1 } });
      expect(works(story)).toEqual(['implement']);
    }
  });

  it('F3: red of another head moves nothing', () => {
    expect(at('CI_WAIT').when(check({ conclusion: 'failure' }, 'e')).run.state).toBe('CI_WAIT');
  });

  it('S7: over the bound, red ends in exactly one escalation', () => {
    const story = at('CI_WAIT', { maxIterations: 0 }).when(
      red,
      check({ conclusion: 'failure', name: 'lint' }),
      check({ conclusion: 'failure', startedAt: 8 }),
    );
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('S7: twenty failing fixes with a cap of two give two dispatches and one escalation', () => {
    let story = at('CI_WAIT', { ...auto, maxIterations: 2 });
    const before = countOf(story.all, 'implement');
    for (let i = 0; i < 20; i += 1) {
      story = story.when(check({ conclusion: 'failure', startedAt: i }));
      if (story.run.state === 'ITERATING') story = story.when(...fix('bcdef'[i] ?? 'e'));
    }
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(countOf(story.all, 'implement') - before).toBe(2);
    expect(rings(story.all)).toBe(1);
  });

  it('S7: the bound survives new heads, retries by a person and pauses', () => {
    const spent = at('ITERATING', { ...auto, maxIterations: 1 }).when(...fix('b'), pause, resume(), red);
    expect(spent.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', counts: { iterations: 1 } });
    expect(spent.when(retry()).run.state).toBe('ITERATING');
    expect(spent.when(retry('CI_WAIT')).run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('P5: changes requested count from people with write access only, and once', () => {
    expect(at('REVIEW_WAIT').when(review({ access: 'read' })).run.state).toBe('REVIEW_WAIT');
    expect(at('REVIEW_WAIT').when(review({ access: 'unknown' })).run.state).toBe('REVIEW_WAIT');
    expect(at('REVIEW_WAIT').when(review({ state: 'approved' })).run.state).toBe('REVIEW_WAIT');
    const story = at('REVIEW_WAIT', auto).when(review());
    expect(story.run).toMatchObject({
      state: 'ITERATING',
      feedback: 'mia requested changes:\n\nUse salut.',
    });
    expect(story.when(...fix('b'), review()).run.state).toBe('CI_WAIT');
    expect(story.when(...fix('b'), review({ submittedAt: 90 })).run.state).toBe('ITERATING');
  });

  it('S2: a review whose access becomes known later counts then', () => {
    expect(at('REVIEW_WAIT').when(review({ access: 'unknown' }), review()).run.state).toBe('ITERATING');
    expect(at('PAUSED').when(review(), review({ access: 'unknown' })).run.seen.reviews.mia?.access).toBe(
      'write',
    );
  });

  it('S2: a dismissal counts, and a comment replaces no opinion, in any order', () => {
    const dismissed = review({ state: 'dismissed' });
    expect(at('CI_WAIT').when(pause, review(), dismissed, resume()).run.state).toBe('CI_WAIT');
    expect(at('CI_WAIT').when(pause, dismissed, review(), resume()).run.state).toBe('CI_WAIT');
    const chat = review({ state: 'commented', submittedAt: 99 });
    expect(at('CI_WAIT').when(pause, review(), chat, resume()).run.state).toBe('ITERATING');
    expect(at('CI_WAIT').when(pause, chat, review(), resume()).run.state).toBe('ITERATING');
  });

  it('P5: a reviewer may have any login', () => {
    const named = at('REVIEW_WAIT').when(review({ reviewer: 'constructor', state: 'commented' }));
    expect(named.run.seen.reviews.constructor).toMatchObject({ state: 'commented' });
  });

  it('F6: all that is asked for reaches the agent, of every reviewer and of CI, late or early', () => {
    const both = at('CI_WAIT').when(
      pause,
      review({ reviewer: 'zoe', submittedAt: 70 }),
      review({ submittedAt: 60 }),
      red,
      resume(),
    );
    expect(both.run.feedback).toBe(
      'mia requested changes:\n\nUse salut.\n\nzoe requested changes:\n\nUse salut.\n\nCI is red: test',
    );
    expect(both.run.counts.iterations).toBe(1);
    const older = at('REVIEW_WAIT', auto).when(
      review({ reviewer: 'zoe', submittedAt: 70 }),
      review({ submittedAt: 60 }),
      ...fix('b'),
    );
    expect(older.run).toMatchObject({
      state: 'ITERATING',
      feedback: expect.stringContaining('mia') as string,
    });
  });

  it('S2: a review before CI moves at once, and green later changes nothing', () => {
    const story = at('CI_WAIT').when(review(), check());
    expect(story.run).toMatchObject({ state: 'ITERATING', counts: { iterations: 1 } });
  });

  it('S2: a tap on a comment starts a fix; at the bound it asks', () => {
    const story = at('REVIEW_WAIT').when(iterate('Rename it.'));
    expect(story.run).toMatchObject({ state: 'ITERATING', feedback: 'Rename it.' });
    expect(at('REVIEW_WAIT', { maxIterations: 0 }).when(iterate()).run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(at('CI_WAIT').when(iterate()).run.state).toBe('ITERATING');
  });

  it('P5: a comment is shown, moves nothing, and is one message however often it is seen', () => {
    const story = at('REVIEW_WAIT').when(comment);
    expect(story.run.state).toBe('REVIEW_WAIT');
    expect(notes(story.effects)).toEqual(['mia commented: Nice.']);
    const slot = story.effects.flatMap((e) => (e.do.kind === 'tell' ? [e.do.slot] : []));
    expect(slot).toEqual(['comment:https://forge/c/1']);
    expect(at('PLAN_READY').when(comment).step.kind).toBe('ignored');
  });

  it('S2: a fix without changes asks, and offers to run CI again', () => {
    const stuck = at('ITERATING').when(implemented(null));
    expect(stuck.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(stuck.run.reason).toContain('run again');
    const again = stuck.when(rerun);
    expect(again.run.state).toBe('CI_WAIT');
    expect(again.effects).toContainEqual(
      expect.objectContaining({ do: { kind: 'rerun_ci', sha: sha('a') } }),
    );
    expect(why(at('NEEDS_HUMAN_REVIEW').when(rerun))).toContain('no pull request');
  });

  it('F3: after a re-run the old red is history, whatever the clocks say; a new red counts', () => {
    const again = at('ITERATING').when(implemented(null), rerun);
    expect(again.when(red).run.state).toBe('CI_WAIT');
    expect(again.when(ci([{ conclusion: 'failure' }])).run.state).toBe('CI_WAIT');
    const second = again.when(check({ conclusion: null, startedAt: 1_001 }));
    expect(second.when(later(60_000, timer('timer.settle'))).run.state).toBe('CI_WAIT');
    expect(second.when(check({ conclusion: 'failure', startedAt: 1_001 })).run.state).toBe('ITERATING');
    const green = second.when(check({ startedAt: 1_001 }), settleTime);
    expect(green.run.state).toBe('REVIEW_WAIT');
  });

  it('F3: what was green stays known after a re-run of what was red', () => {
    const two = at('CI_WAIT').when(check({ name: 'lint' }), red, implemented(null), rerun);
    expect(two.when(check({ startedAt: 2_000 }), settleTime).run.state).toBe('REVIEW_WAIT');
  });
});

describe('facts that end or stop a run', () => {
  /** Every live state in which a pull request may be known. */
  const withPull: Record<string, Story> = {
    CI_WAIT: at('CI_WAIT'),
    REVIEW_WAIT: at('REVIEW_WAIT'),
    ITERATING: at('ITERATING'),
    PAUSED: at('CI_WAIT').when(pause),
    NEEDS_HUMAN_REVIEW: at('ITERATING').when(implemented(null)),
    FAILED_RETRYABLE: at('ITERATING').when(failed('crashed')),
  };

  it.each(Object.entries(withPull))(
    'S2: merged ends %s as DONE, closed as FAILED_TERMINAL',
    (state, story) => {
      expect(story.run.state).toBe(state);
      const merged = story.when(pull({ merged: true }));
      expect(merged.run).toMatchObject({ state: 'DONE', reason: 'Merged by maintainer.' });
      expect(works(merged)).toEqual(['clean']);
      const closed = story.when(pull({ closed: true }));
      expect(closed.run.state).toBe('FAILED_TERMINAL');
      expect(story.when(pull({ merged: true, number: 99 })).run.state).toBe(state);
    },
  );

  it('S2: a head that is not ours voids approvals and asks', () => {
    const story = at('PUSHED').when(headIs('e'));
    expect(story.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', approval: null });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'void' }]);
    expect(story.run.reason).toContain('aaaaaa → eeeeee');
    expect(rings(story.effects)).toBe(1);
    expect(at('CI_WAIT').when(pull({ head: 'e' })).run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S2: a head that is not ours is asked about again as long as it is there', () => {
    const story = at('PUSHED').when(headIs('e'), retry());
    expect(story.run).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', approval: null });
    expect(at('PUSHED').when(headIs('e'), headIs('a'), retry()).run.state).toBe('PUSHED');
  });

  it('S2: a head that is not ours is found after a pause, also behind a kept result', () => {
    expect(at('PUSHED').when(pause, headIs('e'), resume()).run).toMatchObject({
      state: 'NEEDS_HUMAN_REVIEW',
      approval: null,
    });
    const busy = at('ITERATING');
    const kept = busy.when(pause, headIs('e'), ofEpoch(busy.run.epoch, implemented('b')), resume());
    expect(kept.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(works(kept)).toEqual([]);
  });

  it('S2: heads of our own are not taken for a stranger’s, early or late', () => {
    const pushing = at('ITERATING', auto).when(implemented('b'), validated());
    expect(pushing.when(headIs('b')).run.state).toBe('ITERATING');
    expect(pushing.when(headIs('b'), pushed(), headIs('a')).run.state).toBe('CI_WAIT');
    expect(pushing.when(pushed(), pull({ head: 'a' })).run.state).toBe('CI_WAIT');
    const signed = at('ITERATING').when(implemented('b'), validated(), approvePush(), headIs('b'));
    expect(signed.run.state).toBe('ITERATING');
    expect(at('PUSHED').when(headIs(null)).run.state).toBe('PUSHED');
  });
});

describe('failures and clocks', () => {
  it('E5: each class has its consequence', () => {
    for (const failure of FAILURE_CLASSES) {
      const { state } = at('IMPLEMENTING').when(failed(failure)).run;
      const expected = {
        retry: 'FAILED_RETRYABLE',
        human: 'NEEDS_HUMAN_REVIEW',
        terminal: 'FAILED_TERMINAL',
      };
      expect(state, failure).toBe(expected[consequence(failure)]);
    }
  });

  it('S7: a step is retried where it was, with doubling pauses, and then a person is asked once', () => {
    let story = at('IMPLEMENTING');
    const delays: number[] = [];
    for (let i = 0; i < 2; i += 1) {
      story = story.when(failed('crashed'));
      expect(story.run).toMatchObject({ state: 'FAILED_RETRYABLE', back: 'IMPLEMENTING' });
      const due = story.effects.find((e) => e.do.kind === 'wake')?.dueAt ?? 0;
      delays.push(due - story.now);
      story = story.when(timer('timer.retry'));
      expect(works(story)).toEqual(['implement']);
    }
    story = story.when(failed('crashed'));
    expect(delays).toEqual([10_000, 20_000]);
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('S7: a success forgets the retries', () => {
    const story = at('IMPLEMENTING').when(failed('crashed'), timer('timer.retry'), implemented('a'));
    expect(story.run.counts.retries).toBe(0);
    const red = at('LOCAL_VALIDATING').when(
      failed('crashed'),
      timer('timer.retry'),
      validated({ passed: false }),
    );
    expect(red.run.counts.retries).toBe(0);
  });

  it('S7: inside a fix, the agent’s success does not forget the retries of the checks', () => {
    let story = at('ITERATING');
    for (let i = 0; i < 10 && story.run.state === 'ITERATING'; i += 1) {
      if (works(story).includes('implement')) story = story.when(implemented('b'));
      story = story.when(failed('crashed', { step: 'check' }), timer('timer.retry'));
    }
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(countOf(story.all, 'check')).toBeLessThanOrEqual(1 + 3);
  });

  it('E7: a fix that the checks have not judged goes on with its checks, not with the agent', () => {
    const crashed = at('ITERATING', auto).when(implemented('b'), failed('crashed'), timer('timer.retry'));
    expect(works(crashed)).toEqual(['check']);
    const outage = failed('forge_unavailable', { step: 'push' });
    const unpushed = at('ITERATING', auto).when(implemented('b'), validated(), outage, timer('timer.retry'));
    expect(works(unpushed)).toEqual(['check']);
    const failing = at('ITERATING').when(implemented('b'), validated({ passed: false }), pause, resume());
    expect(works(failing)).toEqual(['implement']);
  });

  it('S7: waiting for the provider’s clock is free, unless it always says at once', () => {
    const start = at('IMPLEMENTING');
    const waits = start.when(failed('rate_limited', { retryAt: start.now + HOUR }));
    expect(waits.run).toMatchObject({ state: 'FAILED_RETRYABLE', counts: { retries: 0 } });
    expect(waits.effects.find((e) => e.do.kind === 'wake')?.dueAt).toBe(start.now + HOUR);
    let story = start;
    for (let i = 0; i < 9 && story.run.state === 'IMPLEMENTING'; i += 1)
      story = story.when(failed('rate_limited', { retryAt: story.now }), timer('timer.retry'));
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S2: a worker state that takes too long is retried, and past the bound a person is asked', () => {
    let story = at('IMPLEMENTING', { maxStepRetries: 1 }).when(timer('timer.timeout'));
    expect(story.run.state).toBe('FAILED_RETRYABLE');
    story = story.when(timer('timer.retry'), timer('timer.timeout'));
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('E6: a used-up time budget is for a person, whose retry grants it once more', () => {
    const spent = at('LOCAL_VALIDATING', { runMs: 1_000 }).when(timer('timer.timeout'));
    expect(spent.run.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(spent.run.reason).toContain('budget');
    expect(spent.when(retry()).run.workedMs).toBe(0);
  });

  it('S2: a card may wait longer than a step, and what it approved is not cut off for it', () => {
    const card = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(card.when(timer('timer.timeout')).step.kind).toBe('ignored');
    expect(card.when(approvePush(), timer('timer.timeout')).step.kind).toBe('ignored');
  });

  it('S4: timers of an earlier state mean nothing', () => {
    for (const type of ['timer.timeout', 'timer.reminder', 'timer.retry', 'timer.settle'] as const) {
      for (const state of STATES) {
        const story = at(state);
        const old: Act = () => ({ input: { type, epoch: story.run.epoch - 1 } });
        expect(story.when(old).step.kind, `${state} ${type}`).toBe('ignored');
      }
    }
  });

  it('S6: whoever is waited for is reminded, ever more rarely', () => {
    let story = at('REVIEW_WAIT');
    const pauses: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      story = story.when(timer('timer.reminder'));
      expect(rings(story.effects)).toBe(1);
      pauses.push((story.effects.find((e) => e.do.kind === 'wake')?.dueAt ?? 0) - story.now);
    }
    expect(pauses).toEqual([96 * HOUR, 192 * HOUR, 384 * HOUR]);
    const first = (s: Story): number =>
      (s.all.findLast((e) => e.do.kind === 'wake' && e.do.input.type === 'timer.reminder')?.dueAt ?? 0) -
      s.run.since;
    expect(first(at('CI_WAIT'))).toBe(24 * HOUR);
    expect(first(at('REVIEW_WAIT'))).toBe(48 * HOUR);
  });

  it('S6: a queued run whose start failed is tried again', () => {
    const story = given({}, failed('crashed', { step: 'start' }));
    expect(story.run.state).toBe('FAILED_RETRYABLE');
    expect(works(story.when(timer('timer.retry')))).toEqual(['start']);
  });

  it('S6: a failed re-run of CI is told to a person', () => {
    const story = at('ITERATING').when(
      implemented(null),
      rerun,
      failed('forge_unavailable', { step: 'rerun_ci' }),
    );
    expect(story.run.state).toBe('NEEDS_HUMAN_REVIEW');
  });
});

describe('pausing and going on', () => {
  it.each(ACTIVE)('S2: %s can be paused, which voids its card, and goes on where it was', (state) => {
    const story = at(state).when(pause);
    expect(story.run).toMatchObject({ state: 'PAUSED', back: state, approval: null });
    expect(works(story)).toEqual([]);
    expect(rings(story.effects)).toBe(0);
    expect(why(story.when(confirm()))).toContain('PAUSED');
    expect(story.when(resume()).run.state).toBe(state);
  });

  it('S4: a second pause is a new wish, and refused with a sentence', () => {
    expect(why(at('PAUSED').when(pause))).toBe('Run r1 is PAUSED; from there it cannot be paused.');
  });

  it('S2: a result of what was going on is kept, and used on resume', () => {
    const busy = at('IMPLEMENTING');
    const kept = busy.when(pause, ofEpoch(busy.run.epoch, implemented('a')));
    expect(kept.run).toMatchObject({ state: 'PAUSED', commit: null });
    const resumed = kept.when(resume());
    expect(resumed.run).toMatchObject({ state: 'LOCAL_VALIDATING', commit: { sha: sha('a') }, kept: null });
    expect(works(resumed)).toEqual(['check']);
  });

  it('S2: a kept result is dropped when the run goes on elsewhere', () => {
    const busy = at('IMPLEMENTING');
    const kept = busy.when(pause, ofEpoch(busy.run.epoch, implemented('a')));
    const elsewhere = kept.when(resume('DISCOVERY'));
    expect(elsewhere.run).toMatchObject({ state: 'DISCOVERY', commit: null, kept: null });
    expect(works(elsewhere)).toEqual(['discover']);
  });

  it('S2: a late result of before the pause’s state, or after it, is discarded', () => {
    const busy = at('IMPLEMENTING');
    expect(busy.when(pause, ofEpoch(busy.run.epoch - 1, implemented('a'))).step.kind).toBe('ignored');
    const twice = busy.when(pause, resume(), pause, ofEpoch(busy.run.epoch, implemented('a')));
    expect(twice.step.kind).toBe('ignored');
    const auto = at('LOCAL_VALIDATING', { maxFailedOutside: 1 });
    const paused = auto.when(pause, resume(), validated(), failed('forge_unavailable', { step: 'push' }));
    expect(paused.run.state).toBe('PAUSED');
    expect(paused.when(ofEpoch(auto.run.epoch, validated())).step.kind).toBe('ignored');
  });

  it('S2: a pull request opened during a pause is kept, and its checks are waited for on resume', () => {
    const asked = at('PUSHED').when(confirm());
    const story = asked.when(pause, ofEpoch(asked.run.epoch, opened()));
    expect(story.run).toMatchObject({ state: 'PAUSED', pr: { number: 7 } });
    expect(notes(story.effects)[0]).toContain('#7 was opened just before the run was stopped');
    expect(story.when(resume()).run.state).toBe('CI_WAIT');
  });

  it('S2: a pull request opened after pause and resume is taken, and the newer card is void', () => {
    const asked = at('PUSHED').when(confirm());
    const again = asked.when(pause, resume());
    const story = again.when(ofEpoch(asked.run.epoch, opened()));
    expect(story.run).toMatchObject({ state: 'CI_WAIT', pr: { number: 7 }, approval: null });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'void', id: again.run.approval?.id }]);
  });

  it('S6: an opening that failed during a pause leads to a new card on resume', () => {
    const asked = at('PUSHED').when(confirm());
    const outage = ofEpoch(asked.run.epoch, failed('forge_unavailable', { step: 'open_pr' }));
    const story = asked.when(pause, outage, resume());
    expect(story.run.state).toBe('PUSHED');
    expect(cards(story.effects)).toEqual([story.run.approval?.id]);
  });

  it('S2: results kept during a pause may end the run, retry it, or pause it again', () => {
    const keep = (state: (typeof ACTIVE)[number], a: Act, change = {}): Story => {
      const busy = at(state, change);
      return busy.when(pause, ofEpoch(busy.run.epoch, a), resume());
    };
    expect(keep('DISCOVERY', discovered({ banned: true })).run.state).toBe('SKIPPED');
    expect(keep('IMPLEMENTING', failed('crashed')).run.state).toBe('FAILED_RETRYABLE');
    expect(keep('DISCOVERY', failed('repository_empty')).run.state).toBe('FAILED_TERMINAL');
    const outage = failed('forge_unavailable', { step: 'push' });
    expect(keep('LOCAL_VALIDATING', outage, { maxFailedOutside: 1 }).run.state).toBe('PAUSED');
    const stray = keep('LOCAL_VALIDATING', validated({ letter: 'e' }));
    expect(stray.run.state).toBe('LOCAL_VALIDATING');
    expect(works(stray)).toEqual(['check']);
    const nonsense = keep('CI_WAIT', discovered());
    expect(nonsense.run.state).toBe('CI_WAIT');
  });

  it('S2: targets never go beyond what exists and has passed', () => {
    const early = at('NEEDS_HUMAN_REVIEW');
    for (const target of ['LOCAL_VALIDATING', 'PUSHED', 'CI_WAIT', 'REVIEW_WAIT', 'ITERATING'] as const)
      expect(why(early.when(retry(target))), target).toContain(`cannot go on at ${target}`);
    expect(early.when(retry('PLAN_READY')).run.state).toBe('PLAN_READY');
    const failing = at('PUSHED').when(
      deny('More.'),
      retry('IMPLEMENTING'),
      implemented('b'),
      validated({ passed: false }),
      implemented(null),
    );
    expect(why(failing.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
    const denied = at('PUSHED').when(deny(), retry('LOCAL_VALIDATING'), validated({ decision: 'deny' }));
    expect(why(denied.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
    const done = at('ITERATING').when(implemented(null));
    for (const target of [
      'QUEUED',
      'DISCOVERY',
      'PLAN_READY',
      'IMPLEMENTING',
      'LOCAL_VALIDATING',
      'PUSHED',
    ] as const)
      expect(why(done.when(retry(target))), target).toContain('possible: CI_WAIT, REVIEW_WAIT, ITERATING');
    expect(why(at('DISCOVERY').when(failed('auth_missing'), retry('IMPLEMENTING')))).toContain('cannot');
  });

  it('S2: a card of another head is not shown again', () => {
    const story = at('PUSHED').when(deny('More.'), retry(), implemented('b'), validated());
    const late = story.when(pause, ofEpoch(story.run.epoch, pushed('b', true)));
    expect(late.run.pushed?.sha).toBe(sha('b'));
    expect(why(late.when(resume('PUSHED')))).toContain('cannot go on at PUSHED');
  });

  it('S2: a person’s retry starts the counts of the step again, not those of the run’s life', () => {
    const story = at('ITERATING').when(failed('crashed'), retry());
    expect(story.run).toMatchObject({ state: 'ITERATING', counts: { retries: 0, iterations: 1 } });
  });
});

describe('late results', () => {
  it('S2: results of another epoch are discarded', () => {
    for (const state of ['DISCOVERY', 'IMPLEMENTING', 'LOCAL_VALIDATING', 'ITERATING'] as const)
      for (const a of [discovered(), implemented('b'), validated(), failed('crashed')]) {
        const story = at(state);
        expect(story.when(ofEpoch(story.run.epoch - 1, a)).step.kind, state).toBe('ignored');
      }
  });

  it('S2: cancel while the agent runs: its result is ignored', () => {
    const busy = at('IMPLEMENTING');
    const story = busy.when(cancel);
    expect(story.run.state).toBe('FAILED_TERMINAL');
    expect(works(story)).toEqual(['clean']);
    expect(story.when(ofEpoch(busy.run.epoch, implemented('a'))).step.kind).toBe('ignored');
  });

  it('S2: a pull request opened after cancel is noted and told', () => {
    const asked = at('PUSHED').when(confirm());
    const story = asked.when(cancel, ofEpoch(asked.run.epoch, opened()));
    expect(story.run).toMatchObject({ state: 'FAILED_TERMINAL', pr: { number: 7 } });
    expect(notes(story.effects)).toEqual([
      'Pull request #7 was opened just before the run ended: https://forge/ana/app/pull/7',
    ]);
  });

  it('S2: a pull request opened after a denial sent the run back is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    for (const target of ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'] as const) {
      const story = asked.when(deny('No.'), retry(target), ofEpoch(asked.run.epoch, opened()));
      expect(story.run, target).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW', pr: { number: 7 } });
      expect(works(story)).toEqual([]);
    }
    const failing = asked.when(deny('No.'), retry('IMPLEMENTING'), failed('crashed'));
    const noted = failing.when(ofEpoch(asked.run.epoch, opened()));
    expect(noted.run).toMatchObject({ state: 'FAILED_RETRYABLE', pr: { number: 7 } });
    expect(noted.when(timer('timer.retry')).run.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S2: a push result after a timeout is a fact, wherever the run is by then', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const late = ofEpoch(pushing.run.epoch, pushed());
    const timedOut = pushing.when(timer('timer.timeout'));
    for (const story of [
      timedOut,
      timedOut.when(timer('timer.retry')),
      timedOut.when(retry('IMPLEMENTING')),
    ]) {
      const noted = story.when(late);
      expect(noted.run).toMatchObject({ state: story.run.state, pushed: { sha: sha('a') } });
      expect(noted.effects.map((e) => e.do.kind)).toContain('observe');
      expect(noted.when(headIs('a')).run.state).toBe(story.run.state);
    }
    const again = timedOut.when(timer('timer.retry'), late, validated());
    expect(again.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'push', commitSha: sha('a'), expect: sha('a'), approvalId: null },
      }),
    );
    expect(again.when(pushed()).run.state).toBe('PUSHED');
  });

  it('G2: a late push does not change what an open card asks about', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const card = pushing.when(
      timer('timer.timeout'),
      timer('timer.retry'),
      validated({ decision: 'escalate' }),
    );
    const late = card.when(ofEpoch(pushing.run.epoch, pushed()));
    expect(late.run.proposal?.fields.action).toBe('push');
    expect(works(late.when(approvePush()))).toEqual(['push']);
  });

  it('S2: a push result of a state that does not push is a fact, not a move', () => {
    const noted = at('IMPLEMENTING').when(pushed('a'));
    expect(noted.run).toMatchObject({ state: 'IMPLEMENTING', pushed: { sha: sha('a') } });
  });
});

describe('ending', () => {
  it('S2: skip is for runs without a pull request', () => {
    expect(at('PUSHED').when(skip).run.state).toBe('SKIPPED');
    expect(why(at('CI_WAIT').when(skip))).toContain('cannot be skipped');
    expect(why(at('CI_WAIT').when(pause, skip))).toContain('has a pull request');
  });

  it('S2: cancel says that a pull request stays open', () => {
    expect(at('CI_WAIT').when(cancel).run.reason).toContain('#7 stays open');
  });

  it('S2: mark as done ends the waits', () => {
    for (const state of ['PUSHED', 'CI_WAIT', 'REVIEW_WAIT', 'NEEDS_HUMAN_REVIEW'] as const)
      expect(at(state).when(markDone).run.state).toBe('DONE');
    expect(why(at('IMPLEMENTING').when(markDone))).toContain('cannot be marked as done');
  });

  it('S1: what has ended stays ended', () => {
    for (const state of STATES.filter(isTerminal)) {
      expect(why(at(state).when(retry()))).toContain('has ended');
      expect(at(state).when(pull({ merged: true })).step.kind).toBe('ignored');
    }
  });

  it('S3: a refused command changes nothing', () => {
    const story = at('PAUSED');
    expect(story.when(pause).run).toBe(story.run);
  });

  it('S3: a command for a run that does not exist is refused', () => {
    const stamp = { at: 1, nonce: 'n', effectEpoch: null };
    expect(step(null, pause(given().run).input, stamp)).toMatchObject({ kind: 'refused' });
  });
});
