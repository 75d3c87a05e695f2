/** Decisions on a proposal, and who made them (P4). */
import { z } from 'zod';
import { NotModified } from './assessment.ts';

const by = z.enum(['policy', 'human']);
const reason = z.string().min(1).max(2_000);

export const ProposalDecision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approved'), by }),
  z.object({ kind: z.literal('rejected'), by, why: NotModified }),
  z.object({ kind: z.literal('modified'), by, original: z.string().min(1), reason }),
]);
export type ProposalDecision = z.infer<typeof ProposalDecision>;
