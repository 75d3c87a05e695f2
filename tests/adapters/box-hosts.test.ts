/** E20: which machine a box is on, and when its end is believed. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCheckExecutor } from '#checks';
import { createHostSlots, selectBoxHosts } from '../../executors/sandbox/hosts/choose-host.ts';
import { isEndKnown, toLostResult } from '../../executors/sandbox/containers/container-limits.ts';
import type { CommandSandbox } from '#sandbox';
import type { SpawnResult } from '#process';

const hostOf = (host: string, labels: string[] = [], parallel = 1) => ({ host, labels, parallel });
const [plain, gpu, arm, both] = [
  hostOf('plain'),
  hostOf('gpu', ['gpu']),
  hostOf('arm', ['arm64']),
  hostOf('both', ['gpu', 'arm64']),
];
const going = new AbortController().signal;

describe('the machine of a box', () => {
  it('E20: is one that has all labels that any machine has', () => {
    const all = [plain, gpu, arm, both];
    expect(selectBoxHosts(all, ['linux', 'gpu'])).toEqual([gpu, both]);
    expect(selectBoxHosts(all, ['gpu', 'arm64'])).toEqual([both]);
    expect(selectBoxHosts([gpu, arm], ['gpu', 'arm64'])).toEqual({
      says: 'No box host has all of these labels: gpu, arm64.',
    });
  });

  it('E20: is this one where none is meant, and never one with labels that nobody asked for', () => {
    expect(selectBoxHosts([plain, gpu], ['linux', 'x64'])).toEqual([plain]);
    expect(selectBoxHosts([gpu, arm], ['linux'])).toBeNull();
    expect(selectBoxHosts([], ['gpu'])).toBeNull();
  });

  it('E20: has room: the least busy one, and who comes late waits', async () => {
    const slots = createHostSlots(() => 0);
    const [one, two] = [hostOf('one', [], 1), hostOf('two', [], 3)];
    const taken = [];
    for (let i = 0; i < 4; i += 1) taken.push(await slots.take([one, two], going));
    expect(taken.map(({ host }) => host.host)).toEqual(['one', 'two', 'two', 'two']);
    const late = slots.take([one, two], going);
    taken[0]?.slot.free();
    taken[0]?.slot.free();
    expect((await late).host).toBe(one);
  });

  it('E20: is not one that is drained, nor one that was away a moment ago', async () => {
    let now = 0;
    const slots = createHostSlots(() => now);
    const [one, two] = [hostOf('one'), hostOf('two')];
    const first = await slots.take([one, two], going);
    first.slot.leaveOut();
    first.slot.free();
    expect((await slots.take([one, two], going)).host).toBe(two);
    await expect(slots.take([one], going)).rejects.toMatchObject({ class: 'box_lost' });
    now = 120_000;
    expect((await slots.take([one], going)).host).toBe(one);
    await expect(slots.take([hostOf('three', [], 0)], going)).rejects.toThrow(/parallel is 0/);
  });

  it('stops waiting with the run', async () => {
    const slots = createHostSlots(() => 0);
    await slots.take([plain], going);
    const run = new AbortController();
    const late = slots.take([plain], run.signal);
    run.abort();
    await expect(late).rejects.toThrow();
  });
});

const running = (one: { sandbox: CommandSandbox; command: string; offline?: true }) => {
  const { sandbox, ...what } = one;
  const dir = mkdtempSync(path.join(tmpdir(), 'box-'));
  return createCheckExecutor({ sandbox, network: { install: 'shared', check: 'shared' } }).run({
    runId: 'r',
    kind: 'check',
    name: 'test',
    ...what,
    folder: '',
    dir,
    home: dir,
    timeoutMs: 1_000,
    signal: going,
    onStart: () => {},
  });
};

const unwrapped = {
  weaknesses: [],
  wrap: () => {
    throw new Error('not wrapped here');
  },
  refusal: () => null,
};

describe('a check that may reach nothing', () => {
  it('E19: gets no network, whatever the settings say', async () => {
    const reaches: unknown[] = [];
    const sandbox: CommandSandbox = {
      ...unwrapped,
      level: 'container',
      prepare: ({ network }) => {
        reaches.push(network);
        return Promise.reject(new Error('no box'));
      },
    };
    await expect(running({ sandbox, command: 'make test' })).rejects.toThrow('no box');
    await expect(running({ sandbox, command: 'make test', offline: true })).rejects.toThrow('no box');
    expect(reaches).toEqual(['shared', 'none']);
  });

  it('E19: is not run where nothing holds it off', async () => {
    const sandbox: CommandSandbox = { ...unwrapped, level: 'group' };
    await expect(running({ sandbox, command: 'make test' })).rejects.toThrow('not wrapped here');
    const { result } = await running({ sandbox, command: 'make test', offline: true });
    expect(result).toMatchObject({ outcome: 'not_run', exitCode: null });
  });
});

describe('the end of a container', () => {
  const ended = (exitCode: number) => ({ ended: 'exited' as const, exitCode });
  const state = (status: string, exitCode: number) => ({ status, exitCode, isOutOfMemory: false });

  it('E20: is believed if the engine says so, too', () => {
    expect(isEndKnown(ended(1), state('exited', 1))).toBe(true);
    expect(isEndKnown(ended(125), state('created', 127))).toBe(true);
    expect(isEndKnown(ended(1), null)).toBe(false);
    expect(isEndKnown(ended(0), state('running', 0))).toBe(false);
    expect(isEndKnown(ended(1), state('exited', 0))).toBe(false);
    // What we stopped ourselves needs no word of anybody.
    expect(isEndKnown({ ended: 'timed_out', exitCode: null }, null)).toBe(true);
  });

  it.each([
    [
      'E20: is no verdict of a check where it is not known',
      'box_lost',
      (end: SpawnResult) => toLostResult(end, 'the box host x did not say how the command ended'),
    ],
    [
      'E2: is no verdict of a check whose disk was full',
      'disk_full',
      (end: SpawnResult) => ({ ...end, excess: { limit: 'reserve' as const, says: 'little of x is left' } }),
    ],
  ])('%s', async (_, failureClass, toEnd) => {
    const plainEnd = {
      ...({ exitCode: 1, ended: 'exited', signal: null, ms: 5, stdout: '1 failed', stderr: '' } as const),
      stdoutBytes: Buffer.alloc(0),
    };
    const closed: string[] = [];
    const sandbox: CommandSandbox = {
      ...unwrapped,
      level: 'container',
      prepare: () =>
        Promise.resolve({
          run: () => Promise.resolve(toEnd(plainEnd)),
          used: null,
          logs: () => Promise.resolve(''),
          close: () => Promise.resolve(void closed.push('box')),
        }),
    };
    const lost = running({ sandbox, command: 'make test' });
    await expect(lost).rejects.toMatchObject({
      class: failureClass,
      message: expect.stringMatching(/box host x|little of x/) as string,
    });
    expect(closed).toEqual(['box']);
  });
});
