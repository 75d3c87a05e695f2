/**
 * `agentpr receive`: a saved payload, signed and given to a running AgentPR, and what became of it
 * in words.
 */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { createInbox } from '../../../orchestrator/kernel/runtime/inbox.ts';
import type { Inbox } from '#runtime';
import type { Ledger } from '#ports/ledger';
import { createDeliveryHandler } from '../../../webhooks/handle-delivery.ts';
import { closeServer, createHttpServer, listenOn } from '../../../webhooks/http-server.ts';
import { createReceiver } from '../../../webhooks/receiver.ts';
import { checkRun, ping } from '../../support/github-payloads.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { SECRET } from '../../support/webhook-sender.ts';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
const silent = { debug() {}, info() {}, warn() {}, error() {} };
let dir: string;
let remove: () => void;
let ledger: Ledger;
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ dir, remove } = temporaryDirectory());
  const clock = { now: Date.now };
  ledger = await openLedger({ dataDir: join(dir, 'data'), now: clock.now });
  const never = () => Promise.reject(new Error('no such source'));
  const unused = () => undefined;
  const handle = createDeliveryHandler({
    submit: never,
    ledger,
    hints: { expedite: never },
    clock,
    mayWork: never,
    forget: unused,
    labelled: unused,
    released: unused,
    followed: unused,
  });
  const inbox: Inbox = createInbox({
    ledger,
    clock,
    handlers: { forge: handle, chat: never, cli: never, note: never },
    log: silent,
  });
  const receiver = createReceiver({
    secrets: [SECRET],
    receive: (items) => inbox.receive(items),
    hasLiveRun: (repo) => ledger.query.alive(repo),
    countUnrelated: () => {},
    log: silent,
  });
  const server = createHttpServer([receiver], silent);
  url = await listenOn(server, '127.0.0.1', 0);
  writeFileSync(join(dir, 'ping.json'), JSON.stringify(ping()));
  writeFileSync(join(dir, 'check.json'), JSON.stringify(checkRun()));
  writeFileSync(join(dir, 'strange.json'), '{"action":"completed"}');
  writeFileSync(join(dir, 'broken.json'), '{"action"');
  close = async () => {
    await closeServer(server);
    await inbox.drain();
    await ledger.close();
  };
});
afterEach(async () => {
  await close();
  remove();
});

type Said = { code: number; out: string; err: string };
const receive = (args: string[], env: Record<string, string | undefined> = {}): Promise<Said> =>
  new Promise((resolve) => {
    const all = {
      PATH: process.env.PATH,
      HOME: dir,
      TELEGRAM_BOT_TOKEN: '1:x',
      TELEGRAM_ADMIN_IDS: '1',
      GITHUB_TOKEN: 'x',
      AGENTPR_DATA_DIR: join(dir, 'data'),
      AGENTPR_HTTP_PORT: new URL(url).port,
      GITHUB_WEBHOOK_SECRET: SECRET,
      ...env,
    };
    const child = execFile(
      process.execPath,
      [CLI, 'receive', ...args],
      { cwd: dir, env: all },
      (_, out, err) => resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }),
    );
    child.stdin?.end(JSON.stringify(ping()));
  });

it('says what became of a payload, and knows one that was stored when it comes again', async () => {
  expect(await receive(['-e', 'check_run', '-p', 'check.json', '--id', 'one'])).toMatchObject({
    code: 0,
    out: '202 counted, and not stored: no run of ours',
  });
  expect(await receive(['-e', 'ping', '-p', 'ping.json', '--id', 'two'])).toMatchObject({
    code: 0,
    out: '202 received as number 1: ignored: ping: GitHub tried out the webhook, and it works',
  });
  expect(await receive(['-e', 'ping', '-p', 'ping.json', '--id', 'two'])).toMatchObject({
    code: 0,
    out: '200 known already as number 1: ignored: ping: GitHub tried out the webhook, and it works',
  });
});

it('reads standard input, and prints JSON', async () => {
  const { code, out } = await receive(['-e', 'ping', '-p', '-', '--json', '--url', url]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    status: 202,
    id: 1,
    duplicate: false,
    state: 'done',
    note: 'ignored: ping: GitHub tried out the webhook, and it works',
  });
});

it.each<[string, number, RegExp, string[], Record<string, string | undefined>]>([
  ['there is no such file', 4, /no file gone\.json/, ['-e', 'ping', '-p', 'gone.json'], {}],
  ['the file is not JSON', 2, /broken\.json is not JSON/, ['-e', 'ping', '-p', 'broken.json'], {}],
  ['the event is no name', 2, /not the name of an event/, ['-e', 'Ping!', '-p', 'ping.json'], {}],
  [
    'nothing runs there',
    69,
    /Start it with/,
    ['-e', 'ping', '-p', 'ping.json', '--url', 'http://127.0.0.1:1'],
    {},
  ],
  [
    'there is no secret',
    78,
    /GITHUB_WEBHOOK_SECRET is not set/,
    ['-e', 'ping', '-p', 'ping.json'],
    { GITHUB_WEBHOOK_SECRET: '' },
  ],
  [
    'the secret is another',
    3,
    /401: The signature does not fit/,
    ['-e', 'ping', '-p', 'ping.json'],
    { GITHUB_WEBHOOK_SECRET: `${SECRET}!` },
  ],
  ['it cannot be handled', 1, /^$/, ['-e', 'check_run', '-p', 'strange.json'], {}],
])('when %s, ends with %i and a sentence', async (_, code, says, args, env) => {
  const said = await receive(args, env);
  expect(said.err).toMatch(says);
  expect(said.code).toBe(code);
});

it('is not taken in by a server that is no AgentPR', async () => {
  const other = createServer((_, response) => response.end('<html>')).listen(0);
  const { port } = other.address() as AddressInfo;
  const said = await receive(['-e', 'ping', '-p', 'ping.json', '--url', `http://127.0.0.1:${port}`]);
  other.close();
  expect(said).toMatchObject({ code: 1, err: '200: The answer did not come from an AgentPR.' });
});

it('says so when the ledger is somewhere else', async () => {
  const elsewhere = { AGENTPR_DATA_DIR: join(dir, 'elsewhere') };
  const said = await receive(['-e', 'ping', '-p', 'ping.json'], elsewhere);
  expect(said).toMatchObject({
    code: 0,
    out: expect.stringContaining('in the ledger of that AgentPR') as string,
  });
});
