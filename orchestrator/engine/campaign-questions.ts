/**
 * What repositories of a campaign ask before work begins, as one message: those that ask soon after
 * each other come together, what joins later is added without a sound, and it rings again when
 * nobody answers.
 */
import { z } from 'zod';
import { askedIn } from '../core/campaign/standing.ts';
import { AskedFirst, MOST_ASKED, stillAsked } from '../core/machine/asked-first.ts';
import type { View } from '../core/machine/effects.ts';
import { canonical } from '../core/seal.ts';
import { MINUTE, SECOND } from '../core/units.ts';
import type { Clock, EffectRow, InboxRow, Incoming, Ledger, Reply } from '../ports.ts';
import type { CampaignNow } from './campaign-now.ts';
import { sha256 } from './digest.ts';

/** As long as others ask within this, they are waited for (ms); the work of those that ask waits. */
const TOGETHER = 30 * SECOND;
/** Nobody waits longer for others (ms). */
const LONGEST = 2 * MINUTE;

const Ask = z.object({
  type: z.literal('campaign_asks'),
  campaign: z.string(),
  /** What its message showed last when this was concluded: since then nobody touched it. */
  after: z.number().nullable(),
  /** It is a new message, and rings. */
  fresh: z.boolean(),
  asked: z.array(AskedFirst).max(MOST_ASKED),
});

export const askSlot = (campaign: string): string => `campaign:${campaign}:asks`;

/** What the message shows. One run alone has the message of a run, which takes words for an answer. */
const shownIn = (row: EffectRow | null, now: readonly AskedFirst[]): AskedFirst[] => {
  const show = row?.do.kind === 'tell' ? row.do.show : null;
  if (show?.view === 'campaign') return show.asked ?? [];
  return show?.view === 'attention' ? now.filter(({ run }) => run === row?.runId) : [];
};

/** What is due now; the same, asked for again, is the same note. */
export const questionsDue = async (
  query: Pick<Ledger['query'], 'told'>,
  { campaign: { id }, order, standings }: Pick<CampaignNow, 'campaign' | 'order' | 'standings'>,
  now: number,
): Promise<Incoming[]> => {
  const all = askedIn(standings);
  const row = await query.told(askSlot(id));
  const shown = shownIn(row, all);
  const open = stillAsked(shown, all);
  const more = all.filter(({ run }) => !open.some((one) => one.run === run));
  const note = (asked: readonly AskedFirst[], fresh: boolean): Incoming[] => {
    const body = { type: 'campaign_asks', campaign: id, after: row?.n ?? null, fresh, asked };
    return [
      { source: 'cli', key: `${askSlot(id)}:${sha256(canonical({ ...body, asked })).slice(0, 16)}`, body },
    ];
  };
  if (open.length > 0) {
    const joined = [...open, ...more].slice(0, MOST_ASKED);
    if (joined.length !== shown.length || joined.length > open.length) return note(joined, false);
    // guard: S6-questions-ring-again
    return row && now - row.dueAt >= order.run.bounds.reminderMs ? note(joined, true) : [];
  }
  // It says first that what it asked is answered.
  if (shown.length > 0) return note([], false);
  const runs = [...standings.values()];
  const since = runs.flatMap((one) => (one.asks ? [now - one.since] : []));
  const coming = runs.some(({ reads }) => reads);
  const gathered = !coming || Math.min(...since) >= TOGETHER || Math.max(...since) >= LONGEST;
  return more.length > 0 && gathered ? note(more.slice(0, MOST_ASKED), true) : [];
};

export const tellOfQuestions = async (ledger: Ledger, row: InboxRow, clock: Clock): Promise<void> => {
  const { campaign, after, fresh, asked } = Ask.parse(row.body);
  const slot = askSlot(campaign);
  const chat = (await ledger.query.campaign(campaign))?.order.chat ?? null;
  const newest = (await ledger.query.told(slot))?.n ?? null;
  const [only] = asked.length === 1 ? asked : [];
  const show: View = only ? { view: 'attention' } : { view: 'campaign', campaign, asks: 'first', asked };
  const runId = only?.run ?? null;
  const reply = { chat: chat ?? '', slot, show, urgent: true, sound: fresh, runId };
  const replies: Reply[] =
    chat === null || newest !== after ? [] : [{ ...reply, ...(fresh ? { fresh } : {}) }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'what a campaign asks', replies }, clock.now());
};
