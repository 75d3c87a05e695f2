/**
 * G1, G2, G6: what the two doors to the code host look at last, each by itself: an opening and a
 * push do nothing when any of it is not so.
 */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { withReceipt } from '../../pull-text/pull-body.ts';
import type { Run } from '#run';
import { createReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import { OutsideFailure, type PullFacts } from '#ports/forge';
import { own } from '../support/actions.ts';
import { assessment, proposal, pushed, sha, shown } from '../support/core.ts';
import {
  checked,
  evaluated,
  opening,
  receiptKey,
  said,
  signed,
  signedForBoth,
  unsigned,
  type DoorWorld,
} from '../support/doors.ts';

describe('an opening', () => {
  const opens = async (w: DoorWorld = {}, change: (run: Run) => Run = (run) => run) => {
    const { world, call } = await opening(w, change);
    const outcome = await call();
    return {
      says: said(outcome),
      outcome,
      opened: world.did.filter((d) => d.startsWith('opened')),
      did: world.did,
      leases: world.leases,
    };
  };

  it('G1: is made when everything is as it was signed', async () => {
    const { says, opened } = await opens();
    expect(says).toEqual(['worker.pr.opened']);
    expect(opened).toHaveLength(1);
  });

  it.each([
    ['for a push', { kind: 'push' }],
    ['of another run', { runId: 'other' }],
    ['that is open still', { state: 'open' }],
    ['that another effect used up', { consumedBy: 'other' }],
    ['for another digest', { digest: 'other' }],
    ['that is not there', null],
  ] as const)('G1: is not made by an approval %s', async (_, row) => {
    const { says, did } = await opens({ row });
    expect(says[0]).toBe('permission_denied');
    expect(did).toEqual([]);
  });

  it('G1: is not made when the lease was lost, before or after everything was gathered again', async () => {
    const before = await opens({ ours: [false] });
    expect([before.says[1], before.did]).toEqual(['the run has moved on', []]);
    const after = await opens({ ours: [true, false] });
    expect([after.says[1], after.opened]).toEqual(['the run has moved on', []]);
  });

  it('G2: publishes what was signed, though the run has gone on to another proposal', async () => {
    const { opened } = await opens({}, (run) => ({
      ...run,
      gate: { ...run.gate, proposal: proposal('open_pr', sha('a'), { title: 'Other' }) },
    }));
    expect(opened).toEqual(['opened Say hello in French']);
  });

  it('G2: is not made over a conflict, which nobody can approve away', async () => {
    for (const known of [false, true]) {
      const { says, outcome, opened } = await opens({ conflicts: true, known });
      expect(says[0]).toBe('seal_moved');
      // What is told of it is no card that could be signed: the machine asks a person
      // (gate.test.ts).
      expect(outcome).toMatchObject({ input: { proposal: { fields: { conflicts: true } } } });
      expect(opened).toEqual([]);
    }
  });

  it('G2: is not made when the branch on the code host is no longer at what was signed, and says where it is', async () => {
    const moved = await opens({ head: sha('e') });
    expect(moved.outcome).toMatchObject({
      input: {
        step: 'open_pr',
        class: 'seal_moved',
        message: '',
        proposal: null,
        differences: [{ kind: 'branch_head', from: 'aaaaaa', to: 'eeeeee' }],
      },
    });
    const gone = await opens({ head: null });
    expect(gone.outcome).toMatchObject({
      input: { differences: [{ kind: 'branch_head', from: 'aaaaaa', to: null }] },
    });
    expect([...moved.opened, ...gone.opened]).toEqual([]);
  });

  it('G2: is not made when what the ledger keeps is no longer what was signed', async () => {
    const { says, outcome, did } = await opens({}, (run) => {
      const {
        gate: { consumedApproval: consumed },
      } = run;
      return {
        ...run,
        gate: {
          ...run.gate,
          consumedApproval: consumed && { ...consumed, fields: { ...consumed.fields, title: 'Other' } },
        },
      };
    });
    expect(says).toEqual(['seal_moved', '']);
    expect(outcome).toMatchObject({
      input: { step: 'open_pr', differences: [{ kind: 'stored_proposal' }], proposal: null },
    });
    expect(did).toEqual([]);
  });

  it('G1: keeps its lease into the future, and is told with its words', async () => {
    const kept = await opens();
    expect(kept.leases.every((until) => until > 1)).toBe(true);
    const none = await opens({ row: null });
    expect(none.says).toEqual(['permission_denied', 'no live approval stands behind this pull request']);
    expect(none.outcome).toMatchObject({ input: { step: 'open_pr' } });
    expect(kept.outcome).toMatchObject({ input: { adopted: false } });
  });

  it('L6: of a refusal that is none of ours, and of silence, the dispatcher hears', async () => {
    await expect(opens({ fails: new OutsideFailure('forge_refused', 'no') })).rejects.toThrow('no');
    await expect(opens({ fails: new OutsideFailure('forge_unavailable', 'away') })).rejects.toThrow('away');
    await expect(opens({ fails: new TypeError('ours') })).rejects.toThrow('ours');
  });

  it.each(['head_unseen', 'nothing_to_merge'] as const)(
    'F8: of a refusal by a copy that lags behind the push (%s) is asked again for some seconds, then told',
    async (kind) => {
      const fails = new OutsideFailure('forge_refused', 'Validation Failed', {
        status: 422,
        detail: { kind },
      });
      const w: DoorWorld = { fails, at: 1_000 };
      const { world, call } = await opening(w);
      expect(await call()).toMatchObject({ kind: 'later', at: 2_000 });
      delete w.fails;
      expect(said(await call())).toEqual(['worker.pr.opened']);
      expect(world.did.filter((d) => d.startsWith('opened'))).toHaveLength(1);
      const lasts = await opening({ fails, at: 1_000 });
      await lasts.call();
      Object.assign(lasts.world.parts.clock, { now: () => 30_000 });
      await expect(lasts.call()).rejects.toThrow('Validation Failed');
    },
  );

  it('E14: is looked for before it is tried again, and what cannot be seen of it yet is waited for', async () => {
    const again = await opens({ tries: 2, pulls: (made) => [made] });
    expect([again.says, again.opened]).toEqual([['worker.pr.opened'], []]);
    const unseen = await opens({ quiet: true });
    expect(unseen.outcome).toMatchObject({ kind: 'later', counts: true });
    expect(unseen.opened).toHaveLength(1);
  });

  it('P3: is not made when a policy denies it by now, and says which', async () => {
    const { says, outcome, opened } = await opens({ frozen: true });
    expect(says[0]).toBe('policy_denied');
    const freeze = { policy: 'custom:freeze', verdict: 'deny', reason: own('Freeze.') };
    const reasons = expect.arrayContaining([freeze]) as unknown;
    expect(outcome).toMatchObject({ input: { assessment: { decision: 'deny', reasons } } });
    expect(opened).toEqual([]);
  });

  it.each([
    ['author', { author: 'mallory' }],
    ['target repository', { baseRepoId: '2' }],
    ['head repository', { headRepoId: '2' }],
    ['branch', { headRef: 'other' }],
    ['head', { headSha: sha('e') }],
    ['permission for maintainers to push', { headRepoId: '2', maintainerCanModify: true }],
  ] as const)('G1: is for a person when the code host shows another %s', async (what, shows) => {
    expect((await opens({ shows })).says).toEqual([
      'readback_mismatch',
      expect.stringMatching(new RegExp(`differs in (?:.*, )?${what}$`)),
    ]);
  });

  it.each([
    ['another title', { title: 'ABC-1: Other' }],
    ['another description', { body: 'Other' }],
    ['a draft', { draft: true }],
    ['another target branch', { baseRef: 'develop' }],
    ['another title, after an answer that was lost', { title: 'ABC-1: Other' }, true],
  ] as [string, Partial<PullFacts>, true?][])(
    'S12: is made although an app gave it %s at once',
    async (_, shows, lost) => {
      const { says, outcome } = await opens({ shows, ...(lost ? { refuses: lost } : {}) });
      expect(says).toEqual(['worker.pr.opened']);
      expect(outcome).toMatchObject({ input: { adopted: lost === true } });
    },
  );

  it('L4: is known by its receipt when its answer was lost and an app wrote below it', async () => {
    const appended = (made: PullFacts) => [
      { ...made, title: 'ABC-1: x', body: `${made.body}\n\nPreview: u` },
    ];
    expect((await opens({ pulls: appended })).outcome).toMatchObject({
      input: { type: 'worker.pr.opened', pull: '#90', adopted: true },
    });
  });

  it('F12: is as approved where the fork it comes from was taken away since', async () => {
    expect((await opens({ shows: { headRepoId: null } })).says).toEqual(['worker.pr.opened']);
  });

  it('G1: is as approved whatever is shown of a right that nobody gets within one repository', async () => {
    expect((await opens({ shows: { maintainerCanModify: true } })).says).toEqual(['worker.pr.opened']);
  });

  it('L6: is not made again when it is there, whatever became of the answer', async () => {
    const there = await opens({ pulls: (made) => [made] });
    expect([there.says, there.opened]).toEqual([['worker.pr.opened'], []]);
    const lost = await opens({ refuses: true });
    expect(lost.outcome).toMatchObject({ input: { type: 'worker.pr.opened', adopted: true } });
  });

  it('L4: adopts only what bears our name and our receipt for this run and these bytes', async () => {
    const receipt = (claims: { run?: string; digest?: string }) => (made: PullFacts) => {
      const other = { run: 'r1', digest: 'd'.repeat(64), policyVersion: 'p', approver: 'Ana', ...claims };
      return [{ ...made, body: withReceipt('Body', createReceipt(receiptKey, other)) }];
    };
    const strange = await opens({ pulls: (made) => [{ ...made, author: 'mallory' }] });
    expect(strange.says[1]).toContain('is not ours');
    expect((await opens({ pulls: receipt({ run: 'other' }) })).says[1]).toContain('is not ours');
    expect((await opens({ pulls: receipt({}) })).says[1]).toContain('has opened pull request #90 before');
    const closed = await opens({ pulls: (made) => [{ ...made, author: 'mallory', state: 'closed' }] });
    expect(closed.says).toEqual(['worker.pr.opened']);
  });
});

describe('a push', () => {
  const pushes = async (...given: Parameters<typeof unsigned>) => {
    const { world, call } = unsigned(...given);
    const says = said(await call());
    return { says, done: world.did.filter((d) => d.startsWith('pushed')) };
  };

  it('E14: publishes the commit that our checks passed, and nothing else', async () => {
    expect((await pushes()).done).toHaveLength(1);
    for (const refused of [
      pushes({}, evaluated({ passed: false })),
      pushes({}, evaluated({ commitSha: sha('b') })),
      pushes({}, (run) => ({ ...run, change: { ...run.change, evaluation: null } })),
      pushes({}, (run) => run, sha('b')),
    ])
      expect(await refused).toEqual({
        says: ['policy_denied', expect.stringContaining('passed our checks')],
        done: [],
      });
  });

  it('G6: waits for a signature where one is needed', async () => {
    for (const judged of [{ decision: 'escalate' }, { decision: 'deny' }, { risk: 'high' }] as const)
      expect(await pushes({}, evaluated({ assessment: assessment(judged) }))).toMatchObject({
        says: ['policy_denied', 'this push needs an approval'],
        done: [],
      });
  });

  it('P3: never goes to the default branch, or to the one that the change is meant for', async () => {
    for (const branch of ['trunk', 'main'])
      expect((await pushes({}, (run) => ({ ...run, order: { ...run.order, branch } }))).says[1]).toBe(
        `${branch} is the target branch itself`,
      );
  });

  it('E14: changes a name that the code host refuses, once, and none that it has taken before', async () => {
    const { done, says } = await pushes({ refused: { branch: 1 } });
    expect(done).toEqual(['pushed say-hello-in-french-r1', 'pushed say-hello-in-french-r1-2']);
    expect(says).toEqual(['worker.push.completed']);
    expect((await pushes({ refused: { branch: 9 } })).done).toHaveLength(2);
    const known = await pushes({ refused: { branch: 9 } }, () => checked.when(pushed()).run);
    expect(known.done).toHaveLength(1);
  });

  it('E14: that cannot be seen yet is looked at again, and tells where the branch is when it never is', async () => {
    expect((await pushes({ head: null })).says[0]).toBe('later');
    const same = (run: Run) => run;
    expect((await pushes({ head: sha('x') }, same, sha('a'), sha('x'))).says[0]).toBe('later');
    expect((await pushes({ head: sha('e') }, same, sha('a'), sha('x'))).says).toEqual([
      'readback_mismatch',
      `say-hello-in-french-r1 is at ${sha('e')}, not at ${sha('a')}`,
    ]);
  });

  it('G5: that the code host refuses says whether it was for our rights', async () => {
    for (const [because, as] of [
      ['auth', 'permission_denied'],
      ['closed', 'not_allowed'],
      ['archived', 'repository_archived'],
      ['lease', 'push_rejected'],
    ] as const) {
      const { says, done } = await pushes({ refused: { branch: 9, because } });
      expect([says, done.length]).toEqual([[as, 'no'], 1]);
    }
  });

  it('G6: of what is on the branch already pushes nothing, and says what it would propose', async () => {
    const asking = (run: Run): Run =>
      patchRun(evaluated({ assessment: assessment({ decision: 'escalate' }) })(run), {
        change: { pushedHead: { branch: 'feature/agentpr-r1', sha: sha('a') } },
      });
    expect(await pushes({}, asking)).toEqual({ says: ['worker.push.completed'], done: [] });
    expect(await pushes({ head: sha('e') }, asking)).toEqual({
      says: ['push_rejected', `feature/agentpr-r1 is at ${sha('e')}, not at ${sha('a')}`],
      done: [],
    });
    expect((await pushes({ head: null }, asking)).says[1]).toContain('is at nothing');
  });

  it('G2: is read back', async () => {
    expect((await pushes({ head: sha('e') })).says[0]).toBe('readback_mismatch');
  });

  const signs = async (w: DoorWorld = {}, change?: (run: Run) => Run) => {
    const { world, call } = await signed(w, change);
    const says = said(await call());
    return { says, done: world.did.filter((d) => d.startsWith('pushed')) };
  };

  it('G6: that was signed goes out by its own approval only, under the name that was signed', async () => {
    expect((await signs()).says).toEqual(['worker.push.completed']);
    for (const row of [{ state: 'open' }, { consumedBy: 'other' }, null] as const)
      expect(await signs({ row })).toMatchObject({
        says: ['permission_denied', expect.anything()],
        done: [],
      });
    expect((await signs({ row: { digest: 'other' } })).says[0]).toBe('seal_moved');
    expect((await signs({ refused: { branch: 9 } })).done).toHaveLength(1);
  });

  it('G6, E13: that was signed goes out with the check configuration that it changes', async () => {
    const evaluation = { checkConfigFiles: { files: ['scripts/test.sh'], baseResults: null } };
    const says = await signs({}, (run) => ({
      ...run,
      change: {
        ...run.change,
        evaluation: run.change.evaluation && { ...run.change.evaluation, ...evaluation },
      },
    }));
    expect(says.says).toEqual(['worker.push.completed']);
  });

  it('G2: of a fix that was signed is made when the description says what it did', async () => {
    const fix = (run: Run): Run => ({
      ...run,
      upstream: { ...run.upstream, pullRequest: { id: '#7', url: 'u', body: 'As it was.' } },
    });
    expect(await signs({}, fix)).toMatchObject({
      says: ['worker.push.completed'],
      done: [expect.anything()],
    });
  });

  it('F12: of a fix is not made where its pull request has been moved, or takes none any more', async () => {
    const fix = (run: Run): Run => ({
      ...run,
      upstream: { ...run.upstream, pullRequest: { id: '#7', url: 'u', body: 'As it was.' } },
    });
    const repo = { name: 'ana/app', archived: true, private: false };
    const blocked = [shown({ repo }), shown({ headDeleted: true })].map((one) => ({ shown: one }));
    for (const shows of [{ baseRef: 'develop' }, ...blocked])
      await expect(signs({ shows }, fix)).rejects.toThrow('is not what the run knows of it');
    expect((await signs({ shows: { baseRef: 'develop', state: 'closed' } }, fix)).says).toEqual([
      'worker.push.completed',
    ]);
  });

  it('F12: of a fix waits while its pull request is in the merge queue, and is made when it has left', async () => {
    const inQueue = { title: 'x', base: 'main', inMergeQueue: true };
    const queued = (run: Run): Run => ({
      ...run,
      upstream: {
        ...run.upstream,
        pullRequest: { id: '#7', url: 'u', body: 'As it was.' },
        observed: {
          ...run.upstream.observed,
          pull: {
            id: '#7',
            state: 'open',
            merged: false,
            headSha: sha('a'),
            by: null,
            metadata: shown(inQueue),
          },
        },
      },
    });
    await expect(signs({ queued: true }, queued)).rejects.toMatchObject({ class: 'merge_queue' });
    // A delivery about its leaving may be lost: the code host is asked.
    expect((await signs({ queued: false }, queued)).says).toEqual(['worker.push.completed']);
  });

  it('P3: that was signed is not made when a policy denies it by now', async () => {
    expect(await signs({ frozen: true })).toMatchObject({
      says: ['policy_denied', expect.anything()],
      done: [],
    });
  });
});

describe('a push that was signed with its opening', () => {
  const passed = { consumedBy: 'the push', passedTo: 'e' };

  it('G6: publishes exactly what its card showed, and proposes nothing of its own', async () => {
    const { world, pushes } = await signedForBoth();
    expect(await pushes()).toMatchObject({ input: { type: 'worker.push.completed', proposal: null } });
    expect(world.did.filter((d) => d.startsWith('pushed'))).toHaveLength(1);
    for (const row of [{ state: 'open' }, { consumedBy: 'other' }, null] as const) {
      const other = await signedForBoth({ row });
      expect(said(await other.pushes())[0]).toBe('permission_denied');
      expect(other.world.did).toEqual([]);
    }
  });

  it('G2: is not made when what would be opened is no longer what was signed', async () => {
    for (const w of [{ row: { digest: 'other' } }, { conflicts: true }]) {
      const { world, pushes } = await signedForBoth(w);
      expect(await pushes()).toMatchObject({
        input: { step: 'push', class: 'seal_moved', proposal: { fields: { pushes: true } } },
      });
      expect(world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
    }
  });

  it('G6: is judged as a push as well, so that a card names what is said of either', async () => {
    const { pushes } = await signedForBoth({ watched: true });
    const said = { policy: 'custom:watch', verdict: 'escalate', reason: own('Look at it.') };
    expect(await pushes()).toMatchObject({
      input: {
        class: 'seal_moved',
        proposal: {
          fields: {
            assessment: { decision: 'escalate', reasons: expect.arrayContaining([said]) as unknown },
          },
        },
      },
    });
  });

  it('P3: is not made when a policy denies the opening by now', async () => {
    const { world, pushes } = await signedForBoth({ frozen: true });
    expect(said(await pushes())[0]).toBe('policy_denied');
    expect(world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
  });

  it('G1: is opened by the effect that the approval was passed on to, and by no other', async () => {
    const ours = await signedForBoth({ row: passed });
    expect(said(await ours.opens())).toEqual(['worker.pr.opened']);
    const other = await signedForBoth({ row: { ...passed, passedTo: 'other' } });
    expect(said(await other.opens())[0]).toBe('permission_denied');
    expect(other.world.did).toEqual([]);
  });

  it('G2: is not opened when the branch moved between the two', async () => {
    const { world, opens } = await signedForBoth({ row: passed, head: sha('e') });
    expect(said(await opens())[0]).toBe('seal_moved');
    expect(world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
  });
});
