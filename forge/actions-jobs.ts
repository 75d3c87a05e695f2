/** Reads Actions jobs instead of check runs, which fine-grained tokens may not read (F8). */
import { z } from 'zod';
import { ACTIONS_APP, CheckRun, type CheckSuite } from './github-facts.ts';
import type { GitHubClient, RepositoryParams } from './github-client.ts';
import { readWorkflowRuns, type WorkflowRun } from './workflow-runs.ts';

const Jobs = z.object({
  jobs: z.array(CheckRun.omit({ app: true, check_suite: true }).extend({ html_url: z.string().nullish() })),
});

export const readActionsJobs = async (
  client: GitHubClient,
  repo: RepositoryParams,
  sha: string,
  cut: () => void,
) => {
  const workflows = await readWorkflowRuns(client, repo, sha, cut);
  const runs = await Promise.all(
    workflows.map(async ({ id: run_id, check_suite_id }) => {
      const jobs = await client.pages(
        '/repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
        { ...repo, run_id, filter: 'latest' },
        Jobs,
        (page) => page.jobs,
        cut,
      );
      return jobs.map((job) => ({ ...job, app: ACTIONS_APP, check_suite: { id: check_suite_id ?? run_id } }));
    }),
  );
  return { runs: runs.flat(), suites: workflows.map(suiteOf), workflows };
};

const suiteOf = (run: WorkflowRun): CheckSuite => ({
  id: run.check_suite_id ?? run.id,
  status: run.status,
  conclusion: run.conclusion,
  app: ACTIONS_APP,
  created_at: run.run_started_at,
});
