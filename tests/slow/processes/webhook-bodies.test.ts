/** F2, L8: bodies of the largest size, and what those of strangers cost. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IncomingItem } from '#ports/steps';
import { closeServer, createHttpServer, listenOn } from '../../../webhooks/http-server.ts';
import { createReceiver, type ReceiverParts } from '../../../webhooks/receiver.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { bytes, headersFor, post, SECRET } from '../../support/webhook-sender.ts';

const MB = 1024 * 1024;
const PREVIOUS = 'the secret of last year';
const forged = `sha256=${'a'.repeat(64)}`;

let server: Server;
let url: string;
let stored: IncomingItem[];
let logged: unknown[];

const serve = async (parts: Partial<ReceiverParts> = {}): Promise<void> => {
  const receive: ReceiverParts['receive'] = (items) => {
    const known = stored.map((item) => item.key);
    const answer = items.map(({ key }) => ({ id: known.length + 1, duplicate: known.includes(key) }));
    stored.push(...items.filter((_, i) => !answer[i]?.duplicate));
    return Promise.resolve(answer);
  };
  const log = { error: (...said: unknown[]) => void logged.push(said) };
  const hasLiveRun = async (): Promise<boolean> => true;
  const receiver = createReceiver({
    secrets: [SECRET, PREVIOUS],
    receive,
    hasLiveRun,
    countUnrelated: () => {},
    log,
    ...parts,
  });
  server = createHttpServer([receiver], log);
  url = await listenOn(server, '127.0.0.1', 0);
};
beforeEach(() => {
  stored = [];
  logged = [];
});
afterEach(async () => {
  server.closeAllConnections();
  await closeServer(server);
});

describe('a large body', () => {
  it('of the largest size is taken', async () => {
    await serve();
    const body = `{"x":"${'y'.repeat(25 * MB - 8)}"}`;
    const headers = { ...headersFor(body), 'content-length': String(body.length) };
    expect(await post(url, headers, async (write) => write(body))).toMatchObject({ status: 202 });
  });
});

describe('in a process of its own', () => {
  const SERVER = join(import.meta.dirname, '../../support/webhook-server.ts');
  let dir: string;
  let remove: () => void;
  let child: ChildProcess;
  let address: string;
  let lines: AsyncIterator<string>;
  const line = async (): Promise<string> => String((await lines.next()).value);
  beforeEach(async () => {
    await serve();
    ({ dir, remove } = temporaryDirectory());
    child = spawn(process.execPath, [SERVER, dir, SECRET], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (!child.stdout) throw new Error('the server has no output');
    lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    address = await line();
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    remove();
  });

  const peak = async (): Promise<number> => {
    child.stdin?.write('\n');
    return Number(await line());
  };
  it.skipIf(!existsSync('/proc/self/status')).each([
    ['without a signature', { 'x-hub-signature-256': undefined }, 401],
    ['with a forged signature', { 'x-hub-signature-256': forged }, 413],
    ['that say their length', { 'x-hub-signature-256': forged, 'content-length': String(64 * MB) }, 413],
  ])('F2, L8: six bodies of 64 MB %s cost less than 64 MB', async (_, more, status) => {
    const before = await peak();
    const headers = headersFor('', { headers: more });
    const answers = await Promise.all(
      // Whoever goes on sending after the answer may be cut off.
      Array.from({ length: 6 }, () => post(address, headers, bytes(64 * MB)).catch(() => null)),
    );
    for (const answer of answers) expect(answer?.status ?? status).toBe(status);
    expect((await peak()) - before).toBeLessThan(64 * 1024);
  });
});
