/** F3: what ran on a commit and what its base branch requires, folded to one fact for each app and name. */
import { z } from 'zod';
import { CheckFact } from '../orchestrator/core/verdict.ts';
import { orWhenHidden, type Client } from './client.ts';

const time = z
  .string()
  .nullish()
  .transform((text) => (text ? Date.parse(text) || 0 : 0));
/** A conclusion that GitHub adds later is nobody's success: a person has to look. */
const conclusion = CheckFact.shape.conclusion.catch('action_required');
const CheckRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      status: z.string(),
      conclusion: conclusion.optional().default(null),
      started_at: time,
      app: z.object({ slug: z.string().nullish(), id: z.number().nullish() }).nullish(),
    }),
  ),
});
type CheckRun = z.infer<typeof CheckRuns>['check_runs'][number];
const Statuses = z.object({
  statuses: z.array(z.object({ context: z.string(), state: z.string(), created_at: time, updated_at: time })),
});
type Status = z.infer<typeof Statuses>['statuses'][number];
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

export const checkKey = (app: CheckRun['app'], name: string): string =>
  `${app?.slug ?? app?.id ?? 'unknown'}/${name}`;
export const statusKey = (context: string): string => `status/${context}`;

export const ofCheckRun = (run: CheckRun): CheckFact => {
  const status =
    run.status === 'completed' ? 'completed' : run.status === 'in_progress' ? 'in_progress' : 'queued';
  return {
    key: checkKey(run.app, run.name),
    name: run.name,
    status,
    conclusion: status === 'completed' ? (run.conclusion ?? 'action_required') : null,
    startedAt: run.started_at,
  };
};

export const ofStatus = (status: Status): CheckFact => ({
  key: statusKey(status.context),
  name: status.context,
  status: status.state === 'pending' ? 'in_progress' : 'completed',
  conclusion: status.state === 'pending' ? null : status.state === 'success' ? 'success' : 'failure',
  startedAt: status.created_at || status.updated_at,
});

/** The newest of each key: by start, then by id, since GitHub may show the runs of several suites. */
const newest = (runs: readonly CheckRun[]): CheckFact[] => {
  const byKey = new Map<string, CheckFact>();
  for (const run of [...runs].sort((a, b) => a.started_at - b.started_at || a.id - b.id)) {
    byKey.set(checkKey(run.app, run.name), ofCheckRun(run));
  }
  return [...byKey.values()];
};

export const readChecks = async (
  client: Client,
  repo: { owner: string; repo: string },
  sha: string,
  base: string,
): Promise<{ checks: CheckFact[]; required: string[] }> => {
  const at = { ...repo, ref: sha };
  const [runs, statuses, required] = await Promise.all([
    client.pages(
      '/repos/{owner}/{repo}/commits/{ref}/check-runs',
      { ...at, filter: 'latest' },
      CheckRuns,
      (p) => p.check_runs,
    ),
    client.pages('/repos/{owner}/{repo}/commits/{ref}/status', at, Statuses, (p) => p.statuses),
    requiredOn(client, repo, base),
  ]);
  return { checks: [...newest(runs), ...statuses.map(ofStatus)], required };
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
