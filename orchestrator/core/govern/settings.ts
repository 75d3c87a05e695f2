/** What an operator may set of the policies: limits, paths and branches. Unknown keys are refused. */
import { z } from 'zod';

const globs = z.array(z.string().min(1).max(300)).max(500);

export const PolicySettings = z.strictObject({
  /** Past these a person signs and the risk is high. */
  maxFiles: z.int().min(1).default(50),
  maxLines: z.int().min(1).default(1_500),
  /** Size of the patch in bytes. */
  maxBytes: z.int().min(1).default(1_000_000),
  /** Past these a change is no longer small: the risk is medium. */
  smallFiles: z.int().min(1).default(20),
  smallLines: z.int().min(1).default(500),
  /** Never published. `*` and `?` stay in a segment, `**` spans them, a pattern without a slash names a file anywhere. */
  forbiddenPaths: globs.default([]),
  /** Published only with a signature. */
  protectedPaths: globs.default(['LICENSE*', 'COPYING*', 'CODEOWNERS', 'SECURITY.md']),
  /** Never pushed to, besides the default and the target branch. */
  protectedBranches: globs.default(['main', 'master', 'gh-pages']),
  /** Open pull requests of ours in one target repository. */
  maxOpenPrs: z.int().min(1).default(3),
});
export type PolicySettings = z.infer<typeof PolicySettings>;
export const DEFAULT_POLICY_SETTINGS: PolicySettings = PolicySettings.parse({});
