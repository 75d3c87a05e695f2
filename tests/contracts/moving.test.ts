/** E1, L7: what a run keeps in the ledger to go on elsewhere, against somebody who writes there. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { EffectKind } from '../../orchestrator/core/machine/effects.ts';
import { createMover, type MovingParts } from '../../orchestrator/effects/moving.ts';
import type { ClaimOf, Handlers } from '../../orchestrator/engine/handler.ts';
import { openInMemory, write, type Opened } from '../support/ledger.ts';

let opened: Opened;
beforeEach(async () => {
  opened = await openInMemory();
  for (const run of ['r1', 'r2']) await write(opened.ledger, run);
});
afterEach(() => opened.close());

/** A worker with a disk of its own, whose packing is the text that it is told. */
const worker = (says = '', key = new Uint8Array(32).fill(7)) => {
  const unpacked: string[] = [];
  const marks = new Map<string, string>();
  const moving: MovingParts['moving'] = {
    pack: async () => ({ key: hex(says), content: async () => says }),
    unpack: async ({ content }) => void unpacked.push(content),
    mark: async (run) => marks.get(run) ?? null,
    setMark: async (run, mark) => void marks.set(run, mark),
  };
  const forge = { repo: async () => ({ id: 1, private: false }) } as unknown as MovingParts['forge'];
  const mover = createMover({
    ledger: opened.ledger,
    forge,
    moving,
    key,
    clock: { now: () => 1 },
    log: { warn: () => {} },
  });
  const done = async () => ({ kind: 'done', result: null }) as const;
  const { implement, clean } = mover.handlers({ implement: done, clean: done } as unknown as Handlers);
  const claimed = (kind: EffectKind, n: number) =>
    ({ runId: 'r1', n, leaseEpoch: 1, do: { kind } }) as unknown as ClaimOf<never>;
  const signal = new AbortController().signal;
  return {
    unpacked,
    bring: () => mover.bring('r1'),
    work: (n = 1) => implement(claimed('implement', n), signal),
    clean: () => clean(claimed('clean', 9), signal),
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

it('E1: the record of another run, and one made with another key, are never unpacked', async () => {
  await worker('genuine').work();
  const kept = await newest();
  const content = (await opened.ledger.query.artifact('r1', kept.parts[0] ?? ''))?.content ?? '';
  await opened.ledger.artifact({ runId: 'r2', type: 'moved.part', content, at: 2 });
  await plant(kept, 'r2');
  const other = createMover({
    ledger: opened.ledger,
    key: new Uint8Array(32).fill(7),
    clock: { now: () => 1 },
    log: { warn: () => {} },
    forge: {} as MovingParts['forge'],
    moving: { mark: async () => null } as unknown as MovingParts['moving'],
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
