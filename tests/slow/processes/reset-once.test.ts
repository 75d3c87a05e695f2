/** E17: files are reset once for what a person dropped or took back; what an agent edits later stays. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EffectContext } from '#kernel';
import type { AttemptRow } from '#ports/ledger';
import { resetToRequestedCommit } from '../../../orchestrator/kernel/rounds/prepare-workspace.io.ts';
import { createImplementHandler } from '../../../orchestrator/kernel/rounds/implement.effect.ts';
import { patchRun, type Run } from '../../../orchestrator/kernel/run/run.ts';
import { at, dropsWork, implemented, keepsWork, type Story } from '../../support/core.ts';
import { claimOf } from '../../support/doors.ts';
import { AUTHOR, createWorld, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** The files of a run whose agent left `dropped.txt`; `begin` is the start of a round of it (ms). */
const createScene = async (runId: string, story: Story) => {
  const repo = world.repo(runId, { 'a.txt': 'one\n' });
  const { sha, ws } = await world.prepare(runId, repo);
  write(ws, { 'dropped.txt': 'dropped\n' });
  const { base, ...target } = story.run.target;
  const run: Run = patchRun(story.run, {
    id: runId,
    target: { ...target, base: base && { ...base, sha } },
    change: { resetTo: sha, commit: null, pushedHead: null },
    upstream: { pullRequest: null },
  });
  const attempts: AttemptRow[] = [];
  const parts = {
    ledger: { query: { run: async () => run, attempts: async () => attempts } },
    workspaces: world.workspaces,
    settings: { author: AUTHOR },
    agents: { notes: { write: async () => {}, read: async () => null } },
  } as unknown as EffectContext;
  const asked = run.change.resetAskedAt ?? 0;
  return {
    run,
    parts,
    lay: () => resetToRequestedCommit(parts, run),
    begin: (after: number) =>
      void attempts.push({
        step: 'agent',
        startedAt: asked + after,
        baseSha: sha,
        billed: null,
      } as AttemptRow),
    write: (name: string) => write(ws, { [name]: 'x\n' }),
    has: (name: string) => existsSync(join(ws, name)),
  };
};

describe('a reset that was asked for', () => {
  it('E21: drops the files once, and leaves what the next rounds edit', async () => {
    const scene = await createScene('drop', at('ITERATING').when(dropsWork));
    scene.begin(-1_000);
    await scene.lay();
    expect(scene.has('dropped.txt')).toBe(false);
    scene.begin(1);
    scene.write('repaired.txt');
    await scene.lay();
    expect(scene.has('repaired.txt')).toBe(true);
  });

  it('E21: drops them though a run of several engines has worked before', async () => {
    const scene = await createScene('turns', at('ITERATING').when(dropsWork));
    scene.run.agent.proposerRotation = { engine: 'codex', startedAt: 0, finishedTurns: [], isChosen: true };
    scene.begin(-1_000);
    await scene.lay();
    expect(scene.has('dropped.txt')).toBe(false);
  });

  it('E21: comes before what is kept, so that what was dropped stays dropped', async () => {
    const scene = await createScene('keep', at('ITERATING').when(implemented('b'), dropsWork, keepsWork));
    const { round } = scene.run.agent;
    expect(round.kind).toBe('kept_edits');
    const made = await createImplementHandler(scene.parts)(
      claimOf(scene.run, { kind: 'implement', round }),
      new AbortController().signal,
    );
    expect(scene.has('dropped.txt')).toBe(false);
    expect(made).toMatchObject({ kind: 'result', input: { commit: null } });
  });
});
