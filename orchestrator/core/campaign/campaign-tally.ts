/** Where each repository of a campaign is, so that what is said of numbers adds up to all of them. */
import { repositoriesWithAdoptedPull } from './adopted-pulls.ts';
import { remainingByOwner, stepSize, waitingIn, type RunStandings } from './advance-campaign.ts';
import type { Campaign } from './campaign.ts';
import type { CampaignOrder } from './campaign-order.ts';

/** The sum of all but `of` is `of`. */
export type CampaignTally = {
  of: number;
  /** Work has begun there. */
  started: number;
  /** Left out when their turn came, before anything of them was public. */
  leftOut: number;
  /** Their owners want no more of it. */
  unwanted: number;
  /** Somebody else's pull request does it there. */
  elsewhere: number;
  /** Their step has come and something keeps them waiting. */
  waiting: number;
  /** Their step has not come yet. */
  later: number;
};

/** How many the next step begins, of those that its pace says. */
export const nextSize = (
  order: Pick<CampaignOrder, 'targets' | 'pace' | 'limits' | 'schedule'>,
  campaign: Campaign,
  runs: RunStandings,
): number => {
  const { released, step } = campaign;
  const taken = repositoriesWithAdoptedPull(campaign);
  const unwanted = new Set([...remainingByOwner(order, runs).values()].flat());
  return order.targets
    .slice(released, released + stepSize(order.pace, step))
    .filter(({ repo }) => !runs.has(repo) && !unwanted.has(repo) && !taken.has(repo.toLowerCase())).length;
};

export const tallyOf = (
  order: Pick<CampaignOrder, 'targets' | 'pace' | 'limits' | 'schedule'>,
  campaign: Campaign,
  runs: RunStandings,
): CampaignTally => {
  const of = order.targets.length;
  const known = order.targets.flatMap(({ repo }) => runs.get(repo) ?? []);
  const leftOut = known.filter(({ out, opened }) => out !== null && !opened).length;
  const unwanted = new Set([...remainingByOwner(order, runs).values()].flat());
  const taken = repositoriesWithAdoptedPull(campaign);
  const elsewhere = order.targets.filter(
    ({ repo }) => !runs.has(repo) && !unwanted.has(repo) && taken.has(repo.toLowerCase()),
  ).length;
  const waiting = waitingIn(order, campaign, runs).length;
  const counted = known.length + unwanted.size + elsewhere + waiting;
  return {
    of,
    started: known.length - leftOut,
    leftOut,
    unwanted: unwanted.size,
    elsewhere,
    waiting,
    later: of - counted,
  };
};
