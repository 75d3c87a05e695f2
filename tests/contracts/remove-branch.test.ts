/** E14: what becomes of a branch whose run people ended before there was a pull request. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { removeBranch } from '../../orchestrator/kernel/upstream/remove-branch.io.ts';
import { branchToPush } from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { alternativeBranch } from '../../pull-text/pull-body.ts';
import type { Run } from '#run';
import { OutsideFailure } from '#ports/forge';
import { at } from '../support/core.ts';
import { createDoorWorld } from '../support/doors.ts';

const { run: pushed } = at('PUSHED');
const ended = { kind: 'ended_by_person', how: 'cancelled', by: 'Ana', note: '', pull: null } as const;
const branch = pushed.change.pushedHead?.branch ?? '';
const sha = pushed.change.pushedHead?.sha ?? '';

type Host = {
  /** Where branches are; the run's own at its commit by default. */
  heads?: Record<string, string>;
  /** States of pull requests from the branch. */
  pulls?: ('open' | 'closed')[];
  /** What became of its opening. */
  opening?: 'pending' | 'claimed' | 'done';
  defaultBranch?: string;
  fails?: OutsideFailure;
};

const removing = (change: RunPatch = {}, host: Host = {}) => {
  const one: Run = patchRun(pushed, { lifecycle: { reason: ended } }, change);
  const { parts } = createDoorWorld(
    () => one,
    () => null,
  );
  const removed: string[] = [];
  const heads = host.heads ?? { [branch]: sha };
  Object.assign(parts.workspaces, {
    remoteHead: async ({ branch: name }: { branch: string }) => heads[name] ?? null,
    removeRemote: async (what: { branch: string; sha: string }) => {
      if (host.fails) throw host.fails;
      removed.push(`${what.branch} ${what.sha}`);
      delete heads[what.branch];
    },
  });
  const { defaultBranch = 'main' } = host;
  Object.assign(parts, { log: { info: () => {} } });
  Object.assign(parts.settings, { forks: { removeBranches: 'merged' } });
  Object.assign(parts.forge, {
    repo: async () => ({ id: one.target.base?.repoId, name: one.order.repo, cloneUrl: 'u', defaultBranch }),
    pullsByHead: async () => (host.pulls ?? []).map((state) => ({ state })),
  });
  Object.assign(parts.ledger.query, {
    effects: async () => (host.opening ? [{ state: host.opening }] : []),
  });
  return { removed, go: (tries = 1) => removeBranch(parts, one, { tries }) };
};

const removedOf = async (change: RunPatch, host?: Host): Promise<string[]> => {
  const { removed, go } = removing(change, host);
  expect(await go()).toBeNull();
  return removed;
};

describe('the branch of a run that people ended', () => {
  it('E14: goes with the run, once, however often it is done', async () => {
    const { removed, go } = removing();
    await go();
    await go();
    expect(removed).toEqual([`${branch} ${sha}`]);
    for (const how of ['denied', 'skipped'] as const)
      expect(await removedOf({ lifecycle: { reason: { ...ended, how } } })).toHaveLength(1);
  });

  it('E14: goes as well when the answer to its push was never heard, under either name', async () => {
    const meant = branchToPush(patchRun(pushed, { change: { pushedHead: null } }));
    const other = alternativeBranch(meant);
    expect(await removedOf({ change: { pushedHead: null } }, { heads: { [meant]: sha } })).toEqual([
      `${meant} ${sha}`,
    ]);
    expect(await removedOf({ change: { pushedHead: null } }, { heads: { [other]: sha } })).toEqual([
      `${other} ${sha}`,
    ]);
    expect(await removedOf({ change: { pushedHead: null, ownCommits: [] } })).toEqual([]);
  });

  it('E14: stays where somebody else has pushed to it, or their commit was taken over', async () => {
    expect(await removedOf({}, { heads: { [branch]: 'f'.repeat(40) } })).toEqual([]);
    expect(await removedOf({ change: { adoptedHead: { sha, author: 'Kim', by: 'Ana' } } })).toEqual([]);
  });

  it('G1: stays while any pull request of it is open, whoever opened that', async () => {
    expect(await removedOf({}, { pulls: ['closed', 'open'] })).toEqual([]);
    expect(await removedOf({}, { pulls: ['closed'] })).toHaveLength(1);
    expect(await removedOf({ upstream: { pullRequest: { id: '#1', url: 'u', body: '' } } })).toEqual([]);
  });

  it('G1: waits for an opening that may still reach the code host', async () => {
    for (const opening of ['pending', 'claimed'] as const) {
      const { removed, go } = removing({}, { opening });
      expect(await go()).toMatchObject({ kind: 'later', counts: false });
      expect(removed).toEqual([]);
    }
    expect(await removedOf({}, { opening: 'done' })).toHaveLength(1);
  });

  it('P3: is never the branch that changes go into', async () => {
    expect(await removedOf({}, { defaultBranch: branch })).toEqual([]);
    expect(await removedOf({ target: { base: { ...pushed.target.base!, ref: branch } } })).toEqual([]);
  });

  it('stays where a run failed by itself, or waits for a person', async () => {
    expect(await removedOf({ lifecycle: { reason: { kind: 'merge_conflicts' } } })).toEqual([]);
    expect(await removedOf({ lifecycle: { reason: { kind: 'rejected', by: 'Ana', note: '' } } })).toEqual([]);
  });

  it('L4: is tried again while the code host does not answer, and left after that', async () => {
    const fails = new OutsideFailure('forge_unavailable', 'down');
    const { go } = removing({}, { fails });
    await expect(go()).rejects.toThrow(fails);
    expect(await go(4)).toBeNull();
    expect(await removing({}, { fails: new OutsideFailure('permission_denied', 'no') }).go()).toBeNull();
  });
});
