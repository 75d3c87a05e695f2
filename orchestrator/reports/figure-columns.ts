/** Flattens figures of a group to a row of numbers. Times are seconds, shares 0 to 1. */
import type { MeasuredShare } from './confidence-interval.ts';
import type { GroupFigures } from './period-report.ts';

export type FigureRow = Record<string, number | null>;

const shareOf = (name: string, { yes, of, low, high }: MeasuredShare): FigureRow => ({
  [`${name}_yes`]: yes,
  [`${name}_of`]: of,
  [`${name}_low`]: low,
  [`${name}_high`]: high,
});
const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

const costOf = ({ costUnknown }: GroupFigures, usd: number | undefined): number | null =>
  usd === 0 && costUnknown > 0 ? null : (usd ?? null);

export const figureRow = (f: GroupFigures): FigureRow => ({
  runs: f.runs,
  pulls: f.pulls,
  ...shareOf('first_ci', f.firstCi),
  ...shareOf('needs_human', f.needsHuman),
  ...shareOf('merged_7d', f.merged7),
  ...shareOf('merged_30d', f.merged30),
  ...shareOf('survived_30d', f.survived30),
  ...shareOf('survived_90d', f.survived90),
  ...shareOf('reverted', f.reverted),
  ...shareOf('remarks_unanswered', f.unanswered),
  ready_of: f.ready.of,
  ready_p50_s: seconds(f.ready.p50),
  ready_p90_s: seconds(f.ready.p90),
  round_of: f.rounds.of,
  round_p50_s: seconds(f.rounds.p50),
  round_p90_s: seconds(f.rounds.p90),
  iterations: f.iterations,
  taps_per_pull: f.perPull?.taps ?? null,
  pings_per_pull: f.perPull?.pings ?? null,
  attention_s_per_pull: f.perPull?.seconds ?? null,
  cost_usd_per_pull: costOf(f, f.perPull?.costUsd),
  taps: Math.round(f.spent.taps * 100) / 100,
  pings: Math.round(f.spent.pings * 100) / 100,
  attention_s: Math.round(f.spent.ms) / 1_000,
  tokens: f.tokens,
  cost_usd: costOf(f, f.costUsd),
  cost_unknown_runs: f.costUnknown,
});
