/** F1: where a change is pushed when that is not the repository itself: a fork of it. */
import { z } from 'zod';
import { OpaqueId } from './order.ts';

export const ForkSettings = z.strictObject({
  /** `when_needed`: where our credential may not push to the repository itself. */
  use: z.enum(['when_needed', 'always', 'never']).default('when_needed'),
  /** An organisation that owns the forks; null for the account of the credential. */
  owner: z.string().min(1).nullable().default(null),
  /** Whether maintainers may push to the branch, which a code host allows for a person's forks only. */
  maintainersMayEdit: z.boolean().default(true),
  /** Whether the default branch of a fork that is there follows the repository's before a push. */
  keepInStep: z.boolean().default(true),
  /** When the branch of a pull request is removed from the fork: it was merged, or is closed at all. */
  removeBranches: z.enum(['merged', 'closed', 'never']).default('merged'),
});
export type ForkSettings = z.infer<typeof ForkSettings>;

/** Code hosts let maintainers push only to forks that a person owns. */
export const letsMaintainersEdit = ({ owner, maintainersMayEdit }: ForkSettings): boolean =>
  owner === null && maintainersMayEdit;

/**
 * `id` is null until the fork is known to be there. `atHome`: we may push to the repository itself, so
 * that a fork is our choice, and its people know us.
 */
export const PushFork = z.object({
  repo: z.string(),
  id: OpaqueId.nullable(),
  atHome: z.literal(true).exactOptional(),
});
export type PushFork = z.infer<typeof PushFork>;

export const ownerOf = (repo: string): string => repo.slice(0, Math.max(0, repo.lastIndexOf('/')));

/** A branch as the base repository names it: with its owner when it is in a fork. */
export const headName = (fork: PushFork | null, branch: string): string =>
  fork === null ? branch : `${ownerOf(fork.repo)}:${branch}`;
