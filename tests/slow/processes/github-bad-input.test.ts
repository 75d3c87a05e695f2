/** F1, F5, F8: what organisations, servers and maintainers may do to us, in GitHub's own words. */
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../app/config.ts';
import { OutsideFailure } from '#ports/forge';
import type { RepoRef } from '#ports/workspaces';
import { answer } from '#playground';
import {
  forgeAt,
  repo,
  ROUTE,
  startForgeWorld,
  type ForgeWorld,
  type OurPull,
} from '../../support/forge-world.ts';
import { AT, AUTHOR, createWorld, git, write, type World } from '../../support/git-world.ts';

let world: ForgeWorld;
let pull: OurPull;
beforeAll(async () => {
  world = await startForgeWorld();
  pull = await world.openPull();
});
afterAll(() => world.github.stop());
beforeEach(() => world.github.faults.clear());

const failing = async (go: Promise<unknown>): Promise<OutsideFailure> => {
  const error: unknown = await go.then(
    () => null,
    (e: unknown) => e,
  );
  if (error instanceof OutsideFailure) return error;
  throw new Error(`no failure of the outside: ${String(error)}`);
};

describe('an organisation with single sign-on', () => {
  const words = { message: 'Resource protected by organization SAML enforcement.' };
  const pageOn = (host: string): string => `${host}/orgs/acme/sso?authorization_request=A1`;
  const refuses = (header: string) => answer(403, words, { 'x-github-sso': header });

  it('F1: says where the token is authorised, of a read and of what would be written', async () => {
    const at = pageOn(world.github.url);
    world.github.faults.always(ROUTE.pull, refuses(`required; url=${at}`));
    world.github.faults.always('GET /repos/{owner}/{repo}', refuses(`required; url=${at}`));
    const forge = forgeAt(world.github.url);
    const wish = { title: 'x', body: '', head: pull.branch, base: 'main', draft: false };
    for (const go of [
      forge.pull(repo, pull.id),
      forge.createPull(repo, { ...wish, maintainerCanModify: true }),
    ])
      expect(await failing(go)).toMatchObject({
        class: 'permission_denied',
        message: expect.stringContaining(`Authorise it at ${at}, then retry`) as string,
        detail: { kind: 'sign_on_required', organisation: 'acme', url: at },
      });
  });

  it('G5: leads to no page that is not one of the connected code host', async () => {
    const { host } = new URL(world.github.url);
    for (const to of [
      'javascript:alert(1)',
      pageOn('https://github.com'),
      pageOn(`https://${host}`),
      pageOn(`http://${host}@evil.example`),
      pageOn(`http://evil@${host}`),
      pageOn(`http://${host}.evil.example`),
    ]) {
      world.github.faults.next(ROUTE.pull, refuses(`required; url=${to}`));
      const { message, detail: refusal } = await failing(forgeAt(world.github.url).pull(repo, pull.id));
      expect(message).not.toContain(to);
      expect(refusal).toMatchObject({ kind: 'sign_on_required' });
      expect(refusal).not.toHaveProperty('url');
    }
  });
});

describe('a server of one’s own', () => {
  let server: Server;
  let url = '';
  const paths: string[] = [];
  /** As GitHub Enterprise Server: the API lies below /api/v3 of the server that people use. */
  beforeAll(async () => {
    server = createServer((from, to) => {
      const path = from.url ?? '';
      paths.push(path);
      const [, rest] = /^\/api\/v3(\/.*)$/.exec(path) ?? [];
      if (rest === undefined) return void to.writeHead(404).end('{"message":"Not Found"}');
      const { hostname, port } = new URL(world.github.url);
      const on = httpRequest(
        { hostname, port, path: rest, method: from.method, headers: from.headers },
        (back) => {
          to.writeHead(back.statusCode ?? 500, back.headers);
          back.pipe(to);
        },
      );
      from.pipe(on);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => server.close(closed)));

  it('F1: is asked below its own path, page after page, with or without a slash at the end', async () => {
    for (let i = 0; i < 120; i += 1) world.acme.comment(pull.number, { body: `${i}` });
    for (const api of [`${url}/api/v3`, `${url}/api/v3/`]) {
      const forge = forgeAt(api);
      expect((await forge.pull(repo, pull.id)).headSha).toBe(pull.head);
      expect(await forge.comments(repo, pull.id)).toHaveLength(100);
      expect((await forge.checks(repo, pull.head, 'main')).unread).toBeNull();
      expect(await forge.seenByAll(repo, pull.id)).toBe(true);
    }
    expect(paths.filter((path) => !path.startsWith('/api/v3/'))).toEqual([]);
  });

  it('F12: whose plan, or old server, has no rules asks for none; any other refusal is told', async () => {
    const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';
    const says = 'Upgrade to GitHub Pro or make this repository public to enable this feature.';
    const { faults } = world.github;
    faults.next(route, answer(403, { message: says }));
    const none = await forgeAt(`${url}/api/v3`).checks(repo, pull.head, 'main');
    expect(none).toMatchObject({ unread: null, required: [] });
    const missing = 'https://docs.github.com/enterprise-server@3.8/rest';
    const old = [
      answer(404, { message: 'Not Found', documentation_url: missing }),
      answer(404, { message: 'Not Found' }, { 'x-github-enterprise-version': '3.10.2' }),
      answer(404, { message: 'Not Found' }, { 'x-github-enterprise-version': '2.22.7' }),
    ];
    for (const fault of old) {
      faults.next(route, fault);
      const before = await forgeAt(`${url}/api/v3`).checks(repo, pull.head, 'main');
      expect(before).toMatchObject({ unread: null, required: [] });
    }
    for (const newer of ['3.11.0', '3.100.1']) {
      faults.next(route, answer(404, { message: 'Not Found' }, { 'x-github-enterprise-version': newer }));
      const hidden = await forgeAt(`${url}/api/v3`).checks(repo, pull.head, 'main');
      expect(hidden.unread).toMatchObject({ kind: 'missing', parts: ['rules'] });
    }
    faults.next(route, answer(403, { message: 'Resource not accessible by personal access token' }));
    const told = await forgeAt(`${url}/api/v3`).checks(repo, pull.head, 'main');
    expect(told.unread).toMatchObject({ kind: 'forbidden', parts: ['rules'] });
  });

  it('F1: is where repositories are cloned from, and no other server sees the token', () => {
    const env = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 't' };
    const of = (api: string) => readConfig({ ...env, GITHUB_API_URL: api }, null, '/tmp').github;
    expect(of('https://ghe.example.org/api/v3/')).toMatchObject({
      apiUrl: 'https://ghe.example.org/api/v3',
      serverUrl: 'https://ghe.example.org',
    });
    expect(of('https://api.github.com').serverUrl).toBe('https://github.com');
    const servers = [
      ['https://api.acme.ghe.com', 'https://acme.ghe.com'],
      ['https://ghe.example.org:8443/api/v3', 'https://ghe.example.org:8443'],
      ['https://corp.example.org/code/api/v3/', 'https://corp.example.org/code'],
      ['https://[2001:db8::7]/api/v3', 'https://[2001:db8::7]'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
    ];
    for (const [api = '', serverUrl] of servers) expect(of(api).serverUrl).toBe(serverUrl);
    const elsewhere = {
      GITHUB_API_URL: 'https://code.example.org/rest',
      GITHUB_URL: 'https://git.example.org/x/',
    };
    expect(readConfig({ ...env, ...elsewhere }, null, '/tmp').github.serverUrl).toBe(
      'https://git.example.org/x',
    );
    for (const url of [
      'http://git.example.org',
      'https://u:p@git.example.org',
      'https://git.example.org?a=1',
    ])
      expect(() => readConfig({ ...env, GITHUB_URL: url }, null, '/tmp')).toThrow(/GITHUB_URL must be/);
    // The address of the pages in place of the API's.
    for (const [api = '', right] of [
      ['https://github.com', 'https://api.github.com'],
      ['https://acme.ghe.com/api/v3', 'https://api.acme.ghe.com'],
    ])
      expect(() => of(api)).toThrow(`The API is at ${right}`);
    expect(() => of('http://ghe.example.org/api/v3')).toThrow(/must be https/);
  });
});

describe('a base branch', () => {
  let host: World;
  beforeAll(async () => {
    host = await createWorld();
  });
  afterAll(() => host.close());

  const changed = async (name: string) => {
    const ref = host.repo(name, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
    const { sha: base, ws } = await host.prepare(name, ref);
    write(ws, { 'a.txt': 'two\n' });
    const harvest = await host.harvest(name, base);
    if (harvest.kind !== 'commit') throw new Error(harvest.kind);
    const compare = () =>
      host.workspaces.compare({ runId: name, repo: ref, base: 'main', head: harvest.commit.sha });
    return { ref, compare };
  };
  const bare = (ref: RepoRef, ...args: string[]): string => git(host.bare(ref), ...args);

  it('G2: that was renamed is told as one that is not there', async () => {
    const { ref, compare } = await changed('renamed');
    expect((await compare()).conflicts).toBe(false);
    bare(ref, 'branch', '-m', 'main', 'trunk');
    const failure = await failing(compare());
    expect([failure.class, failure.message]).toEqual(['base_missing', expect.stringContaining('main')]);
  });

  it('G2: that was pushed over with another history is told as that, and one with a part of it is compared', async () => {
    const { ref, compare } = await changed('rewritten');
    host.advance(ref, { 'a.txt': 'three\n' });
    expect((await compare()).conflicts).toBe(true);
    const tree = bare(ref, 'rev-parse', 'main^{tree}');
    const other = bare(ref, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit-tree', '-m', 'anew', tree);
    bare(ref, 'update-ref', 'refs/heads/main', other);
    expect(await failing(compare())).toMatchObject({
      class: 'forge_refused',
      message: expect.stringMatching(/no commit in common/) as string,
    });
  });

  it('E1: three thousand changed files are one commit, with every file in its facts', async () => {
    const ref = host.repo('large', { 'a.txt': 'one\n' });
    const { sha: base, ws } = await host.prepare('large', ref);
    write(
      ws,
      Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`src/${i % 40}/f${i}.ts`, `${i}\n`])),
    );
    const harvest = await host.workspaces.harvest({
      runId: 'large',
      base,
      parent: base,
      message: 'Many\n',
      author: AUTHOR,
      at: AT,
    });
    expect(harvest).toMatchObject({ kind: 'commit', commit: { diff: { added: 3_000 } } });
    if (harvest.kind === 'commit') expect(harvest.commit.diff.files).toHaveLength(3_000);
  });
});
