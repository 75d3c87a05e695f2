/** F5: many repositories at once, over real HTTP, within what GitHub lets itself be asked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitHubForge } from '../../../forge/github.ts';
import type { RepoQuery } from '#model/targets';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { answer, startGitHub, type GitHub } from '#playground';

let github: GitHub;
let now = Date.now();
const forge = (): ForgePort =>
  createGitHubForge({
    apiUrl: github.url,
    userAgent: 'agentpr-test',
    clock: { now: () => now },
    token: () => Promise.resolve('tok'),
  });
const find = (by: RepoQuery['by'], text: string) => forge().findRepositories({ by, text });
const names = async (found: ReturnType<typeof find>) => (await found).repos.map(({ name }) => name).sort();
const item = (n: number) => ({ repository: { id: n % 40, full_name: `acme/r${n % 40}`, fork: false } });
const page = (count: number, total: number, more: object = {}, headers: Record<string, string> = {}) =>
  answer(
    200,
    {
      total_count: total,
      incomplete_results: false,
      ...more,
      items: Array.from({ length: count }, (_, n) => item(n)),
    },
    headers,
  );

beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'], now: () => now });
  for (const name of ['api', 'web', 'cli'])
    await github.addRepo({
      owner: 'acme',
      name,
      from: { 'a.ts': 'one\n', '.nvmrc': name === 'web' ? '20' : '24' },
    });
  await github.addRepo({
    owner: 'acme',
    name: 'secret',
    from: { 'a.ts': 'one\n' },
    private: true,
    access: 'none',
  });
  await github.addRepo({ owner: 'kim', name: 'api', from: { 'a.ts': 'one\n' }, access: 'read' });
  github.repo('acme/cli').archive();
  github.addTeam('acme/platform', ['acme/web']);
});
afterAll(() => github.stop());

describe('repositories that are looked for', () => {
  it('F5: an organisation has those that we may see, with what is archived; a team its own', async () => {
    expect(await names(find('org', 'acme'))).toEqual(['acme/api', 'acme/cli', 'acme/web']);
    expect((await find('org', 'acme')).repos.filter(({ archived }) => archived)).toMatchObject([
      { name: 'acme/cli' },
    ]);
    expect((await find('repos', 'api user:kim')).repos).toMatchObject([
      { name: 'kim/api', mayPush: false, mayFork: true },
    ]);
    expect(await names(find('team', 'acme/platform'))).toEqual(['acme/web']);
    expect(await names(find('code', '20 filename:.nvmrc org:acme'))).toEqual(['acme/web']);
  });

  it('F5: says what is not there, and what GitHub does not take, in its words', async () => {
    await expect(find('org', 'nobody')).rejects.toMatchObject({ class: 'repository_missing' });
    await expect(find('team', 'acme/nobody')).rejects.toMatchObject({ class: 'repository_missing' });
    await expect(find('repos', 'OR')).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('only logical operators') as string,
    });
  });

  it('F5: reads a thousand results, ten pages and no more, and each repository once', async () => {
    now += 60_000;
    for (let n = 0; n < 10; n += 1)
      github.faults.next('GET /search/code', page(100, 3_412, { incomplete_results: n === 4 }));
    const before = github.calls.length;
    const found = await find('code', 'x');
    expect(github.calls.length - before).toBe(10);
    expect(found).toMatchObject({ given: 1_000, of: 3_412, whole: false });
    expect(found.repos).toHaveLength(40);
  });

  it('F5: the eleventh search of code in a minute is refused; that stops nobody who writes', async () => {
    now += 60_000;
    const stopped: unknown[] = [];
    const limiter = {
      write: async <T>(_: string, go: () => Promise<T>) => go(),
      refused: async (who: string) => (stopped.push(who), now),
      suspended: async () => now,
      left: () => {},
      holdUntil: async () => 0,
    };
    const careful = createGitHubForge({
      apiUrl: github.url,
      userAgent: 'agentpr-test',
      clock: { now: () => now },
      token: () => Promise.resolve('tok'),
      writer: { identity: async () => 'bot', limiter },
    });
    for (let n = 0; n < 10; n += 1) await careful.findRepositories({ by: 'code', text: `one ${n} org:acme` });
    const failed = await careful
      .findRepositories({ by: 'code', text: 'two' })
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ class: 'rate_limited' });
    const retryAt = failed instanceof OutsideFailure ? (failed.retryAt ?? 0) : 0;
    expect(retryAt - now).toBeGreaterThan(0);
    expect(retryAt - now).toBeLessThanOrEqual(62_000);
    expect(stopped).toEqual([]);
    expect((await careful.repo('acme/api')).name).toBe('acme/api');
  });

  it('F5: pages that were read before a refusal are not asked for again', async () => {
    now += 60_000;
    const one = forge();
    github.faults.next('GET /search/code', page(100, 150, {}, { etag: '"1"' }));
    github.faults.next(
      'GET /search/code',
      answer(403, { message: 'API rate limit exceeded' }, { 'retry-after': '1' }),
    );
    await expect(one.findRepositories({ by: 'code', text: 'y' })).rejects.toMatchObject({
      class: 'rate_limited',
    });
    const before = github.calls.length;
    github.faults.next('GET /search/code', page(50, 150));
    expect(await one.findRepositories({ by: 'code', text: 'y' })).toMatchObject({ given: 150, of: 150 });
    expect(github.calls.length - before).toBe(1);
  });
});
