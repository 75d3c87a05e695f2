/** GitHub's answers about a commit and its base branch, in the form of its REST API. */
import type { CiVerdict, CiVerdictReason } from '#model/ci';

export type Json = Record<string, unknown>;
/** A number is the status of a refusal. */
export type Answers = {
  runs?: Json[] | number;
  suites?: Json[] | number;
  statuses?: Json[] | number;
  /** The list of all statuses, which names their creators. */
  listed?: Json[];
  rules?: Json[] | number;
  branch?: Json | number;
  workflows?: Json[] | number;
  jobs?: Record<number, Json[]>;
  apps?: Record<string, number>;
  /** Repository names by id. */
  repositories?: Record<number, string>;
};
export type Case = {
  name: string;
  /** Source: a GitHub docs page, an OpenAPI schema, or an issue. */
  source: string;
  given: Answers;
  /** Answers of a later poll; equal by default. */
  then?: Answers;
  /** Judged before anything has settled. */
  young?: true;
  says: CiVerdict;
  /** Some of the expected reasons. */
  why?: Partial<CiVerdictReason>[];
};

const ACTIONS = { id: 15_368, slug: 'github-actions' };
export const APPS = {
  ci: { id: 5, slug: 'ci' },
  other: { id: 6, slug: 'other' },
  codeql: { id: 57_789, slug: 'github-advanced-security' },
};
const time = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString();
const STATUS = new Set(['queued', 'in_progress', 'waiting', 'requested', 'pending']);
const ended = (says: string) =>
  STATUS.has(says) ? { status: says, conclusion: null } : { status: 'completed', conclusion: says };

let ids = 100;
type RunOptions = { suite?: number; app?: Json | null; from?: number; to?: number; id?: number };
export const run = (
  name: string,
  says = 'success',
  { suite = 1, app = ACTIONS, from = 1, to, id }: RunOptions = {},
): Json => ({
  id: id ?? (ids += 1),
  name,
  ...ended(says),
  app,
  check_suite: { id: suite },
  started_at: time(from),
  completed_at: STATUS.has(says) ? null : time(to ?? from + 1),
});
export const suite = (id: number, says = 'success', app: Json = ACTIONS): Json => ({
  id,
  ...ended(says),
  app,
  latest_check_runs_count: 0,
  created_at: time(0),
  updated_at: time(0),
});
export const status = (context: string, state = 'success'): Json => ({
  context,
  state,
  created_at: time(1),
  updated_at: time(1),
});
export const by = (login: string, context: string, state = 'success'): Json => ({
  ...status(context, state),
  creator: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
});
type WorkflowOptions = {
  id?: number;
  workflow?: number;
  event?: string;
  number?: number;
  attempt?: number;
  path?: string;
};
export const workflow = (suiteId: number, says = 'success', o: WorkflowOptions = {}): Json => ({
  id: o.id ?? suiteId * 10,
  check_suite_id: suiteId,
  workflow_id: o.workflow ?? 1,
  name: 'CI',
  event: o.event ?? 'pull_request',
  run_number: o.number ?? 1,
  run_attempt: o.attempt ?? 1,
  path: o.path ?? '.github/workflows/ci.yml',
  ...ended(says),
  run_started_at: time(0),
  repository: { id: 7, full_name: 'acme/api' },
});

/** A ruleset rule; each check is a name, or a name and its required app. */
export const requires = (...checks: (string | [string, number])[]): Json => ({
  type: 'required_status_checks',
  parameters: {
    strict_required_status_checks_policy: false,
    required_status_checks: checks.map((c) =>
      typeof c === 'string' ? { context: c } : { context: c[0], integration_id: c[1] },
    ),
  },
});
export const rule = (type: string, parameters?: Json): Json => ({ type, ...(parameters && { parameters }) });
export const requiresWorkflow = (path: string, repository_id = 7): Json =>
  rule('workflows', { workflows: [{ path, repository_id }] });
export const requiresScan = (tool: string, alerts_threshold = 'errors', security = 'high_or_higher'): Json =>
  rule('code_scanning', {
    code_scanning_tools: [{ tool, alerts_threshold, security_alerts_threshold: security }],
  });
export const guarded = (contexts: string[], checks: Json[] = [], level = 'everyone'): Json => ({
  protected: true,
  protection: { enabled: true, required_status_checks: { enforcement_level: level, contexts, checks } },
});
