/** Stores campaigns: immutable orders, and decisions as events of the installation. */
import { type Campaign, validateDecision, planNewCampaign, CampaignOrder } from '#model/campaign';
import type { CampaignOutcome, Ledger, LedgerQueries } from '#ports/ledger';
import {
  toCompiledQuery,
  callStatement,
  type SqlBuilder,
  type DefineStatement,
  type RunQuery,
  type SqlScript,
} from '../sql/statements.ts';
import type { InstallationLog } from './installation-log.ts';
import { findCampaign } from './installation-fold.ts';
import { storedFold } from '../sql/stored-rows.ts';
import { artifactDigest } from './attempt-store.ts';
import type { RunCache } from './run-cache.ts';

const runsOf = (db: SqlBuilder, campaign: string) =>
  db
    .selectFrom('runs')
    .innerJoin('run_states', 'run_states.run_id', 'runs.run_id')
    .where('runs.campaign', '=', campaign)
    .orderBy('runs.created_at')
    .orderBy('runs.run_id');

const campaignStatements = (define: DefineStatement) => ({
  read: define((db, a: { id: string }) => db.selectFrom('campaigns').selectAll().where('id', '=', a.id)),
  add: define((db, a: { id: string; order_json: string; created_at: number }) =>
    db.insertInto('campaigns').values({ id: a.id, order_json: a.order_json, created_at: a.created_at }),
  ),
  versions: define((db, a: { campaign: string }) =>
    runsOf(db, a.campaign).select(['run_states.run_id', 'run_states.version']),
  ),
  runs: define((db, a: { campaign: string }) =>
    runsOf(db, a.campaign).select(['run_states.run_id', 'run_states.version', storedFold]),
  ),
});

const createChangedError = (id: string): Error =>
  new Error(
    `The order of campaign ${id} was changed by somebody other than agentpr. Nothing is done for it; see agentpr replay --all.`,
  );

const orderIn = (campaign: Campaign, row: { order_json: string } | undefined): CampaignOrder => {
  // guard: L5-campaign-order
  if (!row || artifactDigest(row.order_json) !== campaign.digest) throw createChangedError(campaign.id);
  return CampaignOrder.parse(JSON.parse(row.order_json));
};

export const createCampaignStore = (
  define: DefineStatement,
  installation: InstallationLog,
  transact: <T>(script: SqlScript<T>) => Promise<T>,
): Ledger['campaigns'] => {
  const sql = campaignStatements(define);

  function* storePlan({
    id,
    order,
    at,
    by,
    origin,
  }: Parameters<Ledger['campaigns']['plan']>[0]): SqlScript<boolean> {
    const { installation: before } = yield* installation.readStored();
    if (findCampaign(before, id)) return false;
    const order_json = JSON.stringify(CampaignOrder.parse(order));
    const digest = artifactDigest(order_json);
    // A foreign row with this id makes it fail; replay finds it.
    yield callStatement(sql.add, { id, order_json, created_at: at });
    yield* installation.append(at, () => ({
      type: 'campaign.planned',
      campaign: planNewCampaign(
        { id, digest, by, origin, undoes: order.undoes, every: order.schedule?.every },
        at,
      ),
    }));
    return true;
  }

  function* storeDecision(
    id: string,
    { decision, by, at, from }: Parameters<Ledger['campaigns']['decide']>[1],
  ): SqlScript<CampaignOutcome> {
    const { installation: before } = yield* installation.readStored();
    const campaign = findCampaign(before, id);
    if (!campaign) return { kind: 'unknown' };
    // guard: L6-campaign-moved
    if (
      from !== undefined &&
      (from.stateEnteredAt !== campaign.stateEnteredAt || from.released !== campaign.released)
    )
      return { kind: 'same', campaign };
    const validity = validateDecision(campaign, decision);
    if (validity !== 'taken') return { kind: validity, campaign };
    yield* installation.append(at, () => ({ type: 'campaign.decided', id, decision, by, at }));
    const { installation: after } = yield* installation.readStored();
    return { kind: 'taken', campaign: findCampaign(after, id) ?? campaign };
  }

  return {
    plan: (campaign) => transact(storePlan(campaign)),
    decide: (id, given) => transact(storeDecision(id, given)),
  };
};

export const createCampaignQueries = (
  define: DefineStatement,
  read: RunQuery,
  installation: InstallationLog,
  runs: RunCache,
): Pick<LedgerQueries, 'campaign' | 'campaigns' | 'campaignRuns'> => {
  const sql = campaignStatements(define);
  return {
    campaign: async (id) => {
      const campaign = findCampaign(await installation.readCurrent(), id);
      if (!campaign) return null;
      const [row] = await read(toCompiledQuery(sql.read, { id }));
      return { campaign, order: orderIn(campaign, row) };
    },
    campaigns: async () => [...((await installation.readCurrent()).campaigns ?? [])].reverse(),
    campaignRuns: async (campaign) =>
      runs(await read(toCompiledQuery(sql.versions, { campaign })), () =>
        read(toCompiledQuery(sql.runs, { campaign })),
      ),
  };
};
