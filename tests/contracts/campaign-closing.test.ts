/** Closing what a campaign opened: with a tap of its own, only what is still ours, and each once. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import type { Run } from '#run';
import { createClosePrHandler } from '../../orchestrator/kernel/upstream/close-pr.effect.ts';
import type { PullFacts } from '#ports/forge';
import { createCampaignWorld } from '../support/campaign-world.ts';
import { VIC } from '../support/chat-world.ts';
import { at } from '../support/core.ts';
import { claimOf, createDoorWorld, never } from '../support/doors.ts';

const WORDS = 'Thank you for your time.';

const open = (change: RunPatch = {}): Run => {
  const { run } = at('CI_WAIT');
  return patchRun(run, change);
};

describe('the door', () => {
  const closing = (run: Run, change: object = {}) => {
    const { parts, there } = createDoorWorld(
      () => run,
      () => null,
    );
    const pull = {
      id: run.upstream.pullRequest?.id,
      url: 'u',
      state: 'open',
      merged: false,
      mergedBy: null,
      author: 'us',
      baseRepoId: run.target.base?.repoId,
      baseRef: 'main',
      headRepoId: '1',
      headRef: 'b',
      headSha: run.change.pushedHead?.sha,
      title: 't',
      body: 'Why.',
      draft: false,
      maintainerCanModify: true,
      ...change,
    } as PullFacts;
    there.push(pull);
    const did: string[] = [];
    Object.assign(parts.forge, {
      close: async (_: string, id: string, body: string) => {
        did.push(id);
        Object.assign(pull, { state: 'closed', body });
        return pull;
      },
    });
    const what = { kind: 'close_pr', pull: run.upstream.pullRequest?.id ?? '', words: WORDS } as const;
    return { did, pull, go: () => createClosePrHandler(parts)(claimOf(run, what), never) };
  };

  it('F5: closes ours with the words that were approved on top of its description; once more does nothing', async () => {
    const { did, pull, go } = closing(open());
    const { body } = pull;
    expect(await go()).toEqual({ kind: 'done', result: null });
    expect(pull).toMatchObject({ state: 'closed', body: `${WORDS}\n\n---\n\n${body}` });
    // The process died before it was noted.
    expect(await go()).toMatchObject({ kind: 'done' });
    expect(did).toHaveLength(1);
  });

  it.each([
    ['somebody pushed to it', { headSha: 'f'.repeat(40) }],
    ['somebody else opened it', { author: 'mallory' }],
    ['it is of another repository', { baseRepoId: '999' }],
  ])('F5: leaves it open when %s, and says so', async (_, change) => {
    const { did, go } = closing(open(), change);
    expect(await go()).toMatchObject({
      kind: 'dead',
      reason: expect.stringContaining('stays open') as string,
    });
    expect(did).toEqual([]);
  });
});

it('F5: a cancelled run closes its pull request only when its words were given', () => {
  const run = open();
  const cancel = (more: object) => {
    const input = { type: 'command.cancel', by: { id: '7', name: 'Ana' }, reason: '', ...more } as const;
    const stamp = { at: run.lifecycle.updatedAt + 1, nonce: 'n', effectEpoch: null };
    const decided = decideStep(run, input, stamp);
    if (decided.kind !== 'moved') throw new Error(decided.kind);
    return decided.effects.map(({ do: what }) => what).filter(({ kind }) => kind === 'close_pr');
  };
  expect(cancel({})).toEqual([]);
  expect(cancel({ close: WORDS })).toEqual([
    { kind: 'close_pr', pull: run.upstream.pullRequest?.id, words: WORDS },
  ]);
});

it('F5: after it is closed, a further tap of an approver closes what is open, shown with its words', async () => {
  const w = await createCampaignWorld();
  await w.orders('/batch acme/a acme/b acme/c Fix it');
  await w.taps('Start 3');
  await w.goesOn();
  for (const repo of ['acme/a', 'acme/b']) await w.opens(repo);
  await w.says('/campaign');
  expect(w.buttons()).not.toContain('Close 2 pull requests');
  await w.taps('Close');
  await w.taps('Close, cancel 1');
  expect(w.buttons()).toContain('Close 2 pull requests');
  await w.taps('Close 2 pull requests');
  expect(w.card()).toContain('Thank you for your time.');
  expect(w.card()).toContain('acme/a · acme/b');
  expect((await w.runs()).filter(({ lifecycle: { state } }) => state === 'CI_WAIT')).toHaveLength(2);
  expect(await w.taps('Close 2 pull requests', { by: VIC, chat: '7' })).toContain('approver');
  expect(await w.taps('Close 2 pull requests')).toBe(
    'Closing 2 pull requests; you are told of any that has to stay open.',
  );
  const asked = (await w.ledger.query.effects({ kind: 'close_pr' })).map(({ do: what }) => what);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({
    pull: '#12',
    words: expect.stringContaining('no longer pursued') as string,
  });
  expect((await w.runs()).every(({ lifecycle: { state } }) => state === 'FAILED_TERMINAL')).toBe(true);
});
