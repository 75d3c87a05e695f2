/** Schema of the operator's policy settings: limits, paths, branches and custom policies. */
import { z } from 'zod';
import { readDuration } from '#model/values';
import { ruleOf } from './validation-issue.ts';

/** Kinds of actions. Nothing proposes comments yet. */
const ACTION_KINDS = ['push', 'open_pr', 'comment', 'reply', 'command'] as const;

const globs = z.array(z.string().min(1).max(300)).max(500);
const count = z.int().min(1);

const POLICY_LIMITS = {
  /** Larger changes are high risk and need a signature. */
  maxFiles: count,
  maxLines: count,
  maxBytes: count,
  /** Larger changes are medium risk. */
  smallFiles: count,
  smallLines: count,
  /** Never published. `*` and `?` stay in a segment, `**` spans several; no slash: any folder. */
  forbiddenPaths: globs,
  /** Published only with a signature. */
  protectedPaths: globs,
  /** Never pushed to, like the default and the target branch. */
  protectedBranches: globs,
  /** Our open pull requests in one repository. */
  maxOpenPrs: count,
  /** Added lines of a first pull request to new maintainers. */
  maxFirstLines: count,
  maxCommentLength: count,
  /** A push that needs a signature gets a card of its own. */
  separatePush: z.boolean(),
};

const repository = z
  .string()
  .max(200)
  .regex(/^[^/\s]+(?:\/[^/\s]+)+$/, 'must be owner/name; `*` and `?` may stand in each part');

/** Of roles, only this one says more than that somebody may approve. */
export const ADMIN_ROLE = 'admin';
const GroupName = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be like-this');
const AccountId = z.union([z.string().min(1).max(100), z.int()]).transform(String);
const Approver = AccountId.refine(
  (one) => !one.startsWith('@') || GroupName.safeParse(one.slice(1)).success,
  'a group is named like @this',
);
/** G10: people by their ids in the chat, under a name. */
const ApproverGroups = z.record(GroupName, z.array(AccountId).min(1).max(200));

/** All conditions must hold; of a list, one entry. */
const When = z
  .strictObject({
    actions: z.array(z.enum(ACTION_KINDS)).min(1),
    paths: globs.min(1),
    minAdded: count,
    repos: z.array(repository).min(1).max(500),
    /** Requesters, by chat id or displayed name. */
    authors: z.array(z.string().min(1).max(200)).min(1).max(500),
    /** The risk of the change is this, or higher. */
    minRisk: z.enum(['medium', 'high']),
  })
  .partial()
  .refine((when) => Object.keys(when).length > 0, 'must say when');

/** P1: a policy as data, which cannot allow. */
export const CustomPolicy = z
  .strictObject({
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
    /** G11: whoever approves signs with a key of their own. Only changes are signed so. */
    by: z.literal('passkey').exactOptional(),
    /** G10: so many people have to approve; of `approvers`, where it names some. */
    approvals: z.int().min(1).max(10).exactOptional(),
    /** Ids in the chat, `@group` of the operator's `groups`, or the role `admin`. */
    approvers: z.array(Approver).min(1).max(50).exactOptional(),
    /** Nothing is published sooner after the last approval: `90m`, `2h`, `1d`. */
    after: z
      .string()
      .max(20)
      .refine((text) => readDuration(text) !== null, ruleOf('duration'))
      .exactOptional(),
  })
  .refine(
    ({ verdict, by }) => by === undefined || verdict === 'escalate',
    'by needs the verdict escalate, because what is denied is signed by nobody',
  )
  .refine(
    ({ verdict, approvals, approvers, after }) =>
      verdict === 'escalate' || (approvals ?? approvers ?? after) === undefined,
    'approvals, approvers and after need the verdict escalate, because what is denied is approved by nobody',
  )
  .refine(
    ({ approvals = 1, approvers }) =>
      approvers === undefined ||
      approvals <= approvers.length ||
      approvers.some((one) => one === ADMIN_ROLE || one.startsWith('@')),
    'approvals asks for more people than approvers names',
  );
export type CustomPolicy = z.infer<typeof CustomPolicy>;

const SomeLimits = z.strictObject(POLICY_LIMITS).partial();

const hasDistinctIds = (all: readonly CustomPolicy[]): boolean =>
  new Set(all.map((p) => p.id)).size === all.length;

/** A group that nobody defines could never approve. */
const findUnknownGroup = (
  custom: readonly CustomPolicy[],
  groups: Readonly<Record<string, unknown>> = {},
): { at: number; name: string } | null => {
  for (const [at, { approvers = [] }] of custom.entries()) {
    const name = approvers.find((one) => one.startsWith('@') && !Object.hasOwn(groups, one.slice(1)));
    if (name !== undefined) return { at, name };
  }
  return null;
};

export const PolicySettings = z
  .strictObject({
    ...POLICY_LIMITS,
    maxFiles: POLICY_LIMITS.maxFiles.default(50),
    maxLines: POLICY_LIMITS.maxLines.default(1_500),
    maxBytes: POLICY_LIMITS.maxBytes.default(1_000_000),
    smallFiles: POLICY_LIMITS.smallFiles.default(20),
    smallLines: POLICY_LIMITS.smallLines.default(500),
    forbiddenPaths: POLICY_LIMITS.forbiddenPaths.default([]),
    protectedPaths: POLICY_LIMITS.protectedPaths.default([
      'LICENSE*',
      'COPYING*',
      'CODEOWNERS',
      'SECURITY.md',
    ]),
    protectedBranches: POLICY_LIMITS.protectedBranches.default(['main', 'master', 'gh-pages']),
    maxOpenPrs: POLICY_LIMITS.maxOpenPrs.default(3),
    maxFirstLines: POLICY_LIMITS.maxFirstLines.default(150),
    maxCommentLength: POLICY_LIMITS.maxCommentLength.default(4_000),
    separatePush: POLICY_LIMITS.separatePush.default(false),
    custom: z.array(CustomPolicy).max(200).refine(hasDistinctIds, 'every id must be there once').default([]),
    /** Keys are `owner/name` with `*` and `?`: numbers replace, lists extend. */
    repositories: z.record(repository, SomeLimits).default({}),
    groups: ApproverGroups.exactOptional(),
  })
  .superRefine(({ custom, groups }, context) => {
    const unknown = findUnknownGroup(custom, groups);
    if (unknown)
      context.addIssue({
        code: 'custom',
        path: ['custom', unknown.at, 'approvers'],
        message: `there is no group ${unknown.name}; name its people in policies.groups`,
        input: unknown.name,
      });
  });
export type PolicySettings = z.infer<typeof PolicySettings>;
export const DEFAULT_POLICY_SETTINGS: PolicySettings = PolicySettings.parse({});

/** `.agentpr.json` of the target branch. */
export const RepositoryPolicies = SomeLimits.extend({
  custom: z.array(CustomPolicy).max(50).refine(hasDistinctIds, 'every id must be there once').default([]),
});
export type RepositoryPolicies = z.infer<typeof RepositoryPolicies>;

type Limits = Omit<PolicySettings, 'custom' | 'repositories' | 'groups'>;
export const POLICY_LIMIT_NAMES = Object.keys(POLICY_LIMITS) as (keyof Limits)[];

/** G10: the operator names groups; one that only the repository's `file` knows could never approve. */
export const checkGroups = (
  { custom }: RepositoryPolicies,
  { groups }: Pick<PolicySettings, 'groups'>,
  { file, text }: { file: string; text: string },
): { problem: string } | null => {
  // guard: G10-groups-known
  const unknown = findUnknownGroup(custom, groups);
  if (!unknown) return null;
  const at = text.split('\n').findIndex((line) => line.includes(JSON.stringify(unknown.name)));
  const place = at < 0 ? file : `${file}:${at + 1}`;
  return {
    problem: `${place}: policies.custom[${unknown.at}].approvers: there is no group ${unknown.name} here. Write the ids of its people or admin in its place, or ask the operator to name the group in policies.groups of agentpr.config.json.`,
  };
};
