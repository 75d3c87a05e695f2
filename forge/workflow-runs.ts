/** Reads the workflow runs of a commit, so that a re-run replaces only its predecessor (F3). */
import { z } from 'zod';
import type { CheckFact, MergeRequirement } from '#model/ci';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { toCheckOutcome, timeSchema } from './github-facts.ts';
import type { WantedWorkflow } from './branch-requirements.ts';

const text = z.string().nullish();
const WorkflowRun = z.object({
  id: z.number(),
  name: text,
  path: text,
  event: text,
  workflow_id: z.number().nullish(),
  run_number: z.number().nullish(),
  run_attempt: z.number().nullish(),
  status: text,
  conclusion: text,
  check_suite_id: z.number().nullish(),
  run_started_at: timeSchema,
  repository: z.object({ id: z.number(), full_name: text }).nullish(),
});
export type WorkflowRun = z.infer<typeof WorkflowRun>;
const Runs = z.object({ workflow_runs: z.array(WorkflowRun) });

export const readWorkflowRuns = (
  client: GitHubClient,
  repo: RepositoryParams,
  sha: string,
  cut: () => void,
): Promise<WorkflowRun[]> =>
  client.pages(
    '/repos/{owner}/{repo}/actions/runs',
    { ...repo, head_sha: sha },
    Runs,
    (page) => page.workflow_runs,
    cut,
  );

/** Highest run number, then latest attempt, per workflow and trigger. */
export const selectLatestRuns = (runs: readonly WorkflowRun[]): WorkflowRun[] => {
  const rankOf = (run: WorkflowRun): number[] => [run.run_number ?? 0, run.run_attempt ?? 0, run.id];
  const inOrder = [...runs].sort((a, b) => compareLists(rankOf(a), rankOf(b)));
  const nameOf = (run: WorkflowRun): string => `${run.workflow_id ?? run.path ?? run.id} ${run.event ?? ''}`;
  return [...new Map(inOrder.map((run) => [nameOf(run), run])).values()];
};
const compareLists = (one: readonly number[], other: readonly number[]): number => {
  const i = one.findIndex((n, at) => n !== other[at]);
  return i < 0 ? 0 : (one[i] ?? 0) - (other[i] ?? 0);
};

/** GitHub, "Get a workflow run": `owner/repo/.github/workflows/ci.yml@ref`, or only the file. */
const fileOf = (run: WorkflowRun): { owner: string; file: string } => {
  const [path = ''] = (run.path ?? '').split('@');
  const at = path.indexOf('.github/workflows/');
  return { owner: path.slice(0, Math.max(at, 0)).replace(/\/$/, ''), file: path.slice(Math.max(at, 0)) };
};

type RequiredWorkflow = { required: MergeRequirement[]; facts: CheckFact[] };

export const toRequiredWorkflow = (
  wanted: readonly WantedWorkflow[],
  runs: readonly WorkflowRun[],
  names: ReadonlyMap<number, string>,
): RequiredWorkflow => {
  const made = wanted.map((one): RequiredWorkflow => {
    const { by, unsure } = runsFor(one, runs, names);
    const name = one.path.replace(/^\.github\/workflows\//, '');
    const facts = by.map((run): CheckFact => ({
      key: `workflow/${one.path}/${run.workflow_id ?? run.id}/${run.event ?? ''}`,
      name,
      kind: 'workflow',
      app: null,
      ...toCheckOutcome(run),
      startedAt: run.run_started_at,
    }));
    return { required: [{ kind: 'workflow', name, app: null, unsure }], facts };
  });
  return { required: made.flatMap((one) => one.required), facts: made.flatMap((one) => one.facts) };
};

/** The repository must be known, as many have a file of the same path. */
const runsFor = (
  { path, repository }: WantedWorkflow,
  runs: readonly WorkflowRun[],
  names: ReadonlyMap<number, string>,
): { by: WorkflowRun[]; unsure: boolean } => {
  const named = runs.filter((run) => fileOf(run).file === path);
  const ours = runs.find((run) => run.repository?.id === repository);
  const home = (ours ?? runs[0])?.repository?.full_name ?? '';
  const isOf = (run: WorkflowRun, name: string): boolean =>
    fileOf(run).owner.toLowerCase() === name.toLowerCase();
  const ofHome = named.filter((run) => fileOf(run).owner === '' || isOf(run, home));
  if (ours) return { by: ofHome, unsure: false };
  const owner = repository === null ? undefined : names.get(repository);
  const theirs = owner === undefined ? [] : named.filter((run) => isOf(run, owner));
  if (theirs.length > 0) return { by: theirs, unsure: false };
  const away = named.filter((run) => !ofHome.includes(run));
  return { by: away.length > 0 ? away : named, unsure: true };
};

const Repo = z.object({ full_name: z.string() });

export const readWorkflowRepositories = async (
  client: GitHubClient,
  wanted: readonly WantedWorkflow[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(wanted.flatMap(({ repository }) => repository ?? []))];
  const found = await Promise.all(
    ids.map(async (id): Promise<[number, string][]> => {
      const repo = await fallBackWhenHidden(client.get('/repositories/{id}', { id }, Repo), null);
      return repo ? [[id, repo.full_name]] : [];
    }),
  );
  return new Map(found.flat());
};
