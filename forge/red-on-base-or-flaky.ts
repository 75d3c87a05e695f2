/** Finds red checks that are also red on the base, or flaky (F6). */
import { z } from 'zod';
import { newestRuns } from './commit-checks.ts';
import {
  isWithheldPart,
  fallBackWhenHidden,
  type GitHubClient,
  type RepositoryParams,
} from './github-client.ts';
import { checkKey, CheckRun, CommitStatus, toCheckRunFact, toStatusFact } from './github-facts.ts';

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

/** What Actions notes of a job that its machine ended; nothing of that is the change's. */
const KILLED_NOTE =
  /\bexit code 137\b|\blost communication with the server\b|\bhas received a shutdown signal\b|\bno space left on device\b/i;
const Notes = z.array(z.object({ message: z.string().nullish() }));
const MAX_ASKED_RUNS = 10;

const findKilledRuns = async (
  client: GitHubClient,
  repo: RepositoryParams,
  red: readonly CheckRun[],
): Promise<ReadonlySet<number>> => {
  const route = '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations';
  const asked = red.filter(({ app }) => app?.slug === 'github-actions').slice(0, MAX_ASKED_RUNS);
  const notes = await Promise.all(
    asked.map(({ id }) =>
      fallBackWhenHidden(client.get(route, { ...repo, check_run_id: id, per_page: 100 }, Notes), []),
    ),
  );
  // guard: F6-killed-by-machine
  return new Set(
    asked.filter((_, i) => notes[i]?.some((one) => KILLED_NOTE.test(one.message ?? ''))).map(({ id }) => id),
  );
};

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
  const isRed = (run: CheckRun): boolean => toCheckRunFact(run).outcome === 'failed';
  const onBase = [
    // guard: F6-interrupted-base
    ...newestRuns(there).map((run): Named => [run.name, isRed(run) && !isInterrupted(run)]),
    ...statuses.map((one): Named => [one.context, toStatusFact(one).outcome === 'failed']),
  ];
  const killed = await findKilledRuns(client, repo, newestRuns(here).filter(isRed));
  const passed = new Set(here.filter((run) => run.conclusion === 'success').map(checkKey));
  const flaky = newestRuns(here)
    .filter(isRed)
    .map((run): Named => [run.name, isInterrupted(run) || killed.has(run.id) || passed.has(checkKey(run))]);
  return { onBase: namesOfAll(onBase), flaky: namesOfAll(flaky) };
};

type Named = [name: string, holds: boolean];

/** Two workflows may have a job of one name: what holds of one is not said of the other. */
const namesOfAll = (checks: readonly Named[]): string[] => {
  // guard: F6-each-of-a-name
  const isSaid = (name: string): boolean => checks.every(([of, holds]) => of !== name || holds);
  return [...new Set(checks.map(([name]) => name))].filter(isSaid).sort();
};
