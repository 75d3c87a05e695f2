/** Tests a locked forge: pages need the key, REST and git do not. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startGitHub, type GitHub, type RepoHandle } from '../../index.ts';
import { createLock } from '../../pages/lock.ts';

const token = 'ghp_playground';
let github: GitHub;
let repo: RepoHandle;
let pull: string;

type Got = { status: number; headers: IncomingHttpHeaders; body: string };
const ask = (path: string, headers: Record<string, string> = {}, post?: Record<string, string>) => {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const wish = { method: post ? 'POST' : 'GET', headers: { accept: 'text/html', ...headers }, agent: false };
  const asking = request(`${github.url}${path}`, wish, (response) => {
    const { statusCode: status = 0 } = response;
    if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
    const read = response.destroyed ? Promise.resolve('') : text(response);
    read.then((body) => resolve({ status, headers: response.headers, body }), reject);
  });
  asking.once('error', reject);
  asking.end(post && new URLSearchParams(post).toString());
  return promise;
};
const cookieOf = ({ headers }: Got): string => headers['set-cookie']?.[0]?.split(';')[0] ?? '';
const merge = (cookie: string, form: string, search = ''): Promise<Got> => {
  const type = 'application/x-www-form-urlencoded';
  const own = { origin: github.url, 'content-type': type, cookie };
  return ask(`/forge${pull}/end${search}`, own, { token: form, back: pull, verb: 'merge' });
};
const formToken = ({ body }: Got): string => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';

beforeEach(async () => {
  github = await startGitHub({ login: 'agentpr-bot', token, forgeKey: 'a-key' });
  repo = await github.addRepo({ owner: 'acme', name: 'api', from: { 'a.txt': 'one\n' } });
  await repo.pushForeign('fix', { files: { 'a.txt': 'two\n' } });
  const opened = await fetch(`${github.url}/repos/acme/api/pulls`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Fix', body: '', head: 'fix', base: 'main' }),
  });
  expect(opened.status).toBe(201);
  pull = '/acme/api/pull/1';
});
afterEach(() => github.stop());

describe('a forge with a key', () => {
  it('shows nothing and does nothing for one who has not opened the whole address', async () => {
    expect(github.forgeUrl).toBe(`${github.url}/?key=a-key`);
    const held = cookieOf(await ask('/?key=a-key'));
    const form = formToken(await ask(pull, { cookie: held }));
    expect(form).not.toBe('');
    const paths = ['/', '/acme', '/acme/api', pull, `${pull}/files`, `${pull}.diff`, '/deliveries'];
    for (const path of [...paths, '/forge/events', '/no/such/page', '/?key=a-kez', '/?key=', '/?key=a-key-'])
      for (const cookie of ['', `${held}x`, held.replace('a-key', ''), held.replace('forge-', 'phone-')]) {
        const got = await ask(path, { cookie });
        expect([path, cookie, got.status]).toEqual([path, cookie, 403]);
        expect(got.headers['set-cookie']).toBeUndefined();
        expect(got.body).not.toMatch(/acme|name="token"/);
      }
    // Even a forged form with our token and origin is refused.
    expect((await merge('', form)).status).toBe(403);
    expect((await merge('', form, '?key=a-key')).status).toBe(403);
    expect(github.pull('acme/api', 1)).toMatchObject({ state: 'open', merged: false });
  });

  it('is whole for the browser that did, on every page', async () => {
    const first = await ask(`${pull}?key=a-key`);
    expect(first.status).toBe(200);
    const port = new URL(github.url).port;
    expect(first.headers['set-cookie']).toEqual([`forge-${port}=a-key; Path=/; HttpOnly; SameSite=Strict`]);
    const cookie = `theme=dark; ${cookieOf(first)}`;
    for (const path of ['/', '/acme/api', `${pull}/files`, '/deliveries', '/forge/events'])
      expect([path, (await ask(path, { cookie })).status]).toEqual([path, 200]);
    expect((await ask('/no/such/page', { cookie })).status).toBe(404);
    expect((await merge(cookie, formToken(first))).status).toBe(303);
    expect(github.pull('acme/api', 1).merged).toBe(true);
  });

  it('leaves REST, git and what the locked page looks like open', async () => {
    const own = { accept: 'application/json', authorization: `token ${token}` };
    expect((await ask('/repos/acme/api', own)).status).toBe(200);
    expect((await ask('/users/somebody', own)).status).toBe(404);
    expect((await ask('/acme/api.git/info/refs?service=git-upload-pack')).status).toBe(200);
    for (const file of ['/pages/forge.css', '/pages/forge.js']) expect((await ask(file)).status).toBe(200);
  });

  it('needs no key when none is wished for', async () => {
    const open = createLock('forge', null);
    expect(open.address('http://127.0.0.1:1')).toBe('http://127.0.0.1:1/');
    const url = new URL('http://127.0.0.1:1/?key=');
    const asked = { method: 'GET', url, headers: {}, body: Buffer.alloc(0), gone: AbortSignal.abort() };
    expect([open.isOpenTo(asked), open.cookieFor(asked)]).toEqual([true, {}]);
  });
});
