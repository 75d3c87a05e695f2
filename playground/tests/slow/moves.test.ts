/** Tests moved, renamed and closed things on the local GitHub, by the real Octokit and git. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addApi,
  as,
  at,
  cloneWithCommit,
  git,
  github,
  octokit,
  open,
  push,
  refusalOf,
  token,
  urlOf,
  useForge,
} from '../support/forge-client.ts';

useForge();

describe('what is moved and renamed', () => {
  beforeEach(async () => {
    await addApi();
    await cloneWithCommit();
    await push();
    await open();
  });
  const pull = async () => (await octokit.pulls.get({ ...at, pull_number: 1 })).data;

  it('moves a pull request to another base, and tells of it', async () => {
    const told: string[] = [];
    github.onHappening((one) => void told.push(`${one.event}.${one.action}`));
    await github.repo('acme/api').addBranch('develop');
    await github.repo('acme/api').retarget(1, 'develop');
    expect((await pull()).base.ref).toBe('develop');
    expect(told).toContain('pull_request.edited');
    await octokit.pulls.update({ ...at, pull_number: 1, base: 'main' });
    expect((await pull()).base.ref).toBe('main');
    const refused = await refusalOf(octokit.pulls.update({ ...at, pull_number: 1, base: 'none' }));
    expect(refused.status).toBe(422);
  });

  it('renames a branch: its pull requests follow, the default branch stays that, and REST leads there, git does not', async () => {
    const sha = (await pull()).base.sha;
    await octokit.repos.renameBranch({ ...at, branch: 'main', new_name: 'trunk' });
    expect((await pull()).base).toMatchObject({ ref: 'trunk', sha });
    expect((await octokit.repos.get(at)).data.default_branch).toBe('trunk');
    expect((await octokit.repos.getBranch({ ...at, branch: 'main' })).data.name).toBe('trunk');
    expect((await git(['ls-remote', urlOf(), 'refs/heads/main'])).stdout).toBe('');
    expect((await git(['ls-remote', urlOf(), 'refs/heads/trunk'])).stdout).toContain(sha);
    await github.repo('acme/api').renameBranch('trunk', 'next');
    expect((await octokit.repos.getBranch({ ...at, branch: 'main' })).data.name).toBe('next');
  });

  it('renames a repository: reads are led on, writes are not, and who takes the old name has it', async () => {
    const { id } = github.repo('acme/api');
    github.renameRepo('acme/api', 'zoe/api');
    const moved = await fetch(`${github.url}/repos/acme/api`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${github.url}/repositories/${id}`]);
    expect((await octokit.repos.get(at)).data).toMatchObject({ id, full_name: 'zoe/api' });
    expect((await pull()).base.repo.full_name).toBe('zoe/api');
    const sent = await fetch(`${github.url}/repos/acme/api/pulls/1`, {
      method: 'PATCH',
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'other' }),
    });
    expect(sent.status).toBe(307);
    expect((await git(['ls-remote', urlOf('acme/api')])).exitCode).toBe(0);
    await addApi();
    expect((await octokit.repos.get(at)).data.id).not.toBe(id);
  });

  it('archives and takes back, makes private and public', async () => {
    const repo = github.repo('acme/api');
    repo.archive();
    expect((await pull()).base.repo.archived).toBe(true);
    expect((await push('again')).stderr).toContain('read-only');
    repo.unarchive();
    expect((await push('again')).exitCode).toBe(0);
    repo.setPrivate(true);
    expect((await refusalOf(as(undefined).repos.get(at))).status).toBe(404);
    repo.setPrivate(false);
    expect((await as(undefined).repos.get(at)).status).toBe(200);
  });

  it('keeps a pull request open whose fork has left, without its repository', async () => {
    const fork = (await octokit.repos.createFork({ ...at, organization: 'bot' })).data;
    github.addUser('bot', 'ghp_bot');
    await git(
      ['push', urlOf(fork.full_name), 'HEAD:refs/heads/other'],
      `${(await import('../support/forge-client.ts')).dir}/work`,
    );
    const made = await octokit.pulls.create({ ...at, title: 't', head: 'bot:other', base: 'main' });
    const read = async () => (await octokit.pulls.get({ ...at, pull_number: made.data.number })).data;
    expect((await read()).head.repo?.id).toBe(fork.id);
    github.detachFork(fork.full_name);
    expect([(await read()).state, (await read()).head.repo]).toEqual(['open', null]);
    github.attachFork(fork.full_name, 'acme/api');
    expect((await read()).head.repo?.id).toBe(fork.id);
  });
});
