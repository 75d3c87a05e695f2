/** S11: an end on the code host is an end while it lasts. */
import { describe, expect, it } from 'vitest';
import {
  at,
  cancel,
  check,
  ciCompared,
  later,
  looked,
  markDone,
  notes,
  pause,
  pull,
  red,
  reopened,
  resume,
  shown,
  why,
  works,
  type Act,
  type Story,
} from '../support/core.ts';
import { DAY } from '#model/values';
import { mayReopen } from '#kernel';
import { reopeningDelay } from '../../orchestrator/kernel/upstream/reopening.ts';

const closedAt = (seconds: number): Act => pull({ closed: true, shown: shown({}, seconds * 1_000) });
const openAt = (seconds: number): Act => reopened({ shown: shown({}, seconds * 1_000) });
const polls = ({ effects }: Story): number => effects.filter(({ do: work }) => work.kind === 'poll').length;

describe('a pull request that was closed and is open again', () => {
  it('S11: is looked for after its closing, and taken up with counters and reviews as they were', () => {
    const closed = at('ITERATING').when(closedAt(10));
    expect(closed.run.lifecycle).toMatchObject({ state: 'FAILED_TERMINAL', reason: { kind: 'pull_closed' } });
    expect(polls(closed)).toBe(1);
    const open = closed.when(later(3_600_000, openAt(20)));
    expect(open.run.upstream).toMatchObject({
      pullRequest: { id: '#7' },
      observed: { pull: { state: 'open' } },
    });
    // The checks of its head are red still, so the next fix begins, and is counted.
    expect(open.run.lifecycle.state).toBe('ITERATING');
    expect(open.run.lifecycle.counts.iterations).toBe(closed.run.lifecycle.counts.iterations + 1);
    expect(polls(open)).toBe(1);
    expect(notes(open.effects)).toEqual([
      '#7 was changed on the code host: it was reopened, and is followed again.',
    ]);
  });

  it('S7: has no more fixes than before', () => {
    const spent = at('CI_WAIT', { maxIterations: 1 }).when(red, ciCompared([]), closedAt(10));
    expect(spent.when(openAt(20)).run.lifecycle).toMatchObject({ state: 'NEEDS_HUMAN_REVIEW' });
  });

  it('S11: waits for its review where its checks are green', () => {
    const green = at('CI_WAIT').when(check(), later(30_000, looked), closedAt(10), openAt(20));
    expect(green.run.lifecycle.state).toBe('REVIEW_WAIT');
  });

  it('S11: stays paused where a person had paused it', () => {
    const paused = at('CI_WAIT').when(pause, closedAt(10), openAt(20));
    expect(paused.run.lifecycle).toMatchObject({
      state: 'PAUSED',
      resumeState: 'CI_WAIT',
      reason: { kind: 'paused', by: 'Ana' },
    });
    expect(paused.when(resume()).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S11: is not taken up by a look that is older than the closing, or that shows it closed', () => {
    const closed = at('CI_WAIT').when(closedAt(10));
    expect(why(closed.when(openAt(9)))).toBe('older look');
    expect(why(closed.when(reopened({ closed: true })))).toBe('nothing new');
    expect(why(closed.when(reopened({ id: '#9' })))).toBe('ended otherwise');
  });

  it('S11: is not ended again by what tells late of its closing, and is by the next one', () => {
    const open = at('CI_WAIT').when(closedAt(10), openAt(20));
    expect(why(open.when(closedAt(10)))).toBe('nothing new');
    const again = open.when(closedAt(30));
    expect(again.run.lifecycle.state).toBe('FAILED_TERMINAL');
    expect(again.when(openAt(40)).run.lifecycle.state).toBe('CI_WAIT');
  });

  it('S11: is done where it was merged before anybody looked', () => {
    const merged = at('CI_WAIT').when(closedAt(10), reopened({ merged: true, shown: shown({}, 50_000) }));
    expect(merged.run.lifecycle).toMatchObject({ state: 'DONE', reason: { kind: 'pull_merged' } });
    expect(works(merged)).toEqual(['remove_workspace']);
  });

  it('S11: of a run that a person ended is not taken up, and not looked for', () => {
    for (const end of [cancel, markDone]) {
      const ended = at('CI_WAIT').when(end);
      expect(polls(ended)).toBe(0);
      expect(ended.when(openAt(20)).step.kind).toBe('ignored');
    }
  });

  it('S11: is looked for during two weeks, less and less often', () => {
    const { run, now } = at('CI_WAIT').when(closedAt(10));
    expect(mayReopen(run, now + 13 * DAY)).toBe(true);
    expect(mayReopen(run, now + 14 * DAY)).toBe(false);
    expect([0, DAY / 24, DAY, 13 * DAY].map((ms) => reopeningDelay(run, now + ms) / 60_000)).toEqual([
      1, 3, 60, 60,
    ]);
  });
});
