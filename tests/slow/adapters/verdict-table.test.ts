/**
 * F3: what GitHub answers about a commit, and what AgentPR makes of it: every row with its source.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGitHubForge } from '../../../forge/github.ts';
import { foldCiObservation, createCiFacts } from '../../../orchestrator/kernel/ci/ci-facts.ts';
import { explainCiVerdict } from '#kernel';
import type { CiFacts } from '#model/ci';
import type { ForgePort } from '#ports/roles';
import { answer, startGitHub, type GitHub } from '#playground';
import type { Answers, Case, Json } from '../../support/verdicts/github.ts';
import { REQUIRED } from '../../support/verdicts/required.ts';
import { RULES } from '../../support/verdicts/rules.ts';
import { RUNS } from '../../support/verdicts/runs.ts';
import { SUITES } from '../../support/verdicts/suites.ts';

const SHA = 'a'.repeat(40);
const PATIENCE = { ciSettleMs: 25_000, noCiMs: 180_000 };
const LATER = 600_000;
let github: GitHub;
let forge: ForgePort;
beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
});
afterAll(() => github.stop());
beforeEach(() => {
  github.faults.clear();
  forge = createGitHubForge({
    apiUrl: `${github.url}/`,
    userAgent: 'agentpr-test',
    clock: { now: () => 0 },
    token: () => Promise.resolve('tok'),
  });
});

const R = '/repos/{owner}/{repo}';
const refused = (status: number) => answer(status, { message: 'Resource not accessible' });
const given = (
  route: string,
  value: Json[] | Json | number | undefined,
  shape: (value: unknown) => unknown,
) =>
  github.faults.always(
    `GET ${R}${route}`,
    typeof value === 'number' ? refused(value) : answer(200, shape(value ?? [])),
  );
const says = (a: Answers): void => {
  github.faults.clear();
  given('/commits/{ref}/check-runs', a.runs, (check_runs) => ({ check_runs }));
  given('/commits/{ref}/check-suites', a.suites, (check_suites) => ({ check_suites }));
  given('/commits/{ref}/status', a.statuses, (statuses) => ({ statuses }));
  given('/commits/{ref}/statuses', a.listed, (listed) => listed);
  given('/rules/branches/{branch}', a.rules, (rules) => rules);
  given('/branches/{branch}', a.branch ?? {}, (branch) => branch);
  given('/actions/runs', a.workflows, (workflow_runs) => ({ workflow_runs }));
  given('/actions/runs/{run_id}/jobs', Object.values(a.jobs ?? {}).flat(), (jobs) => ({ jobs }));
  const [slug = '', id] = Object.entries(a.apps ?? {})[0] ?? [];
  github.faults.always('GET /apps/{app_slug}', id === undefined ? refused(404) : answer(200, { id, slug }));
  const [name] = Object.values(a.repositories ?? {});
  const found = name === undefined ? refused(404) : answer(200, { full_name: name });
  github.faults.always('GET /repositories/{id}', found);
};
const looks = async (ci: CiFacts, at: number): Promise<CiFacts> => {
  const { unread, ...seen } = await forge.checks('acme/api', SHA, 'main');
  return foldCiObservation(ci, { ...seen, partial: unread !== null, polledAt: at }, at, PATIENCE);
};

const ALL: Case[] = [...RUNS, ...REQUIRED, ...SUITES, ...RULES];

describe('the verdict table', () => {
  it('F3: has at least 120 rows, each with its source', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(120);
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    for (const { source } of ALL)
      expect(source).toMatch(/^https:\/\/(docs\.)?github\.com\/|^@octokit\/openapi: /);
  });

  it.each(ALL)('F3: $name: $says', async (row) => {
    says(row.given);
    let ci = await looks(createCiFacts(0), 0);
    if (row.then) says(row.then);
    if (row.then || !row.young) ci = await looks(ci, row.young ? 1_000 : LATER);
    // What a later look saw for the first time has to be seen once more.
    if (!row.young) ci = await looks(ci, 2 * LATER);
    const { verdict, why } = explainCiVerdict(ci);
    expect(verdict).toBe(row.says);
    for (const one of row.why ?? []) expect(why).toContainEqual(expect.objectContaining(one));
  });
});
