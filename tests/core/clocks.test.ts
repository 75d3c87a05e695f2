/** Failures, retries and timers, each within its bound. */
import { describe, expect, it } from 'vitest';
import { FailureClass, failureConsequence } from '#model/failure';
import { RUN_STATES, WORKING_STATES } from '#model/run';
import {
  act,
  approvePush,
  at,
  countOf,
  failed,
  given,
  implemented,
  later,
  pause,
  rerun,
  resume,
  retry,
  rings,
  timer,
  validated,
  works,
  type Act,
  type Story,
} from '../support/core.ts';
import { reasonOf } from '../support/english.ts';

const HOUR = 3_600_000;
const auto = { autoIterate: true };

describe('failures and clocks', () => {
  it('E5: each class has its consequence', () => {
    for (const failure of FailureClass.options) {
      const {
        lifecycle: { state },
      } = at('IMPLEMENTING', { maxReportRepairs: 0 }).when(failed(failure)).run;
      const expected = {
        retry: 'FAILED_RETRYABLE',
        human: 'NEEDS_HUMAN_REVIEW',
        terminal: 'FAILED_TERMINAL',
      };
      expect(state, failure).toBe(expected[failureConsequence(failure)]);
    }
  });

  it('S7: a step is retried where it was, with doubling pauses, and then a person is asked once', () => {
    let story = at('IMPLEMENTING');
    const delays: number[] = [];
    for (let i = 0; i < 2; i += 1) {
      story = story.when(failed('crashed'));
      expect(story.run).toMatchObject({
        lifecycle: { state: 'FAILED_RETRYABLE', resumeState: 'IMPLEMENTING' },
      });
      const due = story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? 0;
      delays.push(due - story.now);
      story = story.when(timer('timer.retry'));
      expect(works(story)).toEqual(['implement']);
    }
    story = story.when(failed('crashed'));
    expect(delays).toEqual([10_000, 20_000]);
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('S7: a state that is left by success forgets its retries, and no sooner', () => {
    const story = at('IMPLEMENTING').when(failed('crashed'), timer('timer.retry'), implemented('a'));
    expect(story.run.lifecycle.counts.retries).toBe(0);
    const inside = at('ITERATING').when(failed('crashed'), timer('timer.retry'), implemented('b'));
    expect(inside.run.lifecycle.counts.retries).toBe(1);
    const red = at('LOCAL_VALIDATING').when(
      failed('crashed'),
      timer('timer.retry'),
      validated({ passed: false }),
    );
    expect(red.run.lifecycle.counts.retries).toBe(0);
  });

  it('S7: inside a fix, the agent’s success does not forget the retries of the checks', () => {
    let story = at('ITERATING');
    for (let i = 0; i < 10 && story.run.lifecycle.state === 'ITERATING'; i += 1) {
      if (works(story).includes('implement')) story = story.when(implemented('b'));
      story = story.when(failed('crashed', { step: 'check' }), timer('timer.retry'));
    }
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
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
    expect(works(at('CI_WAIT').when(pause, resume('ITERATING')))).toEqual(['implement']);
  });

  it('S7: waiting for the provider’s clock is free, unless it always says at once', () => {
    const start = at('IMPLEMENTING');
    const waits = start.when(failed('rate_limited', { retryAt: start.now + HOUR }));
    expect(waits.run).toMatchObject({ lifecycle: { state: 'FAILED_RETRYABLE', counts: { retries: 0 } } });
    expect(waits.effects.find((e) => e.do.kind === 'offer_input')?.dueAt).toBe(start.now + HOUR);
    for (const soon of [0, 5_000]) {
      let story = start;
      for (let i = 0; i < 20 && story.run.lifecycle.state === 'IMPLEMENTING'; i += 1) {
        story = story.when(failed('rate_limited', { retryAt: story.now + soon }));
        const due = story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? Infinity;
        expect(due - story.now).toBeGreaterThan(soon);
        story = story.when(timer('timer.retry'));
      }
      expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    }
  });

  const STALL = 300_000;
  it('E6: every state in which a process works has a time limit', () => {
    for (const state of WORKING_STATES) {
      const limit = at(state).all.findLast(
        (e) => e.do.kind === 'offer_input' && e.do.input.type === 'timer.timeout',
      );
      const {
        lifecycle: { stateEnteredAt: since, workedMs },
        order,
      } = at(state).run;
      expect(limit?.dueAt, state).toBe(since + order.bounds.runMs - workedMs + STALL);
    }
  });

  it('F5: no state runs out of time while the code host makes its work wait', () => {
    for (const state of WORKING_STATES) {
      const waits = act((run) => ({ type: 'timer.timeout', epoch: run.lifecycle.epoch, waits: true }));
      const { run, effects } = at(state).when(later(60_000, waits));
      expect(run.lifecycle.state).toBe(state);
      expect(effects.map((e) => e.do.kind === 'offer_input' && e.do.input.type)).toEqual(['timer.timeout']);
    }
  });

  it('S2: a worker state that takes too long is retried, and past the bound a person is asked', () => {
    let story = at('IMPLEMENTING', { maxStepRetries: 1 }).when(timer('timer.timeout'));
    expect(story.run.lifecycle.state).toBe('FAILED_RETRYABLE');
    story = story.when(timer('timer.retry'), timer('timer.timeout'));
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(rings(story.all)).toBe(1);
  });

  it('E6: a used-up time budget is for a person, and a retry alone grants no more of it', () => {
    const spent = at('LOCAL_VALIDATING', { runMs: 1_000 }).when(timer('timer.timeout'));
    expect(spent.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    expect(reasonOf(spent.run)).toContain('budget');
    expect(spent.when(retry()).step).toMatchObject({ kind: 'refused' });
    expect(spent.when(retry()).run.lifecycle.workedMs).toBe(spent.run.lifecycle.workedMs);
  });

  it('S2: a card may wait longer than a step, and what it approved is not cut off for it', () => {
    const card = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }));
    expect(card.when(timer('timer.timeout')).step.kind).toBe('ignored');
    expect(card.when(approvePush(), timer('timer.timeout')).step.kind).toBe('ignored');
  });

  it('S4: timers of an earlier state mean nothing', () => {
    for (const type of ['timer.timeout', 'timer.reminder', 'timer.retry'] as const) {
      for (const state of RUN_STATES) {
        const story = at(state);
        const old: Act = () => ({ input: { type, epoch: story.run.lifecycle.epoch - 1 } });
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
      pauses.push((story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? 0) - story.now);
    }
    expect(pauses).toEqual([96 * HOUR, 192 * HOUR, 384 * HOUR]);
    for (let i = 0; i < 9; i += 1) story = story.when(timer('timer.reminder'));
    expect((story.effects.find((e) => e.do.kind === 'offer_input')?.dueAt ?? 0) - story.now).toBe(
      48 * 64 * HOUR,
    );
    const first = (s: Story): number =>
      (s.all.findLast((e) => e.do.kind === 'offer_input' && e.do.input.type === 'timer.reminder')?.dueAt ??
        0) - s.run.lifecycle.stateEnteredAt;
    expect(first(at('CI_WAIT'))).toBe(24 * HOUR);
    expect(first(at('REVIEW_WAIT'))).toBe(48 * HOUR);
  });

  it('S6: a queued run whose start failed is tried again', () => {
    const story = given({}, failed('crashed', { step: 'start' }));
    expect(story.run.lifecycle.state).toBe('FAILED_RETRYABLE');
    expect(works(story.when(timer('timer.retry')))).toEqual(['start_run']);
  });

  it('S6: a failed re-run of CI is told to a person', () => {
    const story = at('ITERATING').when(
      implemented(null),
      rerun,
      failed('forge_unavailable', { step: 'rerun_ci' }),
    );
    expect(story.run.lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
  });
});
