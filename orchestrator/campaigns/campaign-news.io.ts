/** Messages about a campaign besides its cards, each once. */
import { z } from 'zod';
import {
  remainingByOwner,
  openPullLimit,
  findStoppedTargets,
  listBlockingIdleRuns,
} from '#campaign-standing';
import { findApproverShortage, signersOf } from './campaign-approvers.ts';
import { isCampaignOver } from '#model/campaign';
import { waitingForNextRelease } from '#model/targets';
import { OfferedLesson } from '#model/feedback';
import { DAY } from '#model/values';
import type { MessageView } from '../kernel/effects/effect-types.ts';
import type { SystemClock } from '#ports/processes';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { CampaignStatus } from './campaign-status.io.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

export const campaignNewsInboxItems = (
  { campaign, order, standings, next, lessons }: CampaignStatus,
  may: (id: string) => boolean,
  now: number,
): IncomingItem[] => {
  const { id, state, stateEnteredAt: since } = campaign;
  const of = { id, state, since };
  const { run } = order;
  const notes: IncomingItem[] = [];
  if (state === 'planned' || state === 'closed') return notes;
  for (const [repo, stopped] of findStoppedTargets(order, campaign, standings))
    notes.push(campaignNewsInboxItem({ ...of, link: { repo, why: 'ended', stopped } }));
  if (isCampaignOver({ state })) return notes;
  for (const [repo, stopped] of waitingForNextRelease(order.targets, campaign.links ?? []))
    if (stopped.length > 0) notes.push(campaignNewsInboxItem({ ...of, link: { repo, why: 'tag', stopped } }));
  const gone =
    state === 'running' && !findApproverShortage(run, may)
      ? (run.approvers ?? []).filter((who) => !may(who))
      : [];
  for (const who of gone)
    notes.push(campaignNewsInboxItem({ ...of, gone: { who, left: signersOf(run, may)?.length ?? 0 } }));
  const week = Math.floor((now - campaign.plannedAt) / WEEK);
  const moved = Math.max(since, ...[...standings.values()].map((one) => one.since));
  if (week > 0 && now - moved < WEEK) notes.push(campaignNewsInboxItem({ ...of, week }));
  if (listBlockingIdleRuns(next.waits, standings, now).length > 0)
    notes.push(campaignNewsInboxItem({ ...of, idle: openPullLimit(order, campaign) }));
  for (const owner of remainingByOwner(order, standings).keys())
    notes.push(campaignNewsInboxItem({ ...of, owner }));
  for (const lesson of lessons) notes.push(campaignNewsInboxItem({ ...of, lesson }));
  return notes;
};

const News = z.object({
  id: z.string(),
  state: z.string(),
  since: z.number(),
  owner: z.string().exactOptional(),
  week: z.number().exactOptional(),
  idle: z.number().exactOptional(),
  lesson: OfferedLesson.exactOptional(),
  link: z
    .object({ repo: z.string(), why: z.enum(['ended', 'tag']), stopped: z.array(z.string()).max(5_000) })
    .exactOptional(),
  gone: z.object({ who: z.string(), left: z.number() }).exactOptional(),
});
type News = z.infer<typeof News>;

const nameOf = ({ id, state, since, owner, lesson, week, idle, gone, link }: News): string => {
  if (link) return `campaign:${id}:link:${link.repo}`;
  if (gone) return `campaign:${id}:gone:${gone.who}`;
  if (week !== undefined) return `campaign:${id}:week:${week}`;
  if (idle !== undefined) return `campaign:${id}:idle:${idle}`;
  if (owner !== undefined) return `campaign:${id}:owner:${owner}`;
  return lesson ? `campaign:${id}:lesson:${sha256Hex(lesson.text)}` : `campaign:${id}:${state}:${since}`;
};

export const campaignNewsInboxItem = (news: News): IncomingItem => ({
  source: 'note',
  key: nameOf(news),
  body: { type: 'campaign', ...news },
});

const WEEK = 7 * DAY;

/** Maximum number of lessons that are pushed; the card lists all. */
const MOST_OFFERED = 5;

const placeOf = async (query: Pick<Ledger['query'], 'told'>, news: News): Promise<string | null> => {
  const { id, lesson } = news;
  // Keys of notes expire, sent messages remain.
  if (!lesson) return (await query.told(nameOf(news))) ? null : nameOf(news);
  for (let i = 0; i < MOST_OFFERED; i += 1) {
    const slot = `campaign:${id}:lesson:${i}`;
    const before = await query.told(slot);
    if (!before) return slot;
    const show =
      before.do.kind === 'chat_message' && before.do.content.view === 'campaign' ? before.do.content : null;
    if (show?.lessons?.some(({ text }) => text === lesson.text)) return null;
  }
  return null;
};

export const notifyOfCampaign = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const news = News.parse(row.body);
  const { id, owner, lesson, week, idle, gone, link } = news;
  const chat = (await ledger.query.campaign(id))?.order.chat ?? null;
  const slot = chat === null ? null : await placeOf(ledger.query, news);
  const show: MessageView = link
    ? { view: 'note', note: { kind: 'link_failed', campaign: id, ...link } }
    : gone
      ? { view: 'note', note: { kind: 'approver_left', campaign: id, ...gone } }
      : {
          view: 'campaign',
          campaign: id,
          ...(owner === undefined ? {} : { owner }),
          ...(idle === undefined ? {} : { asks: 'idle', limit: idle }),
          ...(lesson ? { asks: 'teach', lessons: [lesson] } : {}),
        };
  const replies: ChatReply[] =
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
