/** F6: has what failed on a commit run again. */
import { z } from 'zod';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { orWhenHidden, type Client, type Named } from './client.ts';

const Ran = z.object({ id: z.number(), status: z.string().nullish(), conclusion: z.string().nullish() });
const WorkflowRuns = z.object({ workflow_runs: z.array(Ran) });
const Suites = z.object({ check_suites: z.array(Ran) });

/**
 * Failed jobs of Actions; else the failed suites of other apps, which only an App may ask for
 * again.
 */
export const rerunFailed = async (client: Client, at: Named, sha: string): Promise<void> => {
  const runs = client.pages(
    '/repos/{owner}/{repo}/actions/runs',
    { ...at, head_sha: sha },
    WorkflowRuns,
    (p) => p.workflow_runs,
  );
  const jobs = (await orWhenHidden(runs, [])).filter(hasFailed);
  for (const { id } of jobs) {
    await client.post(
      '/repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
      { ...at, run_id: id },
      z.unknown(),
    );
  }
  if (jobs.length > 0) return;
  const suites = await client.pages(
    '/repos/{owner}/{repo}/commits/{ref}/check-suites',
    { ...at, ref: sha },
    Suites,
    (p) => p.check_suites,
  );
  const failed = suites.filter(hasFailed);
  if (failed.length === 0) {
    throw new OutsideFailure(
      'forge_refused',
      'There is no failed check that we could start again. Re-run it on GitHub.',
    );
  }
  for (const { id } of failed) {
    await client.post(
      '/repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest',
      { ...at, check_suite_id: id },
      z.unknown(),
    );
  }
};

const hasFailed = (r: z.infer<typeof Ran>): boolean =>
  r.status === 'completed' && !FINE.includes(r.conclusion ?? '');
const FINE = ['success', 'neutral', 'skipped'];
