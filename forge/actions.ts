/** F8: the jobs of GitHub Actions on a commit, for credentials that may not read check runs: fine-grained tokens never may. */
import { z } from 'zod';
import { CheckRun, isHeld } from '../orchestrator/ports/check-facts.ts';
import type { Client, Named } from './client.ts';

const text = z.string().nullish();
const Runs = z.object({
  workflow_runs: z.array(z.object({ id: z.number(), status: text, conclusion: text })),
});
const Jobs = z.object({ jobs: z.array(CheckRun.omit({ app: true }).extend({ html_url: text })) });
/** As check runs name it: a job and its check run have one id and one name. */
const APP = { slug: 'github-actions', id: 15_368 };

/** Newest tries only. `held`: a workflow waits until a maintainer allows it. `cut` is told when there are more than we read. */
export const readJobs = async (client: Client, repo: Named, sha: string, cut: () => void) => {
  const runs = await client.pages(
    '/repos/{owner}/{repo}/actions/runs',
    { ...repo, head_sha: sha },
    Runs,
    (page) => page.workflow_runs,
    cut,
  );
  const jobs = await Promise.all(
    runs.map(({ id: run_id }) =>
      client.pages(
        '/repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
        { ...repo, run_id, filter: 'latest' },
        Jobs,
        (page) => page.jobs,
        cut,
      ),
    ),
  );
  return { runs: jobs.flat().map((job) => ({ ...job, app: APP })), held: runs.some(isHeld) };
};
