/** The plain way of a run: creating, planning, implementing, checking and ending. */
import { describe, expect, it } from 'vitest';
import { findRunExclusion } from '../../orchestrator/kernel/lifecycle/campaign-exclusion.ts';
import type { AssessmentReason } from '#model/assessment';
import { RUN_STATES, isTerminal } from '#model/run';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  BRANCH,
  ana,
  at,
  cancel,
  cards,
  countOf,
  baseChecked,
  discovered,
  given,
  implemented,
  markDone,
  pause,
  proposal,
  pull,
  pushed,
  resume,
  retry,
  rings,
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
} from '../support/core.ts';
import { reasonOf, toldIn, words } from '../support/english.ts';

describe('creating and starting', () => {
  it('S2: a new run is QUEUED and asks for a slot', () => {
    const story = given();
    expect(story.run).toMatchObject({ lifecycle: { state: 'QUEUED', version: 1, epoch: 1 } });
    expect(works(story)).toEqual(['start_run']);
  });

  it('S2: a run that exists is not created again', () => {
    const again: Act = () => ({
      input: { type: 'command.run.create', runId: 'r1', order: given().run.order },
    });
    expect(why(at('CI_WAIT').when(again))).toContain('already exists');
  });

  it('S2: discovery starts when there is a slot, and its contract makes the plan ready', () => {
    const story = given({}, startDiscovery);
    expect(works(story)).toEqual(['discover']);
    const ready = story.when(discovered(), baseChecked());
    expect(ready.run).toMatchObject({
      lifecycle: { state: 'PLAN_READY' },
      target: { contract: { packageManager: 'npm' } },
    });
    expect(wakes(ready.effects)).toContain('command.implementation.start');
  });

  it('P3: a rule against such changes asks a person with the quote; an archived repository skips the run', () => {
    const banned = at('DISCOVERY').when(discovered({ banned: true }));
    expect(banned.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(banned.run)).toContain('“No AI, please.” (CONTRIBUTING.md:3)');
    const archived = at('DISCOVERY').when(discovered({ archived: true }));
    expect(archived.run).toMatchObject({
      lifecycle: { state: 'SKIPPED', reason: { kind: 'repository_archived' } },
    });
  });

  it('F5: the second name of a repository that takes part skips its run, which is left out', () => {
    const { run } = at('DISCOVERY').when(discovered({ duplicate: 'acme/today' }));
    expect(run).toMatchObject({
      lifecycle: { state: 'SKIPPED', reason: { kind: 'duplicate_repository', repo: 'acme/today' } },
    });
    expect(findRunExclusion(run)).toBe('duplicate');
  });

  it('S2: the plan goes on by itself, and the agent is asked to work', () => {
    const story = at('PLAN_READY').when(startWork());
    expect(story.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(works(story)).toEqual(['implement']);
  });
});

const AGREEMENT = { kind: 'agreement_required', file: 'CLA.md', line: 1 } as const;

describe('a plan that a person must see first', () => {
  const waiting = at('DISCOVERY').when(discovered({ escalate: AGREEMENT }));

  it('S2, G6: rings once, waits without a time limit, and is asked about again', () => {
    expect(waiting.run).toMatchObject({ lifecycle: { state: 'PLAN_READY', reason: AGREEMENT } });
    expect(rings(waiting.effects)).toBe(1);
    expect(wakes(waiting.effects)).toEqual(['timer.reminder']);
    expect(rings(waiting.when(timer('timer.reminder')).effects)).toBe(1);
  });

  it('G6: no rule starts it, only a person', () => {
    expect(why(waiting.when(startWork()))).toContain('A person must look at the plan');
    const agreed = waiting.when(startWork(ana), baseChecked());
    expect(agreed.when(startWork()).run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('G6: pausing and resuming does not answer the question', () => {
    const resumed = waiting.when(pause, resume());
    expect(resumed.run.lifecycle.state).toBe('PLAN_READY');
    expect(wakes(resumed.effects)).not.toContain('command.implementation.start');
    expect(rings(resumed.effects)).toBe(1);
    expect(why(waiting.when(pause, resume('IMPLEMENTING')))).toContain('cannot go on at IMPLEMENTING');
  });

  it('G6: once answered, it is not asked again', () => {
    const agreed = waiting.when(startWork(ana), baseChecked(), startWork());
    const back = agreed.when(implemented(null), retry('PLAN_READY'));
    expect(wakes(back.effects)).toContain('command.implementation.start');
  });
});

describe('implementing and checking', () => {
  it('S2: a commit is checked; no change is a question for a person', () => {
    const checked = at('IMPLEMENTING').when(implemented('a'));
    expect(checked.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(checked.effects).toContainEqual(
      expect.objectContaining({ do: { kind: 'check', commitSha: sha('a') } }),
    );
    const nothing = at('IMPLEMENTING').when(implemented(null));
    expect(nothing.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(nothing.effects)).toBe(1);
  });

  it('S2: a person may send an existing commit to the checks', () => {
    expect(why(at('IMPLEMENTING').when(sendToChecks))).toContain('no commit to validate');
    const again = at('LOCAL_VALIDATING').when(validated({ passed: false }));
    expect(again.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(again.when(sendToChecks).run.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  it('S2: green and allowed pushes, without a card', () => {
    const story = at('LOCAL_VALIDATING').when(validated());
    expect(works(story)).toEqual(['push']);
    expect(story.run).toMatchObject({ lifecycle: { state: 'LOCAL_VALIDATING' }, gate: { approval: null } });
  });

  it('S2: red goes back to the agent with the failure, and after the bound to a person, once', () => {
    let story = at('LOCAL_VALIDATING', { maxReflections: 2 });
    for (const letter of ['b', 'c']) {
      story = story.when(validated({ passed: false }));
      expect(story.run).toMatchObject({
        lifecycle: { state: 'IMPLEMENTING' },
        agent: { round: { kind: 'check_fix', feedback: words('test: expected bonjour') } },
      });
      expect(story.effects).toContainEqual(
        expect.objectContaining({
          do: {
            kind: 'implement',
            round: { kind: 'check_fix', feedback: words('test: expected bonjour'), purpose: [] },
          },
        }),
      );
      story = story.when(implemented(letter));
    }
    story = story.when(validated({ passed: false }));
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(countOf(story.all, 'implement')).toBe(3);
    expect(rings(story.all)).toBe(1);
  });

  it('E6: red with no time left asks a person', () => {
    const story = at('LOCAL_VALIDATING', { runMs: 2_000 }).when(validated({ passed: false }));
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('P4: denied by a policy asks a person, and the reason becomes input of the next round', () => {
    const reason: AssessmentReason = { kind: 'secret', at: ['a.ts'], more: 0 };
    const reasons = [{ policy: 'no-secrets', verdict: 'deny' as const, reason }];
    const story = at('LOCAL_VALIDATING').when(validated({ decision: 'deny', reasons }));
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(story.run)).toContain('no-secrets: what looks like a secret is in a.ts');
    const again = story.when(retry());
    expect(again.run.lifecycle.state).toBe('IMPLEMENTING');
    expect(toldIn(again.run)).toContain('what looks like a secret is in a.ts');
  });

  it('S2: failed checks go back to the agent before any policy is asked', () => {
    const story = at('LOCAL_VALIDATING').when(validated({ passed: false, decision: 'deny' }));
    expect(story.run.lifecycle.state).toBe('IMPLEMENTING');
  });

  it('S2: escalated stays, and a push card waits', () => {
    const story = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: { kind: 'push' } },
    });
    expect(works(story)).toEqual([]);
    expect(cards(story.effects)).toEqual([story.run.gate.approval?.id]);
  });

  it('G6: high risk is signed by a person even when every policy allows it', () => {
    const story = at('LOCAL_VALIDATING').when(validated({ risk: 'high' }));
    expect(story.run.gate.approval?.kind).toBe('push');
    expect(works(story)).toEqual([]);
  });

  it('S5: a validation of another commit decides nothing', () => {
    expect(at('LOCAL_VALIDATING').when(validated({ letter: 'e' })).step.kind).toBe('ignored');
  });

  it('S3: what would be published being unknown is a question for a person, not a crash', () => {
    const push = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate', bare: true }));
    expect(push.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    const pr = at('LOCAL_VALIDATING').when(validated(), pushed('a', true));
    expect(pr.run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      change: { pushedHead: { sha: sha('a') } },
    });
  });

  it('S2: a push that was read back waits for a decision with one card', () => {
    const story = at('LOCAL_VALIDATING').when(validated(), pushed());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      change: { pushedHead: { branch: BRANCH, sha: sha('a') } },
      gate: { approval: { kind: 'open_pr', digest: proposal('open_pr', sha('a')).digest } },
    });
    expect(cards(story.effects)).toHaveLength(1);
  });
});

describe('ending', () => {
  it('S2: skip is for runs without a pull request', () => {
    expect(at('PUSHED').when(skip).run.lifecycle.state).toBe('SKIPPED');
    expect(why(at('CI_WAIT').when(skip))).toContain('cannot be skipped');
    expect(why(at('CI_WAIT').when(pause, skip))).toContain('has a pull request');
  });

  it('S2: cancel says that a pull request stays open', () => {
    expect(reasonOf(at('CI_WAIT').when(cancel).run)).toContain('#7 stays open');
  });

  it('S2: mark as done ends the waits', () => {
    for (const state of ['PUSHED', 'CI_WAIT', 'REVIEW_WAIT', 'NEEDS_HUMAN_REVIEW'] as const)
      expect(at(state).when(markDone).run.lifecycle.state).toBe('DONE');
    expect(why(at('IMPLEMENTING').when(markDone))).toContain('cannot be marked as done');
  });

  it('S1: what has ended stays ended', () => {
    for (const state of RUN_STATES.filter(isTerminal)) {
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
    expect(decideStep(null, pause(given().run).input, stamp)).toMatchObject({ kind: 'refused' });
  });
});
