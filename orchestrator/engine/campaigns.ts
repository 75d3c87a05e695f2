/**
 * Takes campaigns on: folds their runs, asks what follows, decides it and begins the runs that are
 * named. Whatever is cut off is concluded again from the ledger, so that nothing begins twice.
 */
import { z } from 'zod';
import {
  advance,
  leftTo,
  placesOf,
  waitingIn,
  type Advance,
  type Standings,
} from '../core/campaign/advance.ts';
import { fewIn, signersOf } from '../core/campaign/approvers.ts';
import { isOver, type Campaign, type CampaignDecision } from '../core/campaign/campaign.ts';
import { idleInAll } from '../core/campaign/progress.ts';
import { lessonsIn, siblingsFor } from '../core/campaign/lessons.ts';
import { orderOf, type CampaignOrder, type Target } from '../core/campaign/order.ts';
import { standingOf } from '../core/campaign/standing.ts';
import { Lesson } from '../core/lesson.ts';
import type { View } from '../core/machine/effects.ts';
import type { Run } from '../core/machine/run.ts';
import { DAY, MINUTE, SECOND } from '../core/units.ts';
import type { Clock, InboxRow, Incoming, Ledger, Log, Reply, Timers } from '../ports.ts';
import { createCampaignCard } from './campaign-card.ts';
import { sha256 } from './digest.ts';
import { runIdOf } from './ids.ts';
import { startRounds, type Rounds } from './rounds.ts';
import type { Submit } from './submit.ts';

type Parts = {
  ledger: {
    campaigns: Pick<Ledger['campaigns'], 'decide'>;
    query: Pick<Ledger['query'], 'campaigns' | 'campaign' | 'campaignRuns' | 'run' | 'runs' | 'told'>;
  };
  submit: Submit;
  clock: Clock;
  log: Pick<Log, 'error'>;
  /** Whether somebody may approve anything now. */
  mayApprove: (id: string) => Promise<boolean>;
};

/** A campaign as it stands now, and what would follow. */
export type CampaignNow = {
  campaign: Campaign;
  order: CampaignOrder;
  standings: Standings;
  next: Advance;
  /** Repositories that wait for another run of ours there, with its id. */
  busy: ReadonlyMap<string, string>;
  /** What one repository taught, and how many open siblings were not told. */
  lessons: { lesson: Lesson; siblings: number }[];
};

/** Runs at work that are looked at for this. */
const MOST_LIVE = 2_000;

/** Of repositories that could be begun, those in which another run of ours is at work, and which. */
const busyIn = async (
  query: Pick<Ledger['query'], 'runs'>,
  { campaign, order }: Pick<CampaignNow, 'campaign' | 'order'>,
  standings: Standings,
): Promise<Map<string, string>> => {
  const waiting = waitingIn(order, campaign, standings);
  if (waiting.length === 0) return new Map();
  const live = await query.runs({ live: true, limit: MOST_LIVE });
  const others = new Map(
    live.flatMap((run): [string, string][] =>
      run.order.campaign === campaign.id ? [] : [[run.order.repo.toLowerCase(), run.id]],
    ),
  );
  const busy = new Map<string, string>();
  for (const { repo } of waiting) {
    const run = others.get(repo.toLowerCase());
    if (run !== undefined) busy.set(repo, run);
  }
  return busy;
};

const standingsOf = (runs: readonly Run[]): Standings =>
  new Map(runs.map((run) => [run.order.repo, standingOf(run)]));

export const campaignNow = async (
  query: Pick<Ledger['query'], 'campaign' | 'campaignRuns' | 'runs'>,
  id: string,
  now: number,
): Promise<CampaignNow | null> => {
  const known = await query.campaign(id);
  if (!known) return null;
  const runs = await query.campaignRuns(id);
  const standings = standingsOf(runs);
  const busy =
    known.campaign.state === 'running' ? await busyIn(query, known, standings) : new Map<string, string>();
  return {
    ...known,
    standings,
    busy,
    lessons: lessonsIn(runs)
      .map((lesson) => ({ lesson, siblings: siblingsFor(runs, lesson).length }))
      .filter(({ siblings }) => siblings > 0),
    next: advance(known.order, known.campaign, standings, now, new Set(busy.keys())),
  };
};

const noApprovers = ({ left, needed }: { left: number; needed: number }): CampaignDecision => ({
  kind: 'stopped',
  reason: { kind: 'approvers', count: left, of: needed, bound: 0 },
});

/** An id that another run happens to have is passed over. */
const MOST_IDS = 4;

/** Decisions that may follow from each other at once. */
const MOST_DECISIONS = 3;

export const createCampaigns = ({ ledger, submit, clock, log, mayApprove }: Parts) => {
  const { query, campaigns } = ledger;
  const card = createCampaignCard(query);

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

  /** Who of those that it names may approve now. */
  const approving = async ({ run }: CampaignOrder): Promise<(id: string) => boolean> => {
    const may = new Set<string>();
    for (const id of run.approvers ?? []) if (await mayApprove(id)) may.add(id);
    return (id) => may.has(id);
  };

  const takeOn = async (id: string, left = MOST_DECISIONS): Promise<void> => {
    const now = clock.now();
    const at = await campaignNow(query, id, now);
    if (!at) return;
    const { campaign, order, next } = at;
    const few = fewIn(order.run, await approving(order));
    // guard: G3-approvers-left
    const enter = few ? noApprovers(few) : next.enter;
    if (enter) {
      const { since, released } = campaign;
      const decision = enter;
      const { kind } = await campaigns.decide(id, {
        decision,
        by: null,
        at: now,
        from: { since, released },
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
    /**
     * Those that stopped by themselves or are finished, owners who said no too often, and what one
     * repository taught: their chats are told, once. Cards that show what was are drawn again.
     */
    async news(): Promise<Incoming[]> {
      const notes: Incoming[] = [];
      for (const { id, state, since } of await query.campaigns()) {
        if (state === 'stopped' || state === 'finished') notes.push(campaignNote({ id, state, since }));
        if (state === 'planned' || card.isSettled(id)) continue;
        const known = await query.campaign(id).catch(() => null);
        if (!known) continue;
        const runs = await query.campaignRuns(id);
        const standings = standingsOf(runs);
        notes.push(...(await card.due(id, state, standings)));
        if (isOver({ state })) continue;
        const { run } = known.order;
        const may = await approving(known.order);
        const gone =
          state === 'running' && !fewIn(run, may) ? (run.approvers ?? []).filter((who) => !may(who)) : [];
        for (const who of gone)
          notes.push(
            campaignNote({ id, state, since, gone: { who, left: signersOf(run, may)?.length ?? 0 } }),
          );
        const now = clock.now();
        const week = Math.floor((now - known.campaign.plannedAt) / WEEK);
        const moved = Math.max(known.campaign.since, ...[...standings.values()].map((one) => one.since));
        if (week > 0 && now - moved < WEEK) notes.push(campaignNote({ id, state, since, week }));
        const { waits } = advance(known.order, known.campaign, standings, now);
        if (idleInAll(waits, standings, now).length > 0)
          notes.push(campaignNote({ id, state, since, idle: placesOf(known.order, known.campaign) }));
        for (const owner of leftTo(known.order, standings).keys())
          notes.push(campaignNote({ id, state, since, owner }));
        for (const lesson of lessonsIn(runs))
          if (siblingsFor(runs, lesson).length > 0) notes.push(campaignNote({ id, state, since, lesson }));
      }
      return notes;
    },
  };
};

const News = z.object({
  id: z.string(),
  state: z.string(),
  since: z.number(),
  owner: z.string().exactOptional(),
  /** How many weeks ago it was planned. */
  week: z.number().exactOptional(),
  /** So many places, and idle pull requests take all of them. */
  idle: z.number().exactOptional(),
  lesson: Lesson.exactOptional(),
  /** Somebody whom it names as an approver, and who is none any more. */
  gone: z.object({ who: z.string(), left: z.number() }).exactOptional(),
});
type News = z.infer<typeof News>;

/** What is told, whatever happened to the campaign since. */
const nameOf = ({ id, state, since, owner, lesson, week, idle, gone }: News): string => {
  if (gone) return `campaign:${id}:gone:${gone.who}`;
  if (week !== undefined) return `campaign:${id}:week:${week}`;
  if (idle !== undefined) return `campaign:${id}:idle:${idle}`;
  if (owner !== undefined) return `campaign:${id}:owner:${owner}`;
  return lesson ? `campaign:${id}:lesson:${sha256(lesson.text)}` : `campaign:${id}:${state}:${since}`;
};

const campaignNote = (news: News): Incoming => ({
  source: 'cli',
  key: nameOf(news),
  body: { type: 'campaign', ...news },
});

const WEEK = 7 * DAY;

/** Lessons that are offered in one campaign without being asked for; its card has all of them. */
const MOST_OFFERED = 5;

/** The place of what is told; null when it was told before. */
const placeOf = async (query: Pick<Ledger['query'], 'told'>, news: News): Promise<string | null> => {
  const { id, lesson } = news;
  // The key of a note is forgotten one day; what was told is not.
  if (!lesson) return (await query.told(nameOf(news))) ? null : nameOf(news);
  for (let i = 0; i < MOST_OFFERED; i += 1) {
    const slot = `campaign:${id}:lesson:${i}`;
    const before = await query.told(slot);
    if (!before) return slot;
    const show = before.do.kind === 'tell' && before.do.show.view === 'campaign' ? before.do.show : null;
    if (show?.lessons?.some(({ text }) => text === lesson.text)) return null;
  }
  return null;
};

export const tellOfCampaign = async (ledger: Ledger, row: InboxRow, clock: Clock): Promise<void> => {
  const news = News.parse(row.body);
  const { id, owner, lesson, week, idle, gone } = news;
  const chat = (await ledger.query.campaign(id))?.order.chat ?? null;
  const slot = chat === null ? null : await placeOf(ledger.query, news);
  const show: View = gone
    ? { view: 'note', note: { kind: 'approver_left', campaign: id, ...gone } }
    : {
        view: 'campaign',
        campaign: id,
        ...(owner === undefined ? {} : { owner }),
        ...(idle === undefined ? {} : { asks: 'idle' }),
        ...(lesson ? { asks: 'teach', lessons: [lesson] } : {}),
      };
  const replies: Reply[] =
    chat === null || slot === null
      ? []
      : [
          {
            chat,
            slot,
            show,
            urgent: true,
            sound: !lesson && owner === undefined && week === undefined,
            runId: null,
          },
        ];
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
    timers: parts.timers,
    every: MINUTE,
    soon: SOON,
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
