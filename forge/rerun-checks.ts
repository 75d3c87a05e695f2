/** Re-runs what failed on a commit (F6). */
import { z } from 'zod';
import { failureDetail } from '#model/failure';
import { failureWithDetail } from '#ports/forge';
import { fallBackWhenHidden, type GitHubClient, type RepositoryParams } from './github-client.ts';

const Ran = z.object({ id: z.number(), status: z.string().nullish(), conclusion: z.string().nullish() });
const WorkflowRuns = z.object({ workflow_runs: z.array(Ran) });
const Suites = z.object({ check_suites: z.array(Ran) });

/** Other apps' suites need an App. GitHub answers 403 ("already running") while jobs run. */
export const rerunFailedChecks = async (
  client: GitHubClient,
  at: RepositoryParams,
  sha: string,
): Promise<'asked' | 'running'> => {
  const runs = client.pages(
    '/repos/{owner}/{repo}/actions/runs',
    { ...at, head_sha: sha },
    WorkflowRuns,
    (p) => p.workflow_runs,
  );
  const all = await fallBackWhenHidden(runs, []);
  // guard: F6-run-again-when-ended
  if (all.some(({ status }) => RUNNING_STATUSES.includes(status ?? ''))) return 'running';
  const jobs = all.filter(hasFailed);
  for (const { id } of jobs) {
    await client.post(
      '/repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
      { ...at, run_id: id },
      z.unknown(),
    );
  }
  if (jobs.length > 0) return 'asked';
  const suites = await client.pages(
    '/repos/{owner}/{repo}/commits/{ref}/check-suites',
    { ...at, ref: sha },
    Suites,
    (p) => p.check_suites,
  );
  const failed = suites.filter(hasFailed);
  if (failed.length === 0) {
    throw failureWithDetail(
      'forge_refused',
      'There is no failed check that we could start again. Re-run it on GitHub.',
      failureDetail({ kind: 'no_failed_check' }),
    );
  }
  for (const { id } of failed) {
    await client.post(
      '/repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest',
      { ...at, check_suite_id: id },
      z.unknown(),
    );
  }
  return 'asked';
};

/** `waiting` may last forever, so it does not count as running. */
const RUNNING_STATUSES = ['queued', 'in_progress', 'requested', 'pending'];

const hasFailed = (run: z.infer<typeof Ran>): boolean =>
  run.status === 'completed' && !FINE_CONCLUSIONS.includes(run.conclusion ?? '');
const FINE_CONCLUSIONS = ['success', 'neutral', 'skipped'];
