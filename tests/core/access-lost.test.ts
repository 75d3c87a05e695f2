/** F1: a run whose App loses the right to work on its repository stands still, and goes on by itself. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { ACTIVE_STATES } from '#model/run';
import { ACCESS_LOST } from '#model/failure';
import {
  accessIs,
  at,
  failed,
  implemented,
  lookFailed,
  ofEpoch,
  pause,
  pull,
  rings,
  works,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

describe('an App that may not work on a repository any more', () => {
  it.each(ACTIVE_STATES)('F1: a run in %s stands still, rings once, and goes on where it was', (state) => {
    const lost = at(state).when(accessIs('removed'));
    expect([lost.run.lifecycle.state, lost.run.lifecycle.resumeState, rings(lost.effects)]).toEqual([
      'PAUSED',
      state,
      1,
    ]);
    expect(reasonOf(lost.run)).toContain('uninstalled from ana');
    expect(lost.when(accessIs('removed')).step.kind).toBe('ignored');
    const back = lost.when(accessIs(null));
    expect([back.run.lifecycle.state, back.run.lifecycle.reason.kind]).toEqual([state, 'access_restored']);
    expect(works(back).sort()).toEqual(works(lost.when(accessIs(null))).sort());
    expect(back.when(accessIs(null)).step.kind).toBe('ignored');
  });

  it('F1: says for each way what to do, in every language', () => {
    const said = Object.keys(LANGUAGE_TEXTS).length * ACCESS_LOST.length;
    const reasons = ACCESS_LOST.map((how) => reasonOf(at('IMPLEMENTING').when(accessIs(how)).run));
    expect(new Set(reasons).size * Object.keys(LANGUAGE_TEXTS).length).toBe(said);
    for (const reason of reasons) expect(reason).toContain('goes on by itself when that is done');
  });

  it('F1: what a person paused, and what stands still for another reason, goes on by a person only', () => {
    for (const story of [at('IMPLEMENTING').when(pause), at('NEEDS_HUMAN_REVIEW'), at('IMPLEMENTING')])
      expect(story.when(accessIs(null)).step.kind).toBe('ignored');
    const stopped = at('IMPLEMENTING').when(pause);
    expect(stopped.when(accessIs('suspended')).step.kind).toBe('ignored');
  });

  it('F1: work that ended meanwhile counts when it goes on', () => {
    const busy = at('IMPLEMENTING');
    const lost = busy.when(accessIs('suspended'), ofEpoch(busy.run.lifecycle.epoch, implemented('a')));
    expect(lost.run.lifecycle.state).toBe('PAUSED');
    expect(lost.when(accessIs(null)).run.lifecycle.state).toBe('LOCAL_VALIDATING');
    const crashed = busy.when(accessIs('suspended'), ofEpoch(busy.run.lifecycle.epoch, failed('crashed')));
    expect(crashed.when(accessIs(null)).run.lifecycle.state).toBe('FAILED_RETRYABLE');
  });

  it('F8: is told once: that nothing can be seen meanwhile is no second message, and a merge still ends it', () => {
    const lost = at('REVIEW_WAIT').when(accessIs('unlisted'));
    expect(lost.when(lookFailed()).step.kind).toBe('ignored');
    expect(lost.when(pull({ merged: true })).run.lifecycle.state).toBe('DONE');
  });
});
