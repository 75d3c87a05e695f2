/** E1, L7: what a run keeps in the ledger to go on elsewhere, against somebody who writes there. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { failureConsequence, type BucketRefusal } from '#model/failure';
import type { EffectKind } from '#effects';
import type { ClaimOf } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import type { EffectHandlers } from '#runtime';
import { createRunMover, type RunTransferParts } from '../../orchestrator/workers/run-transfer.ts';
import { createBucket } from '../../app/s3-bucket.ts';
import { KEYS, startBucket } from '../support/bucket.ts';
import { openInMemory, write, type Opened } from '../support/ledger.ts';

let opened: Opened;
beforeEach(async () => {
  opened = await openInMemory();
  for (const run of ['r1', 'r2']) await write(opened.ledger, run);
});
afterEach(() => opened.close());

/** A worker with a disk of its own, whose packing is the text that it is told. */
const worker = (says = '', key = new Uint8Array(32).fill(7), bucket: RunTransferParts['bucket'] = null) => {
  const unpacked: string[] = [];
  const marks = new Map<string, string>();
  const moving: RunTransferParts['moving'] = {
    pack: async () => ({ key: hex(says), content: async () => says }),
    unpack: async ({ content }) => void unpacked.push(content),
    mark: async (run) => marks.get(run) ?? null,
    setMark: async (run, mark) => void marks.set(run, mark),
  };
  const forge = { repo: async () => ({ id: 1, private: false }) } as unknown as RunTransferParts['forge'];
  const mover = createRunMover({
    ledger: opened.ledger,
    forge,
    moving,
    bucket,
    key,
    clock: { now: () => 1 },
    log: { info: () => {}, warn: () => {} },
  });
  const done = async () => ({ kind: 'done', result: null }) as const;
  const { implement, remove_workspace: clean } = mover.handlers({
    implement: done,
    remove_workspace: done,
  } as unknown as EffectHandlers);
  const claimed = (kind: EffectKind, n: number) =>
    ({ runId: 'r1', n, leaseEpoch: 1, do: { kind } }) as unknown as ClaimOf<never>;
  const signal = new AbortController().signal;
  return {
    unpacked,
    bring: () => mover.bring('r1'),
    work: (n = 1) => implement(claimed('implement', n), signal),
    clean: () => clean(claimed('remove_workspace', 9), signal),
  };
};
const hex = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);
const Row = z.looseObject({ parts: z.array(z.string()) });
const newest = async () => Row.parse(JSON.parse((await opened.ledger.query.newest('r1', 'moved')) ?? 'null'));
const plant = (content: unknown, runId = 'r1', type = 'moved') =>
  opened.ledger.artifact({ runId, type, content: JSON.stringify(content), at: 2 });

it('L7: what one worker kept another one brings, in its parts', async () => {
  const long = 'x'.repeat(1_200_000);
  await worker(long).work();
  const there = worker();
  await there.bring();
  expect(there.unpacked).toEqual([long]);
});

it.each<[string, (kept: Record<string, unknown>) => unknown]>([
  ['has no MAC', ({ mac: _, ...kept }) => kept],
  ['names other contents', (kept) => ({ ...kept, parts: [`sha256:${'0'.repeat(64)}`] })],
  ['is said to be of another attempt', (kept) => ({ ...kept, attempt: '7.1' })],
  ['has another key', (kept) => ({ ...kept, key: '0'.repeat(64) })],
  ['has more in it', (kept) => ({ ...kept, home: '/' })],
  ['has too many parts', (kept) => ({ ...kept, parts: Array(65).fill(`sha256:${'0'.repeat(64)}`) })],
  ['is no object', () => 'x'],
])('E1: a record that %s is never unpacked', async (_, change) => {
  await worker('genuine').work();
  await plant(change(await newest()));
  const there = worker();
  await expect(there.bring()).rejects.toThrow('was not written by AgentPR');
  expect(there.unpacked).toEqual([]);
});

it('E1: a run whose record is refused is asked about, and its cancellation leaves nothing of it', async () => {
  await worker('genuine').work();
  await plant({ ...(await newest()), key: '0'.repeat(64) });
  for (let tries = 1; tries <= 2; tries += 1)
    await expect(worker().work(tries)).rejects.toMatchObject({
      class: 'transfer_refused',
      detail: { kind: 'stored_by_others' },
    });
  expect(failureConsequence('transfer_refused')).toBe('human');
  await worker().clean();
  expect(await opened.ledger.query.newest('r1', 'moved')).toBeNull();
  expect(await opened.ledger.query.newest('r1', 'moved.part')).toBeNull();
});

it('E1: the record of another run, and one made with another key, are never unpacked', async () => {
  await worker('genuine').work();
  const kept = await newest();
  const content = (await opened.ledger.query.artifact('r1', kept.parts[0] ?? ''))?.content ?? '';
  await opened.ledger.artifact({ runId: 'r2', type: 'moved.part', content, at: 2 });
  await plant(kept, 'r2');
  const other = createRunMover({
    ledger: opened.ledger,
    key: new Uint8Array(32).fill(7),
    clock: { now: () => 1 },
    log: { info: () => {}, warn: () => {} },
    forge: {} as RunTransferParts['forge'],
    bucket: null,
    moving: { mark: async () => null } as unknown as RunTransferParts['moving'],
  });
  await expect(other.bring('r2')).rejects.toThrow('was not written by AgentPR');
  const stranger = worker('', new Uint8Array(32).fill(8));
  await expect(stranger.bring()).rejects.toThrow('was not written by AgentPR');
});

it('L8: only the newest is kept, and nothing once the run has ended', async () => {
  await worker('first').work(1);
  const first = await newest();
  await worker('second').work(2);
  const second = await newest();
  const there = async (digest = '') => (await opened.ledger.query.artifact('r1', digest)) !== null;
  expect([await there(first.parts[0]), await there(second.parts[0])]).toEqual([false, true]);
  await worker('second').clean();
  expect(await there(second.parts[0])).toBe(false);
  expect(await opened.ledger.query.newest('r1', 'moved')).toBeNull();
});

type Door = Awaited<ReturnType<typeof startBucket>>['how'];
const kept = () => opened.ledger.query.newest('r1', 'moved.part');

it('L7: parts lie in the bucket and nowhere else, and go when nobody needs them', async () => {
  const server = await startBucket();
  try {
    const bucket = createBucket({ ...KEYS, url: server.url }, { now: () => 1 });
    await worker('x'.repeat(600_000), undefined, bucket).work(1);
    const first = (await newest()).parts;
    expect([first.length, await kept()]).toEqual([2, null]);
    const there = worker('', undefined, bucket);
    await there.bring();
    expect(there.unpacked).toEqual(['x'.repeat(600_000)]);
    await worker('second', undefined, bucket).work(2);
    expect(server.asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(2);
    await worker('', undefined, bucket).clean();
    expect(server.asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(3);
    for (const digest of first) expect(await bucket.get(`r1/${digest.replace(':', '-')}`)).toBeNull();
  } finally {
    await server.close();
  }
});

it.each<[string, Partial<Door>, BucketRefusal]>([
  ['refuses the key', { status: 403 }, 'key_refused'],
  ['is in trouble', { status: 503 }, 'failed'],
  ['sends us elsewhere', { status: 307 }, 'failed'],
  ['can be listed by anybody', { open: true }, 'open_to_all'],
])('L7: while the bucket %s, the ledger keeps the parts, and nothing is lost', async (_, how, why) => {
  const server = await startBucket();
  try {
    const bucket = createBucket({ ...KEYS, url: server.url }, { now: () => 1 });
    Object.assign(server.how, how);
    await worker('genuine', undefined, bucket).work();
    expect(await kept()).toBe('genuine');
    const there = worker('', undefined, bucket);
    await there.bring();
    expect(there.unpacked).toEqual(['genuine']);
    await expect(bucket.check()).rejects.toMatchObject({
      message: expect.stringMatching(/^The bucket (refused|failed|can be listed)/) as string,
      detail: { kind: 'bucket_refused', why },
    });
  } finally {
    await server.close();
  }
});

it('E1, L7: other bytes from the bucket are never unpacked; one that is away is asked again later', async () => {
  const server = await startBucket();
  try {
    const bucket = createBucket({ ...KEYS, url: server.url }, { now: () => 1_000 });
    await worker('genuine', undefined, bucket).work();
    const there = worker('', undefined, bucket);
    server.how.lie = 'planted';
    await expect(there.bring()).rejects.toMatchObject({
      class: 'transfer_refused',
      message: expect.stringContaining('other bytes') as string,
      detail: { kind: 'stored_bytes_differ' },
    });
    server.how.lie = 'y'.repeat(3_000_000);
    await expect(there.bring()).rejects.toThrow('gave more than was put there');
    [server.how.lie, server.how.status] = [null, 500];
    await expect(there.bring()).rejects.toMatchObject({ class: 'bucket_unavailable', retryAt: 31_000 });
    expect(there.unpacked).toEqual([]);
    server.how.status = null;
    await there.bring();
    expect(there.unpacked).toEqual(['genuine']);
    await bucket.check();
  } finally {
    await server.close();
  }
});
