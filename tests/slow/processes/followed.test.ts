/** F12: what the real code host's client says of renamed things, and the step that hears of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGitHub, type GitHub } from '#playground';
import { decideStep } from '../../../orchestrator/kernel/lifecycle/decide.ts';
import type { Run } from '#run';
import { withRenameFollowed } from '../../../orchestrator/kernel/upstream/follow-rename.effect.ts';
import {
  readRunRepository,
  readPossiblyRenamedRepository,
} from '../../../orchestrator/kernel/handlers/effect-context.ts';
import type { EffectContext } from '#kernel';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import { at } from '../../support/core.ts';
import { forgeAt } from '../../support/forge-world.ts';

let github: GitHub;
beforeAll(async () => {
  github = await startGitHub({ login: 'bot', token: 'tok', scopes: ['repo'] });
});
afterAll(() => github.stop());

let names = 0;
let run: Run;
let name: string;
const forge = () => forgeAt(github.url);
/** The parts of a step, over the real client and the real machine. */
const parts = (): Pick<EffectContext, 'forge' | 'ledger' | 'submit' | 'clock'> =>
  ({
    forge: forge(),
    clock: { now: () => 7 },
    ledger: { query: { run: async () => run } },
    submit: async ({ input }: { input: Parameters<typeof decideStep>[1] }) => {
      const step = decideStep(run, input, { at: run.lifecycle.updatedAt + 1, nonce: 'n', effectEpoch: null });
      if (step.kind === 'moved') ({ run } = step);
    },
  }) as unknown as Pick<EffectContext, 'forge' | 'ledger' | 'submit' | 'clock'>;
const claim = { id: 'e', runId: 'r1', leaseEpoch: 1 } as ClaimedEffect & { do: { kind: 'push' } };

beforeEach(async () => {
  name = `repo-${(names += 1)}`;
  const made = await github.addRepo({ owner: 'acme', name, from: { 'a.ts': 'one\n' } });
  const before = at('PUSHED').run;
  run = {
    ...before,
    order: { ...before.order, repo: `acme/${name}` },
    target: { ...before.target, base: { ref: 'main', sha: '0'.repeat(40), repoId: String(made.id) } },
  };
});

describe('a repository that goes by another name', () => {
  it('F12: is found by its id, also when another one has its former name', async () => {
    const {
      target: { base },
    } = run;
    github.renameRepo(`acme/${name}`, `zoe/${name}`);
    expect((await readPossiblyRenamedRepository(parts(), run)).name).toBe(`zoe/${name}`);
    await github.addRepo({ owner: 'acme', name, from: { 'b.ts': 'theirs\n' } });
    const now = await readPossiblyRenamedRepository(parts(), run);
    expect([now.id, now.name]).toEqual([base?.repoId, `zoe/${name}`]);
    await expect(readRunRepository(parts(), run)).rejects.toThrow(`is called zoe/${name} now`);
  });

  it('F12: a step hears of the name first, then is done again under it', async () => {
    github.renameRepo(`acme/${name}`, `zoe/${name}`);
    const step = withRenameFollowed(parts(), async () => {
      const { name: result } = await readRunRepository(parts(), run);
      return { kind: 'done', result };
    });
    expect(await step(claim as never, new AbortController().signal)).toMatchObject({ kind: 'later', at: 7 });
    expect(run.target.renamedTo).toBe(`zoe/${name}`);
    expect(await step(claim as never, new AbortController().signal)).toEqual({
      kind: 'done',
      result: `zoe/${name}`,
    });
  });

  it('F12: that is gone, or hidden from us, is said, whoever has its name', async () => {
    github.removeRepo(`acme/${name}`);
    await expect(readRunRepository(parts(), run)).rejects.toMatchObject({ class: 'repository_missing' });
    await github.addRepo({ owner: 'acme', name, from: { 'b.ts': 'theirs\n' } });
    await expect(readRunRepository(parts(), run)).rejects.toThrow(/ours is gone or hidden from us/);
  });
});

describe('a base that goes by another name', () => {
  const missing = async () => {
    if (run.target.base?.ref === 'main') throw new OutsideFailure('base_missing', 'no branch named main');
    return { kind: 'done', result: run.target.base?.ref ?? '' } as const;
  };

  it('F12: is asked for, and the step is done again against it', async () => {
    await github.repo(`acme/${name}`).renameBranch('main', 'trunk');
    expect(await forge().branchName(`acme/${name}`, 'main')).toBe('trunk');
    const step = withRenameFollowed(parts(), missing);
    expect(await step(claim as never, new AbortController().signal)).toMatchObject({ kind: 'later' });
    expect(await step(claim as never, new AbortController().signal)).toEqual({
      kind: 'done',
      result: 'trunk',
    });
  });

  it('F12: that is gone stays a failure, and is not tried for ever', async () => {
    expect(await forge().branchName(`acme/${name}`, 'none')).toBeNull();
    expect(await forge().branchName(`acme/${name}`, 'main')).toBe('main');
    await expect(
      withRenameFollowed(parts(), missing)(claim as never, new AbortController().signal),
    ).rejects.toThrow('no branch named main');
  });
});
