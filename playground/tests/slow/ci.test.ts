/** Tests the local GitHub's CI: real jobs, their logs, and the sample agent that reads them. */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  sampleAgentCommand,
  sampleCi,
  sampleDirectory,
  sampleGoal,
  sampleReview,
  startGitHub,
  type CiJob,
  type GitHub,
  type RepoHandle,
} from '../../index.ts';

const token = 'ghp_playground';
const at = { owner: 'acme', repo: 'api' };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const check =
  "import assert from 'node:assert';\nassert.equal(await import('./value.js').then((m) => m.value), 2);\n";
let github: GitHub;
let octokit: Octokit;
let dir: string;

beforeEach(async () => {
  github = await startGitHub({ login: 'agentpr-bot', token });
  octokit = new Octokit({ baseUrl: github.url, auth: token, log: quiet });
  dir = await mkdtemp(join(tmpdir(), 'playground-client-'));
});
afterEach(async () => {
  await github.stop();
  await rm(dir, { recursive: true, force: true });
});

const add = (ci: CiJob[]): Promise<RepoHandle> =>
  github.addRepo({ owner: 'acme', name: 'api', from: { 'check.mjs': check, 'value.js': '' }, ci });
const value = (repo: RepoHandle, is: number): Promise<string> =>
  repo.pushForeign('fix/it', { files: { 'value.js': `export const value = ${is};\n` } });
const open = (head = 'fix/it') =>
  octokit.pulls.create({ ...at, title: 'fix: it', body: 'Because', head, base: 'main' });
const runsOf = async (ref: string) =>
  (await octokit.checks.listForRef({ ...at, ref })).data.check_runs.toReversed();
const endsOf = async (ref: string): Promise<string[]> =>
  (await runsOf(ref)).map((run) => `${run.name} ${run.conclusion ?? run.status}`);
const logOf = async (job_id: number): Promise<string> =>
  String((await octokit.actions.downloadJobLogsForWorkflowRun({ ...at, job_id })).data);
const statusOf = async (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );
/** A unique duration, to find the sleeping process. */
const forLong = (): string => String(randomInt(1e8, 1e9));
const processes = (mark: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark);
      } catch {
        return false;
      }
    });

describe('a job', () => {
  it('really runs on the commit of each head, and says why it failed', async () => {
    const repo = await add([{ name: 'test', command: 'node check.mjs' }]);
    const bad = await value(repo, 3);
    expect(repo.checkRuns).toEqual([]);
    await open();
    await repo.ciIdle();
    const [run] = await runsOf(bad);
    expect(run).toMatchObject({
      name: 'test',
      status: 'completed',
      conclusion: 'failure',
      app: { slug: 'github-actions' },
      output: { title: 'Failed', summary: '`node check.mjs` ended with exit code 1.', annotations_count: 1 },
      pull_requests: [{ number: 1 }],
    });
    const log = await logOf(Number(run?.id ?? 0));
    expect(log).toContain('AssertionError [ERR_ASSERTION]');
    expect(log).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z ##\[group\]Run node check\.mjs$/m);
    expect(log).toMatch(/Z ##\[error\]Process completed with exit code 1\.\n$/);
    const notes = (await octokit.checks.listAnnotations({ ...at, check_run_id: run?.id ?? 0 })).data;
    expect(notes).toMatchObject([
      { path: '.github', annotation_level: 'failure', message: 'Process completed with exit code 1.' },
    ]);
    const good = await value(repo, 2);
    await repo.ciIdle();
    expect([await endsOf(good), await endsOf(bad)]).toEqual([['test success'], ['test failure']]);
  });

  it('has a home of its own and no secret of ours, and is installed first', async () => {
    process.env['PLAYGROUND_SECRET'] = 'do-not-tell';
    const repo = await add([
      { name: 'env', install: 'touch installed', command: 'ls; env; git status --short' },
    ]);
    await value(repo, 2);
    await open();
    await repo.ciIdle();
    delete process.env['PLAYGROUND_SECRET'];
    const [run] = repo.checkRuns;
    expect(run?.conclusion).toBe('success');
    const lines = (run?.log ?? '').split('\n').map((line) => line.replace(/^\S+ /, ''));
    expect(lines).toEqual(expect.arrayContaining(['installed', 'value.js', '?? installed', 'CI=true']));
    expect(run?.log).not.toContain('do-not-tell');
    expect(run?.log).not.toContain(token);
    const names = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []).sort();
    const own = ['CI', 'GITHUB_ACTIONS', 'GITHUB_REPOSITORY', 'GITHUB_SHA', 'HOME', 'LANG', 'PATH', 'PWD'];
    expect(names.filter((name) => !['OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([...own, 'TMPDIR']);
    const home = lines.find((line) => line.startsWith('HOME='))?.slice(5) ?? '';
    expect(home).toContain(tmpdir());
    expect(() => readdirSync(home)).toThrow('ENOENT');
  });

  it('tells of itself as GitHub Actions does', async () => {
    const told: string[] = [];
    github.onHappening(({ event, action }) => told.push(action ? `${event}.${action}` : event));
    const repo = await add([{ name: 'test', command: 'true' }]);
    await value(repo, 2);
    await open();
    await repo.ciIdle();
    expect(told).toEqual([
      ...['push', 'pull_request.opened', 'check_suite.requested', 'workflow_run.requested'],
      ...['check_run.created', 'workflow_run.in_progress', 'check_run.completed'],
      ...['check_suite.completed', 'workflow_run.completed'],
    ]);
    await repo.close(1);
    await repo.reopen(1);
    await repo.advance({ a: 'b' });
    await repo.ciIdle();
    expect(repo.checkRuns).toHaveLength(1);
  });

  it('is cancelled when a newer head takes the place of its own', async () => {
    const long = forLong();
    const repo = await add([{ name: 'slow', command: `sleep ${long}` }]);
    const old = await value(repo, 3);
    await open();
    await github.waitFor(() => repo.checkRuns[0]?.log?.includes('Run sleep'));
    repo.setCi([{ name: 'quick', command: 'true' }]);
    const head = await value(repo, 2);
    await repo.ciIdle();
    expect([await endsOf(old), await endsOf(head)]).toEqual([['slow cancelled'], ['quick success']]);
    // A killed process is seen until the kernel has taken it apart.
    await expect.poll(() => processes(long)).toEqual([]);
  });

  it('is stopped when it takes too long', async () => {
    const long = forLong();
    const repo = await add([{ name: 'slow', command: `sleep ${long}`, timeoutMs: 300 }]);
    const head = await value(repo, 3);
    await open();
    await repo.ciIdle();
    expect(await endsOf(head)).toEqual(['slow timed_out']);
    await expect.poll(() => processes(long)).toEqual([]);
  });

  it('leaves no process behind, however it hides, when it ends and when the server stops', async () => {
    const long = forLong();
    const hides = `setsid sleep ${long} > /dev/null 2>&1 & sleep ${long} &`;
    const repo = await add([{ name: 'leaves', command: `${hides} true` }]);
    await value(repo, 3);
    await open();
    await repo.ciIdle();
    expect(repo.checkRuns[0]?.conclusion).toBe('success');
    await expect.poll(() => processes(long)).toEqual([]);
    repo.setCi([{ name: 'stays', command: `${hides} echo started; sleep ${long}` }]);
    await value(repo, 4);
    await github.waitFor(() => repo.checkRuns[1]?.log?.includes('started\n'));
    expect(processes(long).length).toBeGreaterThan(1);
    await github.stop();
    expect(repo.checkRuns[1]?.conclusion).toBe('cancelled');
    await expect.poll(() => processes(long)).toEqual([]);
  });

  it('runs for a pull request from a fork, which its checks do not name', async () => {
    const repo = await add([{ name: 'test', command: 'node check.mjs' }]);
    const fork = (await octokit.repos.createFork(at)).data.full_name;
    const files = { 'value.js': 'export const value = 2;\n' };
    const head = await github.repo(fork).pushForeign('topic', { files });
    await open('agentpr-bot:topic');
    await repo.ciIdle();
    expect(await endsOf(head)).toEqual(['test success']);
    expect((await runsOf(head))[0]?.pull_requests).toEqual([]);
  });
});

describe('over REST', () => {
  it('failed jobs are run again, and only they', async () => {
    const flaky = { name: 'flaky', command: `test -e ${join(dir, 'mended')}` };
    const repo = await add([{ name: 'fine', command: 'true' }, flaky]);
    const head_sha = await value(repo, 2);
    await open();
    await repo.ciIdle();
    const list = async () => (await octokit.actions.listWorkflowRunsForRepo({ ...at, head_sha })).data;
    const [failed] = (await list()).workflow_runs;
    expect(failed).toMatchObject({
      head_sha,
      head_branch: 'fix/it',
      event: 'pull_request',
      status: 'completed',
      conclusion: 'failure',
      run_attempt: 1,
      path: '.github/workflows/ci.yml',
      pull_requests: [{ number: 1 }],
    });
    await writeFile(join(dir, 'mended'), '');
    const run_id = Number(failed?.id ?? 0);
    await octokit.actions.reRunWorkflowFailedJobs({ ...at, run_id });
    await repo.ciIdle();
    expect((await endsOf(head_sha)).toSorted()).toEqual(['fine success', 'flaky success']);
    expect(repo.checkRuns.map((run) => run.name)).toEqual(['fine', 'flaky', 'flaky']);
    expect(await list()).toMatchObject({
      total_count: 1,
      workflow_runs: [{ id: run_id, run_attempt: 2, conclusion: 'success' }],
    });
    expect(repo.reruns).toBe(1);
    expect(await statusOf(octokit.actions.reRunWorkflowFailedJobs({ ...at, run_id }))).toBe(403);
    expect(await statusOf(octokit.actions.reRunWorkflowFailedJobs({ ...at, run_id: 1 }))).toBe(404);
    const other = await octokit.actions.listWorkflowRunsForRepo({ ...at, head_sha: '0'.repeat(40) });
    expect(other.data).toEqual({ total_count: 0, workflow_runs: [] });
  });

  it('logs are there for completed jobs of GitHub Actions, behind an address that needs no credentials', async () => {
    const repo = await add([]);
    const sha = (await repo.head()) ?? '';
    const own = repo.setCheck(sha, { name: 'test', conclusion: 'failure', log: 'line 1\nFAILED\n' });
    const foreign = repo.setCheck(sha, { name: 'x', app: 'circleci', conclusion: 'failure', log: 'no' });
    const silent = repo.setCheck(sha, { name: 'silent', conclusion: 'failure' });
    const running = repo.setCheck(sha, { name: 'running', log: 'so far' });
    expect(await logOf(own)).toBe('line 1\nFAILED\n');
    for (const id of [foreign, silent, running, 1]) expect(await statusOf(logOf(id))).toBe(404);
    const headers = { authorization: `Bearer ${token}` };
    const address = `${github.url}/repos/acme/api/actions/jobs/${own}/logs`;
    const redirect = await fetch(address, { headers, redirect: 'manual' });
    expect(redirect.status).toBe(302);
    const there = redirect.headers.get('location') ?? '';
    const log = await fetch(there);
    expect(log.headers.get('content-type')).toContain('text/plain');
    expect(await log.text()).toContain('FAILED');
    expect((await fetch(there.replace(/sig=\w{4}/, 'sig=0000'))).status).toBe(404);
    expect((await fetch(address)).status).toBe(403);
  });

  it('comments on lines are listed, and move with their lines', async () => {
    const repo = await add([]);
    const lines = (...all: string[]) => ({ files: { 'a.txt': `${all.join('\n')}\n` } });
    const first = await repo.pushForeign('fix/it', lines('one', 'two', 'three', 'four'));
    await open();
    const comments = [
      { path: 'a.txt', line: 2, body: 'Why two?' },
      { path: 'a.txt', line: 4, body: 'And four?' },
    ];
    const review = repo.review(1, { user: 'maya', state: 'CHANGES_REQUESTED', body: 'See', comments });
    const list = async (options: object = {}) =>
      (await octokit.pulls.listReviewComments({ ...at, pull_number: 1, ...options })).data;
    const [asked] = await list();
    repo.reviewComment(1, { path: 'a.txt', line: 2, body: 'Because', inReplyTo: Number(asked?.id ?? 0) });
    expect(await list()).toMatchObject([
      {
        path: 'a.txt',
        line: 2,
        side: 'RIGHT',
        body: 'Why two?',
        commit_id: first,
        user: { login: 'maya' },
        pull_request_review_id: review,
        author_association: 'NONE',
        html_url: `${github.url}/acme/api/pull/1#discussion_r${asked?.id}`,
        created_at: expect.any(String) as string,
      },
      { line: 4, body: 'And four?' },
      { body: 'Because', in_reply_to_id: asked?.id, author_association: 'OWNER' },
    ]);
    await repo.pushForeign('fix/it', lines('zero', 'one', 'three', 'four'));
    expect((await list()).map((one) => [one.line, one.original_line])).toEqual([
      ...[
        [null, 2],
        [4, 4],
        [null, 2],
      ],
    ]);
    await repo.pushForeign('fix/it', lines('zero', 'half', 'one', 'three', 'four'));
    expect((await list())[1]).toMatchObject({ line: 5, commit_id: await repo.head('fix/it') });
    const newest = await list({ sort: 'created', direction: 'desc', per_page: 1 });
    expect(newest.map((one) => one.body)).toEqual(['Because']);
    expect(await list({ since: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await list({ since: asked?.created_at })).toHaveLength(3);
    expect((await octokit.pulls.listReviews({ ...at, pull_number: 1 })).data).toHaveLength(2);
  });
});

describe('the sample agent that learns', () => {
  const sample = { owner: 'acme', repo: 'patient' };
  let repo: RepoHandle;
  let work: string;

  const env = { NODE_TEST_CONTEXT: undefined };
  const run = (command: string, input = '') =>
    execa(command, { cwd: work, shell: '/bin/sh', input, reject: false, env });
  const agent = async (prompt: string): Promise<string> => {
    const { stdout } = await run(sampleAgentCommand({ mood: 'learns' }), `${sampleGoal}\n${prompt}`);
    return stdout.split('\n').at(-1) ?? '';
  };
  const changed = async (): Promise<string[]> => (await run('git diff --name-only HEAD')).stdout.split('\n');
  const push = async (): Promise<string> => {
    const who = '-c user.name=A -c user.email=a@b.c';
    const to = `${github.url.replace('//', `//x:${token}@`)}/acme/patient.git`;
    await run(
      `git add . && git ${who} commit --quiet -m "fix: it" && git push --quiet ${to} HEAD:refs/heads/fix/it`,
    );
    return (await run('git rev-parse HEAD')).stdout;
  };
  const ends = async (ref: string): Promise<string[]> =>
    (await octokit.checks.listForRef({ ...sample, ref })).data.check_runs
      .map((one) => `${one.name} ${one.conclusion}`)
      .sort();
  const nothing = '{"summary":"Found nothing to change"}';

  beforeEach(async () => {
    repo = await github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory(), ci: sampleCi });
    work = join(dir, 'work');
    await execa('git', ['clone', '--quiet', `${github.url}/acme/patient.git`, work]);
  });

  it('does the next thing that it is told of each time, from a failing test to a wish of the reviewer', async () => {
    await agent('');
    const test = await run('npm test --silent');
    expect(test.exitCode).toBe(1);
    expect(test.stdout).toContain('waits as long as the README says');
    expect(await agent('')).toBe(nothing);
    expect(await agent(test.stdout)).toContain('Take one from the exponent');
    expect((await run('npm test --silent')).exitCode).toBe(0);
    expect(await agent(test.stdout)).toBe(nothing);
    expect(await changed()).toEqual(['src/waits.js', 'test/waits.test.js']);

    const first = await push();
    await octokit.pulls.create({ ...sample, title: 'fix: it', head: 'fix/it', base: 'main' });
    await repo.ciIdle();
    expect(await ends(first)).toEqual(['changelog failure', 'test success']);
    const log = repo.checkRuns.find((one) => one.conclusion === 'failure')?.log ?? '';
    expect(log).toContain('CHANGELOG.md has no entry under "## Unreleased"');
    expect(await agent(log)).toBe('{"summary":"Tell of the first wait in the changelog"}');
    expect(await changed()).toEqual(['CHANGELOG.md']);
    expect(await agent(log)).toBe(nothing);

    const second = await push();
    await repo.ciIdle();
    expect(await ends(second)).toEqual(['changelog success', 'test success']);
    expect(await agent('')).toBe(nothing);
    expect(await agent(sampleReview)).toContain('Say in the README');
    expect(await changed()).toEqual(['README.md']);
    expect(await readmeOf()).toContain('waiting; with the defaults that is `[100, 200]`.');
    expect(await agent(sampleReview)).toBe(nothing);
    await push();
    await repo.ciIdle();
    expect(await repo.merge(1)).toMatch(/^[0-9a-f]{40}$/);
  });

  const readmeOf = async (): Promise<string> => (await run('cat README.md')).stdout;
});
