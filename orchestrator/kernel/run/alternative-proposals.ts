/** Proposals of others in place of an action that a person is asked about (E9). */
import { z } from 'zod';
import { PolicyObjections } from '#model/assessment';

export const AlternativeProposals = z
  .array(
    z.object({
      proposer: z.string().max(200),
      tool: z.string().max(40),
      input: z.string(),
      risk: z.enum(['low', 'medium', 'high']),
      digest: z.string(),
      objections: PolicyObjections,
    }),
  )
  .max(8);
export type AlternativeProposals = z.infer<typeof AlternativeProposals>;
