/**
 * GitHub's webhooks over real HTTP: who is refused before what, what is durable when 202 is said,
 * and what strangers cost.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { closeServer, createHttpServer, listenOn } from '../../webhooks/http-server.ts';
import { createReceiver, type ReceiverParts } from '../../webhooks/receiver.ts';
import {
  createSignatureVerifier,
  signPayload,
  parseSignatureHeader,
} from '../../webhooks/verify-signature.ts';
import { checkRun, issueComment, pullRequest, push } from '../support/github-payloads.ts';
import { temporaryDirectory } from '../support/ledger.ts';
import { bytes, deliver, headersFor, post, SECRET } from '../support/webhook-sender.ts';

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

describe('the signature', () => {
  beforeEach(() => serve());

  it("F2: is GitHub's own example", () => {
    const secret = "It's a Secret to Everybody";
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    expect(signPayload(secret, 'Hello, World!')).toBe(signature);
    const found = parseSignatureHeader(signature);
    expect(
      found && createSignatureVerifier([secret])([Buffer.from('Hello, '), Buffer.from('World!')], found),
    ).toBe(true);
  });

  it('F2: every byte of it counts', () => {
    const body = [Buffer.from('{"zen":1}')];
    const right = parseSignatureHeader(signPayload(SECRET, '{"zen":1}')) ?? expect.fail('it is no signature');
    const verify = createSignatureVerifier([SECRET]);
    expect(verify(body, right)).toBe(true);
    for (let at = 0; at < right.length; at += 1) {
      const other = Buffer.from(right);
      other[at] = (right[at] ?? 0) ^ 1;
      expect([at, verify(body, other)]).toEqual([at, false]);
    }
    for (const length of [0, 8, 31, 33]) expect(verify(body, Buffer.alloc(length, right))).toBe(false);
  });

  it('F2: no verifier is made without a secret that cannot be guessed', () => {
    for (const secrets of [[], [''], ['short'], [' '.repeat(20)], [SECRET, '']])
      expect(() => createSignatureVerifier(secrets)).toThrow('openssl rand -hex 32');
  });

  it('F2: by the secret or the previous one is taken', async () => {
    expect(await deliver(url, { zen: 1 })).toMatchObject({ status: 202, duplicate: false });
    expect(await deliver(url, { zen: 2 }, { secret: PREVIOUS })).toMatchObject({ status: 202 });
    expect(stored).toHaveLength(2);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of SHA-1', `sha1=${'a'.repeat(40)}`],
    ['too short', 'sha256=abc'],
    ['too long', `${forged}a`],
    ['no hex', `sha256=${'z'.repeat(64)}`],
  ])('F2: that is %s is refused before the body is read', async (_, header) => {
    const headers = {
      ...headersFor('', { headers: { 'x-hub-signature-256': header } }),
      'content-length': '9',
    };
    // No byte of the body is ever sent.
    const answer = await post(url, headers, () => new Promise(() => {}));
    expect(answer).toMatchObject({
      status: 401,
      error: expect.stringContaining('X-Hub-Signature-256') as string,
    });
  });

  it.each([
    ['by somebody else', { secret: 'a secret of somebody else' }],
    ['of another body', { headers: { 'x-hub-signature-256': signPayload(SECRET, '{}') } }],
  ])('F2: %s is refused, and nothing is stored', async (_, how) => {
    expect(await deliver(url, { zen: 1 }, how)).toMatchObject({ status: 401 });
    expect(stored).toEqual([]);
  });
});

describe('a delivery', () => {
  beforeEach(() => serve());

  it.each([
    ['content type', { 'content-type': 'text/plain' }, 415],
    ['content type', { 'content-type': undefined }, 415],
    ['content type', { 'content-type': 'application/jsonp' }, 415],
    ['event', { 'x-github-event': undefined }, 400],
    ['event', { 'x-github-event': 'Ping' }, 400],
    ['event', { 'x-github-event': 'a","payload":{}}' }, 400],
    ['event', { 'x-github-event': '2_items' }, 400],
    ['content encoding', { 'content-encoding': 'gzip' }, 415],
    ['content type', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ['delivery', { 'x-github-delivery': undefined }, 400],
    ['delivery', { 'x-github-delivery': 'a b' }, 400],
    ['delivery', { 'x-github-delivery': 'x'.repeat(65) }, 400],
  ])('with an odd %s %j is refused with %i', async (_, headers, status) => {
    const answer = await deliver(url, { zen: 1 }, { headers });
    expect(answer.status).toBe(status);
    expect(answer.error).toMatch(/^[A-Z].*\.$/);
    expect(answer.raw).not.toContain('\n');
    expect(stored).toEqual([]);
  });

  it('F2: of an event with a digit in its name is taken', async () => {
    expect(await deliver(url, {}, { event: 'projects_v2_item' })).toMatchObject({ status: 202 });
    expect(stored[0]?.done).toContain('projects_v2_item is not needed here');
  });

  it.each([
    'null',
    '[]',
    '"x"',
    '1',
    'true',
    '',
    '{',
    '{"a":1}}',
    '{"a":',
    '\u0000',
    '\uFEFF{}',
    'payload=%7B%7D',
  ])('signed, but with %j for a body is refused with 400, and nothing is stored', async (body) => {
    const answer = await deliver(url, body);
    expect(answer).toMatchObject({ status: 400, error: 'The body is not a JSON object.' });
    expect(stored).toEqual([]);
    expect(logged).toEqual([]);
  });

  it.each([
    ...['payload=', 'payload=null', 'payload=%5B%5D', 'other=%7B%7D', ''],
    ...['payload=%7B%7D&a=1', 'payload=%7B%7D&payload=%7B%7D', 'a=1&payload=%7B%7D', 'payload=%7B%7D&'],
    ...['payload[]=%7B%7D', 'p%61yload=%7B%7D', 'payload=%7B%7D;a=1', 'payload=%ZZ', 'payload=%FF'],
    ...['\uFEFFpayload=%7B%7D', ' payload=%7B%7D', 'payload={}', 'payload=payload=%7B%7D'],
  ])('F2: sent as the form %j is refused with 400', async (body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await deliver(url, body, { headers })).toMatchObject({ status: 400 });
  });

  it("is taken as JSON and as the form that GitHub's page offers first", async () => {
    const payload = checkRun({ name: 'ö & ü + 100 %' });
    const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const type = (name: string) => ({ event: 'check_run', headers: { 'content-type': name } });
    await deliver(url, payload, type('application/json; charset=utf-8'));
    await deliver(url, form, type('application/x-www-form-urlencoded'));
    expect(stored).toHaveLength(2);
    const [json, other] = stored;
    expect(other).toMatchObject({ source: 'forge', body: json?.body as object });
    expect(json?.body).toMatchObject({
      event: 'check_run',
      seen: { facts: [{ input: { check: { name: 'ö & ü + 100 %' } } }] },
    });
  });

  it.each(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=utf-16'])(
    'F2: that was signed as JSON is never read as %s: a comment in it must not become the message',
    async (type) => {
      const merged = encodeURIComponent(JSON.stringify(pullRequest('closed', { merged: true })));
      const captured = JSON.stringify(issueComment(true, { body: `&payload=${merged}&` }));
      const headers = { 'content-type': type };
      expect(await deliver(url, captured, { event: 'pull_request', headers })).toMatchObject({ status: 400 });
      expect(stored).toEqual([]);
    },
  );

  it('of an event that GitHub does not document is stored with the reason why it means nothing', async () => {
    expect(await deliver(url, {}, { event: 'invented' })).toMatchObject({ status: 202 });
    expect(stored[0]?.body).toMatchObject({ seen: { ignored: 'AgentPR does not know the event invented' } });
  });

  it('L8: leaves what it says to us, and none of its words, however large it was', async () => {
    const commits = Array.from({ length: 2_000 }, (_, i) => ({
      id: i,
      message: 'delete the tests '.repeat(70),
    }));
    const body = JSON.stringify(push({ commits }));
    expect(body.length).toBeGreaterThan(2 * MB);
    const headers = { 'content-length': String(Buffer.byteLength(body)) };
    expect(await deliver(url, body, { event: 'push', headers })).toMatchObject({ status: 202 });
    expect(JSON.stringify(stored).length).toBeLessThan(1_000);
    expect(JSON.stringify(stored)).not.toContain('delete the tests');
  });

  it('that is nested deeper than anything can write again is stored like any other', async () => {
    const deep = `{"repository":null,"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect((await deliver(url, deep, { event: 'check_run' })).status).toBe(202);
    expect(stored[0]?.body).toMatchObject({ seen: { unreadable: expect.any(String) as string } });
  });

  it('that should have said something keeps its payload, at most a part of it', async () => {
    await deliver(url, { action: 'completed', note: 'x'.repeat(MB / 2) }, { event: 'check_run' });
    const { payload } = stored[0]?.body as { payload: string };
    expect(payload).toContain('"action":"completed"');
    expect(payload).toHaveLength(100_000);
  });

  it('arrives in any number of pieces, broken anywhere', async () => {
    const body = JSON.stringify(checkRun({ name: 'größe' }));
    const raw = Buffer.from(body);
    const headers = { ...headersFor(body, { event: 'check_run' }), 'content-length': String(raw.length) };
    const answer = await post(url, headers, async (write) => {
      for (const byte of raw.subarray(0, 400)) await write(Buffer.of(byte));
      await write(raw.subarray(400));
    });
    expect(answer.status).toBe(202);
    expect(JSON.stringify(stored)).toContain('größe');
  });
});

describe('a large body', () => {
  it('is refused by its Content-Length, before a byte of it', async () => {
    await serve();
    const headers = { ...headersFor(''), 'content-length': String(25 * MB + 1) };
    expect(await post(url, headers, () => new Promise(() => {}))).toMatchObject({ status: 413 });
  });

  it('that does not say its length is counted, and refused beyond 1 MB', async () => {
    await serve();
    const body = `{"x":"${'y'.repeat(MB - 8)}"}`;
    expect(await post(url, headersFor(body), async (write) => write(body))).toMatchObject({ status: 202 });
    const headers = headersFor('', { headers: { 'x-hub-signature-256': forged } });
    expect(await post(url, headers, bytes(2 * MB))).toMatchObject({ status: 413 });
    expect(stored).toHaveLength(1);
  });

  it.each([
    ['that says its length', (size: number) => ({ 'content-length': String(size) })],
    ['in chunks', () => ({})],
    [
      'that asks whether it may come',
      (size: number) => ({ 'content-length': String(size), expect: '100-continue' }),
    ],
  ])('F2: %s is refused without losing the delivery that follows on its connection', async (_, more) => {
    await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (const size of [1_000, 300_000, 3 * MB]) {
        const headers = {
          ...headersFor('', { headers: { 'x-hub-signature-256': 'sha1=0' } }),
          ...more(size),
        };
        const refused = await post(url, headers, bytes(size), agent);
        expect(refused.status).toBe(401);
        expect(await deliver(url, { size }, { agent })).toMatchObject({ status: 202 });
      }
    } finally {
      agent.destroy();
    }
    expect(stored).toHaveLength(3);
  });

  it('that stops arriving is given up, and so is what waits for its room; what fits goes on beside it', async () => {
    await serve({ limits: { ordinary: 10, room: 1_000, patienceMs: 300 } });
    const of = (length: number) => ({ ...headersFor(''), 'content-length': String(length) });
    const order: string[] = [];
    const told = (name: string) => (answer: { status: number }) => {
      order.push(name);
      return answer.status;
    };
    const slow = post(url, of(900), (write) => write('{').then(() => new Promise(() => {})));
    await once(server, 'request');
    const waiting = post(url, of(500), async (write) => write('x'.repeat(500))).then(told('waiting'));
    const small = '{"zen":1}';
    const headers = { ...headersFor(small), 'content-length': String(small.length) };
    const beside = post(url, headers, async (write) => write(small)).then(told('small'));
    expect(await slow.then(told('slow'))).toBe(408);
    // Its room came, or its time was up: a moment after the slow one, and not before.
    expect(await waiting).toBeOneOf([401, 503]);
    expect(await beside).toBe(202);
    expect(order).toEqual(['small', 'slow', 'waiting']);
  });

  it('L8: waits for nobody while strangers hold all the room there is, and announce more', async () => {
    await serve();
    const answered: number[] = [];
    const gone: Promise<unknown>[] = [];
    const arrived: Promise<unknown>[] = [];
    const stranger = (length: number, sent: number): void => {
      const headers = { ...headersFor('', { headers: { 'x-hub-signature-256': forged } }) };
      const { promise, resolve } = Promise.withResolvers<void>();
      arrived.push(promise);
      const said = post(url, { ...headers, 'content-length': String(length) }, async (write) => {
        await write(Buffer.alloc(sent, 'x'));
        resolve();
        await over.promise;
        throw new Error('gone away');
      });
      gone.push(said.then(({ status }) => answered.push(status)).catch(() => undefined));
    };
    const over = Promise.withResolvers<void>();
    // All of the room for large ones; more than all of that for ordinary ones; and many that trickle.
    for (let i = 0; i < 4; i += 1) stranger(25 * MB, 1);
    for (let i = 0; i < 4; i += 1) stranger(7 * MB, 1);
    for (let i = 0; i < 30; i += 1) stranger(MB, MB - 1);
    for (let i = 0; i < 100; i += 1) stranger(10_000, 1);
    await Promise.all(arrived);
    const payload = { zen: 'x'.repeat(10_000) };
    const signed = await Promise.all(Array.from({ length: 60 }, () => deliver(url, payload)));
    expect(signed.map(({ status }) => status)).toEqual(signed.map(() => 202));
    // Nobody's time was up meanwhile: those that gave way had sent the most, and are told that.
    expect(new Set(answered)).toEqual(new Set([503]));
    expect(answered.length).toBeGreaterThanOrEqual(10);
    over.resolve();
    await Promise.all(gone);
    expect(await deliver(url, payload)).toMatchObject({ status: 202 });
  });

  it.each([
    ['for large ones', { ordinary: 10, room: 1_000 }],
    ['for ordinary ones', { held: 1_000 }],
  ])('leaves no room %s taken, whatever became of it', async (_, limits) => {
    await serve({ limits: { ...limits, patienceMs: 5_000 } });
    const body = JSON.stringify({ x: 'y'.repeat(900) });
    const headers = { ...headersFor(body), 'content-length': String(body.length) };
    const whole = () => post(url, headers, async (write) => write(body));
    expect((await whole()).status).toBe(202);
    const wrong = { ...headers, 'x-hub-signature-256': forged };
    expect((await post(url, wrong, async (write) => write(body))).status).toBe(401);
    const arrived = once(server, 'request');
    const cut = post(url, headers, async (write) => {
      await write('{');
      await arrived;
      throw new Error('gone away');
    });
    await expect(cut).rejects.toThrow('gone away');
    expect((await whole()).status).toBe(200);
  });
});

describe('the answer', () => {
  it('L3: comes after the commit, and not before', async () => {
    const order: string[] = [];
    const commit = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const receive = async () => {
      asked.resolve();
      await commit.promise;
      order.push('committed');
      return [{ id: 1, duplicate: false }];
    };
    await serve({ receive });
    const answer = deliver(url, {}).then(() => order.push('answered'));
    await asked.promise;
    await new Promise((resolve) => setImmediate(resolve));
    commit.resolve();
    await answer;
    expect(order).toEqual(['committed', 'answered']);
  });

  it('F2: says 503 when it could not be stored, and the log has nothing of the delivery', async () => {
    await serve({ receive: () => Promise.reject(new Error('The disk is full.')) });
    const answer = await deliver(url, { words: 'of a stranger' });
    expect(answer).toMatchObject({
      status: 503,
      error: expect.stringContaining('Deliver it again') as string,
    });
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toMatch(/stranger|sha256|disk/);
  });

  it('F2: without a secret there is nothing, and the answer names the setting', async () => {
    await serve({ secrets: null });
    expect(await deliver(url, {})).toMatchObject({
      status: 404,
      error: expect.stringContaining('GITHUB_WEBHOOK_SECRET') as string,
    });
  });
});

describe('on disk', () => {
  let dir: string;
  let remove: () => void;
  let ledger: Ledger | null;
  beforeEach(async () => {
    ({ dir, remove } = temporaryDirectory());
    ledger = await openLedger({ dataDir: dir, now: Date.now });
    const open = ledger;
    await serve({ receive: (items) => open.receive(items, 1) });
  });
  afterEach(async () => {
    await ledger?.close();
    remove();
  });

  it('S4: a delivery that comes a hundred times is one row', async () => {
    const many = await Promise.all(
      Array.from({ length: 100 }, () =>
        deliver(url, checkRun(), { event: 'check_run', id: 'one-and-the-same' }),
      ),
    );
    expect(many.filter((a) => a.status === 202)).toHaveLength(1);
    expect(many.filter((a) => a.status === 200 && a.duplicate)).toHaveLength(99);
    expect(new Set(many.map((a) => a.id)).size).toBe(1);
    expect(await ledger?.query.inboxCounts()).toEqual({ new: 1 });
  });

  it('S4: one that is about nothing of ours is known again, and is no work for anybody', async () => {
    const first = await deliver(url, {}, { id: 'about-nothing' });
    expect(await deliver(url, {}, { id: 'about-nothing' })).toMatchObject({ status: 200, id: first.id });
    expect(await ledger?.inbox(9)).toEqual([]);
  });

  it('L10: one that concerns no run of ours is counted and answered, and leaves no row', async () => {
    server.closeAllConnections();
    await closeServer(server);
    const open = ledger as Ledger;
    const unheard: string[] = [];
    await serve({
      receive: (items) => open.receive(items, 1),
      hasLiveRun: (repo) => open.query.alive(repo),
      countUnrelated: (event, repos) => unheard.push(`${event} ${repos.map((repo) => repo.fullName).join()}`),
    });
    for (const _ of [1, 2])
      expect(await deliver(url, checkRun(), { event: 'check_run', id: 'nobody' })).toMatchObject({
        status: 202,
      });
    expect(unheard).toEqual(Array(2).fill(`check_run ${checkRun().repository.full_name}`));
    expect(await open.query.inboxCounts()).toEqual({});
  });

  it('L8: gives up its body when it was handled, and keeps it when it could not be', async () => {
    const ids = [];
    for (const _ of [1, 2, 3]) ids.push((await deliver(url, checkRun(), { event: 'check_run' })).id ?? 0);
    const [done = 0, dead = 0] = ids;
    const told = await ledger?.receive([{ source: 'chat', key: 't', body: 'hello' }], 1);
    for (const [id, kind] of [
      [done, 'done'],
      [dead, 'dead'],
      [told?.[0]?.id ?? 0, 'done'],
    ] as const)
      await ledger?.settleInbox(id, { kind, note: '', replies: [] }, 2);
    const db = new Database(join(dir, 'ledger.db'), { readonly: true });
    const rows = db.prepare('select state, body from inbox order by id').all() as {
      state: string;
      body: string;
    }[];
    db.close();
    expect(rows.map((r) => [r.state, r.body === ''])).toEqual([
      ['done', true],
      ['dead', false],
      ['new', false],
      ['done', false],
    ]);
  });
});

describe('in a process of its own', () => {
  const SERVER = join(import.meta.dirname, '../support/webhook-server.ts');
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

  it('L3, L6: everything it said 202 to is there after SIGKILL', async () => {
    const acknowledged: string[] = [];
    const dying = once(child, 'exit');
    const sending = Array.from({ length: 8 }, async (_, lane) => {
      for (let i = 0; ; i += 1) {
        const id = `lane-${lane}-${i}`;
        const answer = await deliver(address, checkRun(), { event: 'check_run', id }).catch(() => null);
        if (answer?.status !== 202) return;
        acknowledged.push(id);
        if (acknowledged.length === 200) child.kill('SIGKILL');
      }
    });
    await Promise.all([dying, ...sending]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    const reopened = await openLedger({ dataDir: dir, now: Date.now });
    const there = new Set((await reopened.inbox(100_000)).map((row) => row.key));
    await reopened.close();
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
  });
});
