/** Replies about a planned campaign; limited for automatic triggers (F5). */
import type { CampaignOrder } from '#model/campaign';
import { admitArrival, sourceOf, type CampaignTrigger } from '#model/schedule';
import type { ChatNote } from '#model/chat';
import { DAY } from '#model/values';
import type { Ledger } from '#ports/ledger';
import type { ChatReply } from '#ports/steps';

export type PlannedCampaign = { kind: 'planned'; order: CampaignOrder } | { kind: 'not'; note: ChatNote };

export const campaignSlot = (id: string): string => `campaign:${id}`;

export const findTriggerRefusal = async (
  query: Pick<Ledger['query'], 'campaigns'>,
  { origin, perDay = Infinity }: { origin?: CampaignTrigger; perDay?: number },
  now: number,
): Promise<ChatNote | null> => {
  if (!origin) return null;
  const admitted = admitArrival(await query.campaigns(), origin, now, perDay);
  if (admitted.kind === 'open') return { kind: 'arrival_open', campaign: admitted.campaign };
  return admitted.kind === 'full' ? { kind: 'arrivals_full', origin, limit: admitted.most } : null;
};

type About = {
  id: string;
  chat: string | null;
  origin: CampaignTrigger | undefined;
  at: number;
  rings: boolean;
};

/** Automatic triggers report each refusal reason once a day, silently. */
export const createPlanReplies = async (
  query: Pick<Ledger['query'], 'told'>,
  planned: PlannedCampaign,
  { id, chat, origin, at, rings }: About,
): Promise<ChatReply[]> => {
  if (chat === null) return [];
  const told = { chat, urgent: !origin, sound: origin !== undefined && rings, runId: null };
  if (planned.kind === 'planned')
    return [{ ...told, slot: campaignSlot(id), show: { view: 'campaign', campaign: id } }];
  const { note } = planned;
  const show = { view: 'note', note } as const;
  if (!origin) return [{ ...told, slot: campaignSlot(id), show }];
  const slot = `arrival:${sourceOf(origin)}:${Math.floor(at / DAY)}:${note.kind}`;
  // guard: F5-arrivals-told-once
  if (note.kind === 'arrival_open' || (await query.told(slot))) return [];
  return [{ ...told, slot, show, sound: false }];
};
