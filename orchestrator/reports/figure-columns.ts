/** Flattens figures of a group to a row of numbers. Times are seconds, shares 0 to 1. */
import type { MeasuredShare } from './confidence-interval.ts';
import type { GroupFigures } from './period-report.ts';

type FigureRow = Record<string, number | null>;

const shareOf = (name: string, { yes, of, low, high }: MeasuredShare): FigureRow => ({
  [`${name}_yes`]: yes,
  [`${name}_of`]: of,
  [`${name}_low`]: low,
  [`${name}_high`]: high,
});
const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

const costOf = ({ costUnknown }: GroupFigures, usd: number | undefined): number | null =>
  usd === 0 && costUnknown > 0 ? null : (usd ?? null);

export const figureRow = (figures: GroupFigures): FigureRow => ({
  runs: figures.runs,
  pulls: figures.pulls,
  ...shareOf('first_ci', figures.firstCi),
  ...shareOf('needs_human', figures.needsHuman),
  ...shareOf('merged_7d', figures.merged7),
  ...shareOf('merged_30d', figures.merged30),
  ...shareOf('survived_30d', figures.survived30),
  ...shareOf('survived_90d', figures.survived90),
  ...shareOf('reverted', figures.reverted),
  ...shareOf('remarks_unanswered', figures.unanswered),
  ready_of: figures.ready.of,
  ready_p50_s: toSeconds(figures.ready.p50),
  ready_p90_s: toSeconds(figures.ready.p90),
  round_of: figures.rounds.of,
  round_p50_s: toSeconds(figures.rounds.p50),
  round_p90_s: toSeconds(figures.rounds.p90),
  iterations: figures.iterations,
  taps_per_pull: figures.perPull?.taps ?? null,
  pings_per_pull: figures.perPull?.pings ?? null,
  attention_s_per_pull: figures.perPull?.seconds ?? null,
  cost_usd_per_pull: costOf(figures, figures.perPull?.costUsd),
  taps: Math.round(figures.spent.taps * 100) / 100,
  pings: Math.round(figures.spent.pings * 100) / 100,
  attention_s: Math.round(figures.spent.ms) / 1_000,
  tokens: figures.tokens,
  cost_usd: costOf(figures, figures.costUsd),
  cost_unknown_runs: figures.costUnknown,
});
