/** F6: finds red checks that are also red on the base, or flaky. */
import { z } from 'zod';
import { newestRuns } from './checks.ts';
import { isWithheldPart, type GitHubClient, type RepositoryParams } from './github-client.ts';
import { CheckRun, CommitStatus, ofCheckRun, ofStatus } from './github-facts.ts';

const Runs = z.object({ check_runs: z.array(CheckRun) });
const Statuses = z.object({ statuses: z.array(CommitStatus) });

/** Stopped from outside: says nothing about the change. */
const INTERRUPTED_CONCLUSIONS = ['cancelled', 'timed_out', 'startup_failure'];
const isInterrupted = (run: CheckRun): boolean => INTERRUPTED_CONCLUSIONS.includes(run.conclusion ?? '');
const ignoreTruncation = (): void => undefined;

/** An unreadable base counts as not red, so the change is examined. */
const orNone = async <T>(go: Promise<T[]>): Promise<T[]> =>
  go.catch((error: unknown): T[] => {
    if (!isWithheldPart(error)) throw error;
    return [];
  });

const runsOn = (client: GitHubClient, repo: RepositoryParams, ref: string, filter: 'latest' | 'all') =>
  orNone(
    client.pages(
      '/repos/{owner}/{repo}/commits/{ref}/check-runs',
      { ...repo, ref, filter },
      Runs,
      (page) => page.check_runs,
      ignoreTruncation,
    ),
  );

export const readRedOnBaseOrFlaky = async (
  client: GitHubClient,
  repo: RepositoryParams,
  sha: string,
  base: string,
): Promise<{ onBase: string[]; flaky: string[] }> => {
  const [there, statuses, here] = await Promise.all([
    runsOn(client, repo, `heads/${base}`, 'latest'),
    orNone(
      client.pages(
        '/repos/{owner}/{repo}/commits/{ref}/status',
        { ...repo, ref: `heads/${base}` },
        Statuses,
        (page) => page.statuses,
        ignoreTruncation,
      ),
    ),
    runsOn(client, repo, sha, 'all'),
  ]);
  // guard: F6-interrupted-base
  const finished = newestRuns(there).filter((run) => !isInterrupted(run));
  const facts = [...finished.map(ofCheckRun), ...statuses.map((one) => ofStatus(one))];
  const onBase = facts.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
  const isRed = (run: CheckRun): boolean => ofCheckRun(run).outcome === 'failed';
  const passed = new Set(here.filter((run) => run.conclusion === 'success').map(({ name }) => name));
  const flaky = newestRuns(here)
    .filter((run) => isRed(run) && (isInterrupted(run) || passed.has(run.name)))
    .map(({ name }) => name);
  return { onBase: unique(onBase), flaky: unique(flaky) };
};

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();
