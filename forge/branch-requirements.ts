/**
 * F3: what the base branch asks for before anybody may merge: active rulesets and classic
 * protection together.
 */
import { z } from 'zod';
import type { HostRefusalKind } from '../orchestrator/core/host-refusal.ts';
import { requiredCheck, type MergeRequirement } from '../orchestrator/core/machine/ci-verdict.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { orWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';

const id = z.number().nullish();
const list = <T extends z.ZodType>(item: T) => z.array(item).nullish();
const Rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        required_status_checks: list(z.object({ context: z.string(), integration_id: id })),
        workflows: list(z.object({ path: z.string(), repository_id: id })),
        code_scanning_tools: list(
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
          contexts: list(z.string()),
          checks: list(z.object({ context: z.string(), app_id: id })),
        })
        .nullish(),
      required_signatures: z.object({ enabled: z.boolean() }).nullish(),
    })
    .nullish(),
});
type Branch = z.infer<typeof Branch>;
const NamedBranch = z.object({ name: z.string() });

/** A workflow of a ruleset; it may live in another repository. */
export type WantedWorkflow = { path: string; repository: number | null };
export type BranchRequirements = {
  required: MergeRequirement[];
  workflows: WantedWorkflow[];
  queue: boolean;
  guarded: boolean;
  /** It takes only commits whose signatures GitHub can verify. */
  signed: boolean;
};
type Readable = <T>(go: () => Promise<T>) => Promise<T | null>;

/**
 * GitHub, "Available rules for rulesets": these ask nothing of any check. Of a rule that is added
 * later nobody knows.
 */
const OTHER_RULES: ReadonlySet<string> = new Set([
  ...['creation', 'update', 'deletion', 'required_linear_history', 'required_signatures', 'pull_request'],
  ...['non_fast_forward', 'commit_message_pattern', 'commit_author_email_pattern'],
  ...['committer_email_pattern', 'branch_name_pattern', 'tag_name_pattern', 'file_path_restriction'],
  ...['max_file_path_length', 'file_extension_restriction', 'max_file_size', 'copilot_code_review'],
]);
/** The app that reports code scanning on github.com. */
const SCANNING = '57789';
/**
 * GitHub, "Triaging code scanning alerts in pull requests": by default its check fails at these,
 * and says nothing of less.
 */
const TOLD = { alerts: ['none', 'errors'], security: ['none', 'critical', 'high_or_higher'] };

/** Anybody's is -1 in older answers. */
const check = (context: string, app: number | null | undefined): MergeRequirement =>
  requiredCheck(context, app === null || app === undefined || app < 0 ? null : String(app));

/** GitHub leads from the former name of a branch to its present one. */
export const readBranchName = async (
  client: GitHubClient,
  at: RepositoryParams & { branch: string },
): Promise<string | null> => {
  const asked = client.get('/repos/{owner}/{repo}/branches/{branch}', at, NamedBranch);
  return (await orWhenHidden(asked, null))?.name ?? null;
};

const BranchHead = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) });
/** Null where it is not shown to us, or is called otherwise by now. */
export const readBranchHead = async (
  client: GitHubClient,
  at: RepositoryParams & { branch: string },
): Promise<string | null> => {
  const asked = client.get('/repos/{owner}/{repo}/branches/{branch}', at, BranchHead);
  const found = await orWhenHidden(asked, null);
  return found?.name === at.branch ? found.commit.sha : null;
};

export const requiredOn = async (
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

/**
 * Where the owner's plan has no rules for private repositories, or the server none at all, there are
 * none.
 */
const NO_RULES: readonly (HostRefusalKind | undefined)[] = ['plan_lacks_it', 'server_lacks_it'];
const noneIfUnknown = async (rules: Promise<Rule[]>): Promise<Rule[]> => {
  try {
    return await rules;
  } catch (error) {
    // guard: F3-no-rules-there
    if (error instanceof OutsideFailure && NO_RULES.includes(error.refusal?.kind)) return [];
    throw error;
  }
};

const unjudged = (name: string): MergeRequirement => ({ kind: 'rule', name, app: null, unsure: true });

const ofRule = ({ type, parameters }: Rule): MergeRequirement[] => {
  if (type === 'required_status_checks' && parameters?.required_status_checks)
    return parameters.required_status_checks.map((c) => check(c.context, c.integration_id));
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
  return OTHER_RULES.has(type) || type === 'merge_queue' ? [] : [unjudged(type)];
};

/** `contexts` names all of them once more, without their apps. */
const ofProtection = ({ protected: isProtected, protection }: Branch): MergeRequirement[] => {
  // Protected, and we are not told how.
  if (isProtected === true && !protection) return [unjudged('branch protection')];
  const { enforcement_level: level, contexts, checks } = protection?.required_status_checks ?? {};
  if (level === 'off') return [];
  const bound = (checks ?? []).map((c) => check(c.context, c.app_id));
  const named = new Set(bound.map(({ name }) => name));
  return [
    ...bound,
    ...(contexts ?? []).filter((name) => !named.has(name)).map((name) => requiredCheck(name)),
  ];
};
