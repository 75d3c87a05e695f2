/** F3: what ran on a commit and what its base branch requires, folded to one fact for each app and name. */
import { z } from 'zod';
import type { CheckFact } from '../orchestrator/core/machine/verdict.ts';
import {
  checkKey,
  CheckRun,
  CheckSuite,
  CommitStatus,
  isHeld,
  ofCheckRun,
  ofStatus,
} from '../orchestrator/ports/check-facts.ts';
import type { PollPart, Trouble } from '../orchestrator/core/machine/sight.ts';
import { readJobs } from './actions.ts';
import { isKept, orWhenHidden, type Client, type Named } from './client.ts';

const CheckRuns = z.object({ check_runs: z.array(CheckRun) });
const CheckSuites = z.object({ check_suites: z.array(CheckSuite) });
const Statuses = z.object({ statuses: z.array(CommitStatus) });
/** A check that must pass, and the app that must have said so, when only one may. */
type Wanted = { context: string; app?: number | null | undefined };
const Rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        required_status_checks: z
          .array(z.object({ context: z.string(), integration_id: z.number().nullish() }))
          .optional(),
      })
      .nullish(),
  }),
);
const Branch = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({
          contexts: z.array(z.string()).nullish(),
          checks: z.array(z.object({ context: z.string(), app_id: z.number().nullish() })).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/**
 * The newest of each app and name: by start, then by id, since GitHub may show the runs of several suites. One that has
 * not started yet is newer than any that has.
 */
export const newestRuns = <R extends CheckRun>(runs: readonly R[]): R[] => {
  const start = (run: R): number => run.started_at || (run.status === 'completed' ? 0 : Infinity);
  const inOrder = [...runs].sort((a, b) => compare(start(a), start(b)) || a.id - b.id);
  return [...new Map(inOrder.map((run) => [checkKey(run.app, run.name), run])).values()];
};
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** F8: what may be read is read; `unread` says what may not, or what is too much. Neither makes a green. */
export const readChecks = async (
  client: Client,
  repo: Named,
  sha: string,
  base: string,
): Promise<{ checks: CheckFact[]; required: string[]; held: boolean; unread: Trouble | null }> => {
  const hidden: Trouble[] = [];
  const long = (part: PollPart) => (): void =>
    void hidden.push({ kind: 'long', status: null, parts: [part], says: '' });
  const [seen, statuses, wanted] = await Promise.all([
    runsOf(client, repo, sha, { hidden, long }),
    orHidden('statuses', hidden, [], () =>
      client.pages(
        '/repos/{owner}/{repo}/commits/{ref}/status',
        { ...repo, ref: sha },
        Statuses,
        (p) => p.statuses,
        long('statuses'),
      ),
    ),
    requiredOn(client, repo, base),
  ]);
  const newest = newestRuns(seen.runs);
  const checks = [...newest.map(ofCheckRun), ...statuses.map(ofStatus)];
  const required = [...new Set(wanted.map((one) => nameOf(one, newest, statuses)))].sort();
  const [first] = hidden.sort((a, b) => compare(a.kind === 'long' ? 1 : 0, b.kind === 'long' ? 1 : 0));
  const unread = first ? { ...first, parts: [...new Set(hidden.flatMap((t) => t.parts))].sort() } : null;
  return { checks, required, held: seen.held, unread };
};

type Seen = { runs: CheckRun[]; held: boolean };

/** Check runs and their suites; of a credential that may not read them, the jobs of Actions, which are most of them. */
const runsOf = async (
  client: Client,
  repo: Named,
  sha: string,
  { hidden, long }: { hidden: Trouble[]; long: (part: PollPart) => () => void },
): Promise<Seen> => {
  const at = { ...repo, ref: sha };
  const whole = await orHidden('check_runs', hidden, null, async (): Promise<Seen> => {
    const [runs, suites] = await Promise.all([
      client.pages(
        '/repos/{owner}/{repo}/commits/{ref}/check-runs',
        { ...at, filter: 'latest' },
        CheckRuns,
        (p) => p.check_runs,
        long('check_runs'),
      ),
      client.pages(
        '/repos/{owner}/{repo}/commits/{ref}/check-suites',
        at,
        CheckSuites,
        (p) => p.check_suites,
        long('check_runs'),
      ),
    ]);
    return { runs, held: suites.some(isHeld) };
  });
  return (
    whole ??
    orHidden('actions', hidden, { runs: [], held: false }, (): Promise<Seen> =>
      readJobs(client, repo, sha, long('actions')),
    )
  );
};

/** A part that is not given to us, or not there, is no reason to be deaf to the rest. */
const orHidden = async <T, F>(
  part: PollPart,
  hidden: Trouble[],
  fallback: F,
  go: () => Promise<T>,
): Promise<T | F> => {
  try {
    return await go();
  } catch (error) {
    if (!isKept(error)) throw error;
    const { status, message: says } = error;
    const kind = status === 403 ? 'forbidden' : status === 404 ? 'missing' : 'refused';
    hidden.push({ kind, status, parts: [part], says });
    return fallback;
  }
};

/**
 * What a required check is called among those that we saw. The case of a status means nothing to GitHub ("Create a commit
 * status", `context`). A check of another app is not the one that is waited for, whatever its name; of a status nobody says whose it is.
 */
const nameOf = (
  { context, app }: Wanted,
  runs: readonly CheckRun[],
  statuses: readonly CommitStatus[],
): string => {
  const same = context.toLowerCase();
  const status = statuses.find((one) => one.context.toLowerCase() === same);
  if (status) return status.context;
  const named = runs.filter((run) => run.name === context);
  // Anybody's is -1 in older answers.
  const any = app === null || app === undefined || app < 0;
  return any || named.length === 0 || named.some((run) => run.app?.id === app)
    ? context
    : `${context} (of app ${app})`;
};

/** Rulesets and classic protection together; a branch without either requires nothing. */
const requiredOn = async (client: Client, repo: Named, branch: string): Promise<Wanted[]> => {
  const at = { ...repo, branch };
  const [rules, classic] = await Promise.all([
    orWhenHidden(
      client.pages('/repos/{owner}/{repo}/rules/branches/{branch}', at, Rules, (page) => page),
      [],
    ),
    orWhenHidden(client.get('/repos/{owner}/{repo}/branches/{branch}', at, Branch), { protection: null }),
  ]);
  const ruled = rules
    .filter((r) => r.type === 'required_status_checks')
    .flatMap((r) => r.parameters?.required_status_checks ?? [])
    .map((c) => ({ context: c.context, app: c.integration_id }));
  const protection = classic.protection?.required_status_checks;
  return [
    ...ruled,
    ...(protection?.contexts ?? []).map((context) => ({ context })),
    ...(protection?.checks ?? []).map((c) => ({ context: c.context, app: c.app_id })),
  ];
};
