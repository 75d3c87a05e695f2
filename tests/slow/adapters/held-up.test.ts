/** O10: whatever boxes, deliveries and programs send, the service goes on serving others meanwhile. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createShownPatch } from '../../../app/shown-patches.ts';
import { createJsonLineSplitter } from '../../../executors/engines/shared/line-splitter.ts';
import { applyCodexEvent } from '../../../executors/engines/codex/events.ts';
import { createRoundReading } from '../../../executors/engines/shared/round-reading.ts';
import { createRequestReader } from '../../../executors/gateway/read-request-in-thread.ts';
import { createReaderThreads } from '../../../executors/process/reader-threads.ts';
import { createHidingChecks } from '../../../executors/sandbox/hide-exposed-secrets.ts';
import { createExposedSecrets } from '../../../executors/sandbox/exposed-secrets.ts';
import { MB } from '#model/values';
import type { CheckExecutor } from '#ports/processes';
import { closeServer, createHttpServer, listenOn } from '../../../webhooks/http-server.ts';
import { createReceiver, WEBHOOK_PATH } from '../../../webhooks/receiver.ts';
import { signPayload } from '../../../webhooks/verify-signature.ts';
import { createChatWorld } from '../../support/chat-world.ts';
import { SHAPES } from '../../support/fuzz/shapes.ts';
import { openDoor } from '../../support/gateway-world.ts';
import { longestTurn } from '../../support/longest-turn.ts';
import { slowness } from '../../support/thread-time.ts';
import { SECRET } from '../../support/webhook-sender.ts';

/** Processor time of an idle machine (ms): 150 are aimed at, and another machine may be slower. */
const MOST = 300;
const LENT = 'sk-ant-api03-0123456789abcdefghijklmnop';
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const shaped = (shape: string, size: number): string => SHAPES[shape]?.(size) ?? '';

describe('a program of a box', () => {
  const lent = createExposedSecrets();
  lent.add('KEY', [LENT]);
  const printing = (stdout: string): CheckExecutor => {
    const end = { exitCode: 0, ended: 'exited', signal: null, ms: 1, stdout, stderr: '' } as const;
    const result = { name: 'a', command: 'a', exitCode: 0, outcome: 'passed', ms: 1, tail: '' } as const;
    return createHidingChecks(lent, { run: async () => ({ result, end, containment: 'bwrap' }) });
  };

  it.each([
    ['16 MB of short lines', shaped('the same key again', 16 * MB)],
    ['16 MB in one line', shaped('one line of one letter, and a sign', 16 * MB)],
    ['2 MB, what was lent on each line', `${LENT}\n`.repeat((2 * MB) / LENT.length)],
    ['16 MB, what was lent in one line', `${'a'.repeat(8 * MB)} ${LENT} ${'a'.repeat(8 * MB)}`],
  ])('O10: prints %s', async (_, stdout) => {
    let shown = '';
    const held = await longestTurn(async () => {
      shown = (await printing(stdout).run({} as never)).end.stdout;
    });
    expect(held).toBeLessThan(MOST * slowness());
    expect(shown.includes(LENT)).toBe(false);
    if (!stdout.includes(LENT)) expect(shown === stdout).toBe(true);
  });

  it.each([
    ['brackets', `{"a":${'['.repeat(15 * MB)}`.padEnd(15.9 * MB, ' ') + '}'],
    ['values', `{"a":[${'1,'.repeat(7 * MB)}1]}`],
    ['a message', JSON.stringify({ type: 'error', message: shaped('lines of one sign', 7 * MB) })],
    ['output', JSON.stringify({ type: 'error', message: shaped('people who hold hands', 8 * MB) })],
  ])('O10: is an agent, and prints one line of nearly 16 MB: %s', async (_, line) => {
    const bytes = Buffer.from(`${line}\n`);
    let heard = 0;
    const held = await longestTurn(async () => {
      let reading = createRoundReading(null);
      const lines = createJsonLineSplitter((event) => {
        reading = applyCodexEvent(reading, event);
        heard += 1;
      });
      lines.add(bytes);
      lines.end();
    });
    expect(held).toBeLessThan(MOST * slowness());
    expect(heard).toBe(line.includes('"message"') ? 1 : 0);
  });

  it.each([
    ['signs that are written longer', '\\'.repeat(10 * MB)],
    ['letters', 'a'.repeat(31 * MB)],
  ])('O10: asks its model with 20 MB or more: %s', async (_, content) => {
    let arrived = 0;
    const provider = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => (arrived += chunk.length));
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    onTestFinished(() => void provider.close());
    const door = await openDoor(`http://127.0.0.1:${(provider.address() as AddressInfo).port}`);
    const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
    let status = 0;
    const held = await longestTurn(async () => {
      const request = http.request({
        socketPath: door.socket,
        path: '/v1/messages',
        method: 'POST',
        headers: { host: '127.0.0.1:17117', 'x-api-key': door.token },
      });
      request.end(body);
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      status = answer.statusCode ?? 0;
      answer.resume();
      await once(answer, 'end');
    });
    expect([status, arrived]).toEqual([200, body.length]);
    expect(held).toBeLessThan(MOST * slowness());
  });

  it('O10: asks its model with more values than anybody reads, and is refused', async () => {
    const door = await openDoor('http://127.0.0.1:9');
    const body = `{"model":"m","messages":[${'[],'.repeat(1 * MB)}1]}`;
    const request = http.request({
      socketPath: door.socket,
      path: '/v1/messages',
      method: 'POST',
      headers: { host: '127.0.0.1:17117', 'x-api-key': door.token },
    });
    request.end(body);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    const chunks = await answer.toArray();
    expect([answer.statusCode, Buffer.concat(chunks as Buffer[]).toString()]).toEqual([
      400,
      expect.stringContaining('more than 100000 values'),
    ]);
  });
});

it('O10: a patch of 8 MB in one file is made ready for people', async () => {
  const threads = createReaderThreads({ threads: 1 });
  onTestFinished(() => threads.end());
  const line = `+${'token='.repeat(20)}\n`;
  const patch = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n${line.repeat((8 * MB) / line.length)}`;
  let shown = '';
  const held = await longestTurn(async () => {
    shown = await createShownPatch(threads)(patch);
  });
  expect(shown === patch).toBe(true);
  expect(held).toBeLessThan(MOST * slowness());
});

it.each([
  ['long lines', `+${'token='.repeat(20)}\n`, 8e6],
  ['short lines', '+a\n', 3e6],
  ['one line of blanks', ' ', 1e6],
])('O10: pages of one file of several MB are turned: %s', async (_, content, size) => {
  const added = content.repeat((size - 100) / content.length);
  const patch = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${added}`;
  const w = await createChatWorld({ patch });
  await w.readyRun();
  const held = await longestTurn(async () => {
    await w.taps('Diff');
    await w.taps('Hunk ▶');
    await w.taps('◀ Hunk');
  });
  expect(w.messages.find(({ text }) => text.startsWith('DIFF'))?.text).toMatch(/file 1\/1 · hunk 1\/1/);
  expect(held).toBeLessThan(MOST * slowness());
});

it('O10: a request that is past the limits of its reader is refused with the reason', async () => {
  const threads = createReaderThreads({ threads: 1, heapMb: 16 });
  onTestFinished(() => threads.end());
  const asks = { shape: 'openai', path: '/v1/responses', known: 0 } as const;
  const read = await createRequestReader(threads)(Buffer.from(`{"input":"${'é'.repeat(8 * MB)}"}`), asks);
  expect(read).toEqual({ refused: 'The request takes too long to read.' });
});

describe('a delivery of 24 MB', () => {
  const deliver = async (body: Buffer, signature: string): Promise<{ held: number; status: number }> => {
    const receive = async (): Promise<never[]> => [{ id: 1, duplicate: false } as never];
    const receiver = createReceiver({
      secrets: [SECRET],
      receive,
      hasLiveRun: async () => true,
      countUnrelated: () => {},
      log: silent,
    });
    const server = createHttpServer([receiver], silent);
    const url = await listenOn(server, '127.0.0.1', 0);
    onTestFinished(() => closeServer(server));
    let status = 0;
    const held = await longestTurn(async () => {
      const request = http.request(`${url}${WEBHOOK_PATH}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'x-github-event': 'issue_comment',
          'x-github-delivery': 'd1',
          'x-hub-signature-256': signature,
        },
      });
      request.end(body);
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      status = answer.statusCode ?? 0;
      answer.resume();
      await once(answer, 'end');
    });
    return { held, status };
  };
  const saying = (words: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        action: 'created',
        repository: { id: 1, node_id: 'x', name: 'api', full_name: 'acme/api' },
        issue: { number: 1 },
        comment: { body: words },
      }),
    );

  it.each([
    ['signs that are written longer', '\\'.repeat(12 * MB - 1_000)],
    ['the name of a member, again and again', 'full_name'.repeat((24 * MB) / 9 - 200)],
    ['letters', 'a'.repeat(24 * MB)],
  ])('O10: signed: %s', async (_, words) => {
    const body = saying(words);
    const { held, status } = await deliver(body, signPayload(SECRET, body));
    expect(status).toBe(202);
    expect(held).toBeLessThan(MOST * slowness());
  });

  it('O10: not signed', async () => {
    const body = saying('a'.repeat(24 * MB));
    const { held, status } = await deliver(body, `sha256=${'0'.repeat(64)}`);
    expect(status).toBe(401);
    expect(held).toBeLessThan(MOST * slowness());
  });
});
