/** Advances campaigns: decides the next step and starts runs; idempotent after a crash. */
import { findApproverShortage } from './campaign-approvers.ts';
import {
  type Campaign,
  type CampaignDecision,
  orderForTarget,
  type CampaignOrder,
  type CampaignTarget,
} from '#model/campaign';
import { isExpiredPreview } from '#model/schedule';
import { MINUTE, SECOND } from '#model/values';
import type { SystemClock, LogPort, TimerPort } from '#ports/processes';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { createCampaignCardItems } from './campaign-card-items.io.ts';
import { campaignNewsInboxItem, campaignNewsInboxItems } from './campaign-news.io.ts';
import { readCampaignStatus } from './campaign-status.io.ts';
import { dueQuestionInboxItems } from './campaign-questions.io.ts';
import { runIdOf } from '../kernel/runtime/run-ids.ts';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { closeUndone } from './acts/undo-campaign.io.ts';
import { findDueCampaignInboxItem } from './campaign-schedules.io.ts';
import { lastDueKey } from './plan-campaign.io.ts';
import type { LinkWatcher } from './poll-dependencies.io.ts';
import type { SubmitInput } from '../kernel/runtime/submit-input.ts';

type Parts = {
  ledger: {
    campaigns: Pick<Ledger['campaigns'], 'decide'>;
    query: Pick<
      Ledger['query'],
      'campaigns' | 'campaign' | 'campaignRuns' | 'run' | 'runs' | 'setting' | 'told'
    >;
  };
  submit: SubmitInput;
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
  mayApprove: (id: string) => Promise<boolean>;
  undoWords: { closing: string; reason: string };
  links: Pick<LinkWatcher, 'pollLinks'>;
};

const noApprovers = ({ left, needed }: { left: number; needed: number }): CampaignDecision => ({
  kind: 'stopped',
  reason: { kind: 'approvers', count: left, of: needed, bound: 0 },
});

const MOST_IDS = 4;

const MOST_DECISIONS = 3;

export const createCampaignRunner = ({ ledger, submit, clock, log, mayApprove, undoWords, links }: Parts) => {
  const { query, campaigns } = ledger;
  const card = createCampaignCardItems(query);

  const beginRun = async (
    { id, links: results = [] }: Campaign,
    order: CampaignOrder,
    target: CampaignTarget,
  ): Promise<void> => {
    const cause = `campaign:${id}:${target.repo}`;
    for (let i = 0; i < MOST_IDS; i += 1) {
      const key = i === 0 ? cause : `${cause}:${i}`;
      const runId = runIdOf(key);
      const input = {
        type: 'command.run.create',
        runId,
        order: orderForTarget(id, order, target, results),
      } as const;
      const { kind } = await submit({ runId, input, key, cause: { kind: 'none' } });
      if (kind !== 'refused') return;
    }
    throw new Error(`no id is free for the run of ${target.repo} in campaign ${id}`);
  };

  const createApproverCheck = async ({ run }: CampaignOrder): Promise<(id: string) => boolean> => {
    const may = new Set<string>();
    for (const id of run.approvers ?? []) if (await mayApprove(id)) may.add(id);
    return (id) => may.has(id);
  };

  const advanceOne = async (id: string, left = MOST_DECISIONS): Promise<void> => {
    const now = clock.now();
    const at = await readCampaignStatus(query, id, now);
    if (!at) return;
    if (left > 0 && (await links.pollLinks(at))) return advanceOne(id, left - 1);
    const { campaign, order, next } = at;
    if (campaign.state === 'running') await closeUndone({ ledger, submit, clock }, campaign, undoWords);
    const few = findApproverShortage(order.run, await createApproverCheck(order));
    // guard: G3-approvers-left
    const enter = few ? noApprovers(few) : next.enter;
    if (enter) {
      const { stateEnteredAt: since, released } = campaign;
      const decision = enter;
      const { kind } = await campaigns.decide(id, {
        decision,
        by: null,
        at: now,
        from: { stateEnteredAt: since, released },
      });
      if (kind === 'taken' && left > 0) await advanceOne(id, left - 1);
      return;
    }
    const targets = new Map(order.targets.map((target) => [target.repo, target]));
    for (const repo of next.start) {
      const target = targets.get(repo);
      if (target) await beginRun(campaign, order, target);
    }
  };

  return {
    async round(stopped: () => boolean = () => false): Promise<void> {
      for (const one of await query.campaigns()) {
        const { id, state } = one;
        // guard: F5-previews-expire
        if (isExpiredPreview(one, clock.now()))
          await campaigns.decide(id, {
            decision: { kind: 'lapsed', replaced: false },
            by: null,
            at: clock.now(),
          });
        if (state !== 'running' || stopped()) continue;
        await advanceOne(id).catch((error: unknown) =>
          log.error({ err: error, campaign: id }, 'a campaign could not go on'),
        );
      }
    },
    async news(): Promise<IncomingItem[]> {
      const notes: IncomingItem[] = [];
      for (const { id, state, stateEnteredAt: since } of await query.campaigns()) {
        if (state === 'stopped' || state === 'finished')
          notes.push(campaignNewsInboxItem({ id, state, since }));
        if (state === 'planned' || card.isSettled(id)) continue;
        const now = clock.now();
        const at = await readCampaignStatus(query, id, now).catch(() => null);
        if (!at) continue;
        const lastDue = at.order.schedule ? await query.setting(lastDueKey(id)) : null;
        const due = findDueCampaignInboxItem(at.campaign, at.order, Number(lastDue ?? 0), now);
        if (due) notes.push(due);
        notes.push(
          ...(await card.due(at)),
          ...campaignNewsInboxItems(at, await createApproverCheck(at.order), now),
        );
        notes.push(...(await dueQuestionInboxItems(query, at, now)));
      }
      return notes;
    },
  };
};

const RUN_NEWS_WINDOW_MS = SECOND;

export const startCampaignRunner = (
  parts: Parts & { timers: TimerPort; receive: (items: IncomingItem[]) => Promise<unknown> },
): RepeatingJob => {
  const campaigns = createCampaignRunner(parts);
  const told = new Set<string>();
  return startRepeatingJob({
    timers: parts.timers,
    every: MINUTE,
    soon: RUN_NEWS_WINDOW_MS,
    round: async (stopped) => {
      try {
        await campaigns.round(stopped);
        const fresh = (await campaigns.news()).filter(({ key }) => !told.has(key));
        if (fresh.length > 0 && !stopped()) await parts.receive(fresh);
        for (const { key } of fresh) told.add(key);
      } catch (error) {
        parts.log.error({ err: error }, 'campaigns could not be looked at');
      }
    },
  });
};
