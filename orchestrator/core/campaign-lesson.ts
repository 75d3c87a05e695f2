/** What one repository of a campaign taught, as a card shows it and a tap says it to others. */
import { z } from 'zod';

export const CampaignLesson = z.object({
  /** Where it comes from. */
  repo: z.string(),
  from: z.enum(['denial', 'review', 'checks']),
  text: z.string().min(1),
});
export type CampaignLesson = z.infer<typeof CampaignLesson>;
