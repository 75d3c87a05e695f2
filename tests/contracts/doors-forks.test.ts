/** F1, G2: a push to a fork leaves from what is really there, and is told with the fork that it went to. */
import { describe, expect, it } from 'vitest';
import type { Run } from '#run';
import { createPushHandler } from '../../orchestrator/kernel/gate/push.effect.ts';
import { OutsideFailure } from '#ports/forge';
import { approvePush, at, sha, validated } from '../support/core.ts';
import { checked, claimOf, createDoorWorld, never, opening, said, signed } from '../support/doors.ts';

const BASE = {
  id: '1',
  name: 'ana/app',
  network: '1',
  defaultBranch: 'trunk',
  archived: false,
  cloneUrl: 'u',
  mayPush: false,
  mayFork: true,
  htmlUrl: 'h',
};
const fork = (id: string) => ({ ...BASE, id, name: 'bot/app', mayPush: true });

/** `first` is what the code host has, `makes` the id of the fork that it would make. */
const pushing = (
  run: Run,
  first: ReturnType<typeof fork> | null,
  makes = '9',
  ready = true,
  follows: () => Promise<boolean> = async () => true,
) => {
  const world = createDoorWorld(
    () => run,
    () => null,
  );
  const leases: (string | null)[] = [];
  const followed: string[] = [];
  let there = first;
  const { forge, workspaces } = world.parts;
  Object.assign(forge, {
    repo: async (name: string) => {
      if (name === BASE.name) return BASE;
      if (there) return there;
      throw new OutsideFailure('repository_missing', 'nothing there', { status: 404 });
    },
    nameOf: async () => null,
    fork: async () => (there = fork(makes)),
    followParent: async (name: string, branch: string) => {
      followed.push(`${name} ${branch}`);
      return follows();
    },
  });
  world.parts.log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  world.parts.settings = {
    ...world.parts.settings,
    forks: { use: 'auto', owner: null, keepInStep: true } as never,
  };
  Object.assign(workspaces, {
    remoteHead: async ({ branch }: { branch: string }) =>
      branch === BASE.defaultBranch ? (ready ? sha('9') : null) : sha('a'),
    push: async ({ branch, expect: lease }: { branch: string; expect: string | null }) => {
      leases.push(lease);
      return { kind: 'pushed', branch, sha: sha('a') };
    },
  });
  const what = { kind: 'push', commitSha: sha('a'), expectedHead: sha('5'), approvalId: null } as const;
  return { leases, followed, call: () => createPushHandler(world.parts)(claimOf(run, what), never) };
};
const run: Run = { ...checked.run, target: { ...checked.run.target, fork: { repo: 'bot/app', id: '7' } } };

describe('a push to a fork', () => {
  it('E14: leaves from where we left the branch, and is told with its fork', async () => {
    const { leases, call } = pushing(run, fork('7'));
    expect(await call()).toMatchObject({
      input: { type: 'worker.push.completed', fork: { repo: 'bot/app', id: '7' } },
    });
    expect(leases).toEqual([sha('5')]);
  });

  it('E14: finds nothing of ours in a fork that had to be made anew, and says which it is', async () => {
    const { leases, call } = pushing(run, null);
    expect(await call()).toMatchObject({
      input: { type: 'worker.push.completed', fork: { repo: 'bot/app', id: '9' } },
    });
    expect(leases).toEqual([null]);
  });

  it('F1: waits, and pushes nothing, while the fork has no commits', async () => {
    const { leases, call } = pushing(run, fork('7'), '7', false);
    expect(await call()).toMatchObject({ kind: 'later', counts: false });
    expect(leases).toEqual([]);
  });

  it('F1: comes after an older fork was brought in step, once, and also where that is not allowed', async () => {
    const first = { ...run, change: { ...run.change, pushedHead: null } };
    const old = pushing(first, fork('7'));
    expect(said(await old.call())).toEqual(['worker.push.completed']);
    expect(old.followed).toEqual(['bot/app trunk']);
    for (const why of ['forge_refused', 'forge_unavailable'] as const) {
      const fails = () => Promise.reject(new OutsideFailure(why, 'no', { status: 403 }));
      expect(said(await pushing(first, fork('7'), '7', true, fails).call())).toEqual([
        'worker.push.completed',
      ]);
    }
    // Later pushes, and a fork that was only just made, need none.
    for (const other of [
      pushing({ ...run, change: { ...run.change, pushedHead: { branch: 'b', sha: sha('5') } } }, fork('7')),
      pushing({ ...first, target: { ...first.target, fork: { repo: 'bot/app', id: null } } }, null),
    ]) {
      await other.call();
      expect(other.followed).toEqual([]);
    }
  });

  it('F5: waits, and pushes nothing, while the code host wants nothing written', async () => {
    const busy = new OutsideFailure('rate_limited', 'slow', { retryAt: 1, status: 429 });
    const held = pushing({ ...run, change: { ...run.change, pushedHead: null } }, fork('7'), '7', true, () =>
      Promise.reject(busy),
    );
    await expect(held.call()).rejects.toBe(busy);
    expect(held.leases).toEqual([]);
  });

  it('F1: to the repository itself is told without a fork', async () => {
    const outcome = await pushing({ ...run, target: { ...run.target, fork: null } }, null).call();
    expect(said(outcome)).toEqual(['worker.push.completed']);
    expect(outcome).not.toHaveProperty('input.fork');
  });
});

describe('what follows a push', () => {
  it('G6: one signed as a push alone proposes the opening, by whatever name its signature is known', async () => {
    const { run: card } = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush());
    const id = card.gate.consumedApproval?.id ?? '';
    const { world } = await signed({}, () => card);
    const { ledger } = world.parts;
    const row = { ...(await ledger.query.approval('a')), id };
    Object.assign(ledger.query, { approval: async () => row });
    const what = { kind: 'push', commitSha: sha('a'), expectedHead: null, approvalId: id } as const;
    expect(card.gate.consumedApproval?.kind).toBe('push');
    expect(await createPushHandler(world.parts)(claimOf(card, what), never)).toMatchObject({
      input: { type: 'worker.push.completed', proposal: { fields: { action: 'open_pr' } } },
    });
  });

  it('G1: somebody else’s pull request from a branch of that name elsewhere stands in nobody’s way', async () => {
    const elsewhere = await opening({ pulls: () => [{ headRepoId: '77', body: 'Mine.', author: 'eve' }] });
    expect(said(await elsewhere.call())).toEqual(['worker.pr.opened']);
    const here = await opening({ pulls: () => [{ body: 'Mine.', author: 'eve' }] });
    expect(said(await here.call())).toEqual([
      'forge_refused',
      expect.stringContaining('is not ours') as string,
    ]);
  });
});
