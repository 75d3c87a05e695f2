/** O7: what costs attention, and what is advised: only from enough cases, and only what is certain. */
import { describe, expect, it } from 'vitest';
import {
  insightsOf,
  MIN_SAMPLE_SIZES,
  measureChangeEffect,
  type InsightAdvice,
} from '../../orchestrator/reports/insights.ts';
import {
  NO_ATTENTION,
  type RunFigures,
  type AttentionSpent,
} from '../../orchestrator/reports/run-figures.ts';
import { someFigures } from '../support/figures.ts';

const ABOUT = { since: 0, until: 1_000_000 };
const USUAL = { engine: 'codex', prompt: 'v1' };
const many = (n: number, of: (i: number) => Partial<RunFigures>): RunFigures[] =>
  Array.from({ length: n }, (_, i) => someFigures({ createdAt: i, ...of(i) }));
const advice = (runs: RunFigures[], usual = USUAL): InsightAdvice[] => insightsOf(runs, ABOUT, usual).advice;
const spent = (change: Partial<AttentionSpent>): AttentionSpent => ({ ...NO_ATTENTION, ...change });

describe('what costs attention', () => {
  it('O7: what took most seconds is first, with the runs that it stopped', () => {
    const runs = many(4, (i) => ({
      engine: i < 3 ? 'codex' : 'claude',
      repo: 'Acme/Api',
      needsHuman: i === 0,
      causes: {
        'stop.crashed': spent({ stops: i === 0 ? 1 : 0, taps: 1, ms: 1_000 }),
        'stop.env_missing': spent({ stops: 1, taps: 1, ms: 5_000 }),
        'card.open_pr': spent({ answers: 1, taps: 2, ms: 9_000 }),
      },
      // A card asks, and stops nothing.
      skills: { 'ci-review-fix': spent({ stops: i < 2 ? 1 : 0, ms: 2_000 }) },
    }));
    const { costs, runs: n, spent: all, cards } = insightsOf(runs, ABOUT, USUAL);
    expect(costs.failure.map(({ name, stopped }) => [name, stopped.yes, stopped.of])).toEqual([
      ['env_missing', 4, 4],
      ['crashed', 1, 4],
    ]);
    expect(costs.engine.map(({ name, spent: own }) => [name, own.ms])).toEqual([
      ['codex', 45_000],
      ['claude', 15_000],
    ]);
    expect(costs.repository).toMatchObject([{ name: 'acme/api', stopped: { yes: 1, of: 4 } }]);
    expect(costs.skill).toMatchObject([
      { name: 'ci-review-fix', spent: { ms: 8_000 }, stopped: { yes: 2, of: 4 } },
    ]);
    expect([n, all.taps]).toEqual([4, 16]);
    expect(cards).toMatchObject([{ kind: 'open_pr', denied: { yes: 0, of: 4 } }]);
    // Three runs against one say nothing of engines.
    expect(costs.engine.map(({ more }) => more)).toEqual([null, null]);
  });
});

describe('what is advised', () => {
  const engines = (n: number, codex: number, claude: number): RunFigures[] => [
    ...many(n, (i) => ({ engine: 'codex', needsHuman: i < codex })),
    ...many(n, (i) => ({ engine: 'claude', needsHuman: i < claude })),
  ];

  it('O7: an engine that calls people less often, for certain', () => {
    expect(advice(engines(MIN_SAMPLE_SIZES.runs, 15, 2))).toMatchObject([
      { change: 'engine', from: 'codex', to: 'claude', own: { yes: 15, of: 20 }, other: { yes: 2, of: 20 } },
    ]);
    // The interval of the difference holds zero.
    expect(advice(engines(MIN_SAMPLE_SIZES.runs, 8, 5))).toEqual([]);
    expect(advice(engines(MIN_SAMPLE_SIZES.runs - 1, 19, 0))).toEqual([]);
    // It is what is used already.
    expect(advice(engines(MIN_SAMPLE_SIZES.runs, 15, 2), { engine: 'claude', prompt: 'v1' })).toEqual([]);
  });

  it('O7: a version of the prompts, the same way', () => {
    const runs = [
      ...many(30, (i) => ({ prompt: 'v1', drawn: true, needsHuman: i < 20 })),
      ...many(30, (i) => ({
        prompt: 'v2',
        drawn: true,
        needsHuman: i < 3,
        firstCi: i < 20 ? 'passed' : 'failed',
      })),
    ];
    expect(advice(runs)).toMatchObject([{ change: 'prompt', from: 'v1', to: 'v2' }]);
    expect(insightsOf(runs, ABOUT, USUAL).trial).toMatchObject([
      { prompt: 'v1', stopped: { yes: 20, of: 30 }, firstCi: { yes: 30, of: 30 } },
      { prompt: 'v2', stopped: { yes: 3, of: 30 }, firstCi: { yes: 20, of: 30 }, more: { by: -17 / 30 } },
    ]);
  });

  it('E7: nothing follows from prompts that somebody chose', () => {
    const runs = [
      ...many(30, (i) => ({ prompt: 'v1', drawn: true, needsHuman: i < 20 })),
      ...many(30, () => ({ prompt: 'v2' })),
    ];
    expect(advice(runs)).toEqual([]);
    expect(insightsOf(runs, ABOUT, USUAL).trial).toEqual([]);
  });

  it('O7: a limit at which people mostly let runs go on', () => {
    const stops = (n: number, onward: number): RunFigures[] =>
      many(n, (i) => ({
        causes: { 'stop.budget_time': spent({ stops: 1, answers: 1, onward: i < onward ? 1 : 0 }) },
      }));
    expect(advice(stops(10, 9))).toMatchObject([
      { change: 'budget', budget: 'time', onward: { yes: 9, of: 10 } },
    ]);
    expect(advice(stops(10, 6))).toEqual([]);
    expect(advice(stops(9, 9))).toEqual([]);
  });

  it('O7: runs from before a limit was changed say nothing of the one that holds now', () => {
    const stopped = many(25, () => ({
      causes: { 'stop.budget_time': spent({ stops: 1, answers: 1, onward: 1 }) },
    }));
    const since = (time: number) => insightsOf(stopped, ABOUT, USUAL, { time }).advice;
    expect(since(24)).toEqual([]);
    expect(since(14)).toMatchObject([{ change: 'budget', onward: { of: 10 } }]);
    expect(insightsOf(stopped, ABOUT, USUAL, { tokens: 24 }).advice).toHaveLength(1);
  });

  it('C2: pushes that were never denied, where the last 200 of them were read', () => {
    const pushes = (n: number, change: (i: number) => Partial<AttentionSpent> = () => ({})): RunFigures[] =>
      many(n, (i) => ({ causes: { 'card.push': spent({ answers: 1, ...change(i) }) } }));
    expect(advice(pushes(200))).toEqual([{ change: 'pushes', cards: 200 }]);
    expect(advice(pushes(199))).toEqual([]);
    expect(advice(pushes(230, (i) => ({ denied: i === 40 ? 1 : 0 })))).toEqual([]);
    expect(advice(pushes(230, (i) => ({ denied: i === 29 ? 1 : 0 })))).toHaveLength(1);
    // What was signed within a second was not read.
    expect(advice(pushes(200, (i) => ({ hasty: i === 3 ? 1 : 0 })))).toEqual([]);
  });
});

it('O7: a change is measured by the runs on both sides of it, and compared when they are enough', () => {
  const sides = (n: number): RunFigures[] =>
    many(2 * n, (i) => ({
      endedAt: 900_000,
      needsHuman: i < n && i % 2 === 0,
      causes: { 'card.open_pr': spent({ ms: (i < n ? 40_000 : 10_000) + i }) },
    }));
  const found = measureChangeEffect(sides(40), 40, ABOUT);
  expect(found.before).toMatchObject({ stopped: { yes: 20, of: 40 }, attention: { of: 40 } });
  expect(found.after).toMatchObject({ stopped: { yes: 0, of: 40 } });
  expect(found.more?.high).toBeLessThan(0);
  expect(found.before.attention.low).toBeGreaterThan(found.after.attention.high ?? Infinity);
  expect(measureChangeEffect(sides(10), 10, ABOUT).more).toBeNull();
  // What has not come to a card yet says nothing.
  const young = many(5, () => ({ endedAt: null, readyAt: null }));
  expect(measureChangeEffect(young, 0, ABOUT).after.stopped.of).toBe(0);
});
