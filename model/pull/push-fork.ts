/** Settings of forks, which changes are pushed to when not to the repository itself (F1). */
import { z } from 'zod';
import { OpaqueId } from '#model/order';

export const ForkSettings = z.strictObject({
  /** Use of forks: `when_needed` means only without push access. */
  use: z.enum(['when_needed', 'always', 'never']).default('when_needed'),
  /** Organisation that owns the forks; null for the credential's account. */
  owner: z.string().min(1).nullable().default(null),
  /** Maintainers may push to the branch; code hosts allow it only for a person's fork. */
  maintainersMayEdit: z.boolean().default(true),
  keepInStep: z.boolean().default(true),
  removeBranches: z.enum(['merged', 'closed', 'never']).default('merged'),
});
export type ForkSettings = z.infer<typeof ForkSettings>;

/** Code hosts let maintainers push only to forks that a person owns. */
export const canMaintainersEdit = ({ owner, maintainersMayEdit }: ForkSettings): boolean =>
  owner === null && maintainersMayEdit;

/** `id` is null until the fork exists. `atHome`: we could push to the repository itself. */
export const PushFork = z.object({
  repo: z.string(),
  id: OpaqueId.nullable(),
  atHome: z.literal(true).exactOptional(),
});
export type PushFork = z.infer<typeof PushFork>;

export const ownerOf = (repo: string): string => repo.slice(0, Math.max(0, repo.lastIndexOf('/')));

export const headName = (fork: PushFork | null, branch: string): string =>
  fork === null ? branch : `${ownerOf(fork.repo)}:${branch}`;
