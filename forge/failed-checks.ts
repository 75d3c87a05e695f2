/** Reads the failed checks of a commit with their logs (F6). */
import { z } from 'zod';
import { CheckRun, CommitStatus } from './github-facts.ts';
import type { FailedCheck } from '#ports/forge';
import { readActionsJobs } from './actions-jobs.ts';
import { newestRuns } from './commit-checks.ts';
import {
  isWithheldPart,
  fallBackWhenHidden,
  ITEMS_PER_PAGE,
  type GitHubClient,
  type RepositoryParams,
} from './github-client.ts';
import { MB } from '#model/values';

const text = z.string().nullish();
const Run = CheckRun.extend({
  html_url: text,
  details_url: text,
  output: z.object({ title: text, summary: text, text, annotations_count: z.number().nullish() }).nullish(),
  // Drops the output of other checks to save memory.
}).transform((run) => (isRed(run) ? run : { ...run, output: null }));
type Run = z.infer<typeof Run>;
const Runs = z.object({ check_runs: z.array(Run) });
const Status = CommitStatus.extend({ description: text, target_url: text });
type Status = z.infer<typeof Status>;
const Statuses = z.object({ statuses: z.array(Status) });
const Annotations = z.array(
  z.object({ path: z.string(), start_line: z.number().nullish(), annotation_level: text, message: text }),
);

const MAX_FAILED_CHECKS = 10;
const MAX_CHECK_LOG_LENGTH = 2 * MB;
const RED_CONCLUSIONS = ['failure', 'timed_out', 'startup_failure', 'cancelled'];
const isRed = (run: CheckRun): boolean => RED_CONCLUSIONS.includes(run.conclusion ?? '');
const compareRuns = (one: Run, other: Run): number =>
  Number(one.conclusion === 'cancelled') - Number(other.conclusion === 'cancelled') ||
  byName(one, other) ||
  one.id - other.id;
const byName = (one: { name: string }, other: { name: string }): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0;

export const readFailedChecks = async (
  client: GitHubClient,
  repo: RepositoryParams,
  sha: string,
): Promise<FailedCheck[]> => {
  const at = { ...repo, ref: sha };
  const allowCut = (): void => undefined;
  const [runs, statuses] = await Promise.all([
    client
      .pages(
        '/repos/{owner}/{repo}/commits/{ref}/check-runs',
        { ...at, filter: 'latest' },
        Runs,
        (p) => p.check_runs,
        allowCut,
      )
      .catch(async (error: unknown): Promise<Run[]> => {
        if (!isWithheldPart(error)) throw error;
        const none = { runs: [], suites: [], workflows: [] };
        const { runs: jobs } = await fallBackWhenHidden(readActionsJobs(client, repo, sha, allowCut), none);
        return jobs.map((job) => ({ ...job, details_url: null, output: null }));
      }),
    client
      .pages('/repos/{owner}/{repo}/commits/{ref}/status', at, Statuses, (p) => p.statuses, allowCut)
      .catch((error: unknown): Status[] => {
        if (!isWithheldPart(error)) throw error;
        return [];
      }),
  ]);
  const red = newestRuns(runs).filter(isRed).sort(compareRuns);
  const failed = statuses
    .filter((status) => status.state === 'failure' || status.state === 'error')
    .map(ofStatus)
    .sort(byName);
  const room = Math.max(MAX_FAILED_CHECKS - failed.length, MAX_FAILED_CHECKS / 2);
  const ofRuns = await Promise.all(
    red.slice(0, room).map(async (run) => ({
      name: run.name,
      url: run.html_url ?? run.details_url ?? null,
      ...(await logOf(client, repo, run)),
    })),
  );
  return [...ofRuns, ...failed].slice(0, MAX_FAILED_CHECKS);
};

const ofStatus = ({ context, description, target_url }: Status): FailedCheck => ({
  name: context,
  url: target_url ?? null,
  log: joinTexts([description, target_url]),
});

/** A missing log is replaced by the check's own output. */
const logOf = async (
  client: GitHubClient,
  repo: RepositoryParams,
  run: Run,
): Promise<Pick<FailedCheck, 'log' | 'lines'>> => {
  if (run.app?.slug === 'github-actions') {
    const route = '/repos/{owner}/{repo}/actions/jobs/{job_id}/logs';
    const log = await fallBackWhenHidden(client.text(route, { ...repo, job_id: run.id }), null);
    if (log?.trim()) return { log: withoutMarks(log), lines: await readAnnotations(client, repo, run) };
  }
  const { title, summary, text: words } = run.output ?? {};
  const all = joinTexts([title, summary, words, ...(await readAnnotations(client, repo, run))]);
  return { log: all.slice(-MAX_CHECK_LOG_LENGTH) };
};

/** Omits Actions' generic error annotation, which concerns no file. */
const readAnnotations = async (client: GitHubClient, repo: RepositoryParams, run: Run): Promise<string[]> => {
  const { annotations_count } = run.output ?? {};
  const route = '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations';
  const asked = { ...repo, check_run_id: run.id, per_page: ITEMS_PER_PAGE };
  const annotations =
    annotations_count === 0 ? [] : await fallBackWhenHidden(client.get(route, asked, Annotations), []);
  return annotations
    .filter((one) => one.annotation_level !== 'notice' && one.path !== '.github')
    .map(({ path, start_line, message }) => `${path}:${start_line ?? 1}: ${message ?? ''}`);
};

const joinTexts = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part?.trim()).join('\n');

const withoutMarks = (log: string): string =>
  log
    .replace(/^\uFEFF/, '')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z ?/gm, '')
    .replace(/^##\[endgroup\]\r?\n?/gm, '')
    .replace(/^##\[(?:group|section|command)\]/gm, '');
