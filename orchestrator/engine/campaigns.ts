/**
 * Takes campaigns on: folds their runs, asks what follows, decides it and begins the runs that are
 * named. Whatever is cut off is concluded again from the ledger, so that nothing begins twice.
 */
import { z } from 'zod';
import { advance, type Advance, type Standings } from '../core/campaign/advance.ts';
import type { Campaign } from '../core/campaign/campaign.ts';
import { orderOf, type CampaignOrder, type Target } from '../core/campaign/order.ts';
import { standingOf } from '../core/campaign/standing.ts';
import { MINUTE, SECOND } from '../core/units.ts';
import type { Clock, InboxRow, Incoming, Ledger, Log, Reply, Timers } from '../ports.ts';
import { runIdOf } from './ids.ts';
import { startRounds, type Rounds } from './rounds.ts';
import type { Submit } from './submit.ts';

type Parts = {
  ledger: {
    campaigns: Pick<Ledger['campaigns'], 'decide'>;
    query: Pick<Ledger['query'], 'campaigns' | 'campaign' | 'campaignRuns' | 'run'>;
  };
  submit: Submit;
  clock: Clock;
  log: Pick<Log, 'error'>;
};

/** A campaign as it stands now, and what would follow. */
export type CampaignNow = {
  campaign: Campaign;
  order: CampaignOrder;
  standings: Standings;
  next: Advance;
};

export const campaignNow = async (
  query: Pick<Ledger['query'], 'campaign' | 'campaignRuns'>,
  id: string,
  now: number,
): Promise<CampaignNow | null> => {
  const known = await query.campaign(id);
  if (!known) return null;
  const runs = await query.campaignRuns(id);
  const standings = new Map(runs.map((run) => [run.order.repo, standingOf(run)]));
  return { ...known, standings, next: advance(known.order, known.campaign, standings, now) };
};

/** An id that another run happens to have is passed over. */
const MOST_IDS = 4;

/** Decisions that may follow from each other at once. */
const MOST_DECISIONS = 3;

export const createCampaigns = ({ ledger, submit, clock, log }: Parts) => {
  const { query, campaigns } = ledger;

  const begin = async (id: string, order: CampaignOrder, target: Target): Promise<void> => {
    const cause = `campaign:${id}:${target.repo}`;
    for (let i = 0; i < MOST_IDS; i += 1) {
      const key = i === 0 ? cause : `${cause}:${i}`;
      const runId = runIdOf(key);
      const input = { type: 'command.run.create', runId, order: orderOf(id, order, target) } as const;
      const { kind } = await submit({ runId, input, key, cause: { kind: 'none' } });
      if (kind !== 'refused') return;
    }
    throw new Error(`no id is free for the run of ${target.repo} in campaign ${id}`);
  };

  const takeOn = async (id: string, left = MOST_DECISIONS): Promise<void> => {
    const now = clock.now();
    const at = await campaignNow(query, id, now);
    if (!at) return;
    const { campaign, order, next } = at;
    if (next.enter) {
      const { since, released } = campaign;
      const decision = next.enter;
      const { kind } = await campaigns.decide(id, {
        ...{ decision, by: null, at: now, from: { since, released } },
      });
      // What was just let go begins at once.
      if (kind === 'taken' && left > 0) await takeOn(id, left - 1);
      return;
    }
    const targets = new Map(order.targets.map((target) => [target.repo, target]));
    for (const repo of next.start) {
      const target = targets.get(repo);
      if (target) await begin(id, order, target);
    }
  };

  return {
    /** What fails for one campaign keeps the others from nothing. */
    async round(stopped: () => boolean = () => false): Promise<void> {
      for (const { id, state } of await query.campaigns()) {
        if (state !== 'running' || stopped()) continue;
        await takeOn(id).catch((error: unknown) =>
          log.error({ err: error, campaign: id }, 'a campaign could not go on'),
        );
      }
    },
    /** Those that stopped by themselves or are finished: their chats are told, once. */
    async news(): Promise<Incoming[]> {
      const over = (await query.campaigns()).filter(
        ({ state }) => state === 'stopped' || state === 'finished',
      );
      return over.map(({ id, state, since }) => campaignNote({ id, state, since }));
    },
  };
};

const News = z.object({ id: z.string(), state: z.string(), since: z.number() });
const campaignNote = (news: z.infer<typeof News>): Incoming => ({
  source: 'cli',
  key: `campaign:${news.id}:${news.state}:${news.since}`,
  body: { type: 'campaign', ...news },
});

export const tellOfCampaign = async (ledger: Ledger, row: InboxRow, clock: Clock): Promise<void> => {
  const { id, state, since } = News.parse(row.body);
  const known = await ledger.query.campaign(id);
  const chat = known?.order.chat ?? null;
  const slot = `campaign:${id}:${state}:${since}`;
  // The key of a note is forgotten one day; what was told is not.
  const replies: Reply[] =
    chat === null || (await ledger.query.told(slot))
      ? []
      : [{ chat, slot, show: { view: 'campaign', campaign: id }, urgent: true, sound: true, runId: null }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'told of a campaign', replies }, clock.now());
};

/** Runs of a campaign that move within this time are looked at together (ms). */
const SOON = SECOND;

export const startCampaigns = (
  parts: Parts & { timers: Timers; receive: (items: Incoming[]) => Promise<unknown> },
): Rounds => {
  const campaigns = createCampaigns(parts);
  const told = new Set<string>();
  return startRounds({
    ...{ timers: parts.timers, every: MINUTE, soon: SOON },
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
