/**
 * The local GitHub, as the real Octokit and the real git see it; and the sample repository that
 * lives there.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Octokit } from '@octokit/rest';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { badGateway, commitThen, commitThenDrop, drop } from '../faults.ts';
import { secondaryLimit, startGitHub, type GitHub } from '../github.ts';
import { sampleAgentCommand, type SampleAgentOptions } from '../sample-agent.ts';
import { sampleDirectory, sampleTasks } from '../sample.ts';

const token = 'ghp_playground';
const at = { owner: 'acme', repo: 'api' };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let github: GitHub;
let octokit: Octokit;
let dir: string;

beforeEach(async () => {
  github = await startGitHub({ login: 'agentpr-bot', token });
  octokit = as(token);
  dir = await mkdtemp(join(tmpdir(), 'playground-client-'));
});
afterEach(async () => {
  await github.stop();
  await rm(dir, { recursive: true, force: true });
});

const as = (auth: string | undefined, baseUrl = github.url): Octokit =>
  new Octokit({ baseUrl, log: quiet, ...(auth !== undefined && { auth }) });
const addApi = () => github.addRepo({ owner: 'acme', name: 'api', from: { 'README.md': 'Hello\n' } });
const refusalOf = async (work: Promise<unknown>): Promise<{ status: number; message: string }> => {
  const error: unknown = await work.then(
    () => ({ status: 0, message: 'no error' }),
    (reason: unknown) => reason,
  );
  return error as { status: number; message: string };
};
const git = async (args: string[], cwd = dir) => {
  const env = {
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    ...{
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b.c',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b.c',
    },
  };
  const { exitCode, stdout, stderr } = await execa('git', args, { cwd, env, reject: false });
  return { exitCode, stdout, stderr };
};
const urlOf = (repo = 'acme/api', password: string | null = token): string =>
  password === null
    ? `${github.url}/${repo}.git`
    : `${github.url.replace('//', `//x:${password}@`)}/${repo}.git`;
/** A clone with one more commit, in `dir/work`. */
async function cloneWithCommit(repo = 'acme/api'): Promise<string> {
  const work = join(dir, 'work');
  expect(await git(['clone', '--quiet', urlOf(repo), work])).toMatchObject({ exitCode: 0 });
  await writeFile(join(work, 'fix.txt'), 'fixed\n');
  await git(['add', '.'], work);
  await git(['commit', '--quiet', '-m', 'fix: it'], work);
  return work;
}
const push = async (branch = 'fix/it', work = join(dir, 'work')) =>
  git(['push', urlOf(), `HEAD:refs/heads/${branch}`], work);
const open = (wish: object = {}) =>
  octokit.pulls.create({ ...at, title: 'fix: it', body: 'Because', head: 'fix/it', base: 'main', ...wish });

describe('a repository', () => {
  it('is shown with its default branch, permissions and an address to clone', async () => {
    const repo = await addApi();
    const { data } = await octokit.repos.get(at);
    expect(data).toMatchObject({
      ...{ id: repo.id, full_name: 'acme/api', default_branch: 'main', archived: false },
      ...{ clone_url: `${github.url}/acme/api.git`, permissions: { push: true, admin: false } },
    });
    expect((await octokit.users.getAuthenticated()).data.login).toBe('agentpr-bot');
    await github.addRepo({ owner: 'acme', name: 'secret', private: true, access: 'none' });
    expect((await refusalOf(octokit.repos.get({ owner: 'acme', repo: 'secret' }))).status).toBe(404);
    expect((await refusalOf(octokit.repos.get({ owner: 'acme', repo: 'none' }))).status).toBe(404);
    expect(await refusalOf(as('wrong').repos.get(at))).toMatchObject({ status: 401 });
    expect((await as(undefined).repos.get(at)).data.permissions).toBeUndefined();
  });

  it('shows branches and refs with slashes in their names, and rules', async () => {
    const repo = await addApi();
    const sha = await repo.pushForeign('fix/deep/name');
    const branch = { ...at, branch: 'fix/deep/name' };
    expect((await octokit.repos.getBranch(branch)).data.commit.sha).not.toBe(await repo.head());
    expect((await octokit.repos.getBranch(branch)).data.commit.sha).toBe(sha);
    expect((await octokit.git.getRef({ ...at, ref: 'heads/fix/deep/name' })).data.object.sha).toBe(sha);
    expect(await refusalOf(octokit.repos.getBranch({ ...at, branch: 'no' }))).toMatchObject({ status: 404 });
    repo.requireChecks('main', ['test']);
    const rules = (await octokit.repos.getBranchRules({ ...at, branch: 'main' })).data;
    expect(rules).toMatchObject([
      { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'test' }] } },
    ]);
    expect((await octokit.repos.getBranchRules(branch)).data).toEqual([]);
  });

  it('comes from a git repository with its own default branch', async () => {
    await git(['init', '--quiet', '-b', 'trunk', '.']);
    await git(['commit', '--quiet', '--allow-empty', '-m', 'first']);
    const repo = await github.addRepo({ owner: 'agentpr-bot', name: 'own', from: dir });
    expect(repo.defaultBranch).toBe('trunk');
    expect(await repo.commits()).toMatchObject([{ title: 'first', author: 'A' }]);
    expect((await octokit.repos.get({ owner: 'agentpr-bot', repo: 'own' })).data.permissions?.admin).toBe(
      true,
    );
  });
});

describe('git', () => {
  it('clones without a token, and pushes only with one', async () => {
    const repo = await addApi();
    const work = await cloneWithCommit();
    expect(await git(['ls-remote', urlOf('acme/api', null)])).toMatchObject({ exitCode: 0 });
    expect((await git(['push', urlOf('acme/api', null), 'HEAD:refs/heads/x'], work)).exitCode).toBe(128);
    expect((await git(['push', urlOf('acme/api', 'wrong'), 'HEAD:refs/heads/x'], work)).stderr).toContain(
      'Authentication failed',
    );
    expect(await repo.branches()).toEqual(['main']);
    const { exitCode } = await push();
    expect(exitCode).toBe(0);
    const sha = (await git(['rev-parse', 'HEAD'], work)).stdout;
    expect(await repo.head('fix/it')).toBe(sha);
    const old = '0'.repeat(40);
    expect(repo.pushes).toMatchObject([
      { ref: 'refs/heads/fix/it', old, new: sha, by: 'agentpr-bot', refused: null },
    ]);
    expect(await repo.read('fix.txt', 'fix/it')).toBe('fixed');
  });

  it('clones shallow, and fetches any commit by its id', async () => {
    const repo = await addApi();
    const first = (await repo.head()) ?? '';
    await repo.advance({ 'README.md': 'More\n', 'docs/a b.md': 'x' });
    const work = join(dir, 'shallow');
    expect((await git(['clone', '--quiet', '--depth', '1', urlOf(), work])).exitCode).toBe(0);
    expect(await readFile(join(work, 'README.md'), 'utf8')).toBe('More\n');
    expect((await git(['fetch', '--quiet', '--depth', '1', 'origin', first], work)).exitCode).toBe(0);
  });

  it('keeps private, read-only and archived repositories as GitHub does', async () => {
    const repo = await addApi();
    await cloneWithCommit();
    const secret = { owner: 'acme', name: 'secret', from: { a: 'b' }, private: true };
    await github.addRepo(secret);
    expect((await git(['ls-remote', urlOf('acme/secret', null)])).exitCode).toBe(128);
    expect((await git(['ls-remote', urlOf('acme/secret')])).exitCode).toBe(0);
    expect((await git(['ls-remote', urlOf('acme/none')])).stderr).toContain('Repository not found');
    repo.grant('agentpr-bot', 'read');
    expect((await push()).stderr).toContain('Permission to acme/api.git denied to agentpr-bot.');
    repo.grant('agentpr-bot', 'write');
    repo.archive();
    expect((await push()).stderr).toContain('This repository was archived so it is read-only.');
    expect(repo.pushes).toEqual([]);
  });

  it('refuses branches by name in the words of a repository rule', async () => {
    const repo = await addApi();
    await cloneWithCommit();
    repo.refuseBranch(/^feature\//, 'Branch name must match ^fix/');
    const { exitCode, stderr } = await push('feature/it');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'remote: error: GH013: Repository rule violations found for refs/heads/feature/it.',
    );
    expect(stderr).toContain('remote: - Branch name must match ^fix/');
    expect(stderr).toContain(
      '[remote rejected] HEAD -> feature/it (push declined due to repository rule violations)',
    );
    expect(await repo.branches()).toEqual(['main']);
    expect(repo.pushes).toMatchObject([
      { ref: 'refs/heads/feature/it', refused: expect.stringContaining('GH013') as string },
    ]);
    expect((await push('fix/it')).exitCode).toBe(0);
  });

  it('suffers faults: a bad gateway, a cut line, and a push that arrived although git was told nothing', async () => {
    const repo = await addApi();
    await cloneWithCommit();
    github.faults.next('info/refs git-receive-pack', badGateway());
    expect((await push()).stderr).toContain('502');
    github.faults.next('git-receive-pack', drop());
    expect((await push()).exitCode).not.toBe(0);
    expect(repo.pushes).toEqual([]);
    github.faults.next('git-receive-pack', commitThenDrop());
    expect((await push()).exitCode).not.toBe(0);
    expect(repo.pushes).toMatchObject([{ ref: 'refs/heads/fix/it', refused: null }]);
    const again = await push();
    expect(again).toMatchObject({ exitCode: 0, stderr: 'Everything up-to-date' });
  });
});

describe('a pull request', () => {
  beforeEach(async () => {
    await addApi();
    await cloneWithCommit();
    await push();
  });

  it('is opened with exactly what was sent', async () => {
    const { status, data } = await open({ maintainer_can_modify: false, draft: true });
    const repo = github.repo('acme/api');
    expect(status).toBe(201);
    expect(data).toMatchObject({
      ...{
        number: 1,
        state: 'open',
        merged: false,
        title: 'fix: it',
        body: 'Because',
        user: { login: 'agentpr-bot' },
      },
      ...{
        draft: true,
        maintainer_can_modify: false,
        commits: 1,
        changed_files: 1,
        additions: 1,
        mergeable: true,
      },
      head: { ref: 'fix/it', label: 'acme:fix/it', sha: await repo.head('fix/it'), repo: { id: repo.id } },
      base: { ref: 'main', sha: await repo.head(), repo: { id: repo.id } },
    });
    const listed = (await octokit.pulls.list({ ...at, head: 'acme:fix/it', state: 'all' })).data;
    expect(listed.map((pull) => pull.number)).toEqual([1]);
    expect((await octokit.pulls.list({ ...at, head: 'acme:other' })).data).toEqual([]);
    expect(github.pull('acme/api', 1)).toMatchObject({
      author: 'agentpr-bot',
      head: 'acme:fix/it',
      body: 'Because',
    });
  });

  it('is refused twice, without a head, without commits, and to those who may not', async () => {
    await open();
    const message = async (wish: object, from = octokit): Promise<string> => {
      const work = from.pulls.create({ ...at, title: 't', head: 'fix/it', base: 'main', ...wish });
      const { status, message: words } = await refusalOf(work);
      return `${status} ${words}`;
    };
    expect(await message({})).toContain(
      '422 Validation Failed: {"resource":"PullRequest","code":"custom","message":"A pull request already exists for acme:fix/it."}',
    );
    expect(await message({ head: 'gone' })).toMatch(/^422 .*"field":"head","code":"invalid"/);
    expect(await message({ base: 'gone' })).toMatch(/^422 .*"field":"base","code":"invalid"/);
    expect(await message({ head: 'main' })).toMatch(/^422 .*No commits between main and main/);
    expect(await message({ title: undefined })).toMatch(/^422 .*missing_field/);
    expect(await message({ repo: 'none' })).toMatch(/^404/);
    expect(await message({}, as(undefined))).toMatch(/^401 Requires authentication/);
    const repo = github.repo('acme/api');
    repo.grant('agentpr-bot', 'read');
    expect(await message({})).toMatch(/^403 Resource not accessible/);
    repo.archive();
    expect(await message({})).toMatch(/^403 Repository was archived/);
    expect(repo.pulls).toHaveLength(1);
  });

  it('exists once, whoever asks first, when two ask at the same time', async () => {
    const both = await Promise.allSettled([open(), open()]);
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(github.repo('acme/api').pulls).toHaveLength(1);
  });

  it('exists although the client saw an error, when the answer is lost', async () => {
    const route = 'POST /repos/{owner}/{repo}/pulls';
    github.faults.next(route, drop());
    expect((await refusalOf(open())).status).toBe(500);
    expect(github.repo('acme/api').pulls).toHaveLength(0);
    github.faults.next(route, commitThenDrop());
    expect((await refusalOf(open())).status).toBe(500);
    expect(github.repo('acme/api').pulls).toHaveLength(1);
    expect((await octokit.pulls.list({ ...at, head: 'acme:fix/it' })).data).toHaveLength(1);
    github.faults.next('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', commitThen(badGateway()));
    expect((await refusalOf(octokit.pulls.update({ ...at, pull_number: 1, title: 'new' }))).status).toBe(502);
    expect(github.pull('acme/api', 1).title).toBe('new');
  });

  it('follows its head, and notices a stranger', async () => {
    const happenings: string[] = [];
    github.onHappening(({ event, action }) => happenings.push(action ? `${event}.${action}` : event));
    await open();
    const repo = github.repo('acme/api');
    const work = join(dir, 'work');
    await git(['commit', '--quiet', '--allow-empty', '-m', 'fix: more'], work);
    await push();
    const own = (await git(['rev-parse', 'HEAD'], work)).stdout;
    expect(github.pull('acme/api', 1).headSha).toBe(own);
    const foreign = await repo.pushForeign('fix/it');
    expect((await octokit.pulls.get({ ...at, pull_number: 1 })).data).toMatchObject({
      head: { sha: foreign },
      commits: 3,
    });
    expect((await repo.commits('fix/it'))[0]).toMatchObject({ author: 'Kim Stranger' });
    expect((await push()).stderr).toContain('rejected');
    await repo.deleteBranch('fix/it');
    expect(github.pull('acme/api', 1)).toMatchObject({ state: 'closed', merged: false });
    const followed = ['push', 'pull_request.synchronize', 'push', 'pull_request.synchronize'];
    expect(happenings).toEqual(['pull_request.opened', ...followed, 'push', 'pull_request.closed']);
  });

  it('is merged by a maintainer with a real merge commit', async () => {
    await open();
    const repo = github.repo('acme/api');
    const head = await repo.head('fix/it');
    const before = await repo.head();
    const sha = await repo.merge(1);
    expect((await repo.commits())[0]).toMatchObject({
      ...{ sha, parents: [before, head], title: 'Merge pull request #1 from acme/fix/it' },
    });
    expect(await repo.read('fix.txt')).toBe('fixed');
    const { data } = await octokit.pulls.get({ ...at, pull_number: 1 });
    expect(data).toMatchObject({
      merged: true,
      merged_by: { login: 'acme' },
      state: 'closed',
      merge_commit_sha: sha,
    });
    expect(github.mergeCalls()).toEqual([]);
    await expect(repo.merge(1)).rejects.toThrow('Pull Request is not mergeable');
  });

  it('does not merge what conflicts, and tells of an attempt to merge over the API', async () => {
    await open();
    const repo = github.repo('acme/api');
    await repo.advance({ 'fix.txt': 'otherwise\n' });
    const { data } = await octokit.pulls.get({ ...at, pull_number: 1 });
    expect(data).toMatchObject({ mergeable: false, mergeable_state: 'dirty' });
    expect(await refusalOf(octokit.pulls.merge({ ...at, pull_number: 1 }))).toMatchObject({ status: 405 });
    expect(github.mergeCalls()).toHaveLength(1);
  });

  it('is closed, reopened, reviewed and commented on', async () => {
    await open();
    const repo = github.repo('acme/api');
    await repo.close(1);
    expect((await octokit.pulls.list(at)).data).toEqual([]);
    await repo.reopen(1);
    repo.review(1, { user: 'maya', state: 'CHANGES_REQUESTED', body: 'Add a test' });
    repo.comment(1, { user: 'maya', body: 'Please' });
    await octokit.issues.createComment({ ...at, issue_number: 1, body: 'Done' });
    expect((await octokit.pulls.listReviews({ ...at, pull_number: 1 })).data).toMatchObject([
      { user: { login: 'maya' }, state: 'CHANGES_REQUESTED', commit_id: await repo.head('fix/it') },
    ]);
    const comments = (await octokit.issues.listComments({ ...at, issue_number: 1 })).data;
    expect(comments.map((one) => [one.user?.login, one.body])).toEqual([
      ['maya', 'Please'],
      ['agentpr-bot', 'Done'],
    ]);
    repo.grant('maya', 'write');
    const permission = async (username: string): Promise<string> =>
      (await octokit.repos.getCollaboratorPermissionLevel({ ...at, username })).data.permission;
    expect([await permission('maya'), await permission('eve')]).toEqual(['write', 'read']);
  });

  it('comes from a fork whose owner may not push', async () => {
    const repo = github.repo('acme/api');
    repo.grant('agentpr-bot', 'read');
    const fork = (await octokit.repos.createFork(at)).data;
    expect(fork).toMatchObject({ full_name: 'agentpr-bot/api', parent: { full_name: 'acme/api' } });
    const work = join(dir, 'work');
    await git(['push', urlOf('agentpr-bot/api'), 'HEAD:refs/heads/topic'], work);
    const { data } = await open({ head: 'agentpr-bot:topic' });
    expect(data).toMatchObject({
      head: { label: 'agentpr-bot:topic', repo: { id: fork.id } },
      base: { repo: { id: repo.id } },
    });
    await repo.merge(1);
    expect(await repo.read('fix.txt')).toBe('fixed');
  });
});

describe('checks', () => {
  it('are the newest of each name, in pages, and run again on request', async () => {
    const repo = await addApi();
    const ref = (await repo.head()) ?? '';
    const shown = async (options: object = {}) =>
      (await octokit.checks.listForRef({ ...at, ref, ...options })).data.check_runs.map(
        (run) => `${run.name} ${run.conclusion ?? run.status}`,
      );
    expect(await shown()).toEqual([]);
    repo.setCheck(ref, { name: 'test', status: 'in_progress' });
    expect(await shown()).toEqual(['test in_progress']);
    repo.setCheck(ref, { name: 'test', conclusion: 'failure', output: { summary: '1 failed' } });
    repo.setCheck(ref, { name: 'lint', conclusion: 'success' });
    expect(await shown()).toEqual(['lint success', 'test failure']);
    const all = octokit.paginate(octokit.checks.listForRef, { ...at, ref, per_page: 1 });
    expect(await all).toHaveLength(2);
    const [run] = (await octokit.checks.listForRef({ ...at, ref })).data.check_runs;
    await octokit.checks.rerequestSuite({ ...at, check_suite_id: run?.check_suite?.id ?? 0 });
    expect(await shown()).toEqual(['lint queued', 'test queued']);
    expect(await shown({ filter: 'all' })).toHaveLength(4);
    expect(repo.reruns).toBe(1);
  });

  it('may be statuses, which are pending when there are none', async () => {
    const repo = await addApi();
    const ref = (await repo.head()) ?? '';
    const combined = async () => (await octokit.repos.getCombinedStatusForRef({ ...at, ref })).data;
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 0 });
    repo.setStatus(ref, { context: 'ci', state: 'failure' });
    repo.setStatus(ref, { context: 'ci', state: 'success' });
    expect(await combined()).toMatchObject({ state: 'success', total_count: 1, sha: ref });
  });
});

describe('the REST API', () => {
  it('answers 304 to a known ETag, without counting it', async () => {
    const repo = await addApi();
    const first = await octokit.repos.get(at);
    const used = github.rate.used;
    const known = { headers: { 'if-none-match': first.headers.etag ?? '' } };
    expect((await refusalOf(octokit.repos.get({ ...at, ...known }))).status).toBe(304);
    expect(github.rate.used).toBe(used);
    repo.archive();
    const changed = await octokit.repos.get({ ...at, ...known });
    expect(changed.data.archived).toBe(true);
    expect(changed.headers['x-ratelimit-remaining']).toBe(String(5000 - used - 1));
  });

  it('has a limit, and a second one', async () => {
    await addApi();
    github.faults.next('GET /repos/{owner}/{repo}', secondaryLimit(30));
    const secondary = (await refusalOf(octokit.repos.get(at))) as {
      status: number;
      message: string;
      response?: { headers: object };
    };
    expect(secondary).toMatchObject({ status: 403, response: { headers: { 'retry-after': '30' } } });
    expect(secondary.message).toContain('secondary rate limit');
    github.rate.used = github.rate.limit;
    const primary = await refusalOf(octokit.repos.get(at));
    expect(primary).toMatchObject({ status: 403, response: { headers: { 'x-ratelimit-remaining': '0' } } });
  });

  it('shows the scopes of a classic token, and hides what they do not cover', async () => {
    await addApi();
    github.addUser('reader', 'ghp_reader', ['read:org']);
    const reader = as('ghp_reader');
    expect((await reader.users.getAuthenticated()).headers['x-oauth-scopes']).toBe('read:org');
    const create = reader.pulls.create({ ...at, title: 't', head: 'h', base: 'main' });
    expect((await refusalOf(create)).status).toBe(404);
  });

  it('goes down and comes back with everything, and tells its listeners of each request', async () => {
    await addApi();
    await github.down();
    expect((await refusalOf(octokit.repos.get(at))).status).toBe(500);
    await github.up();
    const seen: string[] = [];
    github.onRequest(({ phase, call }) => {
      seen.push(`${phase} ${call.route}`);
      return undefined;
    });
    await octokit.repos.get(at);
    expect(seen).toEqual(['before GET /repos/{owner}/{repo}', 'after GET /repos/{owner}/{repo}']);
    expect(github.calls.at(-1)).toMatchObject({ status: 200, outcome: 'answered', path: '/repos/acme/api' });
  });

  it('leaves nothing behind', async () => {
    const other = await startGitHub({ login: 'a', token: 't' });
    const repo = await other.addRepo({ owner: 'a', name: 'b', from: { c: 'd' } });
    await other.stop();
    await expect(readFile(join(repo.dir, 'HEAD'))).rejects.toThrow('ENOENT');
  });
});

describe('the sample repository', () => {
  const run = (command: string, input = '') =>
    execa(command, {
      cwd: join(dir, 'work'),
      shell: '/bin/sh',
      input,
      reject: false,
      env: { NODE_TEST_CONTEXT: undefined },
    });
  const agent = (options: SampleAgentOptions, prompt = 'Fix it') => run(sampleAgentCommand(options), prompt);
  const testsPass = async (): Promise<boolean> => (await run('npm test --silent')).exitCode === 0;

  beforeEach(async () => {
    const repo = await github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
    expect(await repo.commits()).toHaveLength(1);
    expect((await git(['clone', '--quiet', urlOf('acme/patient'), join(dir, 'work')])).exitCode).toBe(0);
  });

  it('has passing tests and a bug, which its agent mends with a test that fails without the mending', async () => {
    expect(await testsPass()).toBe(true);
    const stumble = await agent({ mood: 'stumbles' });
    expect(stumble.stdout.split('\n').at(-1)).toBe('{"summary":"Added a test that shows the bug"}');
    expect(await testsPass()).toBe(false);
    const { stdout } = await agent({ mood: 'stumbles' });
    expect(stdout.split('\n').at(-1)).toBe(
      '{"summary":"The first wait is the documented one; a test proves it"}',
    );
    expect(await testsPass()).toBe(true);
    const { stdout: diff } = await git(['diff', '--numstat'], join(dir, 'work'));
    expect(diff.split('\n')).toEqual(['1\t1\tsrc/waits.js', '4\t0\ttest/waits.test.js']);
  });

  it('has two more tasks, each done at once with its line in the changelog', async () => {
    const [, ...others] = sampleTasks;
    for (const { goal } of others) {
      const { stdout } = await agent({ mood: 'learns' }, goal);
      expect(stdout).toContain('"summary"');
      expect((await run('node scripts/check-changelog.mjs')).exitCode).toBe(0);
      expect(await testsPass()).toBe(true);
      await git(['add', '-A'], join(dir, 'work'));
      const { stdout: changed } = await git(['diff', '--cached', '--name-only'], join(dir, 'work'));
      expect(changed.split('\n')).toHaveLength(2);
      expect((await agent({ mood: 'learns' }, goal)).stdout).toContain('Found nothing to change');
      await git(['reset', '--quiet', '--hard'], join(dir, 'work'));
    }
  });

  it('is mended in one go by default; a second call does only what it is asked', async () => {
    await agent({});
    expect(await testsPass()).toBe(true);
    expect((await agent({})).stdout).toContain('{"summary":"Found nothing to change"}');
    expect((await agent({}, 'Please add a changelog entry')).stdout).toContain(
      'The changelog tells of the fix',
    );
  });

  it('has agents that idle and crash', async () => {
    expect((await agent({ mood: 'idles' })).stdout).toContain('Found nothing to change');
    expect((await git(['status', '--porcelain'], join(dir, 'work'))).stdout).toBe('');
    expect(await agent({ mood: 'crashes' })).toMatchObject({ exitCode: 1, stderr: 'The model went away' });
  });
});
