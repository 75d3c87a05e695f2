/** Decides what a campaign does next: start repositories, widen, stop or finish. Pure. */
import { ownerOf } from '#model/pull';
import { DAY } from '#model/values';
import type { Campaign, CampaignDecision, StopReason, CampaignOrder } from '#model/campaign';
import { findNextOpening } from '#model/schedule';
import { hasLinks, linkStates, findStoppedLinks } from '#model/targets';
import { isAdoptedPullEnded, repositoriesWithAdoptedPull } from './adopted-pulls.ts';
import { isHoldingPlace, hasReachedOutcome, isSettled, type RunStanding } from './run-standing.ts';

export type CampaignAdvance = {
  start: string[];
  enter: CampaignDecision | null;
  waits:
    | {
        kind: 'open' | 'owner' | 'day' | 'step' | 'busy' | 'queued' | 'after';
        count: number;
        of: number;
      }
    /** No work there before this time (epoch ms). */
    | { kind: 'hours'; until: number }
    | null;
};

const startNothing = (
  enter: CampaignDecision | null = null,
  waits: CampaignAdvance['waits'] = null,
): CampaignAdvance => ({
  start: [],
  enter,
  waits,
});

type Order = Pick<CampaignOrder, 'targets' | 'pace' | 'limits' | 'schedule'>;
/** Status of the runs by repository; absent before a run starts. */
export type RunStandings = ReadonlyMap<string, RunStanding>;

export const waitingIn = (order: Order, campaign: Campaign, runs: RunStandings): Order['targets'] => {
  const unwanted = findUnwillingOwners(order, runs);
  const taken = repositoriesWithAdoptedPull(campaign);
  const stopped = new Set([...findStoppedTargets(order, campaign, runs).values()].flat());
  return order.targets
    .slice(0, campaign.released)
    .filter(
      ({ repo }) =>
        !runs.has(repo) &&
        !stopped.has(repo) &&
        !unwanted.has(ownerKeyOf(repo)) &&
        !taken.has(repo.toLowerCase()),
    );
};

export const findStoppedTargets = (
  order: Pick<Order, 'targets' | 'pace'>,
  { links = [], adoptedPulls = [] }: Pick<Campaign, 'links' | 'adoptedPulls'>,
  runs: RunStandings,
): Map<string, string[]> => {
  const open = new Set(adoptedPulls.filter(({ mark }) => mark !== 'closed').map(({ repo }) => repo));
  const standings = new Map([...runs].filter(([repo]) => !open.has(repo)));
  const { targets } = order;
  const unwanted = findUnwillingOwners(order, runs);
  const gone = new Set(
    targets.flatMap(({ repo }) => (unwanted.has(ownerKeyOf(repo)) ? [repo.toLowerCase()] : [])),
  );
  return findStoppedLinks({ targets, links, standings, gone });
};

export type CampaignHolds = {
  /** Repositories with another run of ours at work, and its id: ours starts after it. */
  busy: ReadonlyMap<string, string>;
  /** Owners whose CI queue holds too many of our pull requests. */
  queued: ReadonlyMap<string, number>;
};
export const NO_CAMPAIGN_HOLDS: CampaignHolds = { busy: new Map(), queued: new Map() };

export const overfullOwners = (
  { limits }: Pick<Order, 'limits'>,
  waiting: Order['targets'],
  queues: ReadonlyMap<string, number>,
): CampaignHolds['queued'] => {
  const owners = new Set(waiting.map(({ repo }) => ownerKeyOf(repo)));
  return new Map([...queues].filter(([owner, n]) => owners.has(owner) && n >= limits.queued));
};

export const advanceCampaign = (
  order: Order,
  campaign: Campaign,
  runs: RunStandings,
  now: number,
  { busy, queued }: CampaignHolds = NO_CAMPAIGN_HOLDS,
): CampaignAdvance => {
  if (campaign.state !== 'running') return startNothing();
  // guard: F5-schedule-begins-nothing
  if (order.schedule) return startNothing();
  const { targets, pace } = order;
  if (campaign.released === 0) return startNothing(decideWidening(targets.length, 0, pace.canary, 0));
  const released = targets.slice(0, campaign.released);
  const waiting = waitingIn(order, campaign, runs);
  // Nothing is stopped when nothing is left to start.
  const left = campaign.released < targets.length || waiting.length > 0;
  const stop = left ? findStopReason(order, campaign, runs) : null;
  // guard: F5-campaign-stops
  if (stop) return startNothing({ kind: 'stopped', reason: stop });
  // guard: F5-one-in-a-repository
  const free = waiting.filter(({ repo }) => !busy.has(repo));
  const states = hasLinks(targets)
    ? linkStates({ targets, links: campaign.links ?? [], standings: runs })
    : null;
  // guard: F5-after-its-link
  const linked = free.filter(({ repo }) => states === null || states.get(repo.toLowerCase()) === 'ready');
  // guard: F5-ci-queue
  const ready = linked.filter(({ repo }) => !queued.has(ownerKeyOf(repo)));
  if (ready.length > 0) {
    const until = pace.hours === undefined ? null : findNextOpening(pace.hours, now);
    // guard: F5-working-hours
    if (until !== null) return startNothing(null, { kind: 'hours', until });
    return beginRuns(order, openPullLimit(order, campaign), ready, runs, now);
  }
  const held =
    waiting.length > 0
      ? ({
          kind: linked.length > 0 ? 'queued' : free.length > 0 ? 'after' : 'busy',
          count: linked.length > 0 ? linked.length : free.length > 0 ? free.length : waiting.length,
          of: released.length,
        } as const)
      : null;
  const standings = released.flatMap(({ repo }) => runs.get(repo) ?? []);
  if (campaign.released >= targets.length)
    return startNothing(
      !held && standings.every(({ over }) => over) && (campaign.adoptedPulls ?? []).every(isAdoptedPullEnded)
        ? { kind: 'finished' }
        : null,
      held,
    );
  const open = standings.filter((one) => !isSettled(one, pace.next)).length;
  // guard: F5-canary-first
  if (open > 0) return startNothing(null, { kind: 'step', count: open, of: standings.length });
  const counted = targets
    .slice(campaign.stepStart, campaign.released)
    .flatMap(({ repo }) => runs.get(repo) ?? []);
  // A run that was held back proves nothing: another of its step must.
  if (held && !counted.some((one) => hasReachedOutcome(one, pace.next)))
    // A step that is held as a whole proves nothing: as many others take its place.
    return counted.length === 0
      ? startNothing(
          decideWidening(
            targets.length,
            campaign.released,
            campaign.released - campaign.stepStart,
            campaign.step,
          ),
        )
      : startNothing(null, held);
  return startNothing(nextDecision(order, campaign, counted));
};

const ownerKeyOf = (repo: string): string => ownerOf(repo).toLowerCase();

const findUnwillingOwners = ({ pace }: Pick<Order, 'pace'>, runs: RunStandings): ReadonlySet<string> => {
  const nos = new Map<string, number>();
  for (const { repo, unwanted } of runs.values())
    if (unwanted) nos.set(ownerKeyOf(repo), (nos.get(ownerKeyOf(repo)) ?? 0) + 1);
  return new Set([...nos].filter(([, n]) => n >= pace.stop.owner).map(([owner]) => owner));
};

export const remainingByOwner = (order: Order, runs: RunStandings): Map<string, string[]> => {
  const unwanted = findUnwillingOwners(order, runs);
  const left = order.targets.filter(({ repo }) => !runs.has(repo) && unwanted.has(ownerKeyOf(repo)));
  return Map.groupBy(
    left.map(({ repo }) => repo),
    ownerKeyOf,
  );
};

const decideWidening = (all: number, from: number, by: number, step: number): CampaignDecision => ({
  kind: 'widened',
  to: Math.min(all, from + by),
  step,
});

const nextDecision = (
  { targets, pace }: Order,
  { released, step }: Campaign,
  counted: RunStanding[],
): CampaignDecision => {
  const good = counted.length === 0 || counted.some((one) => hasReachedOutcome(one, pace.next));
  if (!good) return decideWidening(targets.length, released, pace.canary, step);
  return decideWidening(targets.length, released, stepSize(pace, step), step + 1);
};

export const stepSize = ({ steps }: Pick<CampaignOrder['pace'], 'steps'>, step: number): number =>
  steps[Math.min(step, steps.length - 1)] ?? 1;

/** Counted over the whole step, so completion order does not matter. */
const findStopReason = (
  { targets, pace }: Order,
  { stepStart: from, released }: Campaign,
  runs: RunStandings,
): StopReason | null => {
  const step = targets.slice(from, released);
  // A target that was left out proves nothing about the change.
  const of = step.filter(({ repo }) => runs.get(repo)?.mark !== 'out').length;
  const countMarked = (mark: 'failed' | 'denied'): number =>
    step.filter(({ repo }) => runs.get(repo)?.mark === mark).length;
  for (const [kind, mark, bound] of [
    ['failures', 'failed', pace.stop.failures],
    ['denials', 'denied', pace.stop.denials],
  ] as const) {
    const count = countMarked(mark);
    if (of > 0 && count / of > bound) return { kind, count, of, bound };
  }
  return step.length > 0
    ? checkAccessLost(targets.slice(Math.min(from, Math.max(0, released - 2)), released), runs)
    : null;
};

const NO_WAY_IN: readonly RunStanding['out'][] = ['missing', 'not_allowed'];

/** One refused repository is its owner's choice; all of the last ones mean our credential. */
const checkAccessLost = (last: Order['targets'], runs: RunStandings): StopReason | null => {
  const count = last.filter(({ repo }) => NO_WAY_IN.includes(runs.get(repo)?.out ?? null)).length;
  // guard: F5-shut-out-of-all
  return count > 1 && count === last.length ? { kind: 'access', count, of: count, bound: 0 } : null;
};

export const openPullLimit = (
  { limits }: Pick<Order, 'limits'>,
  { maxOpen: open }: Pick<Campaign, 'maxOpen'>,
): number => Math.max(limits.open, open ?? 0);

const beginRuns = (
  { limits }: Order,
  places: number,
  waiting: Order['targets'],
  runs: RunStandings,
  now: number,
): CampaignAdvance => {
  const begun = [...runs.values()];
  // guard: F5-unseen-keeps-no-place
  const open = begun.filter(isHoldingPlace);
  const today = begun.filter(({ at }) => at > now - DAY).length;
  const owners = new Map<string, number>();
  for (const { repo } of open) owners.set(ownerKeyOf(repo), (owners.get(ownerKeyOf(repo)) ?? 0) + 1);
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
    const own = owners.get(ownerKeyOf(repo)) ?? 0;
    if (own >= limits.perOwner) continue;
    owners.set(ownerKeyOf(repo), own + 1);
    start.push(repo);
  }
  const held = waiting.length - start.length;
  return {
    start,
    enter: null,
    waits: held === 0 ? null : { kind: 'owner', count: held, of: limits.perOwner },
  };
};
