/** The inbox notes of our own, and who turns each into messages. */
import { z } from 'zod';
import { notifyOfActivity } from './activity-notice.ts';
import { notifyOfCard } from './card-reminders.ts';
import { redrawCampaign, notifyOfQuestions, notifyOfCampaign } from '#campaigns';
import { notifyOfSingleCard, notifyOfCluster } from '#clusters';
import { notifyOfMorningSummary } from './morning-summary.ts';
import { offerRepeatedRequest } from './note-offer.ts';
import { notifyOfSpending } from './spending-notice.ts';
import { deliverModelReply } from './model-reply.ts';
import {
  notifyOfChangedRuns,
  notifyOfConnection,
  notifyOfLongWait,
  notifyOfPasskey,
  notifyOfRestart,
  notifyOfStuckItem,
} from './work-notices.ts';

const NOTICES: Readonly<Record<string, typeof notifyOfRestart>> = {
  activity: notifyOfActivity,
  boot: notifyOfRestart,
  changed: notifyOfChangedRuns,
  passkey: notifyOfPasskey,
  stuck: notifyOfStuckItem,
  connection: notifyOfConnection,
  waits: notifyOfLongWait,
  digest: notifyOfMorningSummary,
  pin: notifyOfCard,
  next: notifyOfCard,
  note_offer: offerRepeatedRequest,
  cluster: notifyOfCluster,
  model: deliverModelReply,
  spending: notifyOfSpending,
  alone: notifyOfSingleCard,
  campaign: notifyOfCampaign,
  campaign_card: redrawCampaign,
  campaign_asks: notifyOfQuestions,
};
export const noticeHandler = (body: unknown): typeof notifyOfRestart | null =>
  NOTICES[z.object({ type: z.string() }).safeParse(body).data?.type ?? ''] ?? null;

/** Throws for a note that no handler is known for: a bug. */
export const handleNotice: typeof notifyOfRestart = async (ledger, row, clock) => {
  const tell = noticeHandler(row.body);
  if (!tell) throw new Error(`no handler is known for the note ${row.key}`);
  await tell(ledger, row, clock);
};
