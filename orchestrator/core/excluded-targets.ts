/** F5: which of the repositories that were named for a campaign have no part in it. */
import { z } from 'zod';

/** Why a repository that was named has no part in it. */
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
    'over',
    'invalid_branch',
    'invalid_base',
    'invalid_title',
    'invalid_goal',
    'invalid_command',
    /** It is named with a branch of its own; a list says one for all. */
    'with_branch',
  ] as const),
] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];
export const ExcludedTarget = z.object({
  repo: z.string().max(400),
  why: z.enum(EXCLUSION_REASONS),
  /** The run that is at work there, another spelling that stays, or what it was filled in with. */
  by: z.string().max(400).nullable(),
});
export type ExcludedTarget = z.infer<typeof ExcludedTarget>;

/** Why a pull request that others opened is not followed. */
export type NotAdopted = 'ours' | 'known' | 'missing' | 'away' | 'over' | 'elsewhere';
