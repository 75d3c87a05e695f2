/** Reasons why a named repository takes no part in a campaign (F5). */
import { z } from 'zod';

export const EXCLUSION_REASONS = [
  ...([
    'duplicate',
    'archived',
    'fork',
    'missing',
    'banned',
    'not_allowed',
    'pull_open',
    'running',
    'over_limit',
    'invalid_branch',
    'invalid_base',
    'invalid_title',
    'invalid_goal',
    'invalid_command',
    /** A list of repositories has one branch for all of them. */
    'with_branch',
    'link_out',
  ] as const),
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];
export const ExcludedTarget = z.object({
  repo: z.string().max(400),
  why: z.enum(EXCLUSION_REASONS),
  /** The run at work there, the other spelling, or the invalid value. */
  by: z.string().max(400).nullable(),
});
export type ExcludedTarget = z.infer<typeof ExcludedTarget>;

export type NotAdopted = 'ours' | 'already_followed' | 'missing' | 'unreachable' | 'over_limit' | 'elsewhere';
