/** F3, F8: lists of checks in many pages, cut, huge, or not to be read. */
import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pullNumber } from '../../../forge/github-facts.ts';
import { createGitHubForge } from '../../../forge/github.ts';
import type { PullFacts } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { answer, type GitHub, startGitHub } from '#playground';

const NOW = 1_767_614_400_000;
const repo = 'acme/api';
let github: GitHub;
let forge: ForgePort;
let head = '';
let branches = 0;

const forgeWith = (token: string, timeoutMs?: number): ForgePort =>
  createGitHubForge({
    apiUrl: `${github.url}/`,
    token: () => Promise.resolve(token),
    userAgent: 'agentpr-test',
    clock: { now: () => NOW },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
  const made = await github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'hi\n' } });
  made.grant('bot', 'write');
  forge = forgeWith('tok');
});
afterAll(() => github.stop());
beforeEach(() => github.faults.clear());

const branch = async (): Promise<string> => {
  const name = `fix-${(branches += 1)}`;
  execFileSync('git', ['-C', github.repo(repo).dir, 'branch', name, 'main']);
  head = await github.repo(repo).pushForeign(name, { files: { [`${name}.txt`]: 'x\n' } });
  return name;
};
const open = async (name: string): Promise<PullFacts> => {
  const made = await forge.createPull(repo, {
    title: 'Fix it',
    body: 'Because.',
    head: name,
    base: 'main',
    draft: false,
    maintainerCanModify: true,
  });
  if (!made) throw new Error('there was one already');
  return made;
};

describe('facts', () => {
  it('F3: holds of what checks say no more than their names, however much they say', async () => {
    await branch();
    const words = 'w'.repeat(10_000);
    const check_runs = Array.from({ length: 99 }, (_, id) => ({
      id,
      name: `n${id}`,
      status: 'completed',
      conclusion: 'success',
      started_at: null,
      app: null,
      output: { title: words, summary: words, text: words },
    }));
    const of = 'GET /repos/{owner}/{repo}/commits/{ref}';
    github.faults.always(`${of}/check-runs`, answer(200, { check_runs }, { etag: '"same"' }));
    github.faults.always(`${of}/check-suites`, answer(200, { check_suites: [] }));
    github.faults.always(`${of}/status`, answer(200, { statuses: [] }));
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = (): number => (collect(), process.memoryUsage().heapUsed);
    const before = held();
    for (let i = 0; i < 12; i += 1) {
      await forge.checks(repo, `${i}`.padStart(40, '0'), 'main');
      await forge.failedChecks(repo, `${i}`.padStart(40, '0'));
    }
    // 24 answers of 3 MB each.
    expect(held() - before).toBeLessThan(20_000_000);
  });

  it('F3: reads all pages of checks', async () => {
    await branch();
    for (let i = 0; i < 130; i += 1)
      github.repo(repo).setCheck(head, { name: `job ${i}`, conclusion: 'success' });
    expect((await forge.checks(repo, head, 'main')).checks).toHaveLength(130);
  });

  const RUNS = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';
  const page = (no: number) => {
    const one = { status: 'completed', conclusion: 'success', started_at: null, app: null };
    return {
      check_runs: Array.from({ length: 100 }, (_, i) => ({ ...one, name: `${no}.${i}`, id: no * 100 + i })),
    };
  };

  it('F8: reads on where a commit has more than a thousand checks', async () => {
    await branch();
    for (let no = 0; no < 12; no += 1) github.faults.next(RUNS, answer(200, page(no)));
    const { checks, unread } = await forge.checks(repo, head, 'main');
    expect([checks.length, unread]).toEqual([1_200, null]);
  });

  it('F3: reads on where pages are shorter than was asked for, or empty: GitHub says whether there is a next one', async () => {
    await branch();
    const link = {
      link: '<https://api.github.com/x?page=9>; rel="prev", <https://api.github.com/x?page=2>; rel="next"',
    };
    const last = { link: '<https://api.github.com/x?page=1>; rel="first"' };
    const some = page(0).check_runs.slice(0, 30);
    const red = { ...page(1).check_runs[0], name: 'last', conclusion: 'failure' };
    github.faults.next(RUNS, answer(200, { check_runs: some }, link));
    github.faults.next(RUNS, answer(200, { check_runs: [] }, link));
    github.faults.next(RUNS, answer(200, { check_runs: [red] }, last));
    const { checks, unread } = await forge.checks(repo, head, 'main');
    expect([checks.length, unread]).toEqual([31, null]);
    expect(checks.at(-1)).toMatchObject({ name: 'last', outcome: 'failed' });
  });

  it('F3: knows of a next page also where the first one did not change', async () => {
    await branch();
    const tag = { etag: '"1"', link: '<https://api.github.com/x?page=2>; rel="next"' };
    const some = page(0).check_runs.slice(0, 30);
    const [one] = page(1).check_runs;
    github.faults.next(RUNS, answer(200, { check_runs: some }, tag));
    github.faults.next(RUNS, answer(200, { check_runs: [one] }));
    expect((await forge.checks(repo, head, 'main')).checks).toHaveLength(31);
    github.faults.next(RUNS, answer(304, ''));
    github.faults.next(RUNS, answer(200, { check_runs: [one] }));
    expect((await forge.checks(repo, head, 'main')).checks).toHaveLength(31);
  });

  it.each([
    [403, 'forbidden'],
    [404, 'missing'],
    [410, 'refused'],
    [451, 'refused'],
  ] as const)(
    'F8: reads statuses where check runs are answered with %i, and says so',
    async (status, kind) => {
      await branch();
      github.faults.always(RUNS, answer(status, { message: 'no' }));
      github.faults.always('GET /repos/{owner}/{repo}/actions/runs', answer(status, { message: 'no' }));
      const red = { context: 'ci', state: 'failure', created_at: '2026-01-01T00:00:00Z', updated_at: null };
      github.faults.always(
        'GET /repos/{owner}/{repo}/commits/{ref}/status',
        answer(200, { statuses: [red] }),
      );
      const { checks, unread } = await forge.checks(repo, head, 'main');
      expect(checks).toMatchObject([{ name: 'ci', outcome: 'failed' }]);
      expect(unread).toMatchObject({ kind, status, parts: ['jobs', 'reports'] });
      expect(await forge.failedChecks(repo, head)).toMatchObject([{ name: 'ci' }]);
    },
  );

  it('F8: says of a list that does not end that it was not read whole: what is left out may have failed', async () => {
    await branch();
    github.faults.always(RUNS, answer(200, page(0)));
    const { checks, unread } = await forge.checks(repo, head, 'main');
    expect(checks).toHaveLength(100);
    expect(unread).toMatchObject({ kind: 'long', parts: ['reports'] });
  });

  it('F8: reads what a fine-grained token may read, which is no check run, and says what it may not', async () => {
    await branch();
    const no = answer(403, { message: 'Resource not accessible by personal access token' });
    const job = {
      id: 5,
      name: 'test',
      status: 'completed',
      conclusion: 'failure',
      started_at: '2026-01-01T00:00:00Z',
    };
    const ran = { id: 1, status: 'completed', conclusion: 'failure' };
    github.faults.always(RUNS, no);
    github.faults.always('GET /repos/{owner}/{repo}/actions/runs', answer(200, { workflow_runs: [ran] }));
    const jobs = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';
    github.faults.always(jobs, answer(200, { jobs: [job] }));
    const { checks, unread } = await forge.checks(repo, head, 'main');
    expect(checks).toMatchObject([{ key: 'github-actions/1/test', outcome: 'failed' }]);
    expect(unread).toMatchObject({ kind: 'forbidden', status: 403, parts: ['reports'] });
    github.faults.clear();
    github.faults.always(RUNS, no);
    github.faults.always('GET /repos/{owner}/{repo}/commits/{ref}/status', no);
    github.faults.always('GET /repos/{owner}/{repo}/actions/runs', no);
    expect(await forge.checks(repo, head, 'main')).toMatchObject({
      checks: [],
      unread: { parts: ['jobs', 'reports', 'statuses'] },
    });
  });

  it('P3: counts our own open pull requests, and nobody else’s', async () => {
    const before = await forge.openPulls(repo);
    const { id } = await open(await branch());
    expect(await forge.openPulls(repo)).toBe(before + 1);
    github.addUser('kim', 'tok-kim', ['repo']);
    github.repo(repo).grant('kim', 'write');
    const kim = forgeWith('tok-kim');
    const [title, body, base] = ['Other', 'Why not.', 'main'];
    await kim.createPull(repo, {
      title,
      body,
      head: await branch(),
      base,
      draft: false,
      maintainerCanModify: true,
    });
    expect([await kim.openPulls(repo), await forge.openPulls(repo)]).toEqual([1, before + 1]);
    await github.repo(repo).close(pullNumber(id));
    expect(await forge.openPulls(repo)).toBe(before);
  });

  it('asks for failed checks to run again, and says when there is none', async () => {
    await branch();
    await expect(forge.rerun(repo, head)).rejects.toMatchObject({ class: 'forge_refused' });
    const before = github.repo(repo).reruns;
    github.repo(repo).setCheck(head, { name: 'test', conclusion: 'failure' });
    await forge.rerun(repo, head);
    expect(github.repo(repo).reruns).toBe(before + 1);
  });
});
