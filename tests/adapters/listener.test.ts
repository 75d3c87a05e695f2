/**
 * The listener as it is started: which hosts it serves, what each route refuses, and when it does
 * not start at all.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
// @ts-expect-error: it comes without types.
import parse from 'parse-prometheus-text-format';
import {
  isConsistent,
  logVerifierOf,
  PublishedKeys,
  readCheckpoint,
  readHashes,
  verifyProof,
} from '#receipts';
import { sha256Hex } from '#runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatWebhook } from '#chat';
import { isTelegramUpdate } from '../../bot/commands/read-telegram-update.ts';
import { createAttemptObserver } from '../../app/attempt-observer.ts';
import { readConfig } from '../../app/config.ts';
import { ConfigError } from '../../app/config-error.ts';
import type { ConnectionStatus } from '../../app/connection-monitor.ts';
import { startListener, listenForHealth, type HttpListener } from '../../app/http-listener.ts';
import { NO_ATTENTION, type RunFigures } from '../../orchestrator/reports/run-figures.ts';
import { reportOf } from '../../orchestrator/reports/period-report.ts';
import { DAY } from '#model/values';
import { RUN_STATES } from '#model/run';
import { START } from '../support/core.ts';
import { someFigures } from '../support/figures.ts';
import type { IncomingItem } from '#ports/steps';
import { deliver, headersFor, SECRET } from '../support/webhook-sender.ts';

const Sample = z.object({
  value: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
});
const Metrics = z.array(z.object({ name: z.string(), metrics: z.array(Sample) }));

const required = { TELEGRAM_BOT_TOKEN: '1:x', TELEGRAM_ADMIN_IDS: '1', GITHUB_TOKEN: 'x' };
const config = (env: Record<string, string> = {}) => readConfig({ ...required, ...env }, null, '/');

describe('the configuration', () => {
  it.each([
    [{ AGENTPR_PUBLIC_URL: 'https://bot.example.com' }, 'AGENTPR_PUBLIC_URL needs GITHUB_WEBHOOK_SECRET'],
    [
      { GITHUB_WEBHOOK_SECRET_PREVIOUS: SECRET },
      'GITHUB_WEBHOOK_SECRET_PREVIOUS needs GITHUB_WEBHOOK_SECRET',
    ],
    [{ GITHUB_WEBHOOK_SECRET: 'development' }, 'GITHUB_WEBHOOK_SECRET: must have at least 16'],
    [{ GITHUB_WEBHOOK_SECRET: ' '.repeat(20) }, 'GITHUB_WEBHOOK_SECRET: must have at least 16'],
    [
      { GITHUB_WEBHOOK_SECRET: SECRET, GITHUB_WEBHOOK_SECRET_PREVIOUS: 'x' },
      'SECRET_PREVIOUS: must have at least 16',
    ],
  ])('F2: %j does not start', (env, why) => {
    expect(() => config(env as Record<string, string>)).toThrow(ConfigError);
    expect(() => config(env as Record<string, string>)).toThrow(why);
  });

  it.each([
    ['{ "maxParallelRuns": "4" }', 'agentpr.config.json:1: maxParallelRuns is "4"; it must be a number.'],
    [
      '{ "installs": { "keepDays": 0 } }',
      'agentpr.config.json:1: installs.keepDays is 0; it must be 1 or more.',
    ],
    ['{ "instals": {} }', 'agentpr.config.json:1: there is no instals. Did you mean installs?'],
    ['[]', 'agentpr.config.json:1 is []; it must have keys of its own: { key: value }.'],
    [
      '{\n  "budgets": { "month": 100 },\n\t"caps": {\n    "openPerOwnr": 5\n  }\n}',
      'agentpr.config.json:4: caps: there is no openPerOwnr. Did you mean openPerOwner?',
    ],
    [
      '{\n  "openings": {\n    "hours": "mon 09:00-17:00 Europe/Berln"\n  }\n}',
      'agentpr.config.json:3: openings.hours is "mon 09:00-17:00 Europe/Berln"; it must have a time zone that exists: there is no Europe/Berln (did you mean Europe/Berlin?).',
    ],
    [
      '{\n  "budgets": {\n    "month": "$100"\n  }\n}',
      'agentpr.config.json:3: budgets.month is "$100"; it must be dollars without a sign, like 20, or { "costUsd": 20, "tokens": 500000 }.',
    ],
    [
      '{\n  "caps": { "perDay": 5 },\n  "caps": {}\n}',
      'agentpr.config.json:3: caps stands there twice. Remove one of the two.',
    ],
  ])('O3: %s is refused with what stands there and what may', (file, why) => {
    expect(() => readConfig(required, file, '/')).toThrow(
      expect.objectContaining({ constructor: ConfigError, message: why }) as ConfigError,
    );
  });

  it('O3: what stands in the environment is not shown: it may be a secret', () => {
    expect(() => config({ AGENTPR_HTTP_PORT: 'hunter2' })).toThrow(/^AGENTPR_HTTP_PORT(?!.*hunter2)/);
  });

  it('F2: takes a secret, and the one before it while it is rotated', () => {
    expect(config().webhooks).toBeNull();
    expect(config({ GITHUB_WEBHOOK_SECRET: '' }).webhooks).toBeNull();
    expect(config({ GITHUB_WEBHOOK_SECRET: SECRET }).webhooks).toEqual({ secrets: [SECRET] });
    const both = { GITHUB_WEBHOOK_SECRET: SECRET, GITHUB_WEBHOOK_SECRET_PREVIOUS: `${SECRET} old` };
    expect(config(both).webhooks).toEqual({ secrets: [SECRET, `${SECRET} old`] });
  });
});

describe('the listener', () => {
  let listening: HttpListener | null;
  let telegram: string;
  let stored: IncomingItem[];
  let logged: unknown[];
  let connected: ConnectionStatus[];
  let accepts: boolean;
  let room: boolean;
  let ran: RunFigures[];
  let asked: number;
  let now: number;
  let attempts: ReturnType<typeof createAttemptObserver>;
  let counts: () => Promise<Record<string, number>>;
  let settings: Map<string, string>;
  let leaves: string[];
  let alive = true;
  let rollback: 'older' | 'missing' | null = null;
  let changed: { runId: string; repo: string; says: string[] }[] = [];

  const webhook: ChatWebhook = {
    folder: 'telegram',
    secretHeader: 'x-telegram-bot-api-secret-token',
    isUpdate: isTelegramUpdate,
    createTake: () => async () => accepts,
    register: async (url) => void (telegram = new URL(url).pathname),
  };

  const start = async (env: Record<string, string> = {}): Promise<string> => {
    listening = await startListener({
      config: config({ AGENTPR_HTTP_PORT: '0', ...env }),
      key: new Uint8Array(32),
      approvalKeys: [],
      receiptSeed: new Uint8Array(32),
      board: [],
      isWatched: () => false,
      isFollowed: () => false,
      awaitsRelease: (repo) => repo === 'acme/awaited',
      readCall: () => Promise.reject(new Error('nobody calls')),
      chatWebhooks: [webhook],
      ledger: {
        hasRoom: () => room,
        rollback: async () => rollback,
        takesWrites: () => true,
        query: {
          counts: () => counts(),
          inboxCounts: async () => ({}),
          depths: async () => [
            { kind: 'implement', state: 'due', n: 4 },
            { kind: 'chat_message', state: 'later', n: 1 },
          ],
          alive: async () => alive,
          runs: async () => [],
          newestEvent: async () => leaves.length,
          publishedLeaves: async ({ after, upto }) => leaves.slice(after, upto),
          setting: async (name) =>
            settings.get(name) ??
            (name === 'receipt_keys'
              ? JSON.stringify([{ number: 1, from: 0, until: null, revokedAt: null }])
              : null),
        },
        setSetting: async (name, value) => void settings.set(name, value),
      },
      reports: {
        report: async ({ by }) => (
          (asked += 1),
          { report: reportOf(ran, { since: 0, until: START + DAY, by }), late: false }
        ),
      },
      attempts,
      clock: { now: () => now },
      receive: async (items) => {
        stored.push(...items);
        return [{ id: 1, duplicate: false }];
      },
      connections: () => connected,
      changedRuns: () => changed,
      log: { info: () => undefined, error: (...said) => void logged.push(said) },
    });
    await listening.register?.(webhook);
    return listening.address;
  };
  const ask = async (url: string, method: string, headers: Record<string, string>, body = '') => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    request(url, { method, headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end(body);
    return promise;
  };
  beforeEach(() => {
    listening = null;
    stored = [];
    logged = [];
    connected = [];
    settings = new Map();
    leaves = [];
    ran = [];
    [asked, now] = [0, 0];
    alive = true;
    attempts = createAttemptObserver();
    accepts = true;
    room = true;
    counts = () => Promise.reject(new Error('SQLITE at /secret/path'));
  });
  afterEach(() => listening?.close());

  const readMetrics = async (url: string) => {
    const page = (parse as (text: string) => unknown)((await ask(`${url}/metrics`, 'GET', {})).body);
    return new Map(Metrics.parse(page).map(({ name, metrics }) => [name, metrics]));
  };

  it('G9: publishes the public keys of receipts, and nothing secret', async () => {
    const url = await start();
    const answer = await ask(`${url}/.well-known/agentpr.json`, 'GET', {});
    expect(answer.status).toBe(200);
    expect(Object.keys((JSON.parse(answer.body) as { keys: object[] }).keys[0] ?? {})).toEqual([
      'id',
      'publicKey',
      'noteKey',
      'from',
      'until',
      'revokedAt',
    ]);
  });

  it('G9: serves the page that receipts link to, in the language of whoever reads', async () => {
    const url = await start({
      GITHUB_WEBHOOK_SECRET: SECRET,
      AGENTPR_PUBLIC_URL: 'https://bot.example.com/below',
    });
    const page = await ask(`${url}/receipts`, 'GET', {});
    expect(page.status).toBe(200);
    expect(page.body).toContain('How to read an AgentPR receipt');
    expect(page.body).toContain('--keys https://bot.example.com<');
    const chinese = await ask(`${url}/receipts`, 'GET', { 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(chinese.body).toContain('如何阅读 AgentPR 回执');
  });

  it('G12: serves the log of decisions to strangers: signed heads and proofs, and nothing of what was decided', async () => {
    const url = await start();
    const keys = PublishedKeys.parse(
      JSON.parse((await ask(`${url}/.well-known/agentpr.json`, 'GET', {})).body),
    );
    const get = (path: string) => ask(`${url}/checkpoint${path}`, 'GET', {});
    const heads = [(await get('')).body];
    for (const leaf of ['first', 'second', 'third']) {
      leaves.push(sha256Hex(leaf));
      heads.push((await get('')).body);
    }
    const read = heads.map((head) => readCheckpoint(head, logVerifierOf(keys)));
    expect(read.map((head) => head?.size)).toEqual([0, 1, 2, 3]);
    const [, one, , three] = read;
    const between = readHashes((await get('/consistency/1/3')).body);
    expect(one && three && between && isConsistent(one, three, between)).toBe(true);
    const [, leaf = ''] = leaves;
    const proof = await get(`/proof/${leaf}`);
    const place = verifyProof(proof.body, Buffer.from(leaf, 'hex'), logVerifierOf(keys));
    expect([place?.index, place?.head.size]).toEqual([1, 3]);
    for (const path of ['/proof/', `/proof/${'0'.repeat(64)}`, '/consistency/3/1', '/consistency/1/4', '/x'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await ask(`${url}/checkpoint`, 'GET', { host: 'rebound.example.com' })).status).toBe(421);
  });

  it('serves no page under a name that somebody made up, and webhooks under any, for they prove themselves', async () => {
    const url = await start({ GITHUB_WEBHOOK_SECRET: SECRET });
    const host = { host: 'rebound.example.com' };
    expect((await ask(`${url}/healthz`, 'GET', {})).status).toBe(200);
    expect((await ask(`${url}/healthz`, 'GET', { host: 'LocalHost:80' })).status).toBe(200);
    expect((await ask(`${url}/healthz`, 'GET', host)).status).toBe(421);
    expect((await ask(`${url}/readyz`, 'GET', host)).status).toBe(421);
    expect((await deliver(url, {}, { headers: host })).status).toBe(202);
    expect((await deliver(url, {}, { headers: host, secret: 'another secret altogether' })).status).toBe(401);
    expect(stored).toHaveLength(1);
  });

  it('L10, F5: keeps a release that a campaign waits for, where no run is live, and counts others', async () => {
    alive = false;
    counts = async () => ({});
    const url = await start({ GITHUB_WEBHOOK_SECRET: SECRET });
    const of = (fullName: string): object => ({
      action: 'published',
      release: {},
      repository: { id: 7, node_id: 'R_7', name: fullName.split('/')[1], full_name: fullName },
    });
    await deliver(url, of('acme/awaited'), { event: 'release' });
    await deliver(url, of('acme/other'), { event: 'release' });
    await deliver(url, of('acme/awaited'), { event: 'push' });
    expect(stored.map(({ lane }) => lane)).toEqual(['forge:acme/awaited']);
    expect((await readMetrics(url)).get('agentpr_unrelated_deliveries')).toEqual([
      { labels: { event: 'release' }, value: '1' },
      { labels: { event: 'push' }, value: '1' },
    ]);
  });

  it.each([
    ['says nothing', ''],
    ['has not ended its headers', 'GET /healthz HTTP/1.1\r\nHost: local'],
    ['reads no answers', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50_000)],
  ])('L6: stops although somebody holds a connection who %s', async (_, bytes) => {
    const { port, hostname } = new URL(await start());
    const holder = connect(Number(port), hostname).on('error', () => undefined);
    const closed = new Promise((resolve) => holder.once('close', resolve));
    await once(holder, 'connect');
    holder.pause();
    holder.write(bytes);
    // Not before it was noticed.
    await ask(`http://${hostname}:${port}/healthz`, 'GET', {});
    await listening?.close();
    listening = null;
    holder.resume();
    await closed;
  });

  it('F2: without a secret takes no webhook, and says which setting is missing', async () => {
    const answer = await deliver(await start(), {});
    expect(answer).toMatchObject({
      status: 404,
      error: expect.stringContaining('GITHUB_WEBHOOK_SECRET') as string,
    });
    expect(stored).toEqual([]);
  });

  it.each(['null', '[]', '"x"', '1', '{}', '{"update_id":"1"}', '{"update_id":1.5}', '{', ''])(
    "refuses the body %j at Telegram's address with 400, not 500",
    async (body) => {
      const url = await start({
        GITHUB_WEBHOOK_SECRET: SECRET,
        AGENTPR_PUBLIC_URL: 'https://bot.example.com',
      });
      const json = { 'content-type': 'application/json' };
      const answer = await ask(`${url}${telegram}`, 'POST', json, body);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String) as string });
      expect((await ask(`${url}${telegram}`, 'POST', json, '{"update_id":1}')).status).toBe(200);
      expect(
        (await ask(`${url}${telegram}`, 'POST', { ...json, host: 'x.com' }, '{"update_id":1}')).status,
      ).toBe(421);
      accepts = false;
      expect((await ask(`${url}${telegram}`, 'POST', json, '{"update_id":1}')).status).toBe(401);
    },
  );

  it('answers in one sentence, whatever went wrong, and tells nobody of what is inside', async () => {
    const url = await start();
    const broken = await ask(`${url}/metrics`, 'GET', {});
    expect(broken.status).toBe(500);
    expect(broken.body).not.toContain('secret');
    expect(JSON.parse(broken.body)).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/) as string });
    expect(logged).toHaveLength(1);
    const missing = await ask(`${url}/nothing`, 'GET', {});
    expect(missing).toEqual({ status: 404, body: '{"error":"There is nothing here."}' });
    expect(JSON.parse((await ask(`${url}/%ff`, 'GET', {})).body)).toEqual({
      error: expect.any(String) as string,
    });
    expect((await ask(`${url}/webhooks/github`, 'GET', headersFor(''))).status).toBe(404);
  });

  it('O4: tells Prometheus of runs, inputs, connections and the process, in its text format', async () => {
    const url = await start();
    counts = async () => ({ CI_WAIT: 3 });
    connected = [
      { party: { kind: 'chat', name: 'Telegram' }, state: 'reached', says: '', since: 0 },
      { party: { kind: 'engine', name: 'a"b\\c\nd' }, state: 'away', says: 'not here', since: 0 },
    ];
    expect((await ask(`${url}/metrics`, 'GET', { host: 'rebound.example.com' })).status).toBe(421);
    const metrics = await readMetrics(url);
    const runs = metrics.get('agentpr_runs') ?? [];
    expect(runs.map(({ labels }) => labels?.state)).toEqual([...RUN_STATES]);
    expect(runs.find(({ labels }) => labels?.state === 'CI_WAIT')?.value).toBe('3');
    expect(metrics.get('agentpr_inbox')).toEqual([{ labels: { state: 'new' }, value: '0' }]);
    expect(metrics.get('agentpr_connection_up')).toEqual([
      { labels: { kind: 'chat', name: 'Telegram' }, value: '1' },
      { labels: { kind: 'engine', name: 'a"b\\c\nd' }, value: '0' },
    ]);
    expect(Number(metrics.get('process_resident_memory_bytes')?.[0]?.value)).toBeGreaterThan(1_000_000);
    // Who left is not told of any more.
    connected = [];
    expect((await readMetrics(url)).get('agentpr_connection_up') ?? []).toEqual([]);
  });

  it('O4: tells Prometheus the processor time since the start, and delays of the event loop that were measured', async () => {
    const url = await start();
    counts = async () => ({});
    const scrape = async () => {
      const { body } = await ask(`${url}/metrics`, 'GET', {});
      return new Map(
        [...body.matchAll(/^((?:process|nodejs)_[a-z0-9_]+) (\S+)$/gm)].map(([, name = '', value]) => [
          name,
          Number(value),
        ]),
      );
    };
    const lags = (found: ReadonlyMap<string, number>) =>
      [...found].filter(([name]) => name.startsWith('nodejs_eventloop_lag'));
    const before = process.cpuUsage();
    const first = await scrape();
    expect(first.get('process_cpu_user_seconds_total')).toBeGreaterThanOrEqual(before.user / 1e6);
    expect(first.get('process_cpu_seconds_total')).toBeGreaterThanOrEqual(
      (before.user + before.system) / 1e6,
    );
    const holdUp = (ms: number): void => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    // A delay is measured when the loop turns again, which may be after it was asked for.
    const scrapeHeldUp = async () => {
      holdUp(120);
      return scrape();
    };
    let second = await scrapeHeldUp();
    while ((second.get('nodejs_eventloop_lag_max_seconds') ?? 0) <= 0.08) second = await scrapeHeldUp();
    const after = process.cpuUsage();
    expect(second.get('process_cpu_seconds_total')).toBeGreaterThan(
      first.get('process_cpu_seconds_total') ?? 0,
    );
    expect(second.get('process_cpu_seconds_total')).toBeLessThanOrEqual((after.user + after.system) / 1e6);
    expect(lags(second)).toHaveLength(8);
    for (const [name, value] of [...lags(first), ...lags(second)])
      expect(value, name).toSatisfy((one: number) => one >= 0 && one < 60);
  });

  it('O4: tells Prometheus how runs of the last month went, what waits, and how long each engine took', async () => {
    const url = await start();
    counts = async () => ({});
    const spent = { ...NO_ATTENTION, taps: 2, pings: 3, ms: 8_000 };
    ran = [
      someFigures({ iterations: 1, causes: { 'card.open_pr': spent } }),
      someFigures({ run: 's', firstCi: 'failed', needsHuman: true, iterations: 2 }),
    ];
    const work = { runId: 'r', step: 'agent', engine: 'codex' } as const;
    attempts.watch(work)('completed', 7_000);
    const scrape = async () => (await ask(`${url}/metrics`, 'GET', {})).body;
    const first = await scrape();
    for (const line of [
      'agentpr_queue_depth{pool="heavy",kind="implement",state="due"} 4',
      'agentpr_queue_depth{pool="quick",kind="chat_message",state="later"} 1',
      'agentpr_first_ci_pass_ratio 0.5',
      'agentpr_iterations_mean 1.5',
      'agentpr_needs_human_review_ratio 0.5',
      'agentpr_ready_median_seconds 60',
      'agentpr_taps_per_pull 1',
      'agentpr_pings_per_pull 1.5',
      'agentpr_attempt_seconds_bucket{le="5",step="agent",engine="codex",outcome="completed"} 0',
      'agentpr_attempt_seconds_bucket{le="15",step="agent",engine="codex",outcome="completed"} 1',
    ])
      expect(first.split('\n')).toContain(line);
    // Prometheus asks every few seconds, and a month of runs is not counted each time.
    attempts.watch(work)('agent_error', 90_000);
    ran = [];
    expect(await scrape()).toContain(
      'agentpr_attempt_seconds_sum{step="agent",engine="codex",outcome="agent_error"} 90',
    );
    expect(asked).toBe(1);
    now = 60_000;
    const later = await scrape();
    expect(later).toContain('agentpr_ordered_runs 0');
    // What was never counted has no number.
    expect(later).not.toMatch(/^agentpr_first_ci_pass_ratio /m);
  });

  it('O5: is not ready while the ledger cannot be read or the disk is full, and says which', async () => {
    const url = await start();
    const read = async () => {
      const { status, body } = await ask(`${url}/readyz`, 'GET', {});
      return { status, ...(JSON.parse(body) as object) };
    };
    expect(await read()).toMatchObject({
      status: 503,
      ok: false,
      ledger: 'cannot be read',
      disk: 'has room',
    });
    expect(logged).toHaveLength(1);
    counts = async () => ({});
    room = false;
    expect(await read()).toMatchObject({ status: 503, ok: false, ledger: 'read', disk: 'is full' });
    room = true;
    expect(await read()).toMatchObject({ status: 200, ok: true });
  });

  it('L5: says that the ledger was put back or changed, and is ready all the same', async () => {
    const url = await start();
    counts = async () => ({});
    const read = async (): Promise<object> => {
      const { status, body } = await ask(`${url}/readyz`, 'GET', {});
      return { status, ...(JSON.parse(body) as object) };
    };
    expect(await read()).toMatchObject({ status: 200, integrity: 'as written' });
    changed = [{ runId: 'r1', repo: 'acme/api', says: ['approvals a1 is not what the log makes: needed'] }];
    expect(await read()).toMatchObject({
      status: 200,
      integrity: 'changed',
      changed: [{ run: 'r1', differs: ['approvals a1 is not what the log makes: needed'] }],
    });
    rollback = 'older';
    expect(await read()).toMatchObject({
      integrity: expect.stringContaining('an older copy') as unknown,
    });
    [rollback, changed] = [null, []];
  });

  it.each(['unknown', 'away'] as const)(
    'O5: is alive but not ready while somebody is %s, and says who',
    async (state) => {
      const url = await start();
      counts = async () => ({ DONE: 1 });
      const since = Date.UTC(2026, 0, 2);
      connected = [
        { party: { kind: 'chat', name: 'Telegram' }, state: 'reached', says: '@bot connected', since },
        { party: { kind: 'engine', name: 'codex' }, state, says: 'codex was not found', since },
      ];
      const ready = await ask(`${url}/readyz`, 'GET', {});
      expect(ready.status).toBe(503);
      expect(JSON.parse(ready.body)).toMatchObject({
        ok: false,
        connections: [
          { kind: 'chat', name: 'Telegram', state: 'reached' },
          {
            kind: 'engine',
            name: 'codex',
            state,
            says: 'codex was not found',
            since: '2026-01-02T00:00:00.000Z',
          },
        ],
      });
      expect((await ask(`${url}/healthz`, 'GET', {})).status).toBe(200);
      connected = connected.slice(0, 1);
      expect((await ask(`${url}/readyz`, 'GET', {})).status).toBe(200);
    },
  );
});

describe('the pages of a worker', () => {
  it.each([
    ['is ready while it can work', {}, 200, { ok: true, jobs: 'are taken', disk: 'has room' }],
    ['the ledger does not answer', { counts: null }, 503, { ok: false, ledger: 'cannot be read' }],
    ['its disk is full', { room: false }, 503, { ok: false, disk: 'is full' }],
    ['no job could be taken for long', { tookAt: 29_999 }, 503, { ok: false, jobs: 'cannot be taken' }],
    ['no job could ever be taken', { tookAt: null }, 503, { ok: false, jobs: 'cannot be taken' }],
    ['its Postgres is read-only', { takesWrites: false }, 503, { ok: false, ledger: 'takes no writes' }],
    ['an engine is away', { state: 'away' }, 503, { ok: false, jobs: 'are taken' }],
  ] as const)('O4: %s', async (_, how, status, says) => {
    const { room, takesWrites, tookAt, state, counts } = {
      room: true,
      takesWrites: true,
      tookAt: 30_000,
      state: 'reached' as const,
      counts: {},
      ...how,
    } as const;
    const pages = await listenForHealth(config({ AGENTPR_HTTP_PORT: '0' }).http, {
      ledger: {
        takesWrites: () => takesWrites,
        query: {
          counts: async () => {
            if (counts === null) throw new Error('Postgres at 10.0.0.7 is away');
            return counts;
          },
        },
      },
      connections: () => [{ party: { kind: 'engine', name: 'claude' }, state, says: '', since: 0 }],
      attempts: createAttemptObserver(),
      hasRoom: () => room,
      worker: { tookAt: () => tookAt, places: () => [{ pool: 'heavy', busy: 1, most: 3 }] },
      clock: { now: () => 60_000 },
      log: { error: () => {} },
    });
    try {
      expect((await fetch(`${pages.address}/healthz`)).status).toBe(200);
      const ready = await fetch(`${pages.address}/readyz`);
      const body = await ready.text();
      expect(ready.status).toBe(status);
      expect(JSON.parse(body)).toMatchObject(says);
      expect(body).not.toContain('10.0.0.7');
      expect((await fetch(`${pages.address}/webhooks/github`, { method: 'POST' })).status).toBe(404);
      const metrics = await (await fetch(`${pages.address}/metrics`)).text();
      expect(metrics).toContain('agentpr_worker_places{pool="heavy",state="free"} 2');
      expect(metrics).not.toContain('agentpr_runs');
    } finally {
      await pages.close();
    }
  });
});
