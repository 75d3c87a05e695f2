/** What the local Telegram and GitHub hold can be kept, and another one goes on from there. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { startGitHub, startTelegram } from '@agentpr/playground';

const TOKEN = 'token-of-the-local-github';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it('a GitHub that was kept has its repositories, pull requests and rights, and numbers on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playground-kept-'));
  ends.push(() => rm(folder, { recursive: true }));
  const first = await startGitHub({ login: 'bot', token: TOKEN });
  const repo = await first.addRepo({ owner: 'acme', name: 'api', from: { 'a.txt': 'one\n' } });
  await repo.addBranch('better', { files: { 'a.txt': 'two\n' } });
  const open = (url: string, head: string): Promise<Response> =>
    fetch(`${url}/repos/acme/api/pulls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ title: 'Better', head, base: 'main' }),
    });
  expect((await open(first.url, 'better')).status).toBe(201);
  await first.keep(folder);
  await first.stop();

  const second = await startGitHub({ login: 'bot', token: TOKEN, kept: folder });
  ends.push(() => second.stop());
  const again = second.repo('acme/api');
  expect(again.pulls).toMatchObject([{ number: 1, title: 'Better', author: 'bot' }]);
  expect(await again.read('a.txt', 'better')).toBe('two');
  await again.addBranch('best', { files: { 'a.txt': 'three\n' } });
  expect((await open(second.url, 'best')).status).toBe(201);
  expect(again.pulls.map(({ number }) => number)).toEqual([1, 2]);
  await again.merge(1);
  expect(await again.read('a.txt')).toBe('two');
});

it('a Telegram that was kept has its chats and what the bot has not confirmed', async () => {
  const options = { token: '4242:token', botName: 'a_bot', limits: null };
  const first = await startTelegram(options);
  const call = async (url: string, method: string, params: object): Promise<{ result: unknown }> =>
    (await (
      await fetch(`${url}/bot4242:token/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(params),
      })
    ).json()) as { result: unknown };
  const ana = first.person(1001, 'Ana');
  await call(first.url, 'sendMessage', { chat_id: 1001, text: 'Hello' });
  ana.sends('/status');
  const kept = first.keep();
  await first.stop();

  const second = await startTelegram({ ...options, kept });
  ends.push(() => second.stop());
  const again = second.person(1001, 'Ana');
  expect(again.messages().map(({ messageId, text }) => [messageId, text])).toEqual([
    [1, 'Hello'],
    [2, '/status'],
  ]);
  expect((await call(second.url, 'getUpdates', {})).result).toMatchObject([{ message: { text: '/status' } }]);
  await call(second.url, 'editMessageText', { chat_id: 1001, message_id: 1, text: 'Good day' });
  expect(again.messages()[0]).toMatchObject({ text: 'Good day', edits: 1 });
});
