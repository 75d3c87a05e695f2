/**
 * The gate in the core: approving, denying, and the pull request that follows from an approval and
 * from nothing else.
 */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { findSealDifferences } from '#model/seal';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  ana,
  approvePush,
  approveReply,
  askChanges,
  at,
  ben,
  bounds,
  cancel,
  cards,
  check,
  confirm,
  countOf,
  deny,
  expired,
  failed,
  implemented,
  later,
  looked,
  opened,
  pause,
  proposal,
  pull,
  pushed,
  resume,
  retry,
  rings,
  sha,
  timer,
  unanswerable,
  validated,
  why,
  works,
  type Act,
  type Story,
  given,
  ways,
} from '../support/core.ts';
import { reasonOf, toldIn, words } from '../support/english.ts';

const HOUR = 3_600_000;
const expiry = 'timer.approval.expired';
const auto = { autoIterate: true };

describe('approving', () => {
  const asked = at('PUSHED');
  const card = asked.run.gate.approval?.id ?? '';

  it('G1: a signature on the live card consumes it and asks for the pull request, in one step', () => {
    const story = asked.when(confirm());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: null, consumedApproval: { id: card, by: 'Ana' } },
    });
    const index = story.effects.findIndex((e) => e.do.kind === 'open_pr');
    expect(story.effects[index]?.do).toEqual({
      kind: 'open_pr',
      approvalId: card,
      digest: asked.run.gate.proposal?.digest,
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
    const spent = asked.now - (asked.run.gate.approval?.expiresAt ?? 0) + approvalMs;
    const left = approvalMs - spent;
    expect(why(asked.when(later(left, confirm())))).toContain('expired');
    expect(works(asked.when(later(left - 1, confirm())))).toEqual(['open_pr']);
  });

  it('G3: whoever asked may not approve where that is the rule', () => {
    const strict = at('PUSHED', { requesterMayApprove: false });
    expect(why(strict.when(confirm({ by: ana })))).toContain('another approver');
    expect(works(strict.when(confirm({ by: ben })))).toEqual(['open_pr']);
  });

  it('G3: rights go with an id, never with a name', () => {
    const strict = at('PUSHED', { requesterMayApprove: false });
    expect(why(strict.when(confirm({ by: { ...ana, name: 'Somebody' } })))).toContain('another approver');
    expect(works(strict.when(confirm({ by: { ...ben, name: ana.name } })))).toEqual(['open_pr']);
  });

  it('G3: where an order names its approvers, nobody else signs', () => {
    const named = given({ approvers: [ben.id] }, ...ways.PUSHED);
    expect(why(named.when(confirm({ by: ana })))).toContain('you are not among them');
    expect(works(named.when(confirm({ by: ben })))).toEqual(['open_pr']);
  });

  it('G2: a signature counts only while what would be published is what the card showed', () => {
    const run = {
      ...asked.run,
      gate: { ...asked.run.gate, proposal: proposal('open_pr', sha('a'), { title: 'Other' }) },
    };
    const stamp = { at: asked.now, nonce: 'n', effectEpoch: null };
    const refused = decideStep(run, confirm()(run).input, stamp);
    expect(refused).toMatchObject({
      kind: 'refused',
      reason: { kind: 'card_changed' },
    });
  });

  it('G4: a signature counts only for the digest that its card was opened for', () => {
    const {
      gate: { approval, proposal: now },
    } = asked.run;
    if (!approval || !now) throw new Error('nothing is asked');
    const run = { ...asked.run, gate: { ...asked.run.gate, approval: { ...approval, digest: 'another' } } };
    const stamp = { at: asked.now, nonce: 'n', effectEpoch: null };
    const input = confirm({ id: card, digest: now.digest })(run).input;
    expect(decideStep(run, input, stamp)).toMatchObject({
      kind: 'refused',
      reason: { kind: 'card_changed' },
    });
  });

  it('G4: a card for a push signs no pull request, whatever state the run is in', () => {
    const {
      gate: { approval },
    } = asked.run;
    if (!approval) throw new Error('nothing is asked');
    const run = {
      ...asked.run,
      gate: { ...asked.run.gate, approval: { ...approval, kind: 'push' as const } },
    };
    const stamp = { at: asked.now, nonce: 'n', effectEpoch: null };
    expect(decideStep(run, confirm()(run).input, stamp)).toMatchObject({
      kind: 'refused',
      reason: { kind: 'card_replaced' },
    });
    expect(why(asked.when(approvePush({ id: card })))).toContain('it cannot');
    // Nor does it sign answers: where none wait, there is no such card.
    expect(why(at('CI_WAIT').when(approveReply({ id: card })))).toContain('no card that waits');
    const open = patchRun(at('CI_WAIT').run, { gate: { approval: { ...approval, kind: 'push' as const } } });
    expect(decideStep(open, approveReply()(open).input, stamp)).toMatchObject({
      kind: 'refused',
      reason: { kind: 'no_card' },
    });
  });

  it('C2: a signature draws its card again without ringing, says who gave it, and how many are left', () => {
    const both = at('PUSHED', { approvals: 2 });
    const id = both.run.gate.approval?.id;
    const once = both.when(confirm({ by: ana }));
    const drawn = (story: Story): unknown =>
      story.effects.flatMap((e) =>
        e.do.kind === 'chat_message' && e.do.slot === `gate:${id}` ? [e.do.sound] : [],
      );
    expect(drawn(once)).toEqual([false]);
    const twice = once.when(confirm({ by: ben }));
    expect(drawn(twice)).toEqual([false]);
    expect(twice.run.lifecycle.reason).toEqual({ kind: 'approved', by: 'Ana, Ben' });
    expect(once.run.lifecycle.reason).toEqual(both.run.lifecycle.reason);
  });

  it('S2: a signed push that the code host shows before we hear of it is ours', () => {
    const fix = at('ITERATING').when(implemented('b'), validated(), approvePush());
    const seen = fix.when(pull({ head: 'b' }));
    expect(seen.run.lifecycle.state).toBe('ITERATING');
    expect(seen.when(pushed()).run.lifecycle.state).toBe('CI_WAIT');
    expect(fix.when(pull({ head: 'e' })).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G3, S6: a card has an id that nobody can guess, and the clock that closes it', () => {
    expect(card).toMatch(/^nonce-/);
    const clock = asked.effects.find((e) => e.do.kind === 'offer_input' && e.do.input.type === expiry);
    expect(clock?.dueAt).toBe(asked.run.gate.approval?.expiresAt);
  });

  it('G4: a card that is void is drawn again, so that it says so', () => {
    const drawn = (story: Story): unknown[] =>
      story.effects.flatMap((e) =>
        e.do.kind === 'chat_message' && e.do.slot === `gate:${card}` ? [e.do.content] : [],
      );
    expect(drawn(asked.when(pause))).toMatchObject([{ view: 'gate', approvalId: card }]);
    expect(drawn(asked.when(confirm(), pause))).toMatchObject([{ view: 'gate', approvalId: card }]);
  });

  it('G3: two of two means two people', () => {
    const both = at('PUSHED', { approvals: 2 }).when(confirm({ by: ana }));
    expect(works(both)).toEqual([]);
    expect(both.run.gate.approval?.signatures).toMatchObject([{ id: '1', name: 'Ana' }]);
    expect(why(both.when(confirm({ by: ana })))).toContain('1 more to go');
    const done = both.when(confirm({ by: ben }));
    expect(works(done)).toEqual(['open_pr']);
    expect(done.run.gate.consumedApproval?.by).toBe('Ana, Ben');
  });

  it('G3: a double Confirm opens one pull request', () => {
    const twice = asked.when(
      confirm(),
      confirm({ by: ben, id: card, digest: asked.run.gate.approval?.digest ?? '' }),
    );
    expect(why(twice)).toContain('Ana has already approved it');
    expect(countOf(twice.all, 'open_pr')).toBe(1);
  });

  it('G1: an approval that was used is not used again after the run went round', () => {
    const round = asked.when(confirm(), pause, resume());
    expect(round.run.gate.approval?.id).not.toBe(card);
    const digest = round.run.gate.approval?.digest ?? '';
    expect(why(round.when(confirm({ id: card, digest })))).toContain('newer one');
  });

  it('G3: a card that expires closes as expired, is never approved, and a new one asks', () => {
    const story = asked.when(later(25 * HOUR, expired));
    expect(story.run.lifecycle.state).toBe('PUSHED');
    expect(story.approvals.map((a) => a.op)).toEqual(['close', 'open']);
    expect(story.approvals[0]).toMatchObject({ id: card, state: 'expired' });
    expect(works(story)).toEqual([]);
    expect(cards(story.effects)).toEqual([story.run.gate.approval?.id]);
    const stale: Act = () => ({ input: { type: 'timer.approval.expired', approvalId: card } });
    expect(story.when(stale).step.kind).toBe('ignored');
  });

  describe('while nobody can answer', () => {
    const { approvalMs } = bounds();
    const end = asked.run.gate.approval?.expiresAt ?? 0;
    const start = end - approvalMs;
    const expiresIn = (story: Story): number => (story.run.gate.approval?.expiresAt ?? 0) - end;

    it('G3: the time of a card stands still, and it can be signed that much longer', () => {
      const night = asked.when(unanswerable(start + HOUR, start + 10 * HOUR));
      expect(expiresIn(night)).toBe(9 * HOUR);
      expect(night.approvals).toEqual([{ op: 'extend', id: card, expiresAt: end + 9 * HOUR }]);
      expect(works(night.when(later(approvalMs + 8 * HOUR, confirm())))).toEqual(['open_pr']);
      expect(why(night.when(later(approvalMs + 9 * HOUR, confirm())))).toContain('expired');
    });

    it('G3: its old timer is set again for what is left, and asks anew only then', () => {
      const night = asked.when(unanswerable(start, start + 9 * HOUR), later(approvalMs, expired));
      expect(night.run.gate.approval?.id).toBe(card);
      const [timer] = night.effects;
      expect(timer?.do).toEqual({ kind: 'offer_input', input: { type: expiry, approvalId: card } });
      expect(timer?.dueAt).toBe(end + 9 * HOUR);
      const over = night.when(later(9 * HOUR, expired));
      expect(over.approvals).toMatchObject([{ op: 'close', id: card, state: 'expired' }, { op: 'open' }]);
    });

    it('G3: the same time is added once, by however many it is told, and none before the card', () => {
      const twice = asked.when(
        unanswerable(start + HOUR, start + 3 * HOUR),
        unanswerable(start + HOUR, start + 3 * HOUR),
        unanswerable(start + 2 * HOUR, start + 4 * HOUR),
        unanswerable(start, start + 4 * HOUR),
      );
      expect(expiresIn(twice)).toBe(3 * HOUR);
      expect(expiresIn(asked.when(unanswerable(0, start + HOUR)))).toBe(HOUR);
      expect(asked.when(unanswerable(0, start)).step.kind).toBe('ignored');
    });

    it('G3: what is told of another card, or of none, changes nothing', () => {
      const used = asked.when(confirm());
      const other: Act = () => ({
        input: { type: 'timer.approval.frozen', approvalId: 'other', from: 0, until: end },
      });
      for (const story of [asked.when(other), used.when(unanswerable(start, end))])
        expect(story.step.kind).toBe('ignored');
    });

    it('G3: a pause closes the card, and the one after it has the whole time again', () => {
      const resumed = asked.when(pause, later(approvalMs + HOUR, resume()));
      expect((resumed.run.gate.approval?.expiresAt ?? 0) - resumed.now).toBe(approvalMs);
    });
  });

  it('E14: a fix leaves from where we left the branch, signed or not', () => {
    const from = (story: Story): unknown[] =>
      story.effects.flatMap((e) => (e.do.kind === 'push' ? [e.do.expectedHead] : []));
    const fix = [implemented('b'), validated()];
    expect(from(at('ITERATING').when(...fix, approvePush()))).toEqual([sha('a')]);
    expect(from(at('ITERATING', auto).when(...fix))).toEqual([sha('a')]);
  });

  it('S2: a push card is approved with its own command, and pushes what it showed', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const story = push.when(approvePush());
    expect(story.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'push', commitSha: sha('a'), expectedHead: null, approvalId: push.run.gate.approval?.id },
      }),
    );
    expect(story.when(pushed()).run.lifecycle.state).toBe('PUSHED');
  });

  it('G6: a fix waits for a card unless automatic pushes are on and the risk is low', () => {
    const gated = at('ITERATING').when(implemented('b'), validated());
    expect(gated.run.gate.approval?.kind).toBe('push');
    expect(works(gated.when(approvePush()))).toEqual(['push']);
    const free = at('ITERATING', auto).when(implemented('b'), validated());
    expect(works(free)).toEqual(['push']);
    const medium = at('ITERATING', auto).when(implemented('b'), validated({ risk: 'medium' }));
    expect(medium.run.gate.approval?.kind).toBe('push');
  });

  it('G1: a new question replaces the card of the old one', () => {
    const first = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const second = first.when(validated({ decision: 'escalate' }));
    expect(second.approvals).toMatchObject([
      { op: 'close', id: first.run.gate.approval?.id, state: 'void' },
      { op: 'open', id: second.run.gate.approval?.id },
    ]);
  });

  it('C5: the card of an approval tells how it ended', () => {
    const slots = (story: Story): unknown[] =>
      story.effects.flatMap((e) => (e.do.kind === 'chat_message' && e.do.slot ? [e.do.slot] : []));
    for (const end of [opened(), pause, cancel, deny('No.')])
      expect(slots(asked.when(confirm(), end))).toContain(`gate:${card}`);
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const done = push.when(approvePush(), pushed());
    expect(slots(done)).toContain(`gate:${push.run.gate.approval?.id}`);
  });
});

describe('denying', () => {
  it('P4: the reason becomes input of the next round', () => {
    const story = at('PUSHED').when(deny('Use a constant.'));
    expect(story.run).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'denied' }]);
    const again = story.when(retry());
    expect(again.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(again.effects).toContainEqual(
      expect.objectContaining({
        do: {
          kind: 'implement',
          round: { kind: 'rejection_fix', feedback: words('Use a constant.'), purpose: [] },
        },
      }),
    );
  });

  it('P4: words that come after a no without any reach the agent, and the same card does not come back', () => {
    for (const [asked, state] of [
      [at('PUSHED'), 'IMPLEMENTING'],
      [at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' })), 'IMPLEMENTING'],
      [at('ITERATING').when(implemented('b'), validated()), 'ITERATING'],
    ] as const) {
      const denied = asked.when(deny(''));
      expect(denied.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
      const again = denied.when(retry(undefined, 'Use a constant.'));
      expect(again.run.lifecycle.state).toBe(state);
      expect(toldIn(again.run)).toContain('Use a constant.');
      expect(again.effects.map((e) => e.do.kind)).toContain('implement');
    }
  });

  it('S2: for good ends the run', () => {
    expect(at('PUSHED').when(deny('No.', true)).run.lifecycle.state).toBe('FAILED_TERMINAL');
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(push.when(deny('No.', true)).run.lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('S2: for good says who did it, why, and which pull request was there', () => {
    const ended = (story: Story): unknown => story.run.lifecycle.reason;
    const by = { how: 'denied', by: 'Ana', note: 'No.' };
    expect(ended(at('PUSHED').when(deny('  No.\n', true)))).toEqual({
      kind: 'ended_by_person',
      ...by,
      pull: null,
    });
    const fix = at('ITERATING').when(implemented('b'), validated(), deny('No.', true));
    expect(ended(fix)).toEqual({ kind: 'ended_by_person', ...by, pull: fix.run.upstream.pullRequest?.id });
  });

  it('P4: a reason in a word reaches the agent as an instruction, unless nothing is to be done', () => {
    const because =
      (one: 'big' | 'unneeded'): Act =>
      (run) => {
        const act = deny()(run);
        return { ...act, input: { ...act.input, denialReason: one } as typeof act.input };
      };
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const big = push.when(because('big'));
    expect(big.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'rejection_fix' } },
    });
    expect(toldIn(big.run)).toMatch(/smaller change/);
    expect(push.when(because('unneeded')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(at('PUSHED').when(because('big')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('P4: blanks are no reason', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    const blank = push.when(deny(' \n '));
    expect(blank.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason: { kind: 'rejected', note: '' } },
    });
    expect(push.when(deny(' Smaller. ')).run.agent.round.feedback).toEqual(words('Smaller.'));
    // What the agent was told before stays what it is told.
    expect(blank.run.agent.round).toEqual(push.run.agent.round);
    const silent = at('PUSHED').when(deny(' '));
    expect(silent.run.agent.round).toEqual(at('PUSHED').run.agent.round);
  });

  it('G4: a no on the card that waits counts, and says so to nobody else’s card', () => {
    for (const asked of [at('PUSHED'), at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }))]) {
      const denied = asked.when(deny('No.', false, asked.run.gate.approval?.id ?? ''));
      expect(denied.run).toMatchObject({
        gate: { approval: null },
        lifecycle: { reason: { kind: 'rejected', note: 'No.' } },
      });
      expect(denied.approvals).toMatchObject([
        { op: 'close', id: asked.run.gate.approval?.id, state: 'denied' },
      ]);
    }
  });

  it('P4: changes that were asked for on an opening go to the agent at once; a no waits for a person', () => {
    const asked = at('PUSHED').when(askChanges('Smaller.'));
    expect(asked.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'rejection_fix', feedback: words('Smaller.') } },
    });
    expect(works(asked)).toEqual(['implement']);
    expect(at('PUSHED').when(askChanges(' ')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(at('PUSHED').when(deny('Smaller.')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G4: a no that names a card is refused where none waits any more', () => {
    const signed = at('PUSHED').when(confirm());
    expect(why(signed.when(deny('No.', false, 'other')))).toContain('newer one');
  });

  it('S2: a push card with a reason goes back to the agent within the bound, else to a person', () => {
    const push = at('LOCAL_VALIDATING', { maxReflections: 1 }).when(validated({ decision: 'escalate' }));
    const again = push.when(deny('Smaller.'));
    expect(again.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      agent: { round: { kind: 'rejection_fix', feedback: words('Smaller.') } },
    });
    const bound = again.when(implemented('b'), validated({ decision: 'escalate' }), deny('Smaller!'));
    expect(bound.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(bound.when(retry()).run.lifecycle.state).toBe('IMPLEMENTING');
    const fixing = at('ITERATING').when(implemented('b'), validated(), deny('Smaller.'));
    expect(fixing.run.lifecycle.state).toBe('ITERATING');
    expect(works(fixing)).toEqual(['implement']);
    expect(push.when(deny('')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G4: without a card, or on an older card, it is refused', () => {
    expect(why(at('LOCAL_VALIDATING').when(deny('No.')))).toContain('no card that waits for a decision');
    expect(why(at('PUSHED').when(deny('No.', false, 'other')))).toContain('newer one');
  });
});

describe('the pull request', () => {
  it('G1: its number enters the run only for the approval that was consumed for it', () => {
    expect(at('PUSHED').when(opened()).step.kind).toBe('ignored');
    const asked = at('PUSHED').when(confirm());
    const stranger: Act = () => ({
      input: { type: 'worker.pr.opened', approvalId: 'other', pull: '#9', url: 'u', adopted: false },
    });
    expect(asked.when(stranger).run.upstream.pullRequest).toBeNull();
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    expect(push.when(opened()).run.upstream.pullRequest).toBeNull();
    expect(asked.when(opened('#7')).run).toMatchObject({
      lifecycle: { state: 'CI_WAIT' },
      upstream: { pullRequest: { id: '#7' } },
    });
    expect(asked.when(opened('#7'), opened('#8')).run.upstream.pullRequest?.id).toBe('#7');
    expect(asked.when(opened('#7'), pause, opened('#8')).run.upstream.pullRequest?.id).toBe('#7');
  });

  it('S2: CI that finished before the pull request was linked counts', () => {
    const early = at('PUSHED').when(confirm(), check({ outcome: 'failed' }));
    expect(early.run.lifecycle.state).toBe('PUSHED');
    expect(early.when(opened()).run).toMatchObject({
      lifecycle: { state: 'ITERATING' },
      agent: { round: { kind: 'ci_fix', feedback: [{ kind: 'red', checks: ['test'] }] } },
    });
    const green = at('PUSHED').when(confirm(), check(), later(HOUR, looked), opened());
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('S2: a pull request that was merged or closed before it was linked counts', () => {
    expect(at('PUSHED').when(confirm(), pull({ merged: true }), opened('#7')).run.lifecycle.state).toBe(
      'DONE',
    );
    expect(at('PUSHED').when(confirm(), pull({ closed: true }), opened('#7')).run.lifecycle.state).toBe(
      'FAILED_TERMINAL',
    );
    expect(
      at('PUSHED').when(confirm(), pull({ merged: true, id: '#8' }), opened('#7')).run.lifecycle.state,
    ).toBe('CI_WAIT');
    expect(at('PUSHED').when(pull({ merged: true, head: 'e' })).step.kind).toBe('ignored');
    const echo = at('PUSHED').when(confirm(), pull({ closed: true }), pull(), opened('#7'));
    expect(echo.run.lifecycle.state).toBe('FAILED_TERMINAL');
  });

  it('G2: what moved is told, and a new card asks; a conflict or a denial is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    const was = proposal('open_pr', sha('a'), { title: 'Old title' });
    const moved = proposal('open_pr', sha('a'), { title: 'New title' });
    const story = asked.when(
      failed('seal_moved', {
        step: 'open_pr',
        proposal: moved,
        differences: findSealDifferences(was.fields, moved.fields),
      }),
    );
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { approval: { digest: moved.digest } },
    });
    expect(reasonOf(story.run)).toContain('the title moved: Old title → New title');
    expect(cards(story.effects)).toHaveLength(1);
    expect(asked.when(failed('seal_moved', { step: 'open_pr' })).run.lifecycle.state).toBe(
      'NEEDS_HUMAN_REVIEW',
    );
    const denied = proposal('open_pr', sha('a'), {
      assessment: { decision: 'deny', risk: 'high', reasons: [], factors: [], policyVersion: 'p2' },
    });
    const no = asked.when(failed('seal_moved', { step: 'open_pr', proposal: denied }));
    expect(no.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('G2: a signed push whose bytes moved asks anew with a push card', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    const moved = proposal('push', sha('a'), { title: 'New title' });
    const story = push.when(failed('seal_moved', { step: 'push', proposal: moved }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'push', digest: moved.digest } },
    });
  });

  it('S2: an outage asks again with a new card; a refusal is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    const again = asked.when(failed('forge_unavailable', { step: 'open_pr' }));
    expect(again.run.lifecycle.state).toBe('PUSHED');
    expect(cards(again.effects)).toHaveLength(1);
    expect(asked.when(failed('forge_refused', { step: 'open_pr' })).run.lifecycle.state).toBe(
      'NEEDS_HUMAN_REVIEW',
    );
  });

  it('S7: three failed outside effects in a row pause the run and ring once', () => {
    const outage = failed('forge_unavailable', { step: 'open_pr' });
    const story = at('PUSHED').when(confirm(), outage, confirm(), outage, confirm(), outage);
    expect(story.run).toMatchObject({ lifecycle: { state: 'PAUSED', resumeState: 'PUSHED' } });
    expect(rings(story.all)).toBe(1);
    expect(reasonOf(story.run)).toContain('3 attempts');
    const resumed = story.when(resume());
    expect(resumed.run).toMatchObject({ lifecycle: { state: 'PUSHED', counts: { outsideFailures: 0 } } });
  });

  it('S7: a success in between starts the count again', () => {
    const outage = failed('forge_unavailable', { step: 'push' });
    const story = at('LOCAL_VALIDATING').when(validated(), outage, timer('timer.retry'));
    expect(story.run.lifecycle.counts.outsideFailures).toBe(1);
    expect(story.when(validated(), pushed()).run.lifecycle.counts.outsideFailures).toBe(0);
  });

  it('S2: a failure that arrives while a person is asked changes nothing', () => {
    expect(at('PUSHED').when(failed('forge_unavailable', { step: 'open_pr' })).step.kind).toBe('ignored');
  });
});
