/** An order of the command line: what it does not say is as admins have set it in the chat. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { settingKey } from '../../../orchestrator/settings/runtime-setting-rows.ts';
import type { Order } from '#model/order';
import { openLedger } from '../../../db/directory/open-ledger.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../cli/agentpr.js');
const ADMIN = { id: '7', name: 'Ana' };

it('E7: row 16: has the engine, prompts, trial and bounds that an admin set; what it says itself goes first', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'agentpr-orders-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    TELEGRAM_BOT_TOKEN: '1:a',
    TELEGRAM_ADMIN_IDS: '7',
    GITHUB_TOKEN: 'g',
    AGENTPR_ENGINE: 'script',
  };
  const ordered = async (...options: string[]): Promise<Order> => {
    const key = options.join(' ') || 'none';
    const data = path.join(dir, 'data');
    const args = [MAIN, 'run', 'create', 'acme/api', 'Fix it', '--data', data, '--idempotency-key', key];
    const end = spawnSync(process.execPath, [...args, ...options, '--json'], {
      cwd: dir,
      env,
      encoding: 'utf8',
    });
    expect(end.stderr).toBe('');
    const { run } = JSON.parse(end.stdout) as { run: string };
    const ledger = await openLedger({ dataDir: data, now: () => Date.now() });
    const found = await ledger.query.run(run);
    for (const [name, value] of [
      ['engine', 'codex'],
      ['prompt', 'v1'],
      ['trial', '20'],
      ['time', '45'],
    ] as const)
      await ledger.setSetting(settingKey(name), value, ADMIN);
    await ledger.close();
    return found?.order as Order;
  };

  // Before the first start there is no ledger, and nothing is set.
  const first = await ordered();
  expect(first).toMatchObject({ engine: 'script', promptVersion: 'v3' });
  expect(first).not.toHaveProperty('trial');
  expect(await ordered('--base', 'main')).toMatchObject({
    engine: 'codex',
    promptVersion: 'v1',
    promptExperiment: { other: 'v3', percent: 20 },
    bounds: { runMs: 2_700_000 },
  });
  const own = await ordered('--engine', 'claude', '--prompt-version', 'v2');
  expect(own).toMatchObject({ engine: 'claude', promptVersion: 'v2' });
  expect(own).not.toHaveProperty('trial');
}, 60_000);
