/** F1: an App where it is installed, and the account of a token everywhere else; by clocks that differ. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHub, type GitHub } from '#playground';
import { createForgeCredentials, type ForgeCredentials } from '../../../forge/credentials.ts';
import { createGitHubForge } from '../../../forge/github.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const WRITES = { contents: 'write', pull_requests: 'write', metadata: 'read' };
const MINUTES = 60_000;

describe('a GitHub App', () => {
  let github: GitHub;
  let ahead = 0;
  const now = (): number => Date.now() + ahead;

  const as = (token: string | null, key = KEY): { credentials: ForgeCredentials; forge: ForgePort } => {
    const clock = { now: () => Date.now() };
    const credentials = createForgeCredentials({ apiUrl: github.url, token, app: { id: '7', key }, clock });
    const parts = { apiUrl: github.url, userAgent: 'agentpr', clock, token: credentials.token };
    return { credentials, forge: createGitHubForge({ ...parts, app: credentials }) };
  };
  const failing = async (go: Promise<unknown>): Promise<OutsideFailure> => {
    const error: unknown = await go.then(
      () => null,
      (e: unknown) => e,
    );
    if (error instanceof OutsideFailure) return error;
    throw new Error(`no failure of the outside: ${String(error)}`);
  };

  beforeAll(async () => {
    const app = { id: '7', slug: 'agentpr', publicKey };
    github = await startGitHub({ login: 'bot', token: 'of-the-account', app, now });
    for (const owner of ['acme', 'kim', 'lee'])
      await github.addRepo({ owner, name: 'app', from: { 'a.txt': 'a' }, access: 'read' });
    github.installApp('acme', WRITES);
    github.installApp('lee', { ...WRITES, contents: 'read' });
  });
  afterAll(() => github.stop());

  it('F1: writes as the App where it is installed, and as the account elsewhere', async () => {
    const { forge, credentials } = as('of-the-account');
    expect(await forge.login('acme/app')).toBe('agentpr[bot]');
    expect((await forge.repo('acme/app')).mayPush).toBe(true);
    expect(await credentials.token('acme/app')).toMatch(/^ghs_/);
    for (const elsewhere of ['kim/app', 'lee/app']) {
      expect(await forge.login(elsewhere)).toBe('bot');
      expect((await forge.repo(elsewhere)).mayPush).toBe(false);
      expect(await credentials.token(elsewhere)).toBe('of-the-account');
    }
    expect(await forge.forkOwner()).toBe('bot');
  });

  it('F5: each installation has a budget of its own, and so has the account', async () => {
    const { credentials } = as('of-the-account');
    const [acme, kim, lee, none] = await Promise.all(
      ['acme/app', 'kim/app', 'lee/app', null].map((repo) => credentials.identity(repo)),
    );
    expect(acme).toMatch(/^installation:\d+$/);
    expect([kim, lee, none]).toEqual(['account', 'account', 'account']);
    const alone = as(null).credentials;
    expect(await alone.identity('acme/app')).toBe(acme);
    expect(await alone.identity('lee/app')).not.toBe(acme);
  });

  it('F1: opens a pull request as the App, which is found as its own', async () => {
    const { forge } = as(null);
    await github.repo('acme/app').pushForeign('change', { files: { 'b.txt': 'b' } });
    const wish = { title: 't', body: 'b', head: 'change', base: 'main', draft: false };
    const made = await forge.createPull('acme/app', { ...wish, maintainerCanModify: false });
    expect(made?.author).toBe(await forge.login('acme/app'));
    expect(await forge.openPulls('acme/app')).toBe(1);
  });

  it('F1: reads what is public without being installed there, and has no forks', async () => {
    const { forge } = as(null);
    expect((await forge.repo('kim/app')).mayPush).toBe(false);
    expect(await forge.forkOwner()).toBeNull();
  });

  it('F1: keeps a token for as long as it is good, and makes another when it is not taken any more', async () => {
    const { forge } = as(null);
    const before = github.appTokens();
    await forge.repo('acme/app');
    await forge.openPulls('acme/app');
    expect(github.appTokens()).toBe(before + 1);
    ahead = 61 * MINUTES;
    await forge.openPulls('acme/app');
    expect(github.appTokens()).toBe(before + 2);
    ahead = 0;
  });

  it.each([10, -10, 600])('F1: works with a clock that is %d minutes off', async (minutes) => {
    ahead = minutes * MINUTES;
    const { forge } = as(null);
    expect((await forge.repo('acme/app')).mayPush).toBe(true);
    ahead = 0;
  });

  it('F1: says that the key is not the App’s', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const { forge } = as(null, other.export({ type: 'pkcs8', format: 'pem' }).toString());
    const failure = await failing(forge.repo('acme/app'));
    expect([failure.class, failure.message]).toEqual(['auth_missing', expect.stringContaining('App')]);
  });

  it('F5: an installation that was put to sleep writes nothing, and says who can wake it', async () => {
    await github.addRepo({ owner: 'zoe', name: 'app', from: { 'a.txt': 'a' }, access: 'read' });
    const installed = github.installApp('zoe', WRITES);
    installed.suspended = true;
    const alone = as(null);
    expect(await failing(alone.forge.repo('zoe/app'))).toMatchObject({
      class: 'account_suspended',
      message: expect.stringMatching(/zoe has suspended our GitHub App/) as string,
    });
    expect(await alone.credentials.app('zoe/app')).toBeNull();
    expect(await alone.credentials.identity('zoe/app')).toBe(`installation:${installed.id}`);
    expect(await as('of-the-account').credentials.token('zoe/app')).toBe('of-the-account');
    installed.suspended = false;
    alone.credentials.forget();
    expect((await alone.forge.repo('zoe/app')).mayPush).toBe(true);
  });

  it('F1: takes a key whose lines are written as backslash n', async () => {
    expect(await as(null, KEY.replaceAll('\n', '\\n')).forge.login('acme/app')).toBe('agentpr[bot]');
  });
});
