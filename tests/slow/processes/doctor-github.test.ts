/** F1, O2: what `doctor` says of the credentials for GitHub. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHub, type GitHub } from '#playground';
import { toProbeLine, type HostResult } from '../../../app/probes/host-result.ts';
import { LANGUAGE_TEXTS } from '#language';
import { readConfig } from '../../../app/config.ts';
import { checkGitHub, checkWatchedLabels } from '../../../app/probes/code-host.ts';
import { APP_PERMISSIONS } from '../../../forge/required-permissions.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('doctor on GitHub', () => {
  let github: GitHub;
  const say = (checks: readonly HostResult[]) => checks.map((check) => toProbeLine(LANGUAGE_TEXTS.en, check));
  const says = async (env: Record<string, string>) =>
    say(
      await checkGitHub(
        readConfig(
          { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_API_URL: github.url, ...env },
          null,
          '/tmp',
        ),
        LANGUAGE_TEXTS.en,
      ),
    );

  beforeAll(async () => {
    const app = { id: '7', slug: 'agentpr', publicKey };
    github = await startGitHub({ login: 'bot', token: 'fine', app });
    github.addUser('bot', 'classic', ['repo', 'workflow']);
    github.addUser('bot', 'less', ['public_repo']);
    github.addUser('bot', 'nothing', ['read:org']);
    await github.addRepo({ owner: 'bot', name: 'app', from: { 'a.txt': 'a' } });
    github.addFineToken('bot', 'narrow', { pull_requests: 'write', issues: 'read' });
    github.addFineToken('lone', 'nowhere', { contents: 'write' });
  });
  afterAll(() => github.stop());

  it.each([
    ['classic', true, /scopes: repo, workflow/, /^$/],
    ['less', true, /scopes: public_repo/, /Missing: workflow \(push changes/],
    ['nothing', false, /scopes: read:org/, /Missing: repo \(fork, push.*workflow/],
    ['fine', true, /fine-grained token; on bot\/app it may contents: write.*issues: read/, /classic token/],
    [
      'narrow',
      false,
      /on bot\/app it may pull_requests: write, issues: read$/,
      /Missing: contents: write \(clone it.*statuses: read.*actions: write \(read logs/,
    ],
    [
      'nowhere',
      false,
      /as lone with a fine-grained token that reaches no repository/,
      /the owner that it was made for/,
    ],
    [
      'revoked',
      false,
      /does not know the token in GITHUB_TOKEN/,
      /^Make another one, then run `npx agentpr init`/,
    ],
  ])('F1: of the token %s names what is there and what is missing', async (token, ok, there, missing) => {
    const [check, ...more] = await says({ GITHUB_TOKEN: token });
    expect(more).toEqual([]);
    expect([check?.ok, check?.says, check?.fix]).toEqual([
      ok,
      expect.stringMatching(there),
      expect.stringMatching(missing),
    ]);
  });

  it('F1: of an App names each account that it is installed on, and what it lacks there', async () => {
    const env = { GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: KEY };
    expect(await says(env)).toMatchObject([
      { ok: false, says: expect.stringMatching(/installed nowhere/) as string },
    ]);
    const all = Object.fromEntries(APP_PERMISSIONS.map(({ name, level }) => [name, level]));
    github.installApp('acme', all);
    github.installApp('kim', { ...all, checks: 'none', workflows: 'none' });
    github.installApp('lee', { contents: 'read' });
    github.installApp('gone', all).suspended = true;
    expect(await says(env)).toMatchObject([
      { ok: true, says: 'agentpr[bot] is installed on acme with all permissions', fix: '' },
      { ok: true, fix: expect.stringMatching(/Missing: checks: read.*workflows: write/) as string },
      { ok: false, fix: expect.stringMatching(/contents: write \(clone/) as string },
      { ok: true, says: expect.stringMatching(/suspended/) as string },
    ]);
  });

  describe('labels by which issues ask', () => {
    const labels = async (issues: object[], env: Record<string, string> = {}) =>
      say(
        await checkWatchedLabels(
          readConfig(
            {
              TELEGRAM_BOT_TOKEN: '1:x',
              TELEGRAM_ADMIN_IDS: '1',
              GITHUB_API_URL: github.url,
              GITHUB_TOKEN: 'classic',
              ...env,
            },
            JSON.stringify({ arrivals: { issues } }),
            '/tmp',
          ),
        ),
      );
    const on = { repositories: ['bot/app'] };

    it('F5: one that a repository does not have, or a repository that nobody finds, is named', async () => {
      expect(await labels([])).toEqual([]);
      expect(await labels([{ ...on, label: 'Good First Issue' }])).toEqual([
        { name: 'labels', ok: true, says: 'issues of 1 repository can be labelled', fix: '' },
      ]);
      expect(await labels([{ repositories: ['bot/app', 'bot/gone'] }])).toEqual([
        {
          name: 'labels',
          ok: true,
          says: 'bot/app has no label agentpr\nbot/gone is not found, or hidden from us',
          fix: expect.stringMatching(/^Make the label there.*arrivals\.issues/) as string,
        },
      ]);
      const repo = github.repo('bot/app');
      repo.labelIssue(repo.openIssue({ title: 'Broken', body: '', user: 'bot' }), 'area/web', 'bot');
      expect(await labels([{ ...on, label: 'area/web' }])).toMatchObject([{ fix: '' }]);
    });

    it('F5: says nothing where it could not look, and is no failure', async () => {
      expect(await labels([on], { GITHUB_API_URL: 'http://127.0.0.1:9' })).toEqual([]);
      expect(await labels([on], { GITHUB_TOKEN: 'revoked' })).toEqual([]);
    });

    it('F5: a comma would be two labels to GitHub: refused when it is read', async () => {
      for (const label of ['a,b', 'a\nb', '', ' ', 'x'.repeat(51)])
        await expect((async () => labels([{ ...on, label }]))(), label).rejects.toThrow(/issues #1\.label/);
    });
  });
});
