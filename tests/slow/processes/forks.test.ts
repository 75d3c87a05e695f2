/** F1: forks as the code host makes, names, hides and refuses them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer, commitThenDrop, startGitHub, type GitHub } from '#playground';
import { createGitHubForge } from '../../../forge/github.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';

const FORKS = 'POST /repos/{owner}/{repo}/forks';

describe('forks on GitHub', () => {
  let github: GitHub;
  let forge: ForgePort;
  const theirs = async (name: string, more: object = {}): Promise<string> =>
    (await github.addRepo({ owner: 'kim', name, from: { 'a.txt': 'a' }, access: 'read', ...more })).fullName;
  const failing = async (go: Promise<unknown>): Promise<OutsideFailure> => {
    const error: unknown = await go.then(
      () => null,
      (e: unknown) => e,
    );
    if (error instanceof OutsideFailure) return error;
    throw new Error(`no failure of the outside: ${String(error)}`);
  };
  const open = async (repo: string, head: string) =>
    forge.createPull(repo, {
      title: 't',
      body: 'b',
      head,
      base: 'main',
      draft: false,
      maintainerCanModify: true,
    });

  beforeAll(async () => {
    github = await startGitHub({ login: 'bot', token: 't' });
    const clock = { now: () => Date.now() };
    forge = createGitHubForge({ apiUrl: github.url, token: async () => 't', userAgent: 'agentpr', clock });
  });
  afterAll(() => github.stop());

  it('F1: makes one, however often it is asked for, also when the answer is lost', async () => {
    const name = await theirs('lost');
    github.faults.next(FORKS, commitThenDrop());
    await failing(forge.fork(name, null));
    const fork = await forge.fork(name, null);
    expect((await forge.fork(name, null)).id).toBe(fork.id);
    expect(fork).toMatchObject({ name: 'bot/lost', mayPush: true, network: (await forge.repo(name)).id });
    await expect(forge.repo('bot/lost-1')).rejects.toThrow(/does not find/);
  });

  it('F1: gives the one that was renamed', async () => {
    const name = await theirs('called');
    const { id } = await forge.fork(name, null);
    github.renameRepo('bot/called', 'bot/otherwise');
    expect(await forge.fork(name, null)).toMatchObject({ id, name: 'bot/otherwise' });
    expect(await forge.nameOf(id)).toBe('bot/otherwise');
  });

  it('F1: is called otherwise where its name is taken by something else', async () => {
    const name = await theirs('taken');
    await github.addRepo({ owner: 'bot', name: 'taken', from: { 'b.txt': 'b' } });
    expect((await forge.fork(name, null)).name).toBe('bot/taken-1');
  });

  it('F1: of a fork is of the same network, and pull requests go to either', async () => {
    const name = await theirs('root');
    github.addUser('lee', 'of-lee');
    const clock = { now: () => Date.now() };
    const parts = { apiUrl: github.url, userAgent: 'agentpr', clock };
    await createGitHubForge({ ...parts, token: async () => 'of-lee' }).fork(name, null);
    const fork = await forge.fork('lee/root', null);
    expect(fork.network).toBe((await forge.repo(name)).id);
    await github.repo(fork.name).pushForeign('change', { files: { 'b.txt': 'b' } });
    for (const base of [name, 'lee/root'])
      expect(await open(base, 'bot:change')).toMatchObject({ headRepoId: fork.id, author: 'bot' });
    expect(await forge.pullsByHead(name, 'bot:change')).toHaveLength(1);
    expect(await forge.pullsByHead(name, 'kim:change')).toEqual([]);
    expect(await open(name, 'bot:change')).toBeNull();
  });

  it('F1: belongs to an organisation that is named', async () => {
    expect((await forge.fork(await theirs('shared'), 'robots')).name).toBe('robots/shared');
  });

  it('F1: leaves its pull request closed and without a head when it is deleted', async () => {
    const name = await theirs('short');
    const fork = await forge.fork(name, null);
    await github.repo(fork.name).pushForeign('change', { files: { 'b.txt': 'b' } });
    const made = await open(name, 'bot:change');
    github.removeRepo(fork.name);
    expect(await forge.pull(name, made?.id ?? '')).toMatchObject({ state: 'closed', headRepoId: null });
    expect((await forge.fork(name, null)).id).not.toBe(fork.id);
  });

  it.each([
    ['forking is off', { forking: { off: true } }, null, /cannot be forked.*forking is disabled/],
    ['the token has no scope for it', {}, answer(404, { message: 'Not Found' }), /cannot be forked/],
    ['it is forbidden', {}, answer(403, { message: 'Resource not accessible' }), /cannot be forked/],
    ['it is not taken', {}, answer(422, { message: 'Validation Failed' }), /cannot be forked/],
    [
      'an organisation wants single sign-on',
      {},
      answer(
        403,
        { message: 'Resource protected by organization SAML enforcement.' },
        { 'x-github-sso': 'required; url=https://github.com/orgs/kim/sso?authorization_request=A1' },
      ),
      /single sign-on.*in the settings of its account/,
    ],
  ])('F1: says why there is none when %s', async (what, more, fault, says) => {
    const name = await theirs(`no-${what.replaceAll(/\W+/g, '-')}`, more);
    if (fault) github.faults.next(FORKS, fault);
    const failure = await failing(forge.fork(name, null));
    expect(failure.class).toBe(/single/.test(what) ? 'permission_denied' : 'not_allowed');
    expect(failure.message).toMatch(says);
  });

  it('F5: is waited for where the code host asks for it', async () => {
    const name = await theirs('later');
    const limit = answer(
      403,
      { message: 'You have exceeded a secondary rate limit.' },
      { 'retry-after': '5' },
    );
    github.faults.next(FORKS, limit);
    expect((await failing(forge.fork(name, null))).class).toBe('rate_limited');
  });

  it('F1: follows what it comes from, and is left alone where somebody made it their own', async () => {
    const name = await theirs('old');
    const fork = await forge.fork(name, null);
    const base = github.repo(name);
    await base.advance({ 'b.txt': 'b' });
    expect(await forge.followParent(fork.name, 'main')).toBe(true);
    expect(await github.repo(fork.name).head()).toBe(await base.head());
    expect(await forge.followParent(fork.name, 'main')).toBe(true);
    const own = await github.repo(fork.name).advance({ 'mine.txt': 'm' });
    await base.advance({ 'c.txt': 'c' });
    expect(await forge.followParent(fork.name, 'main')).toBe(false);
    expect(await github.repo(fork.name).head()).toBe(own);
  });

  it('F5: a repository that takes no more of ours says so by a class of its own, until one is closed', async () => {
    const name = await theirs('full');
    const fork = await forge.fork(name, null);
    for (const branch of ['one', 'two'])
      await github.repo(fork.name).pushForeign(branch, { files: { [branch]: 'x' } });
    github.repo(name).limitPulls(0);
    // None of ours is open there: no place will become free.
    expect(await failing(open(name, 'bot:one'))).toMatchObject({
      class: 'not_allowed',
      message: expect.stringMatching(/closed it to newcomers/) as string,
    });
    // GitHub documents no words for an owner who blocked us; these have been seen.
    for (const fault of [
      answer(403, { message: 'User is blocked' }),
      answer(422, {
        message: 'Validation Failed',
        errors: [{ message: 'user is blocked from this repository' }],
      }),
    ]) {
      github.faults.next('POST /repos/{owner}/{repo}/pulls', fault);
      expect(await failing(open(name, 'bot:one'))).toMatchObject({ class: 'not_allowed' });
    }
    github.repo(name).limitPulls(1);
    const first = await open(name, 'bot:one');
    expect(await failing(open(name, 'bot:two'))).toMatchObject({ class: 'pull_limit' });
    const words = 'bot does not have the correct permissions to execute `CreatePullRequest`';
    github.faults.next('POST /repos/{owner}/{repo}/pulls', answer(403, { message: words }));
    expect(await failing(open(name, 'bot:two'))).toMatchObject({ class: 'pull_limit' });
    await github.repo(name).close(Number(first?.id.slice(1)));
    expect(await open(name, 'bot:two')).toMatchObject({ state: 'open' });
  });

  it('F5: what an account that is flagged has opened is seen by nobody else', async () => {
    const name = await theirs('watched');
    const fork = await forge.fork(name, null);
    await github.repo(fork.name).pushForeign('one', { files: { one: 'x' } });
    const id = (await open(name, 'bot:one'))?.id ?? '';
    expect(await forge.seenByAll(name, id)).toBe(true);
    github.flag('bot', true);
    expect((await forge.pull(name, id)).state).toBe('open');
    expect(await forge.seenByAll(name, id)).toBe(false);
    expect(github.calls.slice(-2).map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    github.flag('bot', false);
    // Nobody can say: a private repository, a limit, an outage.
    expect(await forge.seenByAll('kim/nothing', id)).toBeNull();
    github.faults.next('GET /repos/{owner}/{repo}/pulls/{pull_number}', answer(429, { message: 'slow' }));
    expect(await forge.seenByAll(name, id)).toBeNull();
    await github.down();
    expect(await forge.seenByAll(name, id)).toBeNull();
    await github.up();
  });
});
