/**
 * What a campaign does next: which repositories are begun, and whether it widens, stops or is
 * finished. Pure: the same facts at the same time give the same answer, in whatever order they came.
 */
import { ownerOf } from '../push-fork.ts';
import { DAY } from '../units.ts';
import { isEnded, repositoriesWithAdoptedPull } from './adopted-pulls.ts';
import type { Campaign, CampaignDecision, StopReason } from './campaign.ts';
import { closedUntil } from './working-hours.ts';
import type { CampaignOrder } from './campaign-order.ts';
import { holdsPlace, isReached, isSettled, type RunStanding } from './run-standing.ts';

export type CampaignAdvance = {
  /** Repositories that are begun now, in this order. */
  start: string[];
  /** What is decided about the campaign as a whole. */
  enter: CampaignDecision | null;
  /** What keeps the next repository waiting; null when nothing does. */
  waits:
    | {
        kind: 'open' | 'owner' | 'day' | 'step' | 'busy' | 'queued';
        count: number;
        of: number;
      }
    /** Until then nobody works there (epoch ms). */
    | { kind: 'hours'; until: number }
    | null;
};

const still = (
  enter: CampaignDecision | null = null,
  waits: CampaignAdvance['waits'] = null,
): CampaignAdvance => ({
  start: [],
  enter,
  waits,
});

type Order = Pick<CampaignOrder, 'targets' | 'pace' | 'limits' | 'schedule'>;
/** What is known of the runs, by repository; nothing is known where none was begun. */
export type RunStandings = ReadonlyMap<string, RunStanding>;

/** Repositories that may be begun and are not, without those whose owners want no more of it. */
export const waitingIn = (order: Order, campaign: Campaign, runs: RunStandings): Order['targets'] => {
  const unwanted = unwantedBy(order, runs);
  const taken = repositoriesWithAdoptedPull(campaign);
  return order.targets
    .slice(0, campaign.released)
    .filter(({ repo }) => !runs.has(repo) && !unwanted.has(owned(repo)) && !taken.has(repo.toLowerCase()));
};

/** What others do keeps repositories waiting, too. */
export type CampaignHolds = {
  /** Repositories in which another run of ours is at work, and which: theirs is begun after it. */
  busy: ReadonlyMap<string, string>;
  /** Owners in whose CI so many of our pull requests wait that no more is begun there. */
  queued: ReadonlyMap<string, number>;
};
export const NO_CAMPAIGN_HOLDS: CampaignHolds = { busy: new Map(), queued: new Map() };

/** Of owners with a queue those who have nothing more begun by it. */
export const overfullOwners = (
  { limits }: Pick<Order, 'limits'>,
  waiting: Order['targets'],
  queues: ReadonlyMap<string, number>,
): CampaignHolds['queued'] => {
  const owners = new Set(waiting.map(({ repo }) => owned(repo)));
  return new Map([...queues].filter(([owner, n]) => owners.has(owner) && n >= limits.queued));
};

export const advanceCampaign = (
  order: Order,
  campaign: Campaign,
  runs: RunStandings,
  now: number,
  { busy, queued }: CampaignHolds = NO_CAMPAIGN_HOLDS,
): CampaignAdvance => {
  if (campaign.state !== 'running') return still();
  // guard: F5-schedule-begins-nothing
  if (order.schedule) return still();
  const { targets, pace } = order;
  if (campaign.released === 0) return still(widened(targets.length, 0, pace.canary, 0));
  const released = targets.slice(0, campaign.released);
  const waiting = waitingIn(order, campaign, runs);
  // Where nothing is left to begin there is nothing to stop: what failed has said so itself.
  const left = campaign.released < targets.length || waiting.length > 0;
  const stop = left ? stopsFor(order, campaign, runs) : null;
  // guard: F5-campaign-stops
  if (stop) return still({ kind: 'stopped', reason: stop });
  // guard: F5-one-in-a-repository
  const free = waiting.filter(({ repo }) => !busy.has(repo));
  // guard: F5-ci-queue
  const ready = free.filter(({ repo }) => !queued.has(owned(repo)));
  if (ready.length > 0) {
    const until = pace.hours === undefined ? null : closedUntil(pace.hours, now);
    // guard: F5-working-hours
    if (until !== null) return still(null, { kind: 'hours', until });
    return begin(order, openPullLimit(order, campaign), ready, runs, now);
  }
  const held =
    waiting.length > 0
      ? ({
          kind: free.length > 0 ? 'queued' : 'busy',
          count: free.length > 0 ? free.length : waiting.length,
          of: released.length,
        } as const)
      : null;
  const standings = released.flatMap(({ repo }) => runs.get(repo) ?? []);
  if (campaign.released >= targets.length)
    return still(
      !held && standings.every(({ over }) => over) && (campaign.adoptedPulls ?? []).every(isEnded)
        ? { kind: 'finished' }
        : null,
      held,
    );
  const open = standings.filter((one) => !isSettled(one, pace.next)).length;
  // guard: F5-canary-first
  if (open > 0) return still(null, { kind: 'step', count: open, of: standings.length });
  const judged = targets
    .slice(campaign.stepStart, campaign.released)
    .flatMap(({ repo }) => runs.get(repo) ?? []);
  // What was held back has shown nothing: others of its step must have.
  if (held && !judged.some((one) => isReached(one, pace.next))) return still(null, held);
  return still(next(order, campaign, judged));
};

const owned = (repo: string): string => ownerOf(repo).toLowerCase();

/** Owners whose maintainers said no so often that nothing more of theirs is begun. */
export const unwantedBy = ({ pace }: Pick<Order, 'pace'>, runs: RunStandings): ReadonlySet<string> => {
  const nos = new Map<string, number>();
  for (const { repo, unwanted } of runs.values())
    if (unwanted) nos.set(owned(repo), (nos.get(owned(repo)) ?? 0) + 1);
  return new Set([...nos].filter(([, n]) => n >= pace.stop.owner).map(([owner]) => owner));
};

/** What was not begun and will not be, by its owner. */
export const remainingByOwner = (order: Order, runs: RunStandings): Map<string, string[]> => {
  const unwanted = unwantedBy(order, runs);
  const left = order.targets.filter(({ repo }) => !runs.has(repo) && unwanted.has(owned(repo)));
  return Map.groupBy(
    left.map(({ repo }) => repo),
    owned,
  );
};

const widened = (all: number, from: number, by: number, step: number): CampaignDecision => ({
  kind: 'widened',
  to: Math.min(all, from + by),
  step,
});

/** A step of which nothing came to what was asked has shown nothing: as few as the canaries follow. */
const next = (
  { targets, pace }: Order,
  { released, step }: Campaign,
  judged: RunStanding[],
): CampaignDecision => {
  const good = judged.length === 0 || judged.some((one) => isReached(one, pace.next));
  if (!good) return widened(targets.length, released, pace.canary, step);
  return widened(targets.length, released, stepSize(pace, step), step + 1);
};

export const stepSize = ({ steps }: Pick<CampaignOrder['pace'], 'steps'>, step: number): number =>
  steps[Math.min(step, steps.length - 1)] ?? 1;

/** Of all that this step has, so that the order in which they end decides nothing. */
const stopsFor = (
  { targets, pace }: Order,
  { stepStart: from, released }: Campaign,
  runs: RunStandings,
): StopReason | null => {
  const step = targets.slice(from, released);
  // What was left out shows nothing of the change.
  const of = step.filter(({ repo }) => runs.get(repo)?.mark !== 'out').length;
  const many = (mark: 'failed' | 'denied'): number =>
    step.filter(({ repo }) => runs.get(repo)?.mark === mark).length;
  for (const [kind, mark, bound] of [
    ['failures', 'failed', pace.stop.failures],
    ['denials', 'denied', pace.stop.denials],
  ] as const) {
    const count = many(mark);
    if (of > 0 && count / of > bound) return { kind, count, of, bound };
  }
  return step.length > 0
    ? shutOut(targets.slice(Math.min(from, Math.max(0, released - 2)), released), runs)
    : null;
};

const NO_WAY_IN: readonly RunStanding['out'][] = ['missing', 'not_allowed'];

/** One that is closed to us is its owner's affair; each of the last ones, that is our credential. */
const shutOut = (last: Order['targets'], runs: RunStandings): StopReason | null => {
  const count = last.filter(({ repo }) => NO_WAY_IN.includes(runs.get(repo)?.out ?? null)).length;
  // guard: F5-shut-out-of-all
  return count > 1 && count === last.length ? { kind: 'access', count, of: count, bound: 0 } : null;
};

/** How many may be open at a time, as somebody said last. */
export const openPullLimit = (
  { limits }: Pick<Order, 'limits'>,
  { maxOpen: open }: Pick<Campaign, 'maxOpen'>,
): number => Math.max(limits.open, open ?? 0);

const begin = (
  { limits }: Order,
  places: number,
  waiting: Order['targets'],
  runs: RunStandings,
  now: number,
): CampaignAdvance => {
  const begun = [...runs.values()];
  // guard: F5-unseen-keeps-no-place
  const open = begun.filter(holdsPlace);
  const today = begun.filter(({ at }) => at > now - DAY).length;
  const owners = new Map<string, number>();
  for (const { repo } of open) owners.set(owned(repo), (owners.get(owned(repo)) ?? 0) + 1);
  const start: string[] = [];
  for (const { repo } of waiting) {
    // guard: E6-campaign-limits
    if (open.length + start.length >= places)
      return {
        start,
        enter: null,
        waits: { kind: 'open', count: open.length + start.length, of: places },
      };
    if (today + start.length >= limits.perDay)
      return { start, enter: null, waits: { kind: 'day', count: today + start.length, of: limits.perDay } };
    const own = owners.get(owned(repo)) ?? 0;
    if (own >= limits.perOwner) continue;
    owners.set(owned(repo), own + 1);
    start.push(repo);
  }
  const held = waiting.length - start.length;
  return {
    start,
    enter: null,
    waits: held === 0 ? null : { kind: 'owner', count: held, of: limits.perOwner },
  };
};
