/** The story by webhook, and what the command line says of it: run list, verify, verify-receipt, keys. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../app/config.ts';
import type { RunningApp } from '../../../app/running-app.ts';
import { startApp } from '../../../app/start-app.ts';
import { withoutReceipt } from '../../../pull-text/pull-body.ts';
import type { Run } from '#run';
import { sha256Hex } from '#runtime';
import { sampleAgentCommand, sampleDirectory, sampleGoal, type RepoHandle, type Tap } from '#playground';
import { arms, buttonOf, cardFor, tapOn } from '../../support/approves.ts';
import { ANA, createProduct, PATIENCE, TOKENS, type Product } from '../../support/product.ts';

const REPO = 'acme/patient';
const addSample = (product: Product): Promise<RepoHandle> =>
  product.github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });

describe('the story by long polling', () => {
  let product: Product;
  let repo: RepoHandle;
  let run: Run;
  const taps: Tap[] = [];
  const shown = { card: '', armed: '', progressWhileWaiting: '' };

  beforeAll(async () => {
    product = await createProduct({ script: sampleAgentCommand() });
    repo = await addSample(product);
    const { ana } = product;
    product.start();
    ana.sends(`/new ${REPO} ${sampleGoal}`);
    const card = await cardFor(ana);
    shown.card = buttonOf(card, /^Open PR/);
    taps.push(ana.taps('Open PR'));
    const armed = await cardFor(ana, '', /^Confirm\b/);
    shown.armed = buttonOf(armed, /^Confirm/);
    taps.push(ana.taps('Confirm'));
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    await repo.merge(1);
    await ana.waitForMessage(/DONE[\s\S]*Merged by/, { deadlineMs: PATIENCE });
    await product.atRest();
    run = product.run() as Run;
  });
  afterAll(() => product.close());

  it('G7: verify-receipt accepts the body of the pull request and refuses every altered one', async () => {
    const body = repo.pulls[0]?.body ?? '';
    expect(body).not.toContain(String(ANA));
    const genuine = await product.cli(['verify-receipt', '-'], body);
    expect([genuine.code, genuine.out]).toEqual([
      0,
      expect.stringContaining(run.gate.consumedApproval?.digest ?? '?'),
    ]);
    expect((await product.cli(['verify-receipt', '-'], body.replaceAll('\n', '\r\n'))).code).toBe(0);
    const digest = run.gate.consumedApproval?.digest ?? '';
    const altered = {
      words: body.replace('Made by', 'Written by'),
      digest: body.replaceAll(digest, sha256Hex('another')),
      run: body.replaceAll(run.id, 'zzzzzz'),
      none: withoutReceipt(body),
    };
    for (const [what, text] of Object.entries(altered)) {
      const said = await product.cli(['verify-receipt', '-'], text);
      expect([what, said.code]).toEqual([what, 5]);
      expect(said.out + said.err).toMatch(/not what was approved|not signed|knows no approval|carries no/);
    }
  });

  it('G9: verify needs the published keys alone, and refuses what was altered, by another key, or revoked', async () => {
    const keys = join(product.dataDir, 'published.json');
    const published = await product.cli(['receipt-keys']);
    expect(published.code).toBe(0);
    writeFileSync(keys, published.out);
    const api = product.github.url;
    const link = `${product.github.url}/${repo.fullName}/pull/1`;
    const authorization = `Bearer ${TOKENS.github}`;
    const page = await fetch(`${api}/repos/${repo.fullName}/pulls/1`, { headers: { authorization } });
    const shown = (await page.json()) as {
      title: string;
      body: string;
      head: { sha: string };
    };
    const verified = await product.cli(['verify', link, '--api', api, '--keys', keys]);
    expect([verified.code, verified.out]).toEqual([
      0,
      expect.stringContaining(`exactly this: commit ${shown.head.sha}`),
    ]);
    const file = join(product.dataDir, 'pull.json');
    const judge = async (pull: object, by = keys): Promise<string> => {
      writeFileSync(file, JSON.stringify(pull));
      const said = await product.cli(['verify', file, '--keys', by]);
      return `${said.code} ${said.out}${said.err}`;
    };
    expect(await judge(shown)).toMatch(/^0 ✔/);
    expect(await judge({ ...shown, title: `${shown.title}!` })).toMatch(/^5 .*title is not the one/s);
    expect(await judge({ ...shown, head: { sha: 'f'.repeat(40) } })).toMatch(/^5 .*another commit/s);
    expect(await judge({ ...shown, body: `Fixes #1\n\n${shown.body}` })).toMatch(/^5 .*description is not/s);
    const others = JSON.parse(published.out) as { keys: { id: string; revokedAt: string | null }[] };
    const revoked = join(product.dataDir, 'revoked.json');
    writeFileSync(
      revoked,
      JSON.stringify({
        ...others,
        keys: others.keys.map((key) => ({ ...key, revokedAt: new Date().toISOString() })),
      }),
    );
    expect(await judge(shown, revoked)).toMatch(/^5 .*was revoked/s);
  });

  it('O1: run list and run show give the run as JSON', async () => {
    const [live, all, show, none] = await Promise.all([
      product.cli(['run', 'list', '--json']),
      product.cli(['run', 'list', '--all', '--json']),
      product.cli(['run', 'show', run.id, '--json']),
      product.cli(['run', 'show', 'nothing', '--json']),
    ]);
    expect(JSON.parse(live.out)).toEqual([]);
    expect(JSON.parse(all.out)).toEqual([
      expect.objectContaining({ id: run.id, repository: REPO, state: 'DONE', waitsFor: null, risk: 'low' }),
    ]);
    const shownRun = JSON.parse(show.out) as {
      run: Run;
      events: { type: string }[];
      attempts: { step: string; outcome: string }[];
    };
    expect(shownRun.run).toEqual(run);
    expect(shownRun.events.map((e) => e.type)).toContain('command.pr.approve');
    expect(shownRun.attempts.map(({ step, outcome }) => [step, outcome])).toEqual([
      ...[
        ['toolchains (base)', 'passed'],
        ['test (base)', 'passed'],
      ],
      ...[
        ['agent', 'completed'],
        ['test', 'passed'],
        ['test (base, new tests)', 'failed'],
      ],
    ]);
    expect([none.code, none.err]).toEqual([4, expect.stringContaining('There is no run nothing')]);
  });

  it('S4, O1: the same idempotency key is the same call, and a refusal has its exit code', async () => {
    const create = ['run', 'create', REPO, 'Say it again', '--idempotency-key', 'once'];
    const first = await product.cli([...create, '--json']);
    const second = await product.cli(create);
    const made = JSON.parse(first.out) as { run: string; kind: string };
    const third = await product.cli([...create, '--json']);
    expect(JSON.parse(third.out)).toMatchObject({ run: made.run, kind: 'duplicate' });
    const others = [
      ['run', 'create', REPO, 'Say something else', '--idempotency-key', 'once'],
      ['run', 'pause', made.run, '--idempotency-key', 'once'],
    ];
    for (const other of others) {
      const said = await product.cli(other);
      expect([said.code, said.err]).toEqual([3, expect.stringContaining('Use a new one')]);
    }
    expect([first.code, made.kind]).toEqual([0, 'written']);
    expect([second.code, second.out]).toEqual([0, expect.stringContaining('nothing is done twice')]);
    expect(product.runs()).toHaveLength(2);
    const cancelled = await product.cli(['run', 'cancel', made.run, '--reason', 'enough']);
    expect(cancelled.code).toBe(0);
    const refused = await product.cli(['run', 'pause', run.id]);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('has ended (Done); it cannot be paused'),
    ]);
    await product.atRest();
  });
});

// The product takes only an https address; the local Telegram calls plain http on the loopback. So
// the settings are made as for a person, and only the address is put in afterwards; everything
// behind it is the same.
describe('the story by webhook', () => {
  let product: Product;
  let app: RunningApp | undefined;
  const url = (): string => app?.address ?? '';

  beforeAll(async () => {
    product = await createProduct();
    const settings = readConfig(
      {
        TELEGRAM_BOT_TOKEN: TOKENS.telegram,
        TELEGRAM_API_ROOT: product.telegram.url,
        TELEGRAM_ADMIN_IDS: String(ANA),
        GITHUB_TOKEN: TOKENS.github,
        GITHUB_API_URL: product.github.url,
        AGENTPR_DATA_DIR: product.dataDir,
        AGENTPR_SANDBOX: 'auto',
        AGENTPR_LOG_LEVEL: 'error',
      },
      JSON.stringify({ script: sampleAgentCommand(), bounds: { pollMs: 100 } }),
      product.dir,
    );
    const port = 20_000 + (process.pid % 20_000);
    app = await startApp({
      ...settings,
      http: { host: '127.0.0.1', port, publicUrl: `http://127.0.0.1:${port}` },
    });
  });
  afterAll(async () => {
    await app?.stop();
    await product.close();
  });

  it('plays the same story, and polls for nothing', async () => {
    const { ana, telegram } = product;
    const repo = await addSample(product);
    ana.sends(`/new ${REPO} ${sampleGoal}`);
    expect(await tapOn(ana, await arms(ana), /^Confirm\b/)).toBe('Recorded: approved.');
    await ana.waitForMessage('Pull request #1 opened', { deadlineMs: PATIENCE });
    await repo.merge(1);
    await ana.waitForMessage(/DONE[\s\S]*Merged by/, { deadlineMs: PATIENCE });
    expect(repo.pulls).toHaveLength(1);
    expect(telegram.pendingUpdates()).toBe(0);
    expect(telegram.calls.filter((c) => c.route === 'getUpdates')).toEqual([]);
  });

  it('L3: takes no update without the secret, or on another path', async () => {
    const hook = product.telegram.calls.find((c) => c.route === 'setWebhook')?.params as {
      url: string;
      secret_token: string;
    };
    const body = JSON.stringify({
      update_id: 1,
      message: {
        message_id: 1,
        date: 0,
        chat: { id: ANA, type: 'private' },
        from: { id: ANA, is_bot: false, first_name: 'Ana' },
        text: '/status',
      },
    });
    const post = (to: string, secret?: string): Promise<number> =>
      fetch(to, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...(secret ? { 'x-telegram-bot-api-secret-token': secret } : {}),
        },
      }).then((r) => r.status);
    const before = product.look().inbox();
    expect(await post(hook.url)).toBe(401);
    expect(await post(hook.url, 'guessed')).toBe(401);
    expect(await post(`${url()}/telegram/guessed`, hook.secret_token)).toBe(404);
    expect(product.look().inbox()).toEqual(before);
    expect(await post(hook.url, hook.secret_token)).toBe(200);
    await product.waitFor(() => (product.look().inbox().done ?? 0) > (before.done ?? 0), {
      what: 'the update to be handled',
    });
  });
});
