/** Counts the repositories of a campaign by status, so that the numbers add up. */
import { repositoriesWithAdoptedPull } from './adopted-pulls.ts';
import {
  remainingByOwner,
  stepSize,
  findStoppedTargets,
  waitingIn,
  type RunStandings,
} from './advance-campaign.ts';
import type { Campaign, CampaignOrder } from '#model/campaign';
import { waveByTarget } from '#model/targets';

export type CampaignTally = {
  of: number;
  started: number;
  /** Left out at their turn, before anything was public. */
  leftOut: number;
  unwanted: number;
  stopped: number;
  elsewhere: number;
  /** Their step has begun, but something keeps them waiting. */
  waiting: number;
  later: number;
};

export const nextStepSize = (
  order: Pick<CampaignOrder, 'targets' | 'pace' | 'limits' | 'schedule'>,
  campaign: Campaign,
  runs: RunStandings,
): number => {
  const { released, step } = campaign;
  const taken = repositoriesWithAdoptedPull(campaign);
  const unwanted = new Set([...remainingByOwner(order, runs).values()].flat());
  const stopped = new Set([...findStoppedTargets(order, campaign, runs).values()].flat());
  const waves = waveByTarget(order.targets);
  const next = order.targets
    .slice(released, released + stepSize(order.pace, step))
    .filter(
      ({ repo }) =>
        !runs.has(repo) && !unwanted.has(repo) && !stopped.has(repo) && !taken.has(repo.toLowerCase()),
    )
    .map(({ repo }) => waves.get(repo.toLowerCase()) ?? 0);
  // Those of a later wave begin after this one, whatever the step holds.
  const first = Math.min(...next);
  return next.filter((wave) => wave === first).length;
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
  const stopped = [...findStoppedTargets(order, campaign, runs).values()]
    .flat()
    .filter((repo) => !unwanted.has(repo) && !taken.has(repo.toLowerCase())).length;
  const waiting = waitingIn(order, campaign, runs).length;
  const counted = known.length + unwanted.size + stopped + elsewhere + waiting;
  return {
    of,
    started: known.length - leftOut,
    leftOut,
    unwanted: unwanted.size,
    stopped,
    elsewhere,
    waiting,
    later: of - counted,
  };
};
