/** Activity of an agent or a command right now, as people follow it (E21). */
import { z } from 'zod';

/** `prints`: a command of ours, by its output. `waits`: for an answer of its model. */
export const Activity = z.object({
  kind: z.enum(['command', 'edit', 'read', 'tool', 'says', 'prints', 'waits']),
  /** One plain line; empty for `waits`. */
  text: z.string(),
  /** The last lines that it said or printed, oldest first. */
  lines: z.array(z.string()),
});
export type Activity = z.infer<typeof Activity>;

export const MAX_ACTIVITY_LINES = 20;

/** An attempt of an agent, by its step; all others are commands of ours. */
export const isAgentStep = ({ step }: { step: string }): boolean => step === 'agent' || step === 'question';
