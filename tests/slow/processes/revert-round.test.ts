/** The round of a revert: by git where it can be, else an agent settles the conflict; a script never (F5). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENGLISH_WORDING } from '#language';
import { patchRun } from '../../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import { ROUND_WITHOUT_FEEDBACK } from '../../../orchestrator/kernel/run/round-table.ts';
import { createBriefing, type BriefingParts } from '../../../orchestrator/briefing/brief-agent.ts';
import { createSpendingMeter } from '../../../orchestrator/limits/spending-meter.ts';
import { createImplementHandler } from '../../../orchestrator/kernel/rounds/implement.effect.ts';
import { findRevertMarkers } from '../../../orchestrator/kernel/upstream/revert-pull.io.ts';
import type { EffectContext } from '#kernel';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { at } from '../../support/core.ts';
import { claimOf, never } from '../../support/doors.ts';
import { AUTHOR, createWorld, git, write, type World } from '../../support/git-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** A base in which the line that was merged has been changed again. */
const conflicting = async (name: string) => {
  const repo = world.repo(name, { 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-round-'));
  git(dir, 'clone', '--quiet', world.bare(repo), '.');
  for (const text of ['two\n', 'three\n']) {
    write(dir, { 'a.txt': text });
    git(dir, 'commit', '--quiet', '--all', '-m', `Say ${text.trim()}`);
  }
  const commit = git(dir, 'rev-parse', 'HEAD~1');
  git(dir, 'push', '--quiet', 'origin', 'main');
  rmSync(dir, { recursive: true });
  const runId = `${name}1`;
  const { sha, ws } = await world.prepare(runId, repo);
  const run = (engine: string): Run => {
    const { run: one } = at('IMPLEMENTING');
    const reverts = { pull: '#12', url: 'https://github.com/ana/app/pull/12' };
    return patchRun(one, {
      id: runId,
      order: { ...one.order, engine, reverts, title: 'Revert "Say two"' },
      target: {
        base: { ref: 'main', sha, repoId: '1' },
        mergedPull: { pull: '#12', commit, baseRef: 'main', subjects: ['Say two'] },
      },
      change: { commit: null },
    });
  };
  return { run, ws };
};

const partsFor = (run: Run, works: (prompt: string) => void): EffectContext => {
  const parts = {
    ledger: {
      query: { run: async () => run, attempts: async () => [], setting: async () => null },
      artifact: async () => {},
      attempt: {
        start: async () => 1,
        running: async () => {},
        end: async () => {},
        billed: async () => {},
      },
    },
    submit: async () => ({ kind: 'written' }),
    clock: { now: () => run.lifecycle.createdAt, after: () => ({ cancel() {} }) },
    workspaces: world.workspaces,
    settings: { author: AUTHOR, policies: DEFAULT_POLICY_SETTINGS },
    texts: { wording: ENGLISH_WORDING, reader: { instructions: async () => [] } },
    skill: () => 'Be brief.',
    log: { warn() {}, error() {}, info() {} },
    agents: {
      engines: Object.fromEntries(
        ['codex', 'script'].map((name) => [
          name,
          {
            run: async ({ prompt }: { prompt: string }) => {
              works(prompt);
              return {
                outcome: 'completed',
                failure: null,
                session: null,
                summary: 'Settled it.',
                usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
                containment: 'bwrap',
                end: { exitCode: 0, signal: null, ms: 1, stdout: '', stderr: '' },
                model: null,
              };
            },
          },
        ]),
      ),
    },
  } as unknown as BriefingParts & EffectContext;
  return {
    ...parts,
    agents: { ...parts.agents, brief: createBriefing(parts) },
    spending: { createMeter: createSpendingMeter(parts) },
  };
};

it('F5, P5: an agent gets the conflict in its files and as evidence, and leaves no marker unnoticed', async () => {
  const { run, ws } = await conflicting('settles');
  const one = run('codex');
  const told: string[] = [];
  const outcome = (text: string | null) =>
    createImplementHandler(
      partsFor(one, (prompt) => {
        told.push(prompt, readFileSync(join(ws, 'a.txt'), 'utf8'));
        if (text !== null) write(ws, { 'a.txt': text });
      }),
    )(claimOf(one, { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK }), never);
  const left = await outcome(null);
  expect(told[0]).toContain('What git’s own revert could not decide');
  expect(told[0]).toContain('CONFLICT (content)');
  expect(told[1]).toMatch(/^<{7} [0-9a-f]{40}\nthree\n={7}\none\n>{7} [0-9a-f]{40}\n$/);
  const committed = (result: Awaited<typeof left>): Run => {
    if (result.kind !== 'result' || result.input.type !== 'worker.implementation.completed')
      throw new Error(JSON.stringify(result));
    return patchRun(one, { change: { commit: result.input.commit } });
  };
  expect(
    await findRevertMarkers(
      partsFor(one, () => {}),
      committed(left),
    ),
  ).toBe('a.txt');
  const settled = committed(await outcome('one\n'));
  expect(
    await findRevertMarkers(
      partsFor(one, () => {}),
      settled,
    ),
  ).toBeNull();
  expect(settled.change.commit?.message).toContain('Revert "Say two"\n\nThis reverts commit ');
});

it('F5, G5: a script never settles a revert', async () => {
  const { run } = await conflicting('script');
  const one = run('script');
  let ran = 0;
  const result = await createImplementHandler(partsFor(one, () => void (ran += 1)))(
    claimOf(one, { kind: 'implement', round: ROUND_WITHOUT_FEEDBACK }),
    never,
  );
  expect(ran).toBe(0);
  expect(result).toMatchObject({
    input: { type: 'worker.step.failed', detail: { kind: 'revert_needs_agent', pull: '#12' } },
  });
});
