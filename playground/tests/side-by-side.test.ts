/** Tests the page that shows phone and code host by one key. */
import { afterEach, expect, it } from 'vitest';
import { startGitHub, type GitHub } from '../github.ts';
import { startStage, type Stage } from '../side-by-side.ts';
import { startTelegram, type Telegram } from '../telegram.ts';

let servers: { stage: Stage; telegram: Telegram; github: GitHub };
afterEach(async () => {
  await Promise.all([servers.stage.stop(), servers.telegram.stop(), servers.github.stop()]);
});

const start = async (): Promise<typeof servers> => {
  const stage = await startStage({ key: 'key-of-the-stage' });
  const { neighbours } = stage;
  const telegram = await startTelegram({
    token: '1:t',
    botName: 'b',
    phoneKey: 'key-of-the-phone',
    neighbours,
  });
  const github = await startGitHub({ login: 'bot', token: 't', forgeKey: 'key-of-the-forge', neighbours });
  stage.shows({
    phone: telegram.phoneUrl,
    forge: github.forgeUrl,
    cookies: [telegram.phoneCookie, github.forgeCookie],
  });
  servers = { stage, telegram, github };
  return servers;
};
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
const origin = (url: string): string => new URL(url).origin;

it('is locked without its key, and says nothing of the others', async () => {
  const { stage } = await start();
  for (const path of ['/', '/hint', '/events', '/?key=another']) {
    const response = await fetch(`${origin(stage.url)}${path}`);
    expect([path, response.status]).toEqual([path, 403]);
    expect(await response.text()).not.toMatch(/key-of/);
  }
});

it('frames both pages, which nobody else may frame', async () => {
  const { stage, telegram, github } = await start();
  const page = await fetch(stage.url);
  expect(await page.text()).toContain(telegram.phoneUrl);
  for (const url of [telegram.phoneUrl, github.forgeUrl]) {
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy).toContain(`frame-ancestors ${origin(stage.url)}`);
  }
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

it('opens all three to whoever opens one, so that a link from one leads into the other', async () => {
  const { stage, telegram, github } = await start();
  for (const url of [stage.url, telegram.phoneUrl, github.forgeUrl]) {
    const headers = { cookie: cookiesOf(await fetch(url)), accept: 'text/html' };
    expect((await fetch(`${origin(stage.url)}/hint`, { headers })).status).toBe(200);
    expect((await fetch(`${telegram.url}/phone/state`, { headers })).status).toBe(200);
    expect(await (await fetch(`${github.url}/`, { headers })).text()).toContain('Repositories');
  }
  expect(await (await fetch(`${github.url}/`)).text()).toContain('locked');
});

it('shows the newest hint', async () => {
  const { stage } = await start();
  const headers = { cookie: cookiesOf(await fetch(stage.url)) };
  stage.hints('Look at the <phone>');
  expect(await (await fetch(`${origin(stage.url)}/hint`, { headers })).json()).toEqual({
    hint: 'Look at the <phone>',
    forge: servers.github.forgeUrl,
  });
  expect(await (await fetch(stage.url)).text()).toContain('Look at the &lt;phone&gt;');
});

it('goes to the page of the code host that a hint speaks of, and stays there', async () => {
  const { stage, github } = await start();
  const headers = { cookie: cookiesOf(await fetch(stage.url)) };
  const page = `${github.url}/acme/api/pull/1`;
  stage.hints('It is open', page);
  stage.hints('Merge it');
  expect(await (await fetch(`${origin(stage.url)}/hint`, { headers })).json()).toEqual({
    hint: 'Merge it',
    forge: page,
  });
  expect(await (await fetch(stage.url)).text()).toContain(`src="${page}"`);
});
