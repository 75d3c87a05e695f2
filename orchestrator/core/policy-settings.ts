/**
 * What an operator may set of the policies: limits, paths, branches, policies of their own. Unknown
 * keys are refused.
 */
import { z } from 'zod';

/**
 * What may be judged: a push, a pull request, words in public, a command of an engine. The last
 * three are rules for what is to come: answers to reviewers, and engines that ask before they run
 * something. Today nothing proposes them.
 */
export const ACTION_KINDS = ['push', 'open_pr', 'comment', 'reply', 'command'] as const;

const globs = z.array(z.string().min(1).max(300)).max(500);
const count = z.int().min(1);

const POLICY_LIMITS = {
  /** Past these a person signs and the risk is high. */
  maxFiles: count,
  maxLines: count,
  /** Size of the patch in bytes. */
  maxBytes: count,
  /** Past these a change is no longer small: the risk is medium. */
  smallFiles: count,
  smallLines: count,
  /**
   * Never published. `*` and `?` stay in a segment, `**` spans them, a pattern without a slash
   * names a file anywhere.
   */
  forbiddenPaths: globs,
  /** Published only with a signature. */
  protectedPaths: globs,
  /** Never pushed to, besides the default and the target branch. */
  protectedBranches: globs,
  /** Open pull requests of ours in one target repository. */
  maxOpenPrs: count,
  /** Added lines of the first pull request to people who have taken none of ours yet. */
  maxFirstLines: count,
  /** Characters of a comment or reply. */
  maxCommentLength: count,
  /**
   * A push that needs a signature gets a card of its own before the one that opens the pull request.
   */
  separatePush: z.boolean(),
};

const repository = z
  .string()
  .max(200)
  .regex(/^[^/\s]+(?:\/[^/\s]+)+$/, 'must be owner/name; `*` and `?` may stand in each part');

/** Every condition that is given must hold; of a list, one entry. */
const When = z
  .strictObject({
    actions: z.array(z.enum(ACTION_KINDS)).min(1),
    paths: globs.min(1),
    /** Added lines, at least. */
    minAdded: count,
    repos: z.array(repository).min(1).max(500),
    /** Who asked for the run: their id in the chat, or a name as the chat shows it. */
    authors: z.array(z.string().min(1).max(200)).min(1).max(500),
  })
  .partial()
  .refine((when) => Object.keys(when).length > 0, 'must say when');

/** P1: a policy as data. There is no way to write one that allows. */
export const CustomPolicy = z.strictObject({
  id: z
    .string()
    .max(60)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be like-this'),
  when: When,
  verdict: z.enum(['deny', 'escalate']),
  reason: z
    .string()
    .min(1)
    .max(300)
    .regex(/^\P{C}*$/u, 'must be one line of plain text'),
});
export type CustomPolicy = z.infer<typeof CustomPolicy>;

/** Limits alone, as they may be given for some repositories. */
const SomeLimits = z.strictObject(POLICY_LIMITS).partial();

const distinct = (all: readonly CustomPolicy[]): boolean => new Set(all.map((p) => p.id)).size === all.length;

export const PolicySettings = z.strictObject({
  ...POLICY_LIMITS,
  maxFiles: POLICY_LIMITS.maxFiles.default(50),
  maxLines: POLICY_LIMITS.maxLines.default(1_500),
  maxBytes: POLICY_LIMITS.maxBytes.default(1_000_000),
  smallFiles: POLICY_LIMITS.smallFiles.default(20),
  smallLines: POLICY_LIMITS.smallLines.default(500),
  forbiddenPaths: POLICY_LIMITS.forbiddenPaths.default([]),
  protectedPaths: POLICY_LIMITS.protectedPaths.default(['LICENSE*', 'COPYING*', 'CODEOWNERS', 'SECURITY.md']),
  protectedBranches: POLICY_LIMITS.protectedBranches.default(['main', 'master', 'gh-pages']),
  maxOpenPrs: POLICY_LIMITS.maxOpenPrs.default(3),
  maxFirstLines: POLICY_LIMITS.maxFirstLines.default(150),
  maxCommentLength: POLICY_LIMITS.maxCommentLength.default(4_000),
  separatePush: POLICY_LIMITS.separatePush.default(false),
  custom: z.array(CustomPolicy).max(200).refine(distinct, 'every id must be there once').default([]),
  /**
   * Other limits for some repositories, by `owner/name` with `*` and `?`: numbers are replaced,
   * lists are added to.
   */
  repositories: z.record(repository, SomeLimits).default({}),
});
export type PolicySettings = z.infer<typeof PolicySettings>;
export const DEFAULT_POLICY_SETTINGS: PolicySettings = PolicySettings.parse({});

/**
 * What a repository says of itself in `.agentpr.json`, on the branch that a change is meant for.
 */
export const RepositoryPolicies = SomeLimits.extend({
  custom: z.array(CustomPolicy).max(50).refine(distinct, 'every id must be there once').default([]),
});
export type RepositoryPolicies = z.infer<typeof RepositoryPolicies>;

type Limits = Omit<PolicySettings, 'custom' | 'repositories'>;
export const POLICY_LIMIT_NAMES = Object.keys(POLICY_LIMITS) as (keyof Limits)[];
