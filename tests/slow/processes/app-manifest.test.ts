/** F1, O2: a GitHub App that is made with one click; its keys come to this machine alone. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHub, type GitHub } from '#playground';
import { readConfig } from '../../../app/config.ts';
import { toProbeLine } from '../../../app/probes/host-result.ts';
import { LANGUAGE_TEXTS } from '#language';
import { checkGitHub } from '../../../app/probes/code-host.ts';
import { createGitHubApp, githubAppSettings, type GitHubAppRequest } from '../../../cli/create-github-app.ts';
import { APP_WEBHOOK_EVENTS, appCreationUrl } from '../../../forge/app-manifest.ts';
import { APP_PERMISSIONS } from '../../../forge/required-permissions.ts';
import { apiCalls, judge } from '../../support/openapi/judge.ts';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ login: 'ana', token: 'tok', scopes: ['repo'] });
});
afterAll(() => github.stop());

/** The page, as a browser has it: where its form goes, and what it sends. */
const formOf = async (address: string) => {
  const html = await (await fetch(address)).text();
  const unescaped = (text = ''): string =>
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
  return {
    html,
    action: unescaped(/<form action="([^"]+)"/.exec(html)?.[1]),
    manifest: unescaped(/name="manifest" value="([^"]+)"/.exec(html)?.[1]),
  };
};
/** Presses the button; GitHub sends the browser back, to where it says. */
const press = async (address: string): Promise<string> => {
  const { action, manifest } = await formOf(address);
  const answer = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ manifest }),
  });
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
};
const begun = (change: Partial<GitHubAppRequest> = {}) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const wish = { apiUrl: github.url, serverUrl: github.url, publicUrl: null, organisation: null };
  const made = createGitHubApp({ ...wish, say: resolve, ...change });
  made.catch(() => undefined);
  return { address: promise, made };
};

describe('an App that is made with one click', () => {
  it('F1: asks for exactly what docs/github.md names, and its keys work', async () => {
    const { address, made } = begun({ publicUrl: 'https://bot.example.org/' });
    const { manifest } = await formOf(await address);
    const rights = Object.fromEntries(APP_PERMISSIONS.map(({ name, level }) => [name, level]));
    expect(JSON.parse(manifest)).toMatchObject({
      public: false,
      default_permissions: { metadata: 'read', ...rights },
      default_events: APP_WEBHOOK_EVENTS,
      hook_attributes: { url: 'https://bot.example.org/webhooks/github', active: true },
    });
    const page = readFileSync(join(import.meta.dirname, '../../../docs/github.md'), 'utf8');
    for (const one of [...APP_PERMISSIONS.map(({ title }) => title), ...APP_WEBHOOK_EVENTS])
      expect(page).toContain(one);
    expect((await fetch(await press(await address))).status).toBe(200);
    const settings = githubAppSettings(await made);
    expect(Object.keys(settings)).toEqual([
      ...['GITHUB_APP_ID', 'GITHUB_APP_PRIVATE_KEY', 'GITHUB_WEBHOOK_SECRET'],
    ]);
    const env = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_API_URL: github.url };
    const config = readConfig({ ...env, ...settings }, null, '/tmp');
    github.installApp('ana', rights);
    const checks = await checkGitHub(config, LANGUAGE_TEXTS.en);
    expect(checks.map((check) => toProbeLine(LANGUAGE_TEXTS.en, check))).toMatchObject([
      { ok: true, says: expect.stringMatching(/on ana with all permissions/) as string },
    ]);
    expect([...new Set(apiCalls(github).flatMap(judge))]).toEqual([]);
  });

  it('F1: takes no answer that it did not wait for, and none twice', async () => {
    const { address, made } = begun();
    const own = new URL(await address);
    const back = new URL(await press(own.href));
    const with_ = (name: string, value: string): URL => {
      const other = new URL(back);
      other.searchParams.set(name, value);
      return other;
    };
    const wrong = [with_('state', 'x'.repeat(32)), with_('state', ''), with_('code', '../user')];
    for (const url of wrong) expect((await fetch(url)).status).toBe(400);
    // Neither the page without its path, nor under another name, nor by another verb.
    expect((await fetch(own.origin)).status).toBe(404);
    expect((await fetch(back, { method: 'POST' })).status).toBe(404);
    const rebound = request({ port: own.port, path: own.pathname, headers: { host: 'evil.example' } }).end();
    const [{ statusCode }] = (await once(rebound, 'response')) as [{ statusCode: number }];
    expect(statusCode).toBe(404);
    const asked = github.calls.filter(({ path }) => path.startsWith('/app-manifests')).length;
    const [first, second] = await Promise.all([fetch(back), fetch(back)]);
    expect([first.status, second.status].sort()).toEqual([200, 400]);
    expect((await made).slug).toMatch(/^agentpr-[0-9a-f]{8}$/);
    expect(github.calls.filter(({ path }) => path.startsWith('/app-manifests'))).toHaveLength(asked + 1);
  });

  it('F1: says why none was made: GitHub refuses the code, or nobody comes', async () => {
    const { address, made } = begun();
    const back = new URL(await press(await address));
    back.searchParams.set('code', 'somebody-elses');
    expect((await fetch(back)).status).toBe(502);
    await expect(made).rejects.toThrow(/does not know that code/);
    await expect(begun({ patienceMs: 20 }).made).rejects.toThrow(/Nobody created the App/);
  });

  it('F1: goes to an organisation, and to a server of one’s own', () => {
    expect(appCreationUrl('https://ghe.example.org', 'acme', 's')).toBe(
      'https://ghe.example.org/organizations/acme/settings/apps/new?state=s',
    );
  });
});

it('O2: `init --app` puts the keys into the settings that are there, for nobody else to read', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-app-'));
  try {
    const file = join(dir, '.env');
    writeFileSync(file, 'TELEGRAM_BOT_TOKEN=1:x\nGITHUB_APP_ID=old\n# mine\n');
    chmodSync(file, 0o644);
    const { AGENTPR_PUBLIC_URL: _, ...outer } = process.env;
    const env = { ...outer, GITHUB_API_URL: github.url };
    const one = spawn(process.execPath, [CLI, 'init', '--app'], { cwd: dir, env });
    let said = '';
    const address = new Promise<string>((resolve) =>
      one.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:\d+\/\S+/.exec(said)?.[0];
        if (found) resolve(found);
      }),
    );
    await fetch(await press(await address));
    const [code] = (await once(one, 'close')) as [number];
    expect([code, existsSync(file)]).toEqual([0, true]);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(
      /^TELEGRAM_BOT_TOKEN=1:x\n# mine\nGITHUB_APP_ID=\d+\nGITHUB_APP_PRIVATE_KEY=-----BEGIN RSA/,
    );
    expect(text).toContain(`GITHUB_API_URL=${github.url}`);
    expect(text.trimEnd().split('\n')).toHaveLength(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
