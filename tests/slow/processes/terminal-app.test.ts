/** The whole host with a terminal as its only chat: an adapter that is a folder, and a line in the list of chats. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../app/config.ts';
import { startApp } from '../../../app/start-app.ts';
import { startGitHub } from '#playground';
import { createTerminal } from '../../support/terminal-chat/index.ts';

const ANN = 'tty-ann';

it('C3: an order, its card, the approval and the opened pull request, on a terminal', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'agentpr-terminal-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const github = await startGitHub({ login: 'agentpr-bot', token: 'tok' });
  onTestFinished(() => github.stop());
  const repo = await github.addRepo({ owner: 'acme', name: 'api', from: { 'hello.txt': 'hi\n' } });
  repo.grant('agentpr-bot', 'write');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TELEGRAM_BOT_TOKEN: '1:unused',
    TELEGRAM_ADMIN_IDS: '1',
    GITHUB_TOKEN: 'tok',
    GITHUB_API_URL: github.url,
    AGENTPR_HTTP_PORT: '0',
    AGENTPR_DATA_DIR: path.join(dir, 'data'),
    AGENTPR_SANDBOX: 'group',
    AGENTPR_LOG_LEVEL: 'silent',
  };
  const script = "printf 'hello\\n' > hello.txt";
  const file = { script, bounds: { pollMs: 100 }, network: { installs: 'shared', checks: 'shared' } };
  const config = readConfig(env, JSON.stringify(file), dir);
  const terminal = createTerminal();
  const app = await startApp({ ...config, telegram: null, chats: [terminal.configured(ANN)] });
  onTestFinished(() => app.stop());

  await terminal.types(ANN, '/new acme/api Greet in whole words check="grep -q hello hello.txt"');
  await terminal.until(() => terminal.shows(ANN, 'Open PR'));
  await terminal.presses(ANN, 'Open PR');
  await terminal.until(() => terminal.shows(ANN, 'Confirm'));
  expect(repo.pulls).toEqual([]);
  await terminal.presses(ANN, 'Confirm');
  await terminal.until(() => terminal.screen.some(({ text }) => text.includes('acme/api/pull/1')));
  expect(repo.pulls).toMatchObject([{ author: 'agentpr-bot', state: 'open' }]);
}, 60_000);
