/** F3: what ran on a commit and what its base branch requires, folded to one fact for each app and name. */
import { z } from 'zod';
import type { CheckFact } from '../orchestrator/core/verdict.ts';
import {
  checkKey,
  CheckRun,
  CheckSuite,
  CommitStatus,
  isHeld,
  ofCheckRun,
  ofStatus,
} from '../orchestrator/ports/check-facts.ts';
import { orWhenHidden, type Client } from './client.ts';

const CheckRuns = z.object({ check_runs: z.array(CheckRun) });
const CheckSuites = z.object({ check_suites: z.array(CheckSuite) });
const Statuses = z.object({ statuses: z.array(CommitStatus) });
const Rules = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({ required_status_checks: z.array(z.object({ context: z.string() })).optional() })
      .nullish(),
  }),
);
const Branch = z.object({
  protection: z
    .object({
      required_status_checks: z
        .object({
          contexts: z.array(z.string()).nullish(),
          checks: z.array(z.object({ context: z.string() })).nullish(),
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

export const readChecks = async (
  client: Client,
  repo: { owner: string; repo: string },
  sha: string,
  base: string,
): Promise<{ checks: CheckFact[]; required: string[]; held: boolean }> => {
  const at = { ...repo, ref: sha };
  const [runs, suites, statuses, required] = await Promise.all([
    client.pages(
      '/repos/{owner}/{repo}/commits/{ref}/check-runs',
      { ...at, filter: 'latest' },
      CheckRuns,
      (p) => p.check_runs,
    ),
    client.pages('/repos/{owner}/{repo}/commits/{ref}/check-suites', at, CheckSuites, (p) => p.check_suites),
    client.pages('/repos/{owner}/{repo}/commits/{ref}/status', at, Statuses, (p) => p.statuses),
    requiredOn(client, repo, base),
  ]);
  const checks = [...newestRuns(runs).map(ofCheckRun), ...statuses.map(ofStatus)];
  return { checks, required, held: suites.some(isHeld) };
};

/** Rulesets and classic protection together; a branch without either requires nothing. */
const requiredOn = async (
  client: Client,
  repo: { owner: string; repo: string },
  branch: string,
): Promise<string[]> => {
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
    .flatMap((r) => r.parameters?.required_status_checks?.map((c) => c.context) ?? []);
  const protection = classic.protection?.required_status_checks;
  const names = [
    ...ruled,
    ...(protection?.contexts ?? []),
    ...(protection?.checks?.map((c) => c.context) ?? []),
  ];
  return [...new Set(names)].sort();
};
