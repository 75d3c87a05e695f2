/**
 * What was decided before counts when it is done: a signed push publishes what was signed, and what
 * happened is known, however late.
 */
import { withReceipt } from '../../pull-text/pull-body.ts';
import { signedReceiptsWith } from '../support/receipts.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SealFields } from '#model/seal';
import { createPullOpening, type PullOpening } from '../../orchestrator/kernel/gate/verify-opened-pull.io.ts';
import type { EffectContext, PollHints } from '#kernel';
import { OutsideFailure } from '#ports/forge';
import { createWorkHandlers } from '../../orchestrator/kernel/handlers/work-handlers.ts';
import { createPushHandler } from '../../orchestrator/kernel/gate/push.effect.ts';
import type { PullFacts } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import type { Ledger } from '#ports/ledger';
import type { WorkspacePort } from '#ports/workspaces';
import { at, confirm, deny, retry, validated } from '../support/core.ts';
import { TO_REVIEW, tellStory } from '../../bench/story.ts';
import { type EffectHandlers, createSubmitInput } from '#runtime';
import { createEffectRunner } from '../../orchestrator/kernel/runtime/effect-runner.ts';
import { createCoverage } from '../prove/coverage.ts';
import { ANA } from '../prove/process.ts';
import { createRandom } from '../prove/random.ts';
import { createStage, openMemory } from '../prove/stage.ts';
import { openInMemory, type Opened } from '../support/ledger.ts';
import { reasonOf } from '../support/english.ts';

describe('a push that a person signed', () => {
  const signed = async (meanwhile: 'nothing' | 'a conflict') => {
    const stage = await createStage({
      random: createRandom(1),
      coverage: createCoverage(),
      opened: openMemory(),
      mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
      bounds: {},
      behaviour: { risky: 1 },
    });
    await stage.people.settleIn(await stage.start(null));
    await stage.people.order(stage.life(), ANA);
    const waits = async () => (await stage.life().query.runs({ live: true, limit: 1 }))[0];
    // Ana answers until her signature is there; then the world may move before the push.
    for (let i = 0; i < 200 && !(await waits())?.gate.consumedApproval; i += 1) await stage.calm(false);
    stage.world.conflicts = meanwhile === 'a conflict';
    for (let i = 0; i < 20; i += 1) {
      stage.life().drain();
      stage.life().pump(8);
      await stage.goOn(200);
    }
    return { pushes: stage.world.record.pushes.length, run: await waits() };
  };

  it('G6: is pushed when nothing has moved', async () => {
    expect((await signed('nothing')).pushes).toBe(1);
  });

  it('G6: publishes nothing when something has moved, and a person is told what', async () => {
    const { pushes, run } = await signed('a conflict');
    expect(pushes).toBe(0);
    expect(run).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
      gate: { approval: null },
      change: { pushedHead: null },
    });
    expect(reasonOf(run)).toContain('conflicts');
  });
});

describe('an answer that comes when the lease is lost', () => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openInMemory();
  });
  afterEach(() => opened.close());

  it('L4: is a fact all the same: the pull request that was opened is known', async () => {
    const { ledger } = opened;
    const before = await tellStory({ ledger, from: 1_000 }, 'r1', TO_REVIEW.slice(0, 8));
    const at = before.lifecycle.updatedAt;
    const take = (now: number) => ledger.claim({ now, leaseMs: 1_000, limit: 1, kinds: ['open_pr'] });
    const [slow] = await take(at);
    const [quick] = await take(at + 5_000);
    expect(quick?.leaseEpoch).toBe((slow?.leaseEpoch ?? 0) + 1);
    if (!slow || slow.do.kind !== 'open_pr') throw new Error('there is no opening');
    const { approvalId } = slow.do;
    const clock = { now: () => at + 6_000 };
    const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const perform = createEffectRunner({
      ledger,
      clock,
      log: silent,
      report: async () => undefined,
      submit: createSubmitInput({ ledger, clock, ids: { runId: () => 'r', nonce: () => 'n'.repeat(16) } }),
      handlers: {
        open_pr: async () => ({
          kind: 'result',
          input: { type: 'worker.pr.opened', approvalId, pull: '#7', url: 'https://x/7', adopted: false },
        }),
      } as unknown as EffectHandlers,
    });
    await perform(slow, new AbortController().signal);
    expect((await ledger.query.run('r1'))?.upstream.pullRequest?.id).toBe('#7');
  });
});

describe('a run that people ended while the answer to its opening was lost', () => {
  it('L4: is looked for until the code host answers', async () => {
    const { run } = at('PUSHED').when(confirm());
    const { consumedApproval: consumed } = run.gate;
    const reason = { kind: 'ended_by_person', how: 'cancelled', by: 'Ana', note: '', pull: null } as const;
    const ended = {
      ...run,
      lifecycle: { ...run.lifecycle, state: 'FAILED_TERMINAL', reason, updatedAt: 0 },
      gate: { ...run.gate, consumedApproval: consumed && { ...consumed, digest: 'd'.repeat(64) } },
    };
    let trouble: OutsideFailure | null = null;
    const remove = createWorkHandlers({
      clock: { now: () => 9e12 },
      log: { info: () => {} },
      settings: { forks: { removeBranches: 'merged' } },
      approvals: { issueReceipt: signedReceiptsWith(Buffer.alloc(32, 1)) },
      ledger: { query: { run: async () => ended, effects: async () => [] } },
      workspaces: { clean: async () => {}, remoteHead: async () => null },
      forge: {
        login: async () => 'us',
        repo: async () => ({ id: '1', name: 'ana/app', defaultBranch: 'main', cloneUrl: 'u', mayPush: true }),
        pullsByHead: async () => {
          if (trouble) throw trouble;
          return [];
        },
      },
    } as unknown as EffectContext & PollHints).remove_workspace;
    const claim = { id: 'e', n: 1, runId: run.id, tries: 9, do: { kind: 'remove_workspace' } };
    const go = () => remove(claim as never, new AbortController().signal);
    for (const [failure, status, minutes] of [
      ['forge_unavailable', 502, 5],
      ['auth_missing', 401, 60],
      ['repository_missing', 404, 60],
    ] as const) {
      trouble = new OutsideFailure(failure, `It failed (${status})`, { status });
      expect(await go()).toMatchObject({ kind: 'later', counts: 'anew', at: 9e12 + minutes * 60_000 });
    }
    trouble = null;
    expect(await go()).toMatchObject({ kind: 'done' });
  });
});

describe('a run that was sent back while its pull request was opened', () => {
  const story = at('PUSHED').when(confirm(), deny('No.'), retry('LOCAL_VALIDATING'), validated());
  const {
    gate: { consumedApproval: consumed },
  } = story.run;
  const run = {
    ...story.run,
    gate: { ...story.run.gate, consumedApproval: consumed && { ...consumed, digest: 'd'.repeat(64) } },
  };
  const push = story.effects.find((e) => e.do.kind === 'push')?.do;
  if (push?.kind !== 'push') throw new Error('the story pushes nothing');

  /** The code host shows one pull request for the branch, with this description. */
  const pushes = async (
    shows: (opening: PullOpening) => Partial<PullFacts> | null | Promise<Partial<PullFacts>>,
    now = run,
    /** The page that receipts linked to when it was opened. */
    pageThen: string | null = null,
  ) => {
    const done: string[] = [];
    const receipts = signedReceiptsWith(Buffer.alloc(32, 1));
    const receiptsThen = signedReceiptsWith(Buffer.alloc(32, 1), pageThen);
    const login = async (): Promise<string> => 'us';
    const signed = {
      approvalId: run.gate.consumedApproval?.id ?? '',
      digest: run.gate.consumedApproval?.digest ?? '',
    };
    const fields = run.gate.consumedApproval?.fields as SealFields;
    const opening = await createPullOpening(
      { forge: { login } as ForgePort, approvals: { issueReceipt: receiptsThen } },
      run,
      {
        ...signed,
        fields,
      },
    );
    const {
      baseRepoId,
      headRepoId,
      baseRef,
      branch: headRef,
      headSha,
      title,
      draft,
      maintainerCanModify,
    } = fields;
    const made = { id: '#7', url: 'u', state: 'open', merged: false, author: 'us', body: opening.body };
    const more = await shows(opening);
    const pull = {
      ...made,
      baseRepoId,
      headRepoId,
      baseRef,
      headRef,
      headSha,
      title,
      draft,
      maintainerCanModify,
      ...more,
    } as PullFacts;
    const forge = {
      login,
      pull: async () => pull,
      pullsByHead: async () => (more === null ? [] : [pull]),
      repo: async () => ({
        id: '1',
        name: 'ana/app',
        defaultBranch: 'main',
        cloneUrl: 'u',
        mayPush: true,
        archived: false,
      }),
    } as unknown as ForgePort;
    const workspaces = {
      push: async () => (done.push('pushed'), { kind: 'rejected', reason: 'enough', because: 'auth' }),
    } as unknown as WorkspacePort;
    const ledger = { query: { run: async () => now } } as unknown as Ledger;
    const handler = createPushHandler({
      forge,
      workspaces,
      ledger,
      approvals: { issueReceipt: receipts },
    } as unknown as EffectContext);
    const claim = {
      n: 1,
      id: 'e',
      runId: run.id,
      epoch: run.lifecycle.epoch,
      leaseEpoch: 1,
      tries: 1,
      do: push,
    };
    const said = await handler(claim, new AbortController().signal);
    return { done, input: said.kind === 'result' ? said.input : null };
  };

  it('G6: pushes nothing to it, and knows it from then on', async () => {
    const { done, input } = await pushes(() => ({}));
    expect(input).toMatchObject({ type: 'worker.pr.opened', pull: '#7' });
    expect(done).toEqual([]);
  });

  it('S12: knows it although an app has changed its title since', async () => {
    const { done, input } = await pushes(() => ({ title: 'ABC-1: Other' }));
    expect(input).toMatchObject({ type: 'worker.pr.opened', pull: '#7' });
    expect(done).toEqual([]);
  });

  it('G6: pushes nothing to it when it is not what was approved, and says so', async () => {
    const { done, input } = await pushes(() => ({ headSha: 'e'.repeat(40) }));
    expect(input).toMatchObject({ type: 'worker.step.failed', class: 'forge_refused' });
    expect(done).toEqual([]);
  });

  const bodyAt = (at: number) => async (opening: PullOpening) => ({
    body: withReceipt(opening.fields.body, (await opening.receiptOf({ at })).receipt),
  });
  it('G9: knows its pull request by a receipt of another time of approval, as after a restored backup', async () => {
    const { input } = await pushes(bodyAt(1_234));
    expect(input).toMatchObject({ type: 'worker.pr.opened', pull: '#7' });
  });

  const page = 'https://old.example/receipts';
  it('G9: knows its pull request by a receipt with another page, as after a restart at a new address', async () => {
    const { input } = await pushes(() => ({}), run, page);
    expect(input).toMatchObject({ type: 'worker.pr.opened', pull: '#7' });
  });

  it('G9: knows none whose receipt names a page that no key of ours signed', async () => {
    const other = ({ body }: PullOpening) => ({
      body: body.replaceAll(page, 'https://other.example/receipts'),
    });
    const { input } = await pushes(other, run, page);
    expect(input).toMatchObject({ type: 'worker.step.failed', class: 'forge_refused' });
  });

  it('G9: knows none whose receipt names a time that no key of ours signed', async () => {
    const { done, input } = await pushes(async (opening) => {
      const { body } = await bodyAt(1_234)(opening);
      expect(body).toContain('"at":1234');
      return { body: body.replace('"at":1234', '"at":1235') };
    });
    expect(input).toMatchObject({ type: 'worker.step.failed', class: 'forge_refused' });
    expect(done).toEqual([]);
  });

  it('G6: pushes nothing unsigned to one that became known meanwhile', async () => {
    const { done, input } = await pushes(() => null, {
      ...run,
      upstream: { ...run.upstream, pullRequest: { id: '#7', url: 'u' } },
    });
    expect(input).toMatchObject({ type: 'worker.step.failed', class: 'policy_denied' });
    expect(done).toEqual([]);
  });

  it('G6: pushes when there is none, or only a stranger’s', async () => {
    expect((await pushes(() => null)).done).toEqual(['pushed']);
    expect((await pushes(() => ({ author: 'mallory' }))).done).toEqual(['pushed']);
  });
});
