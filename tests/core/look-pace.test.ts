/** F4, F5: how soon a pull request is looked at again. */
import { describe, expect, it } from 'vitest';
import {
  delayAfterFailedPoll,
  pollDepthFor,
  nextPollDelay,
} from '../../orchestrator/kernel/ci/poll-pull.effect.ts';
import { at, check, ci, later, looked } from '../support/core.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const pollMs = 30_000;
const waiting = at('CI_WAIT').run;
const inReview = at('REVIEW_WAIT').run;
const after = (run: typeof waiting, age: number, watched = 1): number =>
  nextPollDelay(run, run.lifecycle.stateEnteredAt + age, pollMs, watched) / SECOND;

describe('the time to the next look', () => {
  it.each([
    ['just pushed', 0, 10],
    ['checks run', 5 * MINUTE, 30],
    ['checks run for half an hour', 30 * MINUTE, 30],
    ['checks run for four hours', 240 * MINUTE, 720],
    ['checks run for days', 4_000 * MINUTE, 900],
  ])('F4: %s', (_name, age, seconds) => {
    expect(after(waiting, age)).toBe(seconds);
  });

  it('F4: grows from half a minute to a quarter of an hour while a review is waited for', () => {
    expect([0, 60, 600].map((age) => after(inReview, age * MINUTE))).toEqual([30, 180, 900]);
  });

  it('F5: is shared: all looks together stay below 450 requests a minute', () => {
    for (const watched of [1, 100, 300, 1_000]) {
      const looksAMinute = (watched * 60) / after(waiting, 5 * MINUTE, watched);
      expect(2 * looksAMinute).toBeLessThanOrEqual(420.1);
    }
    expect(after(waiting, 5 * MINUTE, 100)).toBeLessThanOrEqual(30);
  });

  it('F5: of many pull requests that are refused takes a fifth of an hour’s limit, at most', () => {
    for (const unreadable of [50, 500, 5_000]) {
      const of = { tries: 9, regular: SECOND, unreadable, isPartial: false, lasts: false };
      const looksAnHour = (unreadable * 60 * MINUTE) / delayAfterFailedPoll(of);
      expect(2 * looksAnHour).toBeLessThanOrEqual(Math.max(1_000, 2 * unreadable));
      expect(delayAfterFailedPoll(of)).toBeLessThanOrEqual(60 * MINUTE);
    }
  });

  it('F5: after a failure keeps the pace of what is watched, and backs off from it', () => {
    const of = { regular: 143 * SECOND, unreadable: 0, isPartial: false, lasts: false };
    expect(delayAfterFailedPoll({ ...of, tries: 1 })).toBe(143 * SECOND);
    expect(delayAfterFailedPoll({ ...of, tries: 20 })).toBe(300 * SECOND);
    expect(delayAfterFailedPoll({ ...of, tries: 20, isPartial: true, lasts: true })).toBe(143 * SECOND);
  });

  it('F8: what is about to settle is looked at whole, and so is what somebody hinted at', () => {
    const run = at('CI_WAIT').when(ci([{}])).run;
    const settled = run.lifecycle.stateEnteredAt + 10 * MINUTE;
    expect(pollDepthFor(run, settled, 4, { hinted: false })).toBe('whole');
    const seen = at('CI_WAIT').when(ci([{ outcome: null }]), later(10 * MINUTE, looked)).run;
    expect(pollDepthFor(seen, settled, 4, { hinted: false })).toEqual({ turn: 4 });
    expect(pollDepthFor(seen, settled, 4, { hinted: true })).toBe('whole');
    expect(
      pollDepthFor(at('CI_WAIT').when(check()).run, run.lifecycle.stateEnteredAt, 4, { hinted: false }),
    ).toEqual({
      turn: 4,
    });
  });
});
