/** Tests the local GitHub: repositories, git, checks and the REST API. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badGateway, commitThenDrop, drop } from '../../faults.ts';
import { secondaryLimit, startGitHub } from '../../github.ts';
import {
  addApi,
  as,
  at,
  cloneWithCommit,
  dir,
  git,
  github,
  octokit,
  push,
  refusalOf,
  urlOf,
  useForge,
} from '../support/forge-client.ts';

useForge();

describe('a repository', () => {
  it('is shown with its default branch, permissions and an address to clone', async () => {
    const repo = await addApi();
    const { data } = await octokit.repos.get(at);
    expect(data).toMatchObject({
      id: repo.id,
      full_name: 'acme/api',
      default_branch: 'main',
      archived: false,
      clone_url: `${github.url}/acme/api.git`,
      permissions: { push: true, admin: false },
    });
    expect((await octokit.users.getAuthenticated()).data.login).toBe('agentpr-bot');
    await github.addRepo({ owner: 'acme', name: 'secret', private: true, access: 'none' });
    expect((await refusalOf(octokit.repos.get({ owner: 'acme', repo: 'secret' }))).status).toBe(404);
    expect((await refusalOf(octokit.repos.get({ owner: 'acme', repo: 'none' }))).status).toBe(404);
    expect(await refusalOf(as('wrong').repos.get(at))).toMatchObject({ status: 401 });
    expect((await as(undefined).repos.get(at)).data.permissions).toBeUndefined();
    // Whoever has only a link finds the API where GitHub Enterprise Server has it.
    const linked = await fetch(`${github.url}/api/v3/repos/acme/api`);
    expect(await linked.json()).toMatchObject({ id: repo.id, full_name: 'acme/api' });
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
    await git(['tag', 'trunk']);
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
