/** Reads the base branch's requirements from rulesets and classic protection (F3). */
import { z } from 'zod';
import type { HostRefusalKind } from '#model/failure';
import { toCheckRequirement, type MergeRequirement } from '#model/ci';
import { findHostRefusal } from '#ports/forge';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';

const id = z.number().nullish();
const nullishList = <T extends z.ZodType>(item: T) => z.array(item).nullish();
const Rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        required_status_checks: nullishList(z.object({ context: z.string(), integration_id: id })),
        workflows: nullishList(z.object({ path: z.string(), repository_id: id })),
        code_scanning_tools: nullishList(
          z.object({ tool: z.string(), alerts_threshold: z.string(), security_alerts_threshold: z.string() }),
        ),
      })
      .nullish(),
  }),
);
type Rule = z.infer<typeof Rules>[number];
const Branch = z.object({
  protected: z.boolean().nullish(),
  protection: z
    .object({
      required_status_checks: z
        .object({
          enforcement_level: z.string().nullish(),
          contexts: nullishList(z.string()),
          checks: nullishList(z.object({ context: z.string(), app_id: id })),
        })
        .nullish(),
      required_signatures: z.object({ enabled: z.boolean() }).nullish(),
    })
    .nullish(),
});
type Branch = z.infer<typeof Branch>;
const NamedBranch = z.object({ name: z.string() });

export type WantedWorkflow = { path: string; repository: number | null };
type BranchRequirements = {
  required: MergeRequirement[];
  workflows: WantedWorkflow[];
  queue: boolean;
  guarded: boolean;
  signed: boolean;
};
type Readable = <T>(go: () => Promise<T>) => Promise<T | null>;

/** GitHub, "Available rules for rulesets": these require no check; unknown rules might. */
const OTHER_RULES: ReadonlySet<string> = new Set([
  ...['creation', 'update', 'deletion', 'required_linear_history', 'required_signatures', 'pull_request'],
  ...['non_fast_forward', 'commit_message_pattern', 'commit_author_email_pattern'],
  ...['committer_email_pattern', 'branch_name_pattern', 'tag_name_pattern', 'file_path_restriction'],
  ...['max_file_path_length', 'file_extension_restriction', 'max_file_size', 'copilot_code_review'],
]);
/** App id of code scanning on github.com. */
const SCANNING = '57789';
/** Default thresholds (GitHub, "Triaging code scanning alerts in pull requests"). */
const TOLD = { alerts: ['none', 'errors'], security: ['none', 'critical', 'high_or_higher'] };

const toRequirement = (context: string, app: number | null | undefined): MergeRequirement =>
  toCheckRequirement(context, app === null || app === undefined || app < 0 ? null : String(app));

/** GitHub redirects renamed branches. */
export const readBranchName = async (
  client: GitHubClient,
  at: RepositoryParams & { branch: string },
): Promise<string | null> => {
  const asked = client.get('/repos/{owner}/{repo}/branches/{branch}', at, NamedBranch);
  return (await fallBackWhenHidden(asked, null))?.name ?? null;
};

const BranchHead = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) });
export const readBranchHead = async (
  client: GitHubClient,
  at: RepositoryParams & { branch: string },
): Promise<string | null> => {
  const asked = client.get('/repos/{owner}/{repo}/branches/{branch}', at, BranchHead);
  const found = await fallBackWhenHidden(asked, null);
  return found?.name === at.branch ? found.commit.sha : null;
};

export const readRequirements = async (
  client: GitHubClient,
  repo: RepositoryParams,
  branch: string,
  readable: Readable,
): Promise<BranchRequirements> => {
  const at = { ...repo, branch };
  const [rules, classic] = await Promise.all([
    readable(() =>
      noneIfUnknown(client.pages('/repos/{owner}/{repo}/rules/branches/{branch}', at, Rules, (page) => page)),
    ),
    readable(() => client.get('/repos/{owner}/{repo}/branches/{branch}', at, Branch)),
  ]);
  const all = rules ?? [];
  const required = [...all.flatMap(ofRule), ...(classic ? ofProtection(classic) : [])];
  return {
    required: [...new Map(required.map((one) => [JSON.stringify(one), one])).values()],
    workflows: all
      .filter(({ type }) => type === 'workflows')
      .flatMap(({ parameters }) => parameters?.workflows ?? [])
      .map(({ path, repository_id }) => ({ path, repository: repository_id ?? null })),
    queue: all.some(({ type }) => type === 'merge_queue'),
    guarded: classic?.protected === true || all.length > 0,
    signed:
      all.some(({ type }) => type === 'required_signatures') ||
      classic?.protection?.required_signatures?.enabled === true,
  };
};

const NO_RULES: readonly (HostRefusalKind | undefined)[] = ['plan_lacks_it', 'server_lacks_it'];
const noneIfUnknown = async (rules: Promise<Rule[]>): Promise<Rule[]> => {
  try {
    return await rules;
  } catch (error) {
    // guard: F3-no-rules-there
    if (NO_RULES.includes(findHostRefusal(error)?.kind)) return [];
    throw error;
  }
};

const unsureRule = (name: string): MergeRequirement => ({ kind: 'rule', name, app: null, unsure: true });

const ofRule = ({ type, parameters }: Rule): MergeRequirement[] => {
  if (type === 'required_status_checks' && parameters?.required_status_checks)
    return parameters.required_status_checks.map((c) => toRequirement(c.context, c.integration_id));
  if (type === 'code_scanning' && parameters?.code_scanning_tools)
    return parameters.code_scanning_tools.map((one) => ({
      kind: 'scan',
      name: one.tool,
      app: SCANNING,
      unsure:
        !TOLD.alerts.includes(one.alerts_threshold) || !TOLD.security.includes(one.security_alerts_threshold),
    }));
  if (type === 'workflows' && parameters?.workflows) return [];
  // guard: F3-unknown-rule
  return OTHER_RULES.has(type) || type === 'merge_queue' ? [] : [unsureRule(type)];
};

/** `contexts` repeats all names without apps. */
const ofProtection = ({ protected: isProtected, protection }: Branch): MergeRequirement[] => {
  // Protection that we may not read.
  if (isProtected === true && !protection) return [unsureRule('branch protection')];
  const { enforcement_level: level, contexts, checks } = protection?.required_status_checks ?? {};
  if (level === 'off') return [];
  const bound = (checks ?? []).map((c) => toRequirement(c.context, c.app_id));
  const named = new Set(bound.map(({ name }) => name));
  return [
    ...bound,
    ...(contexts ?? []).filter((name) => !named.has(name)).map((name) => toCheckRequirement(name)),
  ];
};
