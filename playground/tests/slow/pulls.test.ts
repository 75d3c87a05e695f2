/** Tests pull requests of the local GitHub. */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { badGateway, commitThen, commitThenDrop, drop } from '../../faults.ts';
import {
  addApi,
  as,
  at,
  cloneWithCommit,
  dir,
  git,
  github,
  octokit,
  open,
  push,
  refusalOf,
  urlOf,
  useForge,
} from '../support/forge-client.ts';

useForge();

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
      number: 1,
      state: 'open',
      merged: false,
      title: 'fix: it',
      body: 'Because',
      user: { login: 'agentpr-bot' },
      draft: true,
      maintainer_can_modify: false,
      commits: 1,
      changed_files: 1,
      additions: 1,
      mergeable: true,
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

  it('remembers how it was opened, and who wrote its words anew', async () => {
    await open();
    const repo = github.repo('acme/api');
    const before = await repo.head('fix/it');
    await octokit.pulls.update({ ...at, pull_number: 1, title: 'fix: that' });
    expect(github.pull('acme/api', 1)).toMatchObject({
      pushesBefore: repo.pushes.length,
      writings: [
        { by: 'agentpr-bot', title: 'fix: it', body: 'Because', headSha: before },
        { by: 'agentpr-bot', title: 'fix: that', body: 'Because', headSha: before },
      ],
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
      sha,
      parents: [before, head],
      title: 'Merge pull request #1 from acme/fix/it',
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
