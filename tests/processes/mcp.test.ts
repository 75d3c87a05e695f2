/** `agentpr mcp`: other programs order and follow, over standard input and HTTP, by the field's own client. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '#db';

const MAIN = path.resolve(import.meta.dirname, '../../cli/agentpr.js');
const TOKEN = 'a-token-of-thirty-two-characters';
/** Ways to call what is meant as a press of a button, if a program could do it. */
const APPROVING = ['approve', 'approve_open_pr', 'open_pr', 'answer_card', 'decide', 'permit'];

let dir: string;
let env: Record<string, string>;
let api: { address: string; stop(): Promise<number | null> };

const serve = async (settings: Record<string, string>) => {
  const child = spawn(process.execPath, [MAIN, 'mcp', '--http', '0'], {
    cwd: dir,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const address = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  const stop = (): Promise<number | null> => {
    child.kill('SIGTERM');
    return ended;
  };
  return { address, stop };
};

const post = (
  name: string,
  body: unknown,
  headers = { authorization: `Bearer ${TOKEN}` },
): Promise<Response> =>
  fetch(`${api.address}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), 'agentpr-mcp-'));
  env = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    TELEGRAM_BOT_TOKEN: '1:a',
    TELEGRAM_ADMIN_IDS: '7',
    GITHUB_TOKEN: 'g',
    AGENTPR_ENGINE: 'script',
    AGENTPR_DATA_DIR: path.join(dir, 'data'),
  };
  api = await serve({ AGENTPR_API_TOKEN: TOKEN });
});
afterAll(async () => {
  expect(await api.stop()).toBe(0);
  rmSync(dir, { recursive: true, force: true });
});

const connect = async (transport: Transport): Promise<Client> => {
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
};

const TRANSPORTS = {
  'standard input': () =>
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, cwd: dir }),
  HTTP: () =>
    new StreamableHTTPClientTransport(new URL(`${api.address}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
};

describe.each(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])('a client over %s', (way) => {
  it('G1: orders a change, follows it, and finds nothing to approve by', async () => {
    const client = await connect(TRANSPORTS[way]());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'list_runs',
      'order_change',
      'report_cost',
      'show_diff',
      'show_run',
    ]);
    const order = {
      repository: 'acme/widget',
      change: `Say hello, over ${way}`,
      options: { engine: 'script', check: ['npm test'] },
      key: `hello over ${way}`,
    };
    const call = async (name: string, given: object) =>
      (await client.callTool({ name, arguments: { ...given } })).structuredContent as Record<string, unknown>;
    const first = await call('order_change', order);
    expect(first).toMatchObject({ repeated: false });
    expect(await call('order_change', order)).toMatchObject({ run: first.run, repeated: true });
    const { runs } = await call('list_runs', {});
    expect(runs).toContainEqual(
      expect.objectContaining({
        id: first.run,
        repository: 'acme/widget',
        state: 'QUEUED',
        goal: order.change,
      }),
    );
    expect(await call('show_run', { run: first.run })).toMatchObject({
      run: { id: first.run, waitsFor: 'slot' },
    });
    expect(await call('show_diff', { run: first.run })).toMatchObject({ patch: null });
    expect(await call('report_cost', { since: 'all' })).toHaveProperty('report');

    for (const name of APPROVING)
      await expect(client.callTool({ name, arguments: { run: first.run } })).rejects.toThrow(/not found/i);
    const bad = await client.callTool({ name: 'show_run', arguments: { run: 'nobody' } });
    expect([bad.isError, JSON.stringify(bad.content)]).toEqual([
      true,
      expect.stringContaining('There is no run nobody'),
    ]);
  }, 60_000);
});

describe('the HTTP API', () => {
  it('G3: asks for the token on every path', async () => {
    for (const path of ['/api', '/api/list_runs', '/mcp', '/'])
      for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }])
        for (const method of ['GET', 'POST'])
          expect((await fetch(`${api.address}${path}`, { method, headers })).status).toBeGreaterThanOrEqual(
            400,
          );
    expect((await post('list_runs', {}, { authorization: 'Bearer x' })).status).toBe(401);
  });

  it('O1: lists what can be asked, with a JSON schema each', async () => {
    const listed = (await (
      await fetch(`${api.address}/api`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).json()) as { path: string; input: { properties: object } }[];
    const order = listed.find(({ path }) => path === '/api/order_change');
    expect(Object.keys(order?.input.properties ?? {})).toEqual(['repository', 'change', 'options', 'key']);
  });

  it('O1: refuses what cannot be read, and orders nothing by it', async () => {
    for (const [name, body, status, said] of [
      ['order_change', '{', 400, 'object'],
      ['order_change', { repository: 'acme/widget' }, 400, 'change'],
      ['order_change', { repository: 'no repository', change: 'x' }, 400, 'repository'],
      ['order_change', { repository: 'acme/x', change: 'x', options: { enginee: 'codex' } }, 400, 'enginee'],
      ['order_change', { repository: 'acme/x', change: 'x', options: { engine: 'nobody' } }, 400, 'nobody'],
      ['show_run', { run: 'nobody' }, 404, 'There is no run nobody'],
      ['report_cost', { since: 'yesterday' }, 400, 'yesterday'],
      ['approve', { run: 'x' }, 404, 'There is nothing here'],
      ['order_change', `{"change":"${'x'.repeat(1_100_000)}"}`, 413, 'too large'],
    ] as const) {
      const answer = await post(name, body);
      const text = await answer.text();
      expect([name, answer.status, text.includes(said) ? said : text]).toEqual([name, status, said]);
    }
    const ledger = await openLedger({ dataDir: env.AGENTPR_DATA_DIR ?? '', now: () => Date.now() });
    const runs = await ledger.query.runs({ live: false, limit: 100 });
    await ledger.close();
    expect(runs.every(({ order }) => order.goal.startsWith('Say hello'))).toBe(true);
  });

  it('O3: does not start without a token, and says how to make one', async () => {
    const child = spawn(process.execPath, [MAIN, 'mcp', '--http', '0'], {
      cwd: dir,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(78);
    expect(said).toContain('openssl rand -hex 24');
  });
});
