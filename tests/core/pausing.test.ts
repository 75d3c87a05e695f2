/** Pausing, going on, and results that come too late. */
import { describe, expect, it } from 'vitest';
import { ACTIVE_STATES } from '#model/run';
import {
  BRANCH,
  approvePush,
  assessment,
  at,
  cancel,
  cards,
  confirm,
  deny,
  baseChecked,
  discovered,
  failed,
  headIs,
  headRead,
  implemented,
  notes,
  ofEpoch,
  opened,
  pause,
  proposal,
  pushed,
  resume,
  retry,
  rings,
  sha,
  timer,
  validated,
  wakes,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';

describe('pausing and going on', () => {
  it.each(ACTIVE_STATES)('S2: %s can be paused, which voids its card, and goes on where it was', (state) => {
    const story = at(state).when(pause);
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PAUSED', resumeState: state },
      gate: { approval: null },
    });
    expect(works(story)).toEqual([]);
    expect(rings(story.effects)).toBe(0);
    expect(why(story.when(confirm()))).toContain('is paused');
    expect(story.when(resume()).run.lifecycle.state).toBe(state);
  });

  it('S4: a second pause is a new wish, and refused with a sentence', () => {
    expect(why(at('PAUSED').when(pause))).toBe(
      'Run r1 is paused; from there it cannot be paused. /resume r1 continues it.',
    );
  });

  it('S2: a result of what was going on is kept, and used on resume', () => {
    const busy = at('IMPLEMENTING');
    const kept = busy.when(pause, ofEpoch(busy.run.lifecycle.epoch, implemented('a')));
    expect(kept.run).toMatchObject({ lifecycle: { state: 'PAUSED' }, change: { commit: null } });
    const resumed = kept.when(resume());
    expect(resumed.run).toMatchObject({
      lifecycle: { state: 'LOCAL_VALIDATING', deferredResult: null },
      change: { commit: { sha: sha('a') } },
    });
    expect(works(resumed)).toEqual(['check']);
  });

  it('S2: a kept result is dropped when the run goes on elsewhere', () => {
    const busy = at('IMPLEMENTING');
    const kept = busy.when(pause, ofEpoch(busy.run.lifecycle.epoch, implemented('a')));
    const elsewhere = kept.when(resume('DISCOVERY'));
    expect(elsewhere.run).toMatchObject({
      lifecycle: { state: 'DISCOVERY', deferredResult: null },
      change: { commit: null },
    });
    expect(works(elsewhere)).toEqual(['discover']);
    const crashed = busy.when(
      pause,
      ofEpoch(busy.run.lifecycle.epoch, failed('crashed')),
      resume('DISCOVERY'),
    );
    expect(crashed.run.lifecycle.state).toBe('DISCOVERY');
  });

  it('S2: a late result of before the pause’s state, or after it, is discarded', () => {
    const busy = at('IMPLEMENTING');
    expect(busy.when(pause, ofEpoch(busy.run.lifecycle.epoch - 1, implemented('a'))).step.kind).toBe(
      'ignored',
    );
    expect(busy.when(pause, resume(), ofEpoch(busy.run.lifecycle.epoch, implemented('a'))).step.kind).toBe(
      'ignored',
    );
    const twice = busy.when(pause, resume(), pause, ofEpoch(busy.run.lifecycle.epoch, implemented('a')));
    expect(twice.step.kind).toBe('ignored');
    const auto = at('LOCAL_VALIDATING', { maxFailedOutside: 1 });
    const paused = auto.when(pause, resume(), validated(), failed('forge_unavailable', { step: 'push' }));
    expect(paused.run.lifecycle.state).toBe('PAUSED');
    expect(paused.when(ofEpoch(auto.run.lifecycle.epoch, validated())).step.kind).toBe('ignored');
  });

  it('S2: a pull request opened during a pause is kept, and its checks are waited for on resume', () => {
    const asked = at('PUSHED').when(confirm());
    const story = asked.when(pause, ofEpoch(asked.run.lifecycle.epoch, opened()));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'PAUSED' },
      upstream: { pullRequest: { id: '#7' } },
    });
    expect(notes(story.effects)[0]).toContain('#7 was opened just before the run was stopped');
    expect(story.when(resume()).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S2: a pull request opened after pause and resume is taken, and the newer card is void', () => {
    const asked = at('PUSHED').when(confirm());
    const again = asked.when(pause, resume());
    const story = again.when(ofEpoch(asked.run.lifecycle.epoch, opened()));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'CI_WAIT' },
      upstream: { pullRequest: { id: '#7' } },
      gate: { approval: null },
    });
    expect(story.approvals).toMatchObject([{ op: 'close', state: 'void', id: again.run.gate.approval?.id }]);
  });

  it('S6: an opening that failed during a pause leads to a new card on resume', () => {
    const asked = at('PUSHED').when(confirm());
    const outage = ofEpoch(asked.run.lifecycle.epoch, failed('forge_unavailable', { step: 'open_pr' }));
    const story = asked.when(pause, outage, resume());
    expect(story.run.lifecycle.state).toBe('PUSHED');
    expect(cards(story.effects)).toEqual([story.run.gate.approval?.id]);
  });

  it('S2: results kept during a pause may end the run, retry it, or pause it again', () => {
    const keep = (state: (typeof ACTIVE_STATES)[number], a: Act, change = {}): Story => {
      const busy = at(state, change);
      return busy.when(pause, ofEpoch(busy.run.lifecycle.epoch, a), resume());
    };
    expect(keep('DISCOVERY', discovered({ banned: true })).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(keep('IMPLEMENTING', failed('crashed')).run.lifecycle.state).toBe('FAILED_RETRYABLE');
    expect(keep('DISCOVERY', failed('repository_empty')).run.lifecycle.state).toBe('FAILED_TERMINAL');
    const outage = failed('forge_unavailable', { step: 'push' });
    expect(keep('LOCAL_VALIDATING', outage, { maxFailedOutside: 1 }).run.lifecycle.state).toBe('PAUSED');
    const stray = keep('LOCAL_VALIDATING', validated({ letter: 'e' }));
    expect(stray.run.lifecycle.state).toBe('LOCAL_VALIDATING');
    expect(works(stray)).toEqual(['check']);
    const nonsense = keep('CI_WAIT', discovered());
    expect(nonsense.run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S7: a state that is only passed through does not ring', () => {
    const planned = at('PUSHED').when(
      deny(),
      retry('DISCOVERY'),
      discovered({ escalate: { kind: 'agreement_required', file: 'CLA.md', line: 1 } }),
      baseChecked(),
    );
    const story = planned.when(pause, headIs('e'), resume());
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.effects)).toBe(0);
    expect(wakes(story.effects)).toEqual(['timer.reminder']);
    expect(rings(story.when(headRead()).effects)).toBe(1);
  });

  it('S2: targets never go beyond what exists and has passed', () => {
    const early = at('NEEDS_HUMAN_REVIEW');
    for (const target of ['LOCAL_VALIDATING', 'PUSHED', 'CI_WAIT', 'REVIEW_WAIT', 'ITERATING'] as const)
      expect(why(early.when(retry(target))), target).toContain(`cannot go on at ${target}`);
    expect(early.when(retry('PLAN_READY')).run.lifecycle.state).toBe('PLAN_READY');
    const failing = at('PUSHED').when(
      deny('More.'),
      retry('IMPLEMENTING'),
      implemented('b'),
      validated({ passed: false }),
      implemented(null),
    );
    expect(why(failing.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
    const worse = at('PUSHED').when(
      deny(),
      retry('LOCAL_VALIDATING'),
      validated({ passed: false }),
      implemented(null),
    );
    expect(why(worse.when(retry('PUSHED')))).toContain('cannot go on at PUSHED');
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
    const late = story.when(pause, ofEpoch(story.run.lifecycle.epoch, pushed('b', true)));
    expect(late.run.change.pushedHead?.sha).toBe(sha('b'));
    expect(why(late.when(resume('PUSHED')))).toContain('cannot go on at PUSHED');
    const signed = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    const bare = signed.when(pause, ofEpoch(signed.run.lifecycle.epoch, pushed('a', true)));
    expect(why(bare.when(resume('PUSHED')))).toContain('cannot go on at PUSHED');
  });

  it('S2: a card of what was pushed is not shown again while another commit is on its way', () => {
    const newer = at('PUSHED').when(deny('More.'), retry(), implemented('b'), validated(), pause);
    expect(newer.run).toMatchObject({
      change: { pushedHead: { sha: sha('a') }, evaluation: { commitSha: sha('b') } },
    });
    expect(why(newer.when(resume('PUSHED')))).toContain('cannot go on at PUSHED');
  });

  it('P3: what a policy denies when its push is heard of late is asked nobody to be signed', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const denied = proposal('open_pr', sha('a'), { assessment: assessment({ decision: 'deny' }) });
    const late: Act = () => ({
      ...ofEpoch(pushing.run.lifecycle.epoch, pushed())(pushing.run),
      input: { type: 'worker.push.completed', branch: BRANCH, sha: sha('a'), proposal: denied },
    });
    const story = pushing.when(pause, late, resume('IMPLEMENTING'), pause);
    expect(story.run).toMatchObject({ change: { pushedHead: { sha: sha('a') } }, gate: { proposal: null } });
    expect(why(story.when(resume('PUSHED')))).toContain('cannot go on at PUSHED');
  });

  it('S2: a person’s retry starts the counts of the step again, not those of the run’s life', () => {
    const story = at('ITERATING').when(failed('crashed'), retry());
    expect(story.run).toMatchObject({
      lifecycle: { state: 'ITERATING', counts: { retries: 0, iterations: 1 } },
    });
  });
});

describe('late results', () => {
  it('S2: results of another epoch are discarded', () => {
    for (const state of ['DISCOVERY', 'IMPLEMENTING', 'LOCAL_VALIDATING', 'ITERATING'] as const)
      for (const a of [discovered(), implemented('b'), validated(), failed('crashed')]) {
        const story = at(state);
        expect(story.when(ofEpoch(story.run.lifecycle.epoch - 1, a)).step.kind, state).toBe('ignored');
      }
  });

  it('S2: cancel while the agent runs: its result is ignored', () => {
    const busy = at('IMPLEMENTING');
    const story = busy.when(cancel);
    expect(story.run.lifecycle.state).toBe('FAILED_TERMINAL');
    expect(works(story)).toEqual(['remove_workspace']);
    expect(story.when(ofEpoch(busy.run.lifecycle.epoch, implemented('a'))).step.kind).toBe('ignored');
  });

  it('S2: a pull request opened after cancel is noted and told', () => {
    const asked = at('PUSHED').when(confirm());
    const story = asked.when(cancel, ofEpoch(asked.run.lifecycle.epoch, opened()));
    expect(story.run).toMatchObject({
      lifecycle: { state: 'FAILED_TERMINAL' },
      upstream: { pullRequest: { id: '#7' } },
    });
    expect(notes(story.effects)).toEqual([
      'Pull request #7 was opened just before the run ended: https://forge/ana/app/pull/7',
    ]);
  });

  it('S2: a pull request opened after a denial sent the run back is for a person', () => {
    const asked = at('PUSHED').when(confirm());
    for (const target of ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'] as const) {
      const story = asked.when(deny('No.'), retry(target), ofEpoch(asked.run.lifecycle.epoch, opened()));
      expect(story.run, target).toMatchObject({
        lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
        upstream: { pullRequest: { id: '#7' } },
      });
      expect(works(story)).toEqual([]);
    }
    const failing = asked.when(deny('No.'), retry('IMPLEMENTING'), failed('crashed'));
    const noted = failing.when(ofEpoch(asked.run.lifecycle.epoch, opened()));
    expect(noted.run).toMatchObject({
      lifecycle: { state: 'FAILED_RETRYABLE' },
      upstream: { pullRequest: { id: '#7' } },
    });
    expect(noted.when(timer('timer.retry')).run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });

  it('S2: a push result after a timeout is a fact, wherever the run is by then', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const late = ofEpoch(pushing.run.lifecycle.epoch, pushed());
    const timedOut = pushing.when(timer('timer.timeout'));
    for (const story of [
      timedOut,
      timedOut.when(timer('timer.retry')),
      timedOut.when(retry('IMPLEMENTING')),
    ]) {
      const noted = story.when(late);
      expect(noted.run).toMatchObject({
        lifecycle: { state: story.run.lifecycle.state },
        change: { pushedHead: { sha: sha('a') } },
      });
      expect(noted.effects.map((e) => e.do.kind)).toContain('poll');
      expect(noted.when(headIs('a')).run.lifecycle.state).toBe(story.run.lifecycle.state);
    }
    const again = timedOut.when(timer('timer.retry'), late, validated());
    expect(again.effects).toContainEqual(
      expect.objectContaining({
        do: { kind: 'push', commitSha: sha('a'), expectedHead: sha('a'), approvalId: null },
      }),
    );
    expect(again.when(pushed()).run.lifecycle.state).toBe('PUSHED');
  });

  it('G2: a late push does not change what an open card asks about', () => {
    const pushing = at('LOCAL_VALIDATING').when(validated());
    const card = pushing.when(
      timer('timer.timeout'),
      timer('timer.retry'),
      validated({ decision: 'escalate' }),
    );
    const late = card.when(ofEpoch(pushing.run.lifecycle.epoch, pushed()));
    expect(late.run.gate.proposal?.fields.action).toBe('push');
    expect(works(late.when(approvePush()))).toEqual(['push']);
  });

  it('S2: a push result of a state that does not push is a fact, not a move', () => {
    const noted = at('IMPLEMENTING').when(pushed('a'));
    expect(noted.run).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING' },
      change: { pushedHead: { sha: sha('a') } },
    });
  });
});
