/** F5: a look also asks, once and without credentials, whether others see what is open with strangers. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { expect, it } from 'vitest';
import type { Run } from '#run';
import { HOUR, MINUTE, SECOND } from '#model/values';
import { pollCodeHost } from '../../orchestrator/kernel/ci/poll-code-host.io.ts';
import { at, exposed } from '../support/core.ts';

const FORK = { repo: 'bot/app', id: '7' };
const open = at('CI_WAIT');

const looks = async (run: Run, after: number, seen: boolean | null = true) => {
  const asked: string[] = [];
  const pull = {
    id: '#7',
    state: 'open',
    merged: false,
    headSha: run.change.pushedHead?.sha,
    mergedBy: null,
  };
  const parts = {
    clock: { now: () => run.lifecycle.stateEnteredAt + after },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    forge: {
      pull: async () => ({ ...pull, baseRef: 'main', baseRepoId: run.target.base?.repoId }),
      seenByAll: async (name: string, id: string) => {
        asked.push(`${name}${id}`);
        return seen;
      },
      checks: async () => ({
        checks: [],
        required: [],
        held: false,
        queue: false,
        unread: null,
        seenAt: null,
      }),
      reviews: async () => [],
      comments: async () => [],
    },
  } as unknown as Parameters<typeof pollCodeHost>[0];
  const { facts, failures } = await pollCodeHost(parts, run);
  expect(failures).toEqual([]);
  return { asked, told: facts.filter(({ type }) => type === 'forge.visibility.observed') };
};
const abroad = (change: RunPatch = {}): Run => patchRun(open.run, { target: { fork: FORK } }, change);
const known = (hidden: boolean | null, ago: number, after: number): Run =>
  abroad({
    upstream: {
      observed: {
        ...open.run.upstream.observed,
        visibility: { hidden, at: open.run.lifecycle.stateEnteredAt + after - ago },
      },
    },
  });

it('F5: of what left from a fork, when its code host has had time to show it', async () => {
  expect(await looks(abroad(), 10 * SECOND)).toEqual({ asked: [], told: [] });
  const { asked, told } = await looks(abroad(), MINUTE);
  expect(asked).toEqual(['ana/app#7']);
  expect(told).toEqual([
    {
      type: 'forge.visibility.observed',
      pull: '#7',
      hidden: false,
      at: open.run.lifecycle.stateEnteredAt + MINUTE,
    },
  ]);
  expect((await looks(open.run, MINUTE)).asked).toEqual([]);
});

it('F5: once where it is seen, and every hour where it is not or nobody can say', async () => {
  expect((await looks(known(false, 9 * HOUR, 10 * HOUR), 10 * HOUR)).asked).toEqual([]);
  for (const hidden of [true, null]) {
    expect((await looks(known(hidden, MINUTE, 10 * HOUR), 10 * HOUR)).asked).toEqual([]);
    expect((await looks(known(hidden, 2 * HOUR, 10 * HOUR), 10 * HOUR)).asked).toHaveLength(1);
  }
});

it('F5: what is answered folds in as it was meant: hidden, seen, or not known', async () => {
  for (const [seen, hidden] of [
    [false, true],
    [true, false],
    [null, null],
  ] as const) {
    const { told } = await looks(abroad(), MINUTE, seen);
    expect(told).toMatchObject([{ hidden }]);
    expect(open.when(exposed(hidden)).run.upstream.observed.visibility?.hidden).toBe(hidden);
  }
});
