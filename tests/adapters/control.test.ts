/** The command line's socket: what it takes, and what no process on the host may tell us. */
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenForOrders, sendOrder, socketPath, type ControlOrder } from '../../app/control-socket.ts';
import type { Input } from '#inputs';

let dir: string;
let taken: ControlOrder[];
let listening: Awaited<ReturnType<typeof listenForOrders>>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'agentpr-control-'));
  taken = [];
  listening = await listenForOrders(dir, (order) => {
    taken.push(order);
    return Promise.resolve({ kind: 'written' });
  });
});
afterEach(async () => {
  await listening.close();
  rmSync(dir, { recursive: true, force: true });
});

const offer = (input: Input) => sendOrder(dir, { runId: 'r1', key: `k${taken.length}`, input });
const [ana, operator] = [
  { id: '1001', name: 'Ana' },
  { id: null, name: 'the operator' },
];
const decision = { approvalId: 'a1', digest: 'd1' };

it.each<Input>([
  { type: 'command.pr.approve', by: ana, ...decision },
  { type: 'command.pr.approve', by: operator, ...decision },
  { type: 'command.push.approve', by: ana, ...decision },
  { type: 'command.validation.accept', by: operator },
  { type: 'worker.pr.opened', approvalId: 'a1', pull: '#7', url: 'http://x', adopted: false },
  { type: 'forge.pull.observed', pull: '#7', state: 'closed', merged: true, headSha: 'x', by: 'x' },
  { type: 'timer.timeout', epoch: 1 },
])('G1, G3: refuses $type, whoever it claims to be from', async (input) => {
  expect(await offer(input)).toMatchObject({ kind: 'refused' });
  expect(taken).toEqual([]);
});

it('G3: lets nobody on the host speak for a person of the chat', async () => {
  const answer = await offer({ type: 'command.cancel', by: ana, reason: '' });
  expect(answer).toMatchObject({ kind: 'refused' });
  expect(answer?.reason).toContain('cannot speak for a person');
  expect(taken).toEqual([]);
});

it('takes what the operator may order', async () => {
  expect(await offer({ type: 'command.cancel', by: operator, reason: 'no' })).toEqual({ kind: 'written' });
  expect(taken).toHaveLength(1);
});

it.each([
  ['deep', 'deep/'.repeat(60)],
  [
    'of Chinese names, short in characters and long in bytes',
    '开发者的主目录/项目和工作区/自动化机器人/数据',
  ],
  ['with blanks, quotes and signs', `a "b" 'c' $HOME %h \n d`.padEnd(130, ' x')],
])(
  'O9: listens in a data directory that is %s, is found there, and leaves nothing behind',
  async (_, name) => {
    const place = join(dir, name);
    mkdirSync(place, { recursive: true });
    const one = await listenForOrders(place, () => Promise.resolve({ kind: 'written' }));
    expect(readdirSync(place)).toEqual(['control.sock']);
    expect(lstatSync(socketPath(place)).mode & 0o77).toBe(0);
    const order = {
      runId: 'r1',
      key: 'k',
      input: { type: 'command.cancel', by: operator, reason: '' },
    } as const;
    expect(await sendOrder(place, order)).toEqual({ kind: 'written' });
    await one.close();
    expect(readdirSync(place)).toEqual([]);
    expect(await sendOrder(place, order)).toBeNull();
    expect(await sendOrder(join(place, 'not there'), order)).toBeNull();
    expect(readdirSync('/proc/self/fd').filter((fd) => placeOf(fd) === place)).toEqual([]);
  },
);

/** Where an open descriptor leads; the one that lists them is gone by now. */
const placeOf = (fd: string): string | null => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
};

it('L8: an order that is too large is refused in words, by whoever sends it and by whoever listens', async () => {
  const goal = 'x'.repeat(9_000_000);
  const large = await offer({ type: 'command.cancel', by: operator, reason: goal });
  expect(large).toMatchObject({ kind: 'refused', reason: expect.stringContaining('8 MB') as unknown });
  const req = request({ socketPath: socketPath(dir), method: 'POST', path: '/order' });
  req.end(JSON.stringify({ goal }));
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  expect(res.statusCode).toBe(413);
  expect(await json(res)).toEqual(large);
  expect(taken).toEqual([]);
});
