/** `agentpr campaign …` where nothing runs: what it reads, and what it refuses before it does anything. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { aCampaign } from '../../support/campaigns.ts';
import { runCommandHere } from '../../support/command-here.ts';

const [USAGE, ONE] = [2, 'c-aaaaaa'];

const dir = mkdtempSync(path.join(tmpdir(), 'agentpr-campaigns-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A campaign that waits for its start, and a schedule that runs. */
beforeAll(async () => {
  const ledger = await openLedger({ dataDir: path.join(dir, '.agentpr'), now: () => 1_000 });
  const weekly = { every: 'day 09:00 UTC', named: [], queries: [] };
  const given = { at: 1_000, by: null };
  await ledger.campaigns.plan({ ...given, id: ONE, order: aCampaign({ name: 'Mend \u001b it' }) });
  await ledger.campaigns.plan({ ...given, id: 'c-bbbbbb', order: aCampaign({ schedule: weekly }) });
  await ledger.campaigns.decide('c-bbbbbb', { ...given, decision: { kind: 'started' } });
  await ledger.close();
});

const says = (...args: string[]) => saysIn({}, ...args);
const saysIn = async (more: NodeJS.ProcessEnv, ...args: string[]) => {
  const env = {
    ...more,
    PATH: process.env.PATH,
    HOME: dir,
    TELEGRAM_BOT_TOKEN: '1:a',
    TELEGRAM_ADMIN_IDS: '7',
    GITHUB_TOKEN: 'g',
    AGENTPR_ENGINE: 'script',
  };
  const { code, out, err } = await runCommandHere(['campaign', ...args], { cwd: dir, env });
  return { code, out: out.trim(), err: err.trim() };
};
const put = (name: string, content: string | Buffer): void => writeFileSync(path.join(dir, name), content);

const CAMPAIGN = 'name: A\nrepositories: [acme/api]\ngoal: Fix it\n';

it('F5: options beside a campaign file are refused by their names', async () => {
  put('c.yml', CAMPAIGN);
  put('s.yml', 'name: A\nrepositories: [acme/api]\nscript: "true"\n');
  const said = await says(
    'plan',
    'c.yml',
    '--base',
    'x',
    '--check',
    'a',
    '--check',
    'b',
    '--prompt-version',
    'v2',
  );
  expect(said).toMatchObject({ code: USAGE, out: '' });
  expect(said.err).toMatch(/beside a campaign file. Leave out: --base, --prompt-version, --check$/);
  expect((await says('plan', 's.yml', '--agent-arg', 'x')).err).toMatch(/Leave out: --agent-arg$/);
});

it('F5: a folder in place of a file is called one', async () => {
  mkdirSync(path.join(dir, 'lists'));
  expect(await says('plan', 'lists', 'Fix it')).toEqual({
    code: USAGE,
    out: '',
    err: 'lists is a folder. Name a file.',
  });
});

it('F5: what is no plain text is refused as in the chat, and nothing of it reaches the terminal', async () => {
  put('latin.yml', Buffer.from(CAMPAIGN.replace('name: A', 'name: Caf\u00e9'), 'latin1'));
  put('wide.txt', Buffer.from('acme/api\n', 'utf16le'));
  for (const name of ['latin.yml', 'wide.txt'])
    expect(await says('plan', name, ...(name === 'wide.txt' ? ['Fix it'] : []))).toEqual({
      code: USAGE,
      out: '',
      err: `${name} is not plain text. Save it as UTF-8.`,
    });
});

it('S9: what became of an order is stored as a record, and told in the language of the terminal', async () => {
  const env = { LC_ALL: 'zh_CN.UTF-8' };
  const english = JSON.parse((await says('pause', ONE, '--idempotency-key', 'k1', '--json')).out) as {
    reason?: string;
  };
  expect((await says('pause', ONE, '--idempotency-key', 'k2')).err).toBe(english.reason);
  expect(english.reason).toBe('Not possible: the campaign is planned.');
  expect((await saysIn(env, 'pause', ONE, '--idempotency-key', 'k3')).err).toContain('批次');
  const again = (await saysIn(env, 'pause', ONE, '--idempotency-key', 'k3')).err;
  expect(again).toBe((await saysIn(env, 'pause', ONE, '--idempotency-key', 'k4')).err);
  expect(again).not.toMatch(/[A-Za-z]{4}/);
});

it('F5: another campaign among the links of adopt is refused', async () => {
  const said = await says('adopt', ONE, 'c-bbbbbb', 'acme/api#9');
  expect(said).toEqual({ code: USAGE, out: '', err: 'c-bbbbbb is not a link to a pull request.' });
});

it('F5: close --pulls with none open says only that, and options that do not go together are refused', async () => {
  const none = 'No pull request of it is open.';
  expect(await says('close', ONE, '--pulls')).toEqual({ code: 0, out: `${ONE}: ${none}`, err: '' });
  const alone = await says('close', ONE, '--confirm');
  expect(alone).toMatchObject({ code: USAGE, err: expect.stringContaining('goes with --pulls') as unknown });
  const both = await says('close', ONE, '--pulls', '--cancel');
  expect(both).toMatchObject({ code: USAGE, err: expect.stringContaining('do not go together') as unknown });
  expect((await says('show', ONE)).out).toMatch(/^PREVIEW/);
});

it('F5: the list has the name of each campaign, and says of a schedule that it is one', async () => {
  expect(await says('list')).toEqual({
    code: 0,
    out: [
      'c-bbbbbb  scheduled, every day 09:00 UTC  Mend the tests',
      `${ONE}  planned  Mend \\u{1b} it`,
    ].join('\n'),
    err: '',
  });
  const all = JSON.parse((await says('list', '--json')).out) as unknown;
  expect(all).toMatchObject([{ name: 'Mend the tests' }, { id: ONE, state: 'planned' }]);
});
