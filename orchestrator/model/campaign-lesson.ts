/** A lesson of one repository of a campaign, as shown on a card and sent to others. */
import { z } from 'zod';

export const CampaignLesson = z.object({
  repo: z.string(),
  from: z.enum(['denial', 'review', 'checks']),
  text: z.string().min(1),
});
export type CampaignLesson = z.infer<typeof CampaignLesson>;
