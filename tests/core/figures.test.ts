/** O4: what one run took, from stories; and what many took, by group. */
import { describe, expect, it } from 'vitest';
import { someFigures as one } from '../support/figures.ts';
import { figuresOf, NO_ATTENTION, type RunFigures } from '../../orchestrator/reports/run-figures.ts';
import { measureRuns, reportOf } from '../../orchestrator/reports/period-report.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import {
  toRecordedEvent,
  RecordedEvent,
  type RecordedStep,
} from '../../orchestrator/kernel/effects/recorded-step.ts';
import type { Run } from '#run';
import { DAY, MINUTE } from '#model/values';
import {
  at,
  cancel,
  check,
  confirm,
  deny,
  given,
  implemented,
  later,
  looked,
  opened,
  pause,
  resume,
  retry,
  spent,
  START,
  validated,
  ways,
  type Story,
} from '../support/core.ts';

/** The log as the ledger keeps it. */
const logOf = ({ log }: Story): RecordedStep[] => {
  let run: Run | null = null;
  return log.map(({ input, stamp }) => {
    const step = decideStep(run, input, stamp);
    if (step.kind !== 'moved') throw new Error(`${input.type} was ${step.kind}`);
    ({ run } = step);
    return RecordedEvent.parse(JSON.parse(JSON.stringify(toRecordedEvent(input, stamp, step))));
  });
};
const figures = (story: Story): RunFigures => {
  const found = figuresOf(logOf(story));
  if (!found) throw new Error('there is no run');
  return found;
};

describe('one run', () => {
  it('O4: two taps, the time before them, and a green first commit', () => {
    const story = at('PUSHED').when(later(40_000, confirm()), opened(), check(), later(30_000, looked));
    const found = figures(story);
    expect(found).toMatchObject({ firstCi: 'passed', needsHuman: false, iterations: 0, mergedAt: null });
    expect(found.causes['card.open_pr']).toMatchObject({
      stops: 0,
      answers: 1,
      denied: 0,
      hasty: 0,
      taps: 2,
      ms: 40_000,
    });
    expect(found.readyAt).toBe(story.run.lifecycle.createdAt + 7);
    expect(found.openedAt).toBeGreaterThan(found.readyAt ?? Infinity);
  });

  it('O7: a signature on a card of many is noted with that card', () => {
    const { input } = confirm()(at('PUSHED').run);
    const story = at('PUSHED').when(
      later(40_000, () => ({ input: { ...input, cluster: 7 } as typeof input })),
    );
    expect(figures(story).together).toEqual([
      { card: 7, cause: 'card.open_pr', skill: 'implement-and-validate', taps: 2, pings: 1, ms: 40_000 },
    ]);
    expect(figures(at('PUSHED').when(later(40_000, confirm()))).together).toEqual([]);
  });

  it('O4: whoever answers after hours was elsewhere meanwhile', () => {
    const { causes } = figures(at('PUSHED').when(later(9 * 3_600_000, confirm())));
    expect(causes['card.open_pr']?.ms).toBe(5 * MINUTE);
  });

  it('O4: red on the first commit stays so, whatever a fix brings', () => {
    const fixed = at('ITERATING').when(...[implemented('b'), validated()]);
    expect(figures(fixed)).toMatchObject({ firstCi: 'failed', iterations: 1 });
  });

  it('O4: a stop is counted by its class, and what people do then on its account', () => {
    const stopped = at('NEEDS_HUMAN_REVIEW').when(later(20_000, cancel));
    const found = figures(stopped);
    expect(found).toMatchObject({ needsHuman: true, state: 'FAILED_TERMINAL' });
    expect(found.causes['stop.no_changes']).toMatchObject({ stops: 1, answers: 1, taps: 1, ms: 20_000 });
    expect(found.skills['implement-and-validate']).toMatchObject({ stops: 1, taps: 1, ms: 20_000 });
    expect(found.causes['stop.no_changes']?.pings).toBeGreaterThan(0);
  });

  it('O4: failed steps are counted by class; a pause by a person asks for nothing', () => {
    expect(figures(at('FAILED_RETRYABLE')).failures).toEqual({ crashed: 1 });
    const { causes } = figures(at('PAUSED'));
    expect(causes).toMatchObject({ wish: { taps: 1, answers: 0, ms: 0 } });
    expect(Object.keys(causes)).not.toContain('stop.paused');
  });

  it('O4: how long each round of the agent took, with what was reported before its end', () => {
    expect(figures(at('LOCAL_VALIDATING')).rounds).toEqual([1_000]);
    const reported = at('IMPLEMENTING').when(
      spent({ ms: 60_000 }),
      spent({ by: 'check', ms: 60_000 }),
      implemented('a', 500),
    );
    expect(figures(reported).rounds).toEqual([60_500]);
    // What was stopped is no round, and no part of the next.
    const stopped = at('IMPLEMENTING').when(spent({ ms: 60_000 }), pause, resume(), implemented('a', 500));
    expect(figures(stopped).rounds).toEqual([500]);
    expect(measureRuns([one({ rounds: [1, 5] }), one({ rounds: [9] })], START).rounds).toEqual({
      of: 3,
      p50: 5,
      p90: 9,
    });
  });

  it('O7: an answer lets a stopped run go on, or ends it', () => {
    const stopped = at('NEEDS_HUMAN_REVIEW');
    const onward = (story: Story) => figures(story).causes['stop.no_changes']?.onward;
    expect(onward(stopped.when(later(9_000, retry())))).toBe(1);
    expect(onward(stopped.when(later(9_000, cancel)))).toBe(0);
    const denied = figures(at('PUSHED').when(later(5_000, deny('Smaller.'))));
    expect(denied.causes['card.open_pr']).toMatchObject({ answers: 1, onward: 0 });
  });

  it('O7: a denial within a second is hasty, and one that was read is not', () => {
    const denied = figures(at('PUSHED').when(later(5_000, deny('Smaller.'))));
    expect(denied.causes['card.open_pr']).toMatchObject({ denied: 1, hasty: 0, answers: 1 });
    const quick = figures(at('PUSHED').when(later(300, confirm())));
    expect(quick.causes['card.open_pr']).toMatchObject({ denied: 0, hasty: 1 });
  });

  it('a run that nothing has happened to yet has its order, and an empty log nothing', () => {
    expect(figures(given())).toMatchObject({ readyAt: null, firstCi: null, state: 'QUEUED', causes: {} });
    expect(figuresOf([])).toBeNull();
  });

  it('every way of a run has figures', () => {
    for (const state of Object.keys(ways) as (keyof typeof ways)[])
      expect(figures(at(state))).toMatchObject({ state });
  });
});

describe('many runs', () => {
  it('O4: counts stand beside rates, and what has not happened is not counted', () => {
    const runs = [
      one(),
      one({ firstCi: 'failed', iterations: 2 }),
      one({ firstCi: null, openedAt: null, readyAt: null }),
    ];
    const found = measureRuns(runs, START + DAY);
    expect(found).toMatchObject({ runs: 3, pulls: 2, iterations: 1 });
    expect(found.firstCi).toMatchObject({ yes: 1, of: 2 });
    expect(found.needsHuman).toMatchObject({ yes: 0, of: 3 });
    expect(found.ready).toEqual({ of: 2, p50: MINUTE, p90: MINUTE });
  });

  it('O4: attention of runs without a pull request is paid by those that have one', () => {
    const spent = { ...NO_ATTENTION, taps: 3, pings: 2, ms: 30_000 };
    const runs = [
      one({ causes: { 'card.open_pr': spent } }),
      one({ openedAt: null, causes: { 'stop.crashed': spent } }),
    ];
    expect(measureRuns(runs, START).perPull).toEqual({ taps: 6, pings: 4, seconds: 60, costUsd: 0 });
    expect(measureRuns([one({ openedAt: null })], START).perPull).toBeNull();
  });

  it('O7: what was signed on a card of many was one tap and was read once, whoever is counted', () => {
    const signed = { ...NO_ATTENTION, answers: 1, taps: 2, pings: 1, ms: 30_000 };
    const member = (repo: string) =>
      one({
        repo,
        causes: { 'card.open_pr': signed },
        skills: { 'ci-review-fix': signed },
        together: [{ card: 9, cause: 'card.open_pr', skill: 'ci-review-fix', taps: 2, pings: 1, ms: 30_000 }],
      });
    const alone = one({ causes: { 'card.open_pr': signed } });
    const found = reportOf([member('a/a'), member('a/b'), member('a/c'), alone], {
      since: 0,
      until: START + DAY,
      by: 'repository',
    });
    expect(found.all.spent.answers).toBe(4);
    expect(found.all.spent.taps).toBeCloseTo(4, 9);
    expect(found.all.spent.pings).toBeCloseTo(2, 9);
    expect(found.all.spent.ms).toBeCloseTo(60_000, 6);
    expect(found.groups.find(({ name }) => name === 'a/b')?.figures.spent.ms).toBeCloseTo(10_000, 6);
  });

  it('O7: merged within 7 days counts only pull requests that are 7 days old', () => {
    const openedAt = START;
    const runs = [
      one({ openedAt, mergedAt: START + DAY }),
      one({ openedAt, mergedAt: START + 20 * DAY }),
      one({ openedAt: START + 30 * DAY, mergedAt: START + 31 * DAY }),
    ];
    const { merged7, merged30 } = measureRuns(runs, START + 32 * DAY);
    expect(merged7).toMatchObject({ yes: 1, of: 2 });
    expect(merged30).toMatchObject({ yes: 2, of: 2 });
  });

  it('a stop that a failed step led to is counted once', () => {
    const causes = {
      'stop.crashed': { ...NO_ATTENTION, stops: 1 },
      'stop.no_changes': { ...NO_ATTENTION, stops: 2 },
    };
    expect(measureRuns([one({ failures: { crashed: 3 }, causes })], START).failures).toEqual({
      crashed: 3,
      no_changes: 2,
    });
  });

  it('groups by what is asked for; two ecosystems are counted in both', () => {
    const runs = [one(), one({ ecosystems: ['node', 'python'], campaign: 'spring', createdAt: START - 1 })];
    const by = (grouping: 'ecosystem' | 'campaign' | 'repository') =>
      reportOf(runs, { since: 0, until: START, by: grouping }).groups.map(({ name, figures: f }) => [
        name,
        f.runs,
      ]);
    expect(by('ecosystem')).toEqual([
      ['node', 2],
      ['python', 1],
    ]);
    expect(by('campaign')).toEqual([['spring', 1]]);
    expect(by('repository')).toEqual([['octo/app', 2]]);
    expect(reportOf(runs, { since: START, until: START, by: 'engine' }).all.runs).toBe(1);
  });
});
