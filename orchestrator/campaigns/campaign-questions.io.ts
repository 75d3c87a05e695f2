/** Groups questions of a campaign's repositories into one message; later ones join silently. */
import { z } from 'zod';
import { openQuestionsIn } from '#campaign-standing';
import { AskedFirst, MAX_QUESTIONED_RUNS, selectForOneCard, selectStillAsked } from '#model/requirements';
import { canonicalJson } from '#model/seal';
import { MINUTE, SECOND } from '#model/values';
import type { MessageView } from '../kernel/effects/effect-types.ts';
import type { SystemClock } from '#ports/processes';
import type { EffectRow, Ledger } from '#ports/ledger';
import type { InboxRow, IncomingItem, ChatReply } from '#ports/steps';
import type { CampaignStatus } from './campaign-status.io.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

const QUESTION_WINDOW_MS = 30 * SECOND;
const MAX_QUESTION_WAIT_MS = 2 * MINUTE;

const Ask = z.object({
  type: z.literal('campaign_asks'),
  campaign: z.string(),
  /** A slot per message, so that older messages can show their outcome. */
  slot: z.string(),
  /** Void if the slot changed since; null for a new message, which rings. */
  after: z.number().nullable(),
  asked: z.array(AskedFirst).max(MAX_QUESTIONED_RUNS),
});
type Ask = Omit<z.infer<typeof Ask>, 'type'>;

const askNote = (ask: Ask): IncomingItem => ({
  source: 'note',
  key: `${ask.slot}:${sha256Hex(canonicalJson(ask)).slice(0, 16)}`,
  body: { type: 'campaign_asks', ...ask },
});

/** A single run has its own message, which accepts a text answer. */
const questionsShownIn = (row: EffectRow | null, now: readonly AskedFirst[]): AskedFirst[] => {
  const show = row?.do.kind === 'chat_message' ? row.do.content : null;
  if (show?.view === 'campaign') return show.asked ?? [];
  return show?.view === 'attention' ? now.filter(({ run }) => run === row?.runId) : [];
};

const placeOf = (campaign: string, nth: number): string => `campaign:${campaign}:asks:${nth}`;

const messagesOf = async (query: Pick<Ledger['query'], 'told'>, campaign: string): Promise<EffectRow[]> => {
  const rows: EffectRow[] = [];
  for (;;) {
    const row = await query.told(placeOf(campaign, rows.length));
    if (!row) return rows;
    rows.push(row);
  }
};

/** The same state gives the same note, which the inbox deduplicates. */
export const dueQuestionInboxItems = async (
  query: Pick<Ledger['query'], 'told'>,
  { campaign: { id }, order, standings }: Pick<CampaignStatus, 'campaign' | 'order' | 'standings'>,
  now: number,
): Promise<IncomingItem[]> => {
  const all = openQuestionsIn(standings);
  const rows = await messagesOf(query, id);
  const notes = rows.flatMap((row, nth): IncomingItem[] => {
    const shown = questionsShownIn(row, all);
    const open = selectStillAsked(shown, all);
    const joins = row === rows.at(-1) && open.length > 0 ? all.filter((one) => !hasRun(open, one)) : [];
    const asked = selectForOneCard([...open, ...joins]);
    const same = open.length === shown.length && asked.length === open.length;
    return same ? [] : [askNote({ campaign: id, slot: placeOf(id, nth), after: row.n, asked })];
  });
  const fresh = { campaign: id, slot: placeOf(id, rows.length), after: null };
  const last = rows.at(-1) ?? null;
  const open = selectStillAsked(questionsShownIn(last, all), all);
  const waits = last !== null && now - last.dueAt >= order.run.bounds.reminderMs;
  // guard: S6-questions-ring-again
  if (open.length > 0) return waits ? [...notes, askNote({ ...fresh, asked: open })] : notes;
  const runs = [...standings.values()];
  const since = runs.flatMap((one) => (one.asks ? [now - one.since] : []));
  const coming = runs.some(({ reads }) => reads);
  const gathered =
    !coming || Math.min(...since) >= QUESTION_WINDOW_MS || Math.max(...since) >= MAX_QUESTION_WAIT_MS;
  return all.length > 0 && gathered ? [...notes, askNote({ ...fresh, asked: selectForOneCard(all) })] : notes;
};

const hasRun = (some: readonly AskedFirst[], { run }: AskedFirst): boolean =>
  some.some((one) => one.run === run);

export const notifyOfQuestions = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { campaign, slot, after, asked } = Ask.parse(row.body);
  const chat = (await ledger.query.campaign(campaign))?.order.chat ?? null;
  const newest = (await ledger.query.told(slot))?.n ?? null;
  const [only] = asked.length === 1 ? asked : [];
  const show: MessageView = only
    ? { view: 'attention' }
    : { view: 'campaign', campaign, asks: 'first', asked };
  const runId = only?.run ?? null;
  const replies: ChatReply[] =
    chat === null || newest !== after
      ? []
      : [{ chat, slot, show, urgent: true, sound: after === null, runId }];
  await ledger.settleInbox(row.id, { kind: 'done', note: 'what a campaign asks', replies }, clock.now());
};
