/** Pull requests opened elsewhere that a campaign follows and never publishes to (F5). */
import {
  createCiFacts,
  foldCiObservation,
  type CiObservation,
  type CiSettleTimes,
} from '../kernel/ci/ci-facts.ts';
import { explainCiVerdict } from '../kernel/ci/ci-verdict.ts';
import type { CiFacts } from '#model/ci';
import type { AdoptedMark, AdoptedPull } from '#model/order';
import type { CampaignOrder } from '#model/campaign';
import type { StandingMark, RunStanding } from './run-standing.ts';

type Following = { adoptedPulls?: readonly AdoptedPull[] };

export const isAdoptedPullEnded = ({ mark }: Pick<AdoptedPull, 'mark'>): boolean =>
  mark === 'merged' || mark === 'closed';

/** The change exists or is under way there, so no run is started. */
export const repositoriesWithAdoptedPull = ({ adoptedPulls: adopted = [] }: Following): ReadonlySet<string> =>
  new Set(adopted.filter(({ mark }) => mark !== 'closed').map(({ repo }) => repo.toLowerCase()));

const STANDING_BY_ADOPTED: Record<AdoptedMark, StandingMark> = {
  open: 'open',
  red: 'open',
  green: 'green',
  merged: 'merged',
  closed: 'cancelled',
};

const standingOf = (one: AdoptedPull): RunStanding => ({
  repo: one.repo,
  run: one.pull,
  mark: STANDING_BY_ADOPTED[one.mark],
  out: null,
  class: null,
  over: isAdoptedPullEnded(one),
  ended: isAdoptedPullEnded(one),
  near: [],
  opened: true,
  unwanted: false,
  asks: null,
  reads: false,
  publicAt: one.openedAt,
  at: one.openedAt,
  since: one.since,
});

type Standings = ReadonlyMap<string, RunStanding>;

/** Keys are repositories for runs, and URLs for followed pull requests. */
export const withAdoptedPulls = ({ adoptedPulls: adopted = [] }: Following, runs: Standings): Standings =>
  new Map([...runs, ...adopted.map((one) => [one.url, standingOf(one)] as const)]);

export const countTargetsAndPulls = (
  { targets }: Pick<CampaignOrder, 'targets'>,
  campaign: Following,
  runs: Standings,
): number => {
  const taken = repositoriesWithAdoptedPull(campaign);
  const own = targets.filter(({ repo }) => runs.has(repo) || !taken.has(repo.toLowerCase()));
  return own.length + (campaign.adoptedPulls ?? []).length;
};

export const foldAdoptedPullCi = (
  before: AdoptedMark,
  ci: CiFacts | undefined,
  look: CiObservation,
  at: number,
  patience: CiSettleTimes,
): { ci: CiFacts; mark: AdoptedMark } => {
  const next = foldCiObservation(ci ?? createCiFacts(at), look, at, patience);
  const { verdict, why } = explainCiVerdict(next);
  const unsettled = why.every(({ kind }) => kind === 'settles' || kind === 'silent' || kind === 'unseen');
  if (verdict === 'PENDING') return { ci: next, mark: unsettled ? before : 'open' };
  if (verdict === 'AWAITING_MAINTAINER') return { ci: next, mark: 'open' };
  return { ci: next, mark: verdict === 'RED' ? 'red' : 'green' };
};
