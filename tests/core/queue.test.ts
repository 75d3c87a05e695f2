/** E6: whose turn it is, and what the others wait for. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { sortQueuedRuns, decideRunAdmission } from '../../orchestrator/kernel/lifecycle/run-queue.ts';
import type { RunQueue } from '#ports/ledger';
import { DAY } from '#model/values';

const NOON = Date.UTC(2026, 5, 1, 12);
const places = { maxParallelRuns: 3, maxRunsPerDay: 5 };
const waiting = (...runs: string[]) =>
  runs.map((runId) => ({ runId, repo: runId[0] ?? '', campaign: false }));
const queue = (change: Partial<RunQueue> = {}): RunQueue => ({
  busy: [],
  started: [],
  waiting: [],
  ...change,
});
const startedAt = (...times: number[]) => times.map((at, i) => ({ repo: `r${i}`, at }));

describe('the queue', () => {
  it('E6: serves repositories in turn, and within one whoever came first', () => {
    expect(sortQueuedRuns(queue({ waiting: waiting('a1', 'a2', 'a3', 'b1', 'c1') }))).toEqual([
      'a1',
      'b1',
      'c1',
      'a2',
      'a3',
    ]);
    const busy = queue({ busy: ['a', 'a'], waiting: waiting('a1', 'b1', 'b2', 'b3') });
    expect(sortQueuedRuns(busy)).toEqual(['b1', 'b2', 'a1', 'b3']);
    const served = queue({ started: [{ repo: 'a', at: 1 }], waiting: waiting('a1', 'b1') });
    expect(sortQueuedRuns(served)).toEqual(['b1', 'a1']);
  });

  it('E6: with one run in each of many repositories, is as they came', () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ runId: `x${i}`, repo: `r${i}`, campaign: true }));
    expect(sortQueuedRuns(queue({ waiting: many }))).toEqual(many.map(({ runId }) => runId));
  });

  it('E6: says what a run waits for, and when the next place is free', () => {
    const full = queue({ busy: ['x', 'y', 'z'], waiting: waiting('a1') });
    expect(decideRunAdmission('a1', full, places, NOON)).toEqual({
      kind: 'wait',
      waitsFor: 'slot',
      used: 3,
      of: 3,
      at: null,
      before: 0,
    });
    const day = queue({
      started: startedAt(...[5, 4, 3, 2, 1].map((h) => NOON - h * 3_600_000)),
      waiting: waiting('a1', 'b1'),
    });
    expect(decideRunAdmission('a1', day, places, NOON)).toMatchObject({
      waitsFor: 'day',
      at: NOON - 5 * 3_600_000 + DAY,
    });
    expect(decideRunAdmission('b1', day, places, NOON)).toMatchObject({
      waitsFor: 'day',
      at: NOON - 4 * 3_600_000 + DAY,
    });
  });

  it('E6: runs of a campaign have budgets of their own, and nobody who waits for tomorrow holds them up', () => {
    const full = startedAt(...[5, 4, 3, 2, 1].map((h) => NOON - h * 3_600_000));
    const campaign = { runId: 'k1', repo: 'k', campaign: true };
    const line = queue({ started: full, waiting: [...waiting('a1', 'b1', 'c1'), campaign] });
    expect(decideRunAdmission('k1', line, places, NOON)).toEqual({ kind: 'go' });
    expect(decideRunAdmission('a1', line, places, NOON)).toMatchObject({ waitsFor: 'day' });
    // It takes none of the starts of the day from those behind it.
    const room = queue({ started: full.slice(1), waiting: [campaign, ...waiting('a1')] });
    expect(decideRunAdmission('a1', room, places, NOON)).toEqual({ kind: 'go' });
    const busy = queue({ busy: ['x', 'y', 'z'], started: full, waiting: [campaign] });
    expect(decideRunAdmission('k1', busy, places, NOON)).toMatchObject({ waitsFor: 'slot', used: 3 });
  });

  it('E6: a start of a clock that was put back since leaves the window within a day of now', () => {
    const ahead = queue({
      started: startedAt(...Array.from({ length: 5 }, () => NOON + 7_200_000)),
      waiting: waiting('a1'),
    });
    expect(decideRunAdmission('a1', ahead, places, NOON)).toMatchObject({ waitsFor: 'day', at: NOON + DAY });
  });

  it('E6: never lets more go than there are places, and always lets one go when there is one', () => {
    const repo = fc.constantFrom('a', 'b', 'c');
    const someQueue = fc.record({
      busy: fc.array(repo, { maxLength: 5 }),
      started: fc.array(fc.record({ repo, at: fc.constant(NOON) }), { maxLength: 7 }),
      waiting: fc
        .array(repo, { maxLength: 8 })
        .map((repos) => repos.map((r, i) => ({ runId: `${r}${i}`, repo: r, campaign: false }))),
    });
    fc.assert(
      fc.property(someQueue, (q) => {
        const going = q.waiting.filter(
          ({ runId }) => decideRunAdmission(runId, q, places, NOON).kind === 'go',
        );
        const free = Math.max(
          0,
          Math.min(places.maxParallelRuns - q.busy.length, places.maxRunsPerDay - q.started.length),
        );
        expect(going).toHaveLength(Math.min(free, q.waiting.length));
      }),
    );
  });
});
