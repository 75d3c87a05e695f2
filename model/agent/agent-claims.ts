/** Claims of an agent about its round; a grade compares them with what was measured (E7). */
import { z } from 'zod';
import { ProposedReply, ReportedChange } from './agent-report.ts';

export const AgentClaims = z.object({
  status: z.enum(['done', 'blocked']),
  ran: z.array(z.object({ command: z.string(), passed: z.boolean() })),
  reported: ReportedChange.exactOptional(),
  replies: z.array(ProposedReply).exactOptional(),
});
export type AgentClaims = z.infer<typeof AgentClaims>;
export const NO_CLAIMS: AgentClaims = { status: 'done', ran: [] };
