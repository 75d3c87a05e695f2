/** Plans a campaign: selects the repositories and stores the order. Starts nothing. */
import { z } from 'zod';
import { CampaignOrder, MAX_CAMPAIGN_TARGETS } from '#model/campaign';
import { type ExcludedTarget, costCautionsOf, type CostCautionOf } from '#model/targets';
import { hasWaitingPreview, findReplacedPreviews } from '#model/schedule';
import type { ChatNote } from '#model/chat';
import { isTerminal } from '#model/run';
import { DAY } from '#model/values';
import { findApproverShortage } from './campaign-approvers.ts';
import { checkFirstStepSize, type CampaignSettings } from './first-step-size.ts';
import { estimateFor, expectationFor, selectTargets, type TargetFacts } from './select-targets.ts';
import { checkFilledOrder } from './check-filled-order.ts';
import { findAiBan } from '../kernel/preparation/ai-bans.ts';
import type { Run } from '../kernel/run/run.ts';
import { CampaignRequest, type NamedRepo } from '#orders';
import type { FoundRepo } from '#ports/forge';
import type { InboxRow, IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { createPlanReplies, findTriggerRefusal, type PlannedCampaign } from './plan-replies.io.ts';
import type { FigureRecords } from '#reports';
import { createSurvey, type SurveyParts } from './survey-repositories.io.ts';

const Batch = CampaignRequest.extend({ type: z.literal('batch'), id: z.string() });
type CampaignPlanRequest = Omit<CampaignRequest, 'queries'> &
  Partial<Pick<CampaignRequest, 'queries'>> & { id: string };

/** The key identifies the batch; one lane per chat keeps the order. */
export const campaignPlanInboxItem = (key: string, batch: CampaignPlanRequest): IncomingItem => ({
  source: 'note',
  key,
  body: { type: 'batch', ...batch },
  lane: `batch:${batch.chat ?? ''}`,
});
/** The time of a schedule that was planned last, whatever came of it: keys of the inbox expire. */
export const lastDueKey = (schedule: string): string => `schedule:${schedule}`;

const MAX_PAST_RUNS_ASKED = 2_000;
const PAST_RUNS_MS = 30 * DAY;

export type PlannerParts = SurveyParts & {
  ledger: Pick<Ledger, 'campaigns' | 'settleInbox' | 'setSetting'> & {
    query: Pick<Ledger['query'], 'runs' | 'campaign' | 'campaigns' | 'told'>;
  };
  figures: Pick<FigureRecords, 'since'>;
  settings: CampaignSettings;
  mayApprove: (id: string) => Promise<boolean>;
  cautionOf?: CostCautionOf;
  /** P7: dollars that a campaign may cost in all; null where nobody limits them. */
  budgetUsd?: () => Promise<number | null>;
};

export type CampaignPlanner = {
  /** False for an item that asks for no plan. */
  handle(row: InboxRow): Promise<boolean>;
  keep(
    row: Pick<InboxRow, 'id'>,
    batch: CampaignPlanRequest,
    noted?: (planned: PlannedCampaign) => string,
  ): Promise<PlannedCampaign>;
};

export const createPlanner = (parts: PlannerParts): CampaignPlanner => {
  const { ledger, figures, clock } = parts;
  const survey = createSurvey(parts);

  const readHistory = async (): Promise<Map<string, Pick<TargetFacts, 'banned' | 'run'>>> => {
    const [newest, live] = await Promise.all([
      ledger.query.runs({ live: false, limit: MAX_PAST_RUNS_ASKED }),
      ledger.query.runs({ live: true, limit: MAX_PAST_RUNS_ASKED }),
    ]);
    const known = new Map<string, Pick<TargetFacts, 'banned' | 'run'>>();
    const noteRun = (run: Run): void => {
      const name = run.order.repo.toLowerCase();
      const before = known.get(name);
      const open = run.upstream.pullRequest !== null && run.upstream.observed.pull?.state !== 'closed';
      const works = !isTerminal(run.lifecycle.state) || open ? { id: run.id, open } : null;
      // The newest run decides whether the repository still forbids it.
      known.set(name, { banned: before?.banned ?? findAiBan(run) !== null, run: before?.run ?? works });
    };
    for (const run of [...newest, ...live]) noteRun(run);
    return known;
  };

  const checkApprovers = async (run: CampaignOrder['run']): Promise<ChatNote | null> => {
    const may = new Set<string>();
    for (const id of run.approvers ?? []) {
      // guard: G3-approvers-subset
      if (!(await parts.mayApprove(id))) return { kind: 'campaign_approver', who: id };
      may.add(id);
    }
    const few = findApproverShortage(run, (id) => may.has(id));
    return few && { kind: 'campaign_approvers', ...few };
  };

  const planBatch = async (batch: CampaignPlanRequest): Promise<PlannedCampaign> => {
    const { id: _, named: listed, queries = [], every, origin, ...asked } = batch;
    const said = listed.filter(({ ref }) => ref === undefined);
    const branched = listed.flatMap(({ repo, ref }): ExcludedTarget[] =>
      ref === undefined ? [] : [{ repo, why: 'with_branch', by: ref.slice(0, 400) }],
    );
    const unfitting = await checkApprovers(batch.run);
    if (unfitting) return { kind: 'not', note: unfitting };
    const sought = await survey.seek(queries);
    if ('kind' in sought) return { kind: 'not', note: sought };
    const { found } = sought;
    const [seen, before] = await Promise.all([survey.look(said, sought.repos), readHistory()]);
    const nameOf = (repo: string): string => {
      const there = seen.get(repo.toLowerCase()) ?? null;
      return there === null || there === 'missing' ? repo : there.name;
    };
    const named = withFound(said, sought.repos, nameOf);
    const factsOf = (repo: string): TargetFacts => {
      const there = seen.get(repo.toLowerCase()) ?? null;
      const known = before.get(nameOf(repo).toLowerCase()) ?? { banned: false, run: null };
      // Another issue is a separate change and may run in parallel.
      return { there, ...known, ...(origin?.kind === 'issue' ? { run: null } : {}) };
    };
    const sorted = selectTargets(named, factsOf, (target) => checkFilledOrder(batch.id, batch, target));
    const { targets, unnamed, unseen } = sorted;
    const leftOut = [...branched.slice(0, MOST_BRANCHED), ...sorted.leftOut].slice(0, MAX_CAMPAIGN_TARGETS);
    if (targets.length === 0) {
      const of = named.length + branched.length;
      return { kind: 'not', note: { kind: 'campaign_empty', of, excludedTargets: leftOut.slice(0, 8) } };
    }
    const canary = Math.min(asked.pace.canary, parts.settings.mostCanaries);
    const pace = asked.undoes === undefined ? asked.pace : { ...asked.pace, canary };
    const skipped = checkFirstStepSize({ ...asked, pace, targets }, parts.settings);
    // guard: F5-pilot
    if (skipped) return { kind: 'not', note: { kind: 'campaign_pilot', ...skipped } };
    const past = await figures.since(clock.now() - PAST_RUNS_MS);
    const estimate = estimateFor(
      targets.length,
      past.filter(({ engine }) => engine === batch.run.engine),
    );
    const expected = expectationFor(batch.run, targets, past);
    const cautions = parts.cautionOf ? costCautionsOf(batch.run, parts.cautionOf) : [];
    const budgetUsd = (await parts.budgetUsd?.()) ?? null;
    const order = CampaignOrder.parse({
      ...asked,
      pace,
      targets,
      excludedTargets: leftOut,
      unseen,
      ...(Object.keys(unnamed).length > 0 ? { unnamed } : {}),
      ...(estimate ? { estimate } : {}),
      ...(expected ? { expected } : {}),
      ...(budgetUsd === null ? {} : { budgetUsd }),
      ...(cautions.length > 0 ? { cautions: cautions.slice(0, 20) } : {}),
      ...(found.length > 0 ? { found } : {}),
      ...(every === undefined ? {} : { schedule: { every, named: selectOwnHost(said), queries } }),
    });
    return { kind: 'planned', order };
  };

  const selectOwnHost = (named: readonly NamedRepo[]) =>
    named.flatMap(({ host, ...one }) => (parts.isRepository(one.repo, host) ? [one] : []));

  const keep: CampaignPlanner['keep'] = async (row, batch, noted = noteOf) => {
    const { id, requester, origin } = batch;
    const before = await ledger.query.campaign(id);
    const away = before ? null : await findTriggerRefusal(ledger.query, batch, clock.now());
    const planned: PlannedCampaign = before
      ? { kind: 'planned', order: before.order }
      : away
        ? { kind: 'not', note: away }
        : await planBatch(batch);
    const at = clock.now();
    const by = requester.id === null ? null : requester;
    const others = origin ? (await ledger.query.campaigns()).filter((one) => one.id !== id) : [];
    if (planned.kind === 'planned' && !before)
      await ledger.campaigns.plan({ id, order: planned.order, at, by, origin });
    if (planned.kind === 'planned' && origin)
      for (const old of findReplacedPreviews(others, origin))
        await ledger.campaigns.decide(old, { decision: { kind: 'lapsed', replaced: true }, by: null, at });
    if (origin?.kind === 'schedule') await ledger.setSetting(lastDueKey(origin.schedule), String(origin.due));
    const told = { id, chat: batch.chat, origin, at, rings: !hasWaitingPreview(others) };
    const replies = await createPlanReplies(ledger.query, planned, told);
    await ledger.settleInbox(row.id, { kind: 'done', note: noted(planned), replies }, at);
    return planned;
  };

  return {
    keep,
    handle: async (row) => {
      const { data } = Batch.safeParse(row.body);
      if (data === undefined) return false;
      const { type: _, ...batch } = data;
      await keep(row, batch);
      return true;
    },
  };
};

const MOST_BRANCHED = 100;

const noteOf = (planned: PlannedCampaign): string =>
  planned.kind === 'planned' ? 'a batch' : `no batch: ${planned.note.kind}`;

const withFound = (
  said: readonly NamedRepo[],
  sought: readonly FoundRepo[],
  nameOf: (repo: string) => string,
): NamedRepo[] => {
  const known = new Set(said.flatMap(({ repo }) => [repo.toLowerCase(), nameOf(repo).toLowerCase()]));
  const fresh = new Map(sought.map((one) => [one.name.toLowerCase(), one.name]));
  return [
    ...said,
    ...[...fresh].flatMap(([name, repo]) => (known.has(name) ? [] : [{ repo, host: null, vars: {} }])),
  ];
};
