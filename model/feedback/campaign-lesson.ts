/** A lesson of one repository of a campaign, as shown on a card and sent to others. */
import { z } from 'zod';

export const CampaignLesson = z.object({
  repo: z.string(),
  from: z.enum(['denial', 'review', 'checks']),
  text: z.string().min(1),
});
export type CampaignLesson = z.infer<typeof CampaignLesson>;

/** What a run was told at `at` (epoch ms); `taught` came from a sibling and is not its own. */
export type HeardLesson = Omit<CampaignLesson, 'repo'> & { at: number; taught?: true };

/** `runs` are the siblings that a tap tells: what a button counts is what it does. */
export const OfferedLesson = CampaignLesson.extend({ runs: z.array(z.string()).max(5_000) });
export type OfferedLesson = z.infer<typeof OfferedLesson>;
