/** Combines a commit's checks and the base's required checks, one fact per app and name (F3). */
import { z } from 'zod';
import type { CheckFact } from '#model/ci';
import type { PollPart, PollFailure } from '#model/failure';
import { findHostRefusal, type ChecksFacts } from '#ports/forge';
import { readActionsJobs } from './actions-jobs.ts';
import { isWithheldPart, type GitHubClient, type RepositoryParams } from './github-client.ts';
import type { PollClients } from './poll-clients.ts';
import {
  checkKey,
  CheckRun,
  CheckSuite,
  CommitStatus,
  toCheckRunFact,
  toCheckOutcome,
  toStatusFact,
  isActionsApp,
  isAwaitingApproval,
  suiteKey,
  suiteName,
} from './github-facts.ts';
import { readRequirements } from './branch-requirements.ts';
import { readStatusOwners } from './status-owners.ts';
import {
  readWorkflowRepositories,
  toRequiredWorkflow,
  readWorkflowRuns,
  type WorkflowRun,
  selectLatestRuns,
} from './workflow-runs.ts';

/** Only workflows distinguish two suites with the same job name. */
const needsWorkflows = (runs: readonly CheckRun[], suites: readonly CheckSuite[]): boolean => {
  const ours = runs.filter((run) => isActionsApp(run.app));
  const names = new Set(ours.map(({ name }) => name));
  const keys = new Set(ours.map(checkKey));
  return keys.size > names.size || suites.some((one) => isActionsApp(one.app) && ofSuite(one, runs) !== null);
};

const findOutdatedSuites = (workflows: readonly WorkflowRun[]): ReadonlySet<number> => {
  const newest = new Set(selectLatestRuns(workflows));
  return new Set(workflows.flatMap((run) => (newest.has(run) ? [] : [run.check_suite_id ?? run.id])));
};

const anyAwaitingApproval = (suites: readonly CheckSuite[]): boolean => suites.some(isAwaitingApproval);

const FAILED_OUTCOMES: ReadonlySet<CheckFact['outcome']> = new Set(['failed', 'stale']);

const ofSuite = (suite: CheckSuite, all: readonly CheckRun[]): CheckFact | null => {
  const runs = all.filter((run) => run.check_suite?.id === suite.id);
  const stands = toCheckOutcome(suite);
  const toFact = (changes: Partial<CheckFact> = {}): CheckFact => ({
    key: suiteKey(suite),
    name: suiteName(suite),
    kind: 'suite',
    app: null,
    ...stands,
    startedAt: suite.created_at,
    ...changes,
  });
  // Maintainer approval is reported once for all suites.
  if (isAwaitingApproval(suite)) return null;
  if (runs.length > 0) {
    const ended = runs.every((run) => run.status === 'completed');
    // Jobs that depend on others have no check run yet.
    if (stands.status !== 'ended') return ended && isActionsApp(suite.app) ? toFact() : null;
    const said = runs.some((run) => FAILED_OUTCOMES.has(toCheckOutcome(run).outcome));
    return stands.outcome === 'failed' && ended && !said ? toFact() : null;
  }
  if (stands.status === 'ended')
    return FAILED_OUTCOMES.has(stands.outcome) && (isActionsApp(suite.app) || stands.outcome === 'failed')
      ? toFact()
      : null;
  // Every app gets a suite for every commit, and many never report.
  if (!isActionsApp(suite.app) && stands.status === 'queued') return toFact({ status: 'announced' });
  return toFact();
};

const nameByWorkflow = (fact: CheckFact, suite: CheckSuite, workflows: readonly WorkflowRun[]): CheckFact => {
  const run = workflows.find((one) => one.check_suite_id === suite.id);
  return { ...fact, name: run?.name ?? run?.path ?? fact.name };
};

const CheckRuns = z.object({ check_runs: z.array(CheckRun) });
const CheckSuites = z.object({ check_suites: z.array(CheckSuite) });
const Statuses = z.object({ statuses: z.array(CommitStatus) });

/** Sorted by start, then id; unstarted runs are newest. The worse of simultaneous jobs counts. */
export const newestRuns = <R extends CheckRun>(runs: readonly R[]): R[] => {
  const inOrder = [...runs].sort((a, b) => compareNumbers(startOf(a), startOf(b)) || a.id - b.id);
  const newest = new Map<string, R>();
  for (const run of inOrder) {
    const before = newest.get(checkKey(run));
    // guard: F3-two-jobs-of-one-name
    const worse = before && ranTogether(before, run) && badnessOf(before) > badnessOf(run);
    newest.set(checkKey(run), worse ? { ...before, started_at: run.started_at } : run);
  }
  return [...newest.values()];
};
const startOf = (run: CheckRun): number => run.started_at || (run.status === 'completed' ? 0 : Infinity);
const compareNumbers = (one: number, other: number): number => (one === other ? 0 : one < other ? -1 : 1);
/** GitHub re-runs only what has ended. */
const ranTogether = (before: CheckRun, run: CheckRun): boolean =>
  before.started_at > 0 &&
  run.started_at > 0 &&
  (before.status !== 'completed' || (before.completed_at > 0 && run.started_at < before.completed_at));
const BADNESS = ['passed', 'idle', 'skipped', null, 'stale', 'awaits_maintainer', 'failed'];
const badnessOf = (run: CheckRun): number => BADNESS.indexOf(toCheckOutcome(run).outcome);

/** F8: `unread` lists parts that are forbidden or too long; they never count as success. */
export const readChecks = async (
  clients: PollClients,
  repo: RepositoryParams,
  sha: string,
  base: string,
): Promise<ChecksFacts> => {
  const hidden: PollFailure[] = [];
  const long = (part: PollPart) => (): void =>
    void hidden.push({ kind: 'long', status: null, parts: [part], message: '' });
  const at = { ...repo, ref: sha };
  const [seen, statuses, wanted] = await Promise.all([
    runsOf(clients, repo, sha, { hidden, long }),
    orHidden('statuses', hidden, [], () =>
      clients.statuses.pages(
        '/repos/{owner}/{repo}/commits/{ref}/status',
        at,
        Statuses,
        (p) => p.statuses,
        long('statuses'),
      ),
    ),
    readRequirements(clients.rules, repo, base, (go) => orHidden('rules', hidden, null, go)),
  ]);
  const workflows = await workflowsOf(clients.suites, repo, sha, {
    seen,
    wanted: wanted.workflows,
    hidden,
    long,
  });
  const over = findOutdatedSuites(workflows);
  const runs = newestRuns(seen.runs.filter((run) => !over.has(run.check_suite?.id ?? 0)));
  const suites = seen.suites.filter((one) => !over.has(one.id));
  const owners = await readStatusOwners(clients.rules, at, { statuses, suites, required: wanted.required });
  const whole = toRequiredWorkflow(
    wanted.workflows,
    workflows.filter((run) => !over.has(run.check_suite_id ?? run.id)),
    await readWorkflowRepositories(clients.rights, wanted.workflows),
  );
  const checks = [
    ...runs.map(toCheckRunFact),
    ...suites.flatMap((suite) => factOf(suite, runs, workflows) ?? []),
    ...statuses.map((one) => toStatusFact(one, owners.get(one.context) ?? null)),
    ...whole.facts,
  ];
  return {
    checks,
    required: [...wanted.required, ...whole.required],
    usesMergeQueue: wanted.queue,
    isProtected: wanted.guarded,
    awaitsMaintainer: anyAwaitingApproval(suites),
    unread: joinFailures(hidden),
    seenAt: clients.seenAt(),
  };
};

const factOf = (
  suite: CheckSuite,
  runs: readonly CheckRun[],
  workflows: readonly WorkflowRun[],
): CheckFact | null => {
  const fact = ofSuite(suite, runs);
  return fact && nameByWorkflow(fact, suite, workflows);
};

const weightOf = ({ kind, refusal }: PollFailure): number =>
  kind === 'long' ? 2 : refusal === undefined ? 1 : 0;

const joinFailures = (hidden: readonly PollFailure[]): PollFailure | null => {
  const [first] = [...hidden].sort((a, b) => weightOf(a) - weightOf(b));
  return first ? { ...first, parts: [...new Set(hidden.flatMap((t) => t.parts))].sort() } : null;
};

type Seen = { runs: CheckRun[]; suites: CheckSuite[]; workflows: WorkflowRun[] | null };
type Missing = { hidden: PollFailure[]; long: (part: PollPart) => () => void };

/** Falls back to Actions jobs when check runs are forbidden. */
const runsOf = async (
  { runs: ofRuns, suites: ofSuites }: PollClients,
  repo: RepositoryParams,
  sha: string,
  { hidden, long }: Missing,
): Promise<Seen> => {
  const at = { ...repo, ref: sha };
  const part = '/repos/{owner}/{repo}/commits/{ref}';
  const latest = { ...at, filter: 'latest' };
  const whole = await orHidden('reports', hidden, null, async (): Promise<Seen> => {
    const [runs, suites] = await Promise.all([
      ofRuns.pages(`${part}/check-runs`, latest, CheckRuns, (p) => p.check_runs, long('reports')),
      ofSuites.pages(`${part}/check-suites`, at, CheckSuites, (p) => p.check_suites, long('reports')),
    ]);
    return { runs, suites, workflows: null };
  });
  if (whole) return whole;
  const none: Seen = { runs: [], suites: [], workflows: [] };
  return orHidden('jobs', hidden, none, (): Promise<Seen> =>
    readActionsJobs(ofRuns, repo, sha, long('jobs')),
  );
};

type Asked = Missing & { seen: Seen; wanted: readonly unknown[] };

/** Fetched only when needed; when forbidden, every suite counts. */
const workflowsOf = async (
  client: GitHubClient,
  repo: RepositoryParams,
  sha: string,
  { seen, wanted, hidden, long }: Asked,
): Promise<WorkflowRun[]> => {
  if (seen.workflows) return seen.workflows;
  if (wanted.length === 0 && !needsWorkflows(seen.runs, seen.suites)) return [];
  const unread = wanted.length > 0 ? hidden : [];
  return orHidden('jobs', unread, [], () => readWorkflowRuns(client, repo, sha, long('jobs')));
};

const orHidden = async <T, F>(
  part: PollPart,
  hidden: PollFailure[],
  fallback: F,
  go: () => Promise<T>,
): Promise<T | F> => {
  try {
    return await go();
  } catch (error) {
    if (!isWithheldPart(error)) throw error;
    const { status, message: says } = error;
    const kind = status === 403 ? 'forbidden' : status === 404 ? 'missing' : 'refused';
    const refusal = findHostRefusal(error);
    hidden.push({ kind, status, parts: [part], message: says, ...(refusal && { refusal }) });
    return fallback;
  }
};
