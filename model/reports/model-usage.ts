/** Tokens and money that a model used. */
import { z } from 'zod';

export const ModelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;
/** `usage` is the engine's total over the session, so that a round's share can be computed. */
export const AgentSession = z.object({ id: z.string(), usage: ModelUsage });
export type AgentSession = z.infer<typeof AgentSession>;

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const combineUsage = (usage: ModelUsage, other: ModelUsage, sign: 1 | -1): ModelUsage => ({
  inputTokens: usage.inputTokens + sign * other.inputTokens,
  outputTokens: usage.outputTokens + sign * other.outputTokens,
  costUsd: Math.round((usage.costUsd + sign * other.costUsd) * 1e9) / 1e9,
});
export const addUsage = (usage: ModelUsage, other: ModelUsage): ModelUsage => combineUsage(usage, other, 1);
export const subtractUsage = (usage: ModelUsage, other: ModelUsage): ModelUsage =>
  combineUsage(usage, other, -1);
