/** Expects what a run will take from finished runs like it (O4). Pure. */
import type { ExpectedSpending, SpendingRange } from '#model/reports';
import type { RunFigures } from './run-figures.ts';

export type RunLikeness = Pick<RunFigures, 'engine' | 'flow'> & {
  /** One of an order, all of a campaign. */
  repos: readonly string[];
};

const MIN_LIKE_RUNS = 5;
const MAX_LIKE_RUNS = 200;

const hasWorked = ({ readyAt, endedAt, workedMs }: RunFigures): boolean =>
  workedMs > 0 && (readyAt !== null || endedAt !== null);

const rangeOf = (values: readonly number[]): SpendingRange => {
  const sorted = [...values].sort((a, b) => a - b);
  const quantileAt = (share: number): number => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
  return { low: quantileAt(0.05), high: quantileAt(0.95) };
};

export const expectSpending = (
  all: readonly RunFigures[],
  { repos, engine, flow }: RunLikeness,
): ExpectedSpending | null => {
  const alike = all
    .filter((one) => one.engine === engine && one.flow === flow && hasWorked(one))
    .sort((a, b) => b.createdAt - a.createdAt);
  const wanted = new Set(repos);
  const ecosystems = new Set(all.filter((one) => wanted.has(one.repo)).flatMap((one) => one.ecosystems));
  const same = alike.filter((one) => wanted.has(one.repo));
  const near = alike.filter((one) => one.ecosystems.some((name) => ecosystems.has(name)));
  const runs = (same.length >= MIN_LIKE_RUNS ? same : near).slice(0, MAX_LIKE_RUNS);
  // guard: O4-enough-runs
  if (runs.length < MIN_LIKE_RUNS) return null;
  const isBilled = runs.every(({ costUsd }) => costUsd > 0);
  return {
    runs: runs.length,
    ms: rangeOf(runs.map(({ workedMs }) => workedMs)),
    costUsd: isBilled ? rangeOf(runs.map(({ costUsd }) => costUsd)) : null,
  };
};
