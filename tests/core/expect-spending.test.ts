/** O4: what runs like an order took, from figures of runs that have worked. */
import { expect, it } from 'vitest';
import { expectSpending } from '../../orchestrator/reports/expect-spending.ts';
import { MINUTE } from '#model/values';
import { someFigures } from '../support/figures.ts';

const like = { repos: ['octo/app'], engine: 'codex', flow: 'direct' } as const;
const runs = (n: number, change: Parameters<typeof someFigures>[0] = {}) =>
  Array.from({ length: n }, (_, i) =>
    someFigures({ engine: 'codex', workedMs: (i + 1) * MINUTE, costUsd: (i + 1) / 10, ...change }),
  );

it('O4: gives the range of nineteen in twenty, and how many runs it is from', () => {
  expect(expectSpending(runs(12), like)).toEqual({
    runs: 12,
    ms: { low: 2 * MINUTE, high: 11 * MINUTE },
    costUsd: { low: 0.2, high: 1.1 },
  });
});

it('O4: says nothing of fewer than five runs', () => {
  expect(expectSpending(runs(4), like)).toBeNull();
  expect(expectSpending(runs(5), like)?.runs).toBe(5);
});

it.each([
  ['another engine', { engine: 'claude' }],
  ['plans', { flow: 'plan' }],
  ['runs whose agent still works', { readyAt: null }],
  ['runs in which nothing worked', { workedMs: 0 }],
  ['another repository of another ecosystem', { repo: 'octo/other', ecosystems: ['go'] }],
] as const)('O4: %s are not like it', (_, change) => {
  expect(expectSpending(runs(9, change as object), like)).toBeNull();
});

it('O4: where the repository has too few, those of its ecosystem count', () => {
  const elsewhere = runs(6, { repo: 'octo/web' });
  expect(expectSpending(elsewhere, like)).toBeNull();
  expect(expectSpending([...elsewhere, ...runs(1)], like)?.runs).toBe(7);
  expect(
    expectSpending([...runs(9, { repo: 'octo/web', workedMs: MINUTE }), ...runs(5)], like),
  ).toMatchObject({
    runs: 5,
    ms: { high: 5 * MINUTE },
  });
});

it('O4: a cost that one of them does not tell is not given', () => {
  expect(expectSpending([...runs(8), ...runs(1, { costUsd: 0 })], like)?.costUsd).toBeNull();
});
