/** Aggregates the figures of many runs (O4, O7). Counts stand beside every rate. */
import type { ReportGrouping } from '#model/reports';
import { hasSurvived, type SurvivalDays } from '#model/change';
import { DAY } from '#model/values';
import { quantileOf, measureShare, type MeasuredShare } from './confidence-interval.ts';
import { NO_ATTENTION, type RunFigures, type AttentionSpent } from './run-figures.ts';

type TimeQuantiles = { of: number; p50: number | null; p90: number | null };
export type GroupFigures = {
  runs: number;
  pulls: number;
  firstCi: MeasuredShare;
  needsHuman: MeasuredShare;
  merged7: MeasuredShare;
  merged30: MeasuredShare;
  survived30: MeasuredShare;
  survived90: MeasuredShare;
  reverted: MeasuredShare;
  unanswered: MeasuredShare;
  /** Time from order to first card (ms). */
  ready: TimeQuantiles;
  rounds: TimeQuantiles;
  /** Average of runs with a pull request; null without any. */
  iterations: number | null;
  /** Attention of all runs per opened pull request; null without any. */
  perPull: { taps: number; pings: number; seconds: number; costUsd: number } | null;
  spent: AttentionSpent;
  tokens: number;
  costUsd: number;
  /** Runs with an unpriced model, which `costUsd` excludes. */
  costUnknown: number;
  failures: Record<string, number>;
};
export type PeriodReport = {
  since: number;
  until: number;
  by: ReportGrouping;
  all: GroupFigures;
  /** The preceding period of equal length; null without runs. */
  before: GroupFigures | null;
  groups: { name: string; figures: GroupFigures }[];
  weeks: { from: number; runs: number; failures: Record<string, number> }[];
};

const addSpent = (total: AttentionSpent, more: AttentionSpent): AttentionSpent => ({
  stops: total.stops + more.stops,
  answers: total.answers + more.answers,
  onward: total.onward + more.onward,
  denied: total.denied + more.denied,
  hasty: total.hasty + more.hasty,
  taps: total.taps + more.taps,
  pings: total.pings + more.pings,
  ms: total.ms + more.ms,
});
export const totalOf = (all: readonly AttentionSpent[]): AttentionSpent => all.reduce(addSpent, NO_ATTENTION);
export const sumAttentionSpent = (one: RunFigures): AttentionSpent => totalOf(Object.values(one.causes));

const sumFigures = <T>(all: readonly T[], of: (one: T) => number): number =>
  all.reduce((n, one) => n + of(one), 0);

/** Younger pull requests are excluded, merged or not, to avoid a bias to quick merges. */
const shareMergedWithin = (runs: readonly RunFigures[], days: number, now: number): MeasuredShare => {
  const old = runs.filter(({ openedAt }) => openedAt !== null && openedAt <= now - days * DAY);
  const merged = old.filter(
    ({ openedAt, mergedAt }) => mergedAt !== null && mergedAt <= (openedAt ?? 0) + days * DAY,
  );
  return measureShare(merged.length, old.length);
};

const shareSurvivedAfter = (runs: readonly RunFigures[], days: SurvivalDays): MeasuredShare => {
  const seen = runs.flatMap(({ survival }) => survival.filter((one) => one.days === days));
  return measureShare(seen.filter(hasSurvived).length, seen.length);
};

const failuresOf = (runs: readonly RunFigures[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  const addCount = (name: string, times: number): void => void (counts[name] = (counts[name] ?? 0) + times);
  for (const { failures, causes } of runs) {
    for (const [name, n] of Object.entries(failures)) addCount(name, n);
    // A stop after a failed step counts once.
    for (const [cause, { stops }] of Object.entries(causes)) {
      const name = cause.startsWith('stop.') ? cause.slice('stop.'.length) : null;
      if (name !== null && !(name in failures)) addCount(name, stops);
    }
  }
  return Object.fromEntries(Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
};

const timesOf = (times: readonly number[]): TimeQuantiles => ({
  of: times.length,
  p50: quantileOf(times, 0.5),
  p90: quantileOf(times, 0.9),
});

export const measureRuns = (runs: readonly RunFigures[], now: number): GroupFigures => {
  const pulls = runs.filter(({ openedAt }) => openedAt !== null);
  const looked = pulls.filter(({ survival }) => survival.length > 0);
  const checked = runs.filter(({ firstCi }) => firstCi !== null);
  const times = runs.flatMap(({ readyAt, createdAt }) => (readyAt === null ? [] : [readyAt - createdAt]));
  const rounds = runs.flatMap((one) => one.rounds);
  const spent = totalOf(runs.map(sumAttentionSpent));
  const costUsd = sumFigures(runs, (one) => one.costUsd);
  const perPull = (amount: number): number => amount / pulls.length;
  return {
    runs: runs.length,
    pulls: pulls.length,
    firstCi: measureShare(checked.filter(({ firstCi }) => firstCi === 'passed').length, checked.length),
    needsHuman: measureShare(runs.filter(({ needsHuman }) => needsHuman).length, runs.length),
    merged7: shareMergedWithin(pulls, 7, now),
    merged30: shareMergedWithin(pulls, 30, now),
    survived30: shareSurvivedAfter(pulls, 30),
    survived90: shareSurvivedAfter(pulls, 90),
    reverted: measureShare(
      looked.filter(({ survival }) => survival.some(({ reverted }) => reverted)).length,
      looked.length,
    ),
    unanswered: measureShare(
      sumFigures(pulls, (one) => one.remarks.unanswered),
      sumFigures(pulls, (one) => one.remarks.heard),
    ),
    ready: timesOf(times),
    rounds: timesOf(rounds),
    iterations: pulls.length === 0 ? null : perPull(sumFigures(pulls, (one) => one.iterations)),
    perPull:
      pulls.length === 0
        ? null
        : {
            taps: perPull(spent.taps),
            pings: perPull(spent.pings),
            seconds: perPull(spent.ms / 1_000),
            costUsd: perPull(costUsd),
          },
    spent,
    tokens: sumFigures(runs, (one) => one.tokens),
    costUsd,
    costUnknown: runs.filter((one) => one.tokens > 0 && one.costUsd === 0).length,
    failures: failuresOf(runs),
  };
};

/** A run of several ecosystems counts in each; one without has the empty name. */
const groupsOf = (one: RunFigures, by: ReportGrouping): readonly string[] => {
  switch (by) {
    case 'engine':
      return [one.engine];
    case 'repository':
      return [one.repo.toLowerCase()];
    case 'prompt':
      return [one.prompt];
    case 'campaign':
      return one.campaign === null ? [] : [one.campaign];
    case 'ecosystem':
      return one.ecosystems.length === 0 ? [''] : [...new Set(one.ecosystems)];
  }
};

export const groupRuns = (runs: readonly RunFigures[], by: ReportGrouping): Map<string, RunFigures[]> => {
  const groups = new Map<string, RunFigures[]>();
  for (const one of runs)
    for (const name of groupsOf(one, by)) {
      const group = groups.get(name);
      if (group) group.push(one);
      else groups.set(name, [one]);
    }
  return groups;
};

/** Splits taps, rings and reading time of a shared card among its members. */
export const shareOutAttention = (runs: readonly RunFigures[]): RunFigures[] => {
  const members = new Map<number, number>();
  for (const { together } of runs)
    for (const { card } of together) members.set(card, (members.get(card) ?? 0) + 1);
  return runs.map((one) => {
    if (one.together.length === 0) return one;
    const [causes, skills] = [{ ...one.causes }, { ...one.skills }];
    for (const { card, cause, skill, taps, pings, ms } of one.together) {
      const others = 1 - 1 / (members.get(card) ?? 1);
      const subtractShare = (from: Record<string, AttentionSpent>, name: string): void => {
        const spent = from[name];
        if (!spent) return;
        from[name] = {
          ...spent,
          taps: spent.taps - taps * others,
          pings: spent.pings - pings * others,
          ms: spent.ms - ms * others,
        };
      };
      subtractShare(causes, cause);
      if (skill !== null) subtractShare(skills, skill);
    }
    return { ...one, causes, skills };
  });
};

/** Start of the preceding period of equal length (epoch ms). */
export const previousPeriodStart = (since: number, until: number): number =>
  since === 0 ? 0 : Math.max(0, 2 * since - until);

const WEEK = 7 * DAY;
const MAX_WEEKS = 12;
const weeksOf = (runs: readonly RunFigures[], until: number): PeriodReport['weeks'] =>
  Array.from({ length: MAX_WEEKS }, (_, i) => until + 1 - (MAX_WEEKS - i) * WEEK).flatMap((from) => {
    const own = runs.filter(({ createdAt }) => createdAt >= from && createdAt < from + WEEK);
    return own.length === 0 ? [] : [{ from, runs: own.length, failures: failuresOf(own) }];
  });

/** `runs` include the preceding period. */
export const reportOf = (
  runs: readonly RunFigures[],
  { since, until, by }: Pick<PeriodReport, 'since' | 'until' | 'by'>,
): PeriodReport => {
  const all = shareOutAttention(runs);
  const runsWithin = (from: number, to: number): RunFigures[] =>
    all.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  const own = runsWithin(since, until + 1);
  const earlier = runsWithin(previousPeriodStart(since, until), since);
  const groups = [...groupRuns(own, by)]
    .map(([name, group]) => ({ name, figures: measureRuns(group, until) }))
    .sort((a, b) => b.figures.runs - a.figures.runs || (a.name < b.name ? -1 : 1));
  const before = earlier.length === 0 ? null : measureRuns(earlier, until);
  return { since, until, by, all: measureRuns(own, until), before, groups, weeks: weeksOf(own, until) };
};
