/**
 * Campaigns in the ledger: the order is a row that never changes, and what is decided about it are
 * events of the house, which name the row by its digest.
 */
import type { Campaign } from '../../orchestrator/core/campaign/campaign.ts';
import { judgeDecision, planned } from '../../orchestrator/core/campaign/campaign.ts';
import { CampaignOrder } from '../../orchestrator/core/campaign/order.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import type { CampaignPort, CampaignQueries, CampaignOutcome } from '../../orchestrator/ports.ts';
import { readable } from '../sql/rows.ts';
import { asked, call, type Builder, type Define, type RunQuery, type Script } from '../sql/statements.ts';
import type { HouseLog } from './house.ts';
import { campaignIn } from './house-fold.ts';
import { digestOf } from './records.ts';

const runsOf = (db: Builder, campaign: string) =>
  db
    .selectFrom('runs')
    .innerJoin('run_states', 'run_states.run_id', 'runs.run_id')
    .where('runs.campaign', '=', campaign)
    .orderBy('runs.created_at')
    .orderBy('runs.run_id');

const campaignStatements = (define: Define) => ({
  read: define((db, a: { id: string }) => db.selectFrom('campaigns').selectAll().where('id', '=', a.id)),
  add: define((db, a: { id: string; order_json: string; created_at: number }) =>
    db.insertInto('campaigns').values({ id: a.id, order_json: a.order_json, created_at: a.created_at }),
  ),
  versions: define((db, a: { campaign: string }) =>
    runsOf(db, a.campaign).select(['run_states.run_id', 'run_states.version']),
  ),
  runs: define((db, a: { campaign: string }) =>
    runsOf(db, a.campaign).select(['run_states.run_id', 'run_states.version', 'run_states.fold_json']),
  ),
  one: define((db, a: { id: string }) =>
    db
      .selectFrom('run_states')
      .select(['run_states.run_id', 'run_states.version', 'run_states.fold_json'])
      .where('run_id', '=', a.id),
  ),
});

const changed = (id: string): Error =>
  new Error(
    `The order of campaign ${id} was changed by somebody other than agentpr. Nothing is done for it; see agentpr replay --all.`,
  );

/** The order as it was planned; throws when it is another one. */
const orderIn = (campaign: Campaign, row: { order_json: string } | undefined): CampaignOrder => {
  // guard: L5-campaign-order
  if (!row || digestOf(row.order_json) !== campaign.digest) throw changed(campaign.id);
  return CampaignOrder.parse(JSON.parse(row.order_json));
};

export const createCampaigns = (
  define: Define,
  house: HouseLog,
  transact: <T>(script: Script<T>) => Promise<T>,
): CampaignPort => {
  const sql = campaignStatements(define);

  function* plan({ id, order, at, by, origin }: Parameters<CampaignPort['plan']>[0]): Script<boolean> {
    const { house: before } = yield* house.stored();
    if (campaignIn(before, id)) return false;
    const order_json = JSON.stringify(CampaignOrder.parse(order));
    const digest = digestOf(order_json);
    // Somebody's row that no event names is in the way: it fails, and is found by replay.
    yield call(sql.add, { id, order_json, created_at: at });
    yield* house.append(at, () => ({
      type: 'campaign.planned',
      campaign: planned({ id, digest, by, origin, every: order.schedule?.every }, at),
    }));
    return true;
  }

  function* decide(
    id: string,
    { decision, by, at, from }: Parameters<CampaignPort['decide']>[1],
  ): Script<CampaignOutcome> {
    const { house: before } = yield* house.stored();
    const campaign = campaignIn(before, id);
    if (!campaign) return { kind: 'unknown' };
    // guard: L6-campaign-moved
    if (from !== undefined && (from.since !== campaign.since || from.released !== campaign.released))
      return { kind: 'same', campaign };
    const judged = judgeDecision(campaign, decision);
    if (judged !== 'taken') return { kind: judged, campaign };
    yield* house.append(at, () => ({ type: 'campaign.decided', id, decision, by, at }));
    const { house: after } = yield* house.stored();
    return { kind: 'taken', campaign: campaignIn(after, id) ?? campaign };
  }

  return {
    plan: (campaign) => transact(plan(campaign)),
    decide: (id, given) => transact(decide(id, given)),
  };
};

/** More than these are read together (runs that moved since the last look). */
const MANY = 20;
/** Runs that are kept as they were read: those of the campaigns that are looked at now. */
const MOST_KEPT = 2_000;

/**
 * A campaign is looked at whenever one of its runs moves: only those that moved are read and parsed
 * again.
 */
const createRunReader = (sql: ReturnType<typeof campaignStatements>, read: RunQuery) => {
  const kept = new Map<string, { version: number; runs: Run[] }>();
  return async (campaign: string): Promise<Run[]> => {
    const now = await read(asked(sql.versions, { campaign }));
    const moved = now.filter(({ run_id, version }) => kept.get(run_id)?.version !== version);
    const rows =
      moved.length > MANY
        ? await read(asked(sql.runs, { campaign }))
        : (await Promise.all(moved.map(({ run_id }) => read(asked(sql.one, { id: run_id }))))).flat();
    const all = new Map(now.flatMap(({ run_id }) => [[run_id, kept.get(run_id)?.runs ?? []] as const]));
    for (const row of rows) {
      const runs = readable(row);
      all.set(row.run_id, runs);
      kept.delete(row.run_id);
      kept.set(row.run_id, { version: row.version, runs });
    }
    for (const id of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(id);
    }
    return [...all.values()].flat();
  };
};

export const createCampaignQueries = (define: Define, read: RunQuery, house: HouseLog): CampaignQueries => {
  const sql = campaignStatements(define);
  const runs = createRunReader(sql, read);
  return {
    campaign: async (id) => {
      const campaign = campaignIn(await house.now(), id);
      if (!campaign) return null;
      const [row] = await read(asked(sql.read, { id }));
      return { campaign, order: orderIn(campaign, row) };
    },
    campaigns: async () => [...((await house.now()).campaigns ?? [])].reverse(),
    campaignRuns: runs,
  };
};
