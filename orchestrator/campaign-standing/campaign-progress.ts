/** Measures a campaign: share merged in time, who blocks it, and its estimated end. Pure. */
import { DAY } from '#model/values';
import { MIN_WRITE_GAP_MS } from '#model/limits';
import type { Campaign, CampaignOrder } from '#model/campaign';
import { repositoriesWithAdoptedPull } from './adopted-pulls.ts';
import { remainingByOwner, stepSize, findStoppedTargets, type RunStandings } from './advance-campaign.ts';
import { isHoldingPlace, isSettled, type RunStanding } from './run-standing.ts';

const IDLE_PULL_MS = 7 * DAY;
const PACE_DAYS = [7, 30] as const;

/** Share of pull requests of at least that age that were merged within it. */
export const mergeSharesByAge = (
  runs: RunStandings,
  now: number,
): { days: number; merged: number; of: number }[] =>
  PACE_DAYS.flatMap((days) => {
    const old = [...runs.values()].filter((one) => one.opened && now - (one.publicAt ?? now) >= days * DAY);
    const merged = old.filter(
      ({ mark, since, publicAt }) => mark === 'merged' && since - (publicAt ?? since) <= days * DAY,
    );
    return old.length === 0 ? [] : [{ days, merged: merged.length, of: old.length }];
  });

const WHOM = { waits: 'you', green: 'reviewers', open: 'checks' } as const;
type WaitCause = (typeof WHOM)[keyof typeof WHOM];
type StuckRun = { repo: string; run: string; on: WaitCause; since: number };

export const listStuckRuns = (runs: RunStandings): StuckRun[] =>
  [...runs.values()]
    .flatMap(({ repo, run, mark, since }) =>
      mark === 'waits' || mark === 'green' || mark === 'open' ? [{ repo, run, on: WHOM[mark], since }] : [],
    )
    .sort((a, b) => a.since - b.since || (a.run < b.run ? -1 : 1));

const isIdle = ({ over, opened, since }: RunStanding, now: number): boolean =>
  !over && opened && now - since >= IDLE_PULL_MS;

/** Idle pull requests that take all places; empty while anything else is open. */
export const listBlockingIdleRuns = (
  waits: { kind: string } | null,
  runs: RunStandings,
  now: number,
): RunStanding[] => {
  const open = [...runs.values()].filter(isHoldingPlace);
  return waits?.kind === 'open' && open.every((one) => isIdle(one, now)) ? open : [];
};

const MIN_PACE_SAMPLES = 5;

/** The push precedes the opening, which may wait for its turn. */
const readyAt = ({ publicAt, since }: RunStanding): number => publicAt ?? since;
const isReady = (one: RunStanding): boolean =>
  one.asks === null && (one.mark === 'waits' || one.publicAt !== null || isSettled(one, 'approved'));
const readyIn = (some: readonly RunStanding[]): number[] =>
  some
    .filter(isReady)
    .map(readyAt)
    .sort((a, b) => a - b);

/** Time per run (ms), over the newer half, because the first are slow. A pending one is a minimum. */
const paceOf = (through: readonly number[], now: number | null): number | null => {
  if (through.length < MIN_PACE_SAMPLES) return null;
  const from = Math.floor(through.length / 2) - 1;
  const [first = 0, last = 0] = [through[from], through.at(-1)];
  const came = through.length - 1 - from;
  return Math.max((last - first) / came, now === null ? 0 : (now - first) / (came + 1));
};

/** Time between recent openings (ms): code hosts limit them. */
const openingIntervalOf = (runs: RunStandings): number => {
  const late = [...runs.values()].flatMap(({ mark, since }) => (mark === 'open' ? [since] : []));
  return Math.max(
    MIN_WRITE_GAP_MS,
    paceOf(
      late.sort((a, b) => a - b),
      null,
    ) ?? MIN_WRITE_GAP_MS,
  );
};

/** Expected time until pending answers are through (ms), from the wait so far. */
const expectAnswerMs = (step: readonly RunStanding[], now: number): number => {
  const asked = step.flatMap(({ asks, since }) => (asks === null ? [] : [now - since]));
  if (asked.length === 0) return 0;
  const worked = step.flatMap((one) => (isReady(one) ? [readyAt(one) - one.at] : [])).sort((a, b) => a - b);
  return Math.max(...asked) + (worked[Math.floor(worked.length / 2)] ?? 0);
};

const stepsAfter = ({ targets, pace }: Order, { released, step }: Released): number => {
  let [steps, at] = [0, released];
  for (; at < targets.length; at += stepSize(pace, step + steps), steps += 1);
  return steps;
};

type Order = Pick<CampaignOrder, 'targets' | 'pace' | 'limits'>;
type Released = Pick<Campaign, 'released' | 'stepStart' | 'step'>;

/** Estimated end: the rest at the current pace, plus the last wait between steps for each step. */
export const etaOf = (
  order: Order,
  campaign: Released & Pick<Campaign, 'state' | 'adoptedPulls' | 'links'>,
  runs: RunStandings,
  now: number,
): number | null => {
  if (campaign.state !== 'running') return null;
  const standingsBetween = (from: number, to: number): RunStanding[] =>
    order.targets.slice(from, to).flatMap(({ repo }) => runs.get(repo) ?? []);
  const [earlier, step] = [
    standingsBetween(0, campaign.stepStart),
    standingsBetween(campaign.stepStart, campaign.released),
  ];
  const [before, through] = [readyIn(earlier), readyIn(step)];
  const given = [...remainingByOwner(order, runs).values()].flat().length;
  const taken = repositoriesWithAdoptedPull(campaign);
  const made = order.targets.filter(({ repo }) => !runs.has(repo) && taken.has(repo.toLowerCase())).length;
  const stopped = [...findStoppedTargets(order, campaign, runs).values()].flat().length;
  const left = order.targets.length - given - made - stopped - before.length - through.length;
  if (left <= 0) return null;
  const stepOver = through.length >= campaign.released - campaign.stepStart;
  const pace = paceOf(through, stepOver ? null : now) ?? paceOf(before, null);
  if (pace === null) return null;
  const begun = Math.min(...step.map(({ at }) => at));
  const wait = before.length > 0 && step.length > 0 ? Math.max(0, begun - (before.at(-1) ?? begun)) : 0;
  const steps = stepsAfter(order, campaign);
  const unopened = step.filter(({ opened, over }) => !opened && !over).length;
  const waited = stepOver ? now - (through.at(-1) ?? now) : 0;
  const next = Math.max(wait - waited, unopened * openingIntervalOf(runs));
  const waits = steps === 0 ? 0 : next + (steps - 1) * wait;
  const unbegun = order.targets.length - given - made - stopped - runs.size;
  const today = [...runs.values()].filter(({ at }) => at > now - DAY).length;
  const byDays = Math.ceil((unbegun - (order.limits.perDay - today)) / order.limits.perDay) * DAY;
  const work = Math.max(left * pace, expectAnswerMs(step, now));
  return Math.round(now + Math.max(work + waits, byDays));
};
