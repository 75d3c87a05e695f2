/** Computes a campaign's current state from its order, decisions and runs. */
import {
  advanceCampaign,
  overfullOwners,
  waitingIn,
  type CampaignAdvance,
  type CampaignHolds,
  type RunStandings,
  cancellableRuns,
  runStanding,
  runsWithOpenPull,
} from '#campaign-standing';
import { canTakeDecision, type Campaign, type CampaignOrder } from '#model/campaign';
import { RunBounds, withGrantedBudgets, type GrantedBudget } from '#model/limits';
import { findTooLowBudgets } from '#model/reports';
import type { OfferedLesson } from '#model/feedback';
import { ownerOf } from '#model/pull';
import { isTerminal } from '#model/run';
import { DAY, MINUTE } from '#model/values';
import { listOfferedLessons } from './collect-lessons.ts';
import { repositoryOf, type Run } from '../kernel/run/run.ts';
import { findHostStop } from '../kernel/lifecycle/campaign-exclusion.ts';
import { settingKey } from '#settings';
import type { Ledger } from '#ports/ledger';
import { scheduleTimesOf, type ScheduleTimes } from './campaign-schedules.io.ts';

/** Wait for a runner that is longer than usual (ms). */
const MIN_LONG_CHECK_MS = 10 * MINUTE;
/** Code hosts end a job that waits for longer than a day (ms). */
const GIVEN_UP = DAY;

const isQueued = (
  {
    lifecycle: { state },
    upstream: { pullRequest: pr, observed: seen },
    change: { pushedHead: pushed },
  }: Run,
  now: number,
): boolean => {
  if (pr === null || pushed === null || isTerminal(state) || seen.pull?.state === 'closed') return false;
  return Object.values(seen.ci[pushed.sha]?.checks ?? {}).some(
    ({ kind, status, observedAt: heardAt }) =>
      kind === 'check' &&
      status === 'queued' &&
      now - heardAt >= MIN_LONG_CHECK_MS &&
      now - heardAt < GIVEN_UP,
  );
};

/** Keys are owners in lower case; values count our waiting pull requests. */
const queuesIn = (runs: readonly Run[], now: number): ReadonlyMap<string, number> => {
  const waiting = runs.filter((run) => isQueued(run, now));
  const owners = Map.groupBy(waiting, ({ order }) => ownerOf(order.repo).toLowerCase());
  return new Map([...owners].map(([owner, some]) => [owner, some.length]));
};

export type CampaignStatus = {
  campaign: Campaign;
  order: CampaignOrder;
  standings: RunStandings;
  pulls: ReadonlyMap<string, { repo: string; id: string; url: string }>;
  next: CampaignAdvance;
  held: CampaignHolds;
  lessons: OfferedLesson[];
  times?: ScheduleTimes;
  undo?: { id: string; open: number; working: number; fresh: number };
  undoneBy: string[];
};

const readUndoStatus = async (
  query: Pick<Ledger['query'], 'campaignRuns'>,
  { undoes }: Campaign,
  { targets }: CampaignOrder,
): Promise<Pick<CampaignStatus, 'undo'>> => {
  if (undoes === undefined) return {};
  const runs = new Map((await query.campaignRuns(undoes)).map((run) => [run.id, runStanding(run)]));
  const named = new Set(targets.map(({ repo }) => repo.toLowerCase()));
  const fresh = [...runs.values()].filter(
    ({ mark, repo }) => mark === 'merged' && !named.has(repo.toLowerCase()),
  );
  const [open, working] = [runsWithOpenPull(runs).length, cancellableRuns(runs).length];
  return { undo: { id: undoes, open, working, fresh: fresh.length } };
};

const MOST_LIVE = 2_000;

const readCampaignHolds = async (
  query: Pick<Ledger['query'], 'runs'>,
  { campaign, order }: Pick<CampaignStatus, 'campaign' | 'order'>,
  standings: RunStandings,
  now: number,
): Promise<CampaignHolds> => {
  const waiting = campaign.state === 'running' ? waitingIn(order, campaign, standings) : [];
  if (waiting.length === 0) return { busy: new Map(), queued: new Map() };
  const live = await query.runs({ live: true, limit: MOST_LIVE });
  const others = new Map(
    live.flatMap((run): [string, string][] =>
      // Runs stopped by the code host are inactive.
      run.order.campaign === campaign.id || findHostStop(run) !== null
        ? []
        : [[run.order.repo.toLowerCase(), run.id]],
    ),
  );
  const busy = new Map<string, string>();
  for (const { repo } of waiting) {
    const run = others.get(repo.toLowerCase());
    // Another issue is a separate change and may run in parallel.
    if (run !== undefined && campaign.origin?.kind !== 'issue') busy.set(repo, run);
  }
  return { busy, queued: overfullOwners(order, waiting, queuesIn(live, now)) };
};

const withGranted = (order: CampaignOrder, { granted = [] }: Campaign): CampaignOrder => ({
  ...order,
  run: { ...order.run, bounds: withGrantedBudgets(order.run.bounds, order.run, granted) },
});

/** O4: budgets that runs like these went beyond, before the start; a schedule’s campaigns have their own. */
export const suggestBudgetRaises = ({
  campaign,
  order,
}: Pick<CampaignStatus, 'campaign' | 'order'>): GrantedBudget[] => {
  const { expected, schedule, run } = order;
  if (!expected || schedule || !canTakeDecision(campaign, 'granted')) return [];
  const { runMs: limitMs, maxCostUsd: limitUsd } = run.bounds;
  const short = findTooLowBudgets({ ...expected, limitMs, limitUsd });
  return RunBounds.safeParse(withGrantedBudgets(run.bounds, run, short)).success ? short : [];
};

/** P7: an admin may have set another budget since it was planned. */
const withBudgetNow = async (
  query: Pick<Ledger['query'], 'setting'>,
  order: CampaignOrder,
): Promise<CampaignOrder> => {
  const said = await query.setting(settingKey('campaignbudget'));
  const { budgetUsd: _, ...unlimited } = order;
  if (!said) return order;
  return said === 'off' ? unlimited : { ...order, budgetUsd: Number(said) };
};

export const readCampaignStatus = async (
  query: Pick<Ledger['query'], 'campaign' | 'campaigns' | 'campaignRuns' | 'runs' | 'setting'>,
  id: string,
  now: number,
): Promise<CampaignStatus | null> => {
  const stored = await query.campaign(id);
  if (!stored) return null;
  const order = await withBudgetNow(query, withGranted(stored.order, stored.campaign));
  const known = { ...stored, order };
  const all = await query.campaigns();
  const runs = await query.campaignRuns(id);
  const standings: RunStandings = new Map(runs.map((run) => [run.order.repo, runStanding(run)]));
  const held = await readCampaignHolds(query, known, standings, now);
  return {
    ...known,
    ...(known.order.schedule ? { times: scheduleTimesOf(known.campaign, all, now) } : {}),
    ...(await readUndoStatus(query, known.campaign, known.order)),
    undoneBy: all.filter((one) => one.undoes === id).map((one) => one.id),
    standings,
    pulls: new Map(
      runs.flatMap((run) => {
        const { pullRequest } = run.upstream;
        return pullRequest ? [[run.order.repo, { ...pullRequest, repo: repositoryOf(run) }] as const] : [];
      }),
    ),
    held,
    lessons: listOfferedLessons(runs),
    next: advanceCampaign(known.order, known.campaign, standings, now, held),
  };
};
