/** Schema of the operator's policy settings: limits, paths, branches and custom policies. */
import { z } from 'zod';
import { nearestWord, readDuration } from '#model/values';
import { issueLocation, toRuleParams } from './validation-issue.ts';

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
  /** Never published. `*` and `?` match within a segment, `**` across several; a pattern without a slash matches in any folder. */
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
/** As chats number people. Nobody taps under another name. */
const PERSON_ID = /^(?:[1-9]\d{0,19}|[UW][A-Z0-9]{2,20})$/;
const isPersonId = (text: string): boolean => PERSON_ID.test(text);
const isGroup = (text: string): boolean => text.startsWith('@') && GroupName.safeParse(text.slice(1)).success;
const describeNobody = ({ input }: { input?: unknown }): string =>
  `${JSON.stringify(input)} names nobody who could approve: write the id of a person, such as 4711 or U012AB3CD`;
export const PersonId = AccountId.refine(isPersonId, {
  error: (issue) =>
    isGroup(String(issue.input))
      ? `groups are not read here: ${describeNobody(issue)}`
      : describeNobody(issue),
});
const Approver = AccountId.refine((one) => one === ADMIN_ROLE || isGroup(one) || isPersonId(one), {
  error: (issue) => {
    const meant = `@${String(issue.input)}`;
    return `${describeNobody(issue)}, a group such as ${isGroup(meant) ? meant : '@dba'}, or ${ADMIN_ROLE}`;
  },
});
/** G10: people by their ids in the chat, under a name. */
const ApproverGroups = z.record(GroupName, z.array(PersonId).min(1).max(200));

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
  .refine((when) => Object.keys(when).length > 0, {
    error: 'must say when',
    when: ({ issues }) => issues.length === 0,
  });

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
      .refine((text) => readDuration(text) !== null, toRuleParams('duration'))
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
  );
export type CustomPolicy = z.infer<typeof CustomPolicy>;

const SomeLimits = z.strictObject(POLICY_LIMITS).partial();

const hasDistinctIds = (all: readonly CustomPolicy[]): boolean =>
  new Set(all.map((p) => p.id)).size === all.length;

type Groups = Readonly<Record<string, readonly string[]>>;
type UnmetDemand = { at: number; key: 'approvers' | 'approvals'; value: string; says: string };

const describeUnknownGroup = (name: string, groups: Groups): string => {
  const known = Object.keys(groups).map((one) => `@${one}`);
  const near = nearestWord(name, known);
  if (near !== null) return `there is no group ${name}. Did you mean ${near}?`;
  if (known.length > 0) return `there is no group ${name}. There are: ${known.slice(0, 20).join(', ')}`;
  return `there is no group ${name}; name its people in policies.groups`;
};

/** A group that nobody defines could never approve, nor could fewer people than have to. */
const findUnmetDemand = (custom: readonly CustomPolicy[], groups: Groups = {}): UnmetDemand | null => {
  for (const [at, { id, approvals = 1, approvers }] of custom.entries()) {
    if (approvers === undefined) continue;
    const isUnknown = (one: string): boolean => one.startsWith('@') && !Object.hasOwn(groups, one.slice(1));
    const name = approvers.find(isUnknown);
    if (name !== undefined)
      return { at, key: 'approvers', value: name, says: describeUnknownGroup(name, groups) };
    if (approvers.includes(ADMIN_ROLE)) continue;
    const people = new Set(approvers.flatMap((one) => (isGroup(one) ? (groups[one.slice(1)] ?? []) : one)));
    const named = people.size === 1 ? 'one person' : `${people.size} people`;
    if (approvals > people.size)
      return {
        at,
        key: 'approvals',
        value: id,
        says: `${approvals} people have to approve, but approvers names ${named}: name more, or ask for fewer approvals`,
      };
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
    const unmet = findUnmetDemand(custom, groups);
    if (unmet)
      context.addIssue({
        code: 'custom',
        path: ['custom', unmet.at, unmet.key],
        message: unmet.says,
        input: unmet.value,
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

/** G10: the operator names groups; whom only the repository's `file` knows could never approve. */
export const checkApprovers = (
  { custom }: RepositoryPolicies,
  { groups }: Pick<PolicySettings, 'groups'>,
  { file, text }: { file: string; text: string },
): { problem: string } | null => {
  // guard: G10-groups-known
  const unmet = findUnmetDemand(custom, groups);
  if (!unmet) return null;
  const line = text.split('\n').findIndex((one) => one.includes(JSON.stringify(unmet.value)));
  const place = line < 0 ? file : `${file}:${line + 1}`;
  const remedy =
    unmet.key === 'approvers'
      ? ' Write the ids of its people or admin in its place, or ask the operator to name the group in policies.groups of agentpr.config.json.'
      : '';
  const says = `${unmet.says.replace(/[.?]?$/, (end) => end || '.')}${remedy}`;
  return { problem: `${place}: ${issueLocation(['policies', 'custom', unmet.at, unmet.key])}: ${says}` };
};
