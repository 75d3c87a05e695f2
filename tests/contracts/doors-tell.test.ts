/**
 * What the doors to the code host tell the machine, and what they do when they are asked again:
 * each answer says which step it is of, and why.
 */
import { patchRun, type RunPatch } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import { readReceipt, withReceipt } from '../../pull-text/pull-body.ts';
import type { Run } from '#run';
import {
  readUnheardOpening,
  findOpenPullOutcome,
  createPullOpening,
} from '../../orchestrator/kernel/gate/verify-opened-pull.io.ts';
import { gatherPullProposal } from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { createReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import { OutsideFailure, type PullFacts } from '#ports/forge';
import { assessment, at, proposal, sha } from '../support/core.ts';
import {
  checked,
  createDoorWorld,
  evaluated,
  opening,
  receiptKey,
  rewording,
  said,
  signed,
  unsigned,
  type DoorWorld,
} from '../support/doors.ts';

const away = new OutsideFailure('forge_unavailable', 'away');
const MINUTES = 60_000;

describe('an opening', () => {
  const opens = async (w: DoorWorld = {}, change: (run: Run) => Run = (run) => run) =>
    (await opening(w, change)).call();
  const failed = (answer: object) => ({ kind: 'result', input: { step: 'open_pr', ...answer } });

  it('S9: that is refused says of which step and why', async () => {
    expect(await opens({ frozen: true })).toMatchObject(failed({ class: 'policy_denied', message: '' }));
    expect(await opens({ shows: { author: 'mallory' } })).toMatchObject(
      failed({ class: 'readback_mismatch', message: 'pull request #7 (u/7) differs in author' }),
    );
    const theirs = await opens({ pulls: (made) => [{ ...made, author: 'mallory' }] });
    expect(theirs).toMatchObject(failed({ class: 'forge_refused' }));
    const receipt = createReceipt(receiptKey, {
      run: 'r1',
      digest: 'd'.repeat(64),
      policyVersion: 'p',
      approver: 'Ana',
    });
    const earlier = await opens({ pulls: (made) => [{ ...made, body: withReceipt('Body', receipt) }] });
    expect(earlier).toMatchObject(failed({ class: 'forge_refused' }));
  });

  it('L4: adopts nothing of ours without a receipt, and takes line ends as the code host writes them', async () => {
    expect(said(await opens({ pulls: () => [{ body: 'Mine.' }] }))[1]).toContain('is not ours');
    const crlf = await opens({ pulls: (made) => [{ body: made.body.replaceAll('\n', '\r\n') }] });
    expect(crlf).toMatchObject({ input: { type: 'worker.pr.opened', adopted: true } });
  });

  it('G2: that the run has signed anew since publishes what its own approval holds, and none without one', async () => {
    const other = (run: Run): Run => ({
      ...run,
      gate: {
        ...run.gate,
        consumedApproval: run.gate.consumedApproval && { ...run.gate.consumedApproval, id: 'other' },
      },
    });
    expect(said(await opens({}, other))).toEqual(['worker.pr.opened']);
    const none = (run: Run): Run => ({
      ...run,
      gate: { ...run.gate, consumedApproval: null, proposal: null },
    });
    await expect(opens({}, none)).rejects.toThrow('no proposal');
  });

  it('G7: has a receipt without a name when the ledger has none', async () => {
    const { world, run } = await opening();
    const { fields = proposal('open_pr', sha('a')).fields } = run.gate.consumedApproval ?? {};
    const made = await createPullOpening(
      world.parts,
      { ...run, gate: { ...run.gate, consumedApproval: null } },
      { approvalId: 'a', digest: 'd'.repeat(64), fields },
    );
    const claims = { run: run.id, digest: 'd'.repeat(64), policyVersion: fields.policyVersion, approver: '' };
    expect(readReceipt(made.body)).toEqual(readReceipt(withReceipt('', createReceipt(receiptKey, claims))));
  });

  it('F5: leaves an outage to the patience of the dispatcher, and looks at once only after a refusal', async () => {
    const { world, call } = await opening({ refuses: away });
    await expect(call()).rejects.toThrow('away');
    expect(world.there).toHaveLength(1);
    expect(said(await call())).toEqual(['worker.pr.opened']);
    expect(world.there).toHaveLength(1);
  });

  it('L6: that was tried before waits when nobody can say whether it is there; a first try is told so', async () => {
    await expect(opens({ unseen: away })).rejects.toThrow('away');
    expect(await opens({ unseen: away, tries: 2 })).toMatchObject({ kind: 'later', counts: true });
  });

  it('E14: alarms when it is never shown, and when it can never be read, with what is known of it', async () => {
    const hidden: DoorWorld = { quiet: true };
    const quiet = await opening(hidden);
    expect(await quiet.call()).toMatchObject({ kind: 'later' });
    hidden.at = 10 * MINUTES;
    expect(await quiet.call()).toMatchObject(
      failed({
        class: 'readback_mismatch',
        message: 'a pull request for feature/agentpr-r1 exists, and the code host does not show it',
      }),
    );
    const dark: DoorWorld = { unread: away };
    const unread = await opening(dark);
    expect(await unread.call()).toMatchObject({ kind: 'later', reason: 'away' });
    dark.at = 10 * MINUTES;
    expect(await unread.call()).toMatchObject(
      failed({ message: '#7 was opened, and cannot be read back: away' }),
    );
    expect([quiet.world.there.length, unread.world.there.length]).toEqual([1, 1]);
  });

  it('L2: a bug while it is read back is a bug', async () => {
    await expect(opens({ unread: new TypeError('ours') })).rejects.toThrow(TypeError);
  });
});

describe('an opening of which nothing was heard', () => {
  const unheard = async (
    pulls: (made: PullFacts) => Partial<PullFacts>[],
    change = (run: Run): Run => run,
  ) => {
    const { world, run } = await opening({ pulls }, change);
    return {
      late: await readUnheardOpening(world.parts, run),
      already: await findOpenPullOutcome(world.parts, run),
    };
  };

  it('L4: is heard late when it is there, and not when it is not or was linked', async () => {
    const { late, already } = await unheard((made) => [made]);
    expect(late).toMatchObject({ type: 'worker.pr.opened', pull: '#90', adopted: true });
    expect(already).toMatchObject({ kind: 'result', input: late });
    const linked = (run: Run): Run => ({
      ...run,
      upstream: { ...run.upstream, pullRequest: { id: '#90', url: 'u' } },
    });
    const nothing = { late: null, already: null };
    expect(await unheard(() => [])).toEqual(nothing);
    expect(await unheard((made) => [made], linked)).toEqual(nothing);
  });

  it('G6: stands in the way of a push while it is open and other than approved, and no longer when it is closed', async () => {
    const { late, already } = await unheard(() => [{ headSha: sha('c') }]);
    expect(late).toBeNull();
    expect(already).toMatchObject({
      input: {
        step: 'push',
        class: 'forge_refused',
        message: 'pull request #90 of this run is open, and is not what was approved; close it first',
      },
    });
    expect((await unheard(() => [{ headSha: sha('c'), state: 'closed' }])).already).toBeNull();
  });
});

describe('a push', () => {
  const failed = (answer: object) => ({ kind: 'result', input: { step: 'push', ...answer } });
  const pushes = (...given: Parameters<typeof unsigned>) => unsigned(...given).call();
  const didOf = (world: { did: readonly string[] }) => world.did.filter((d) => d.startsWith('pushed'));

  it('S9: that is refused says of which step and why', async () => {
    expect(await pushes({}, evaluated({ passed: false }))).toMatchObject(failed({ class: 'policy_denied' }));
    const deny = evaluated({ assessment: assessment({ decision: 'deny' }) });
    expect(await pushes({}, deny)).toMatchObject(failed({ class: 'policy_denied' }));
    const trunk = (run: Run): Run => ({ ...run, order: { ...run.order, branch: 'trunk' } });
    expect(await pushes({}, trunk)).toMatchObject(failed({ class: 'policy_denied' }));
    expect(await pushes({ refused: { branch: 9 } })).toMatchObject(failed({ class: 'push_rejected' }));
    expect(await pushes({ head: sha('e') })).toMatchObject(failed({ class: 'readback_mismatch' }));
    expect(await (await signed({ row: null })).call()).toMatchObject(
      failed({ class: 'permission_denied', message: 'no live approval stands behind this push' }),
    );
    expect(await (await signed({ frozen: true })).call()).toMatchObject(
      failed({ class: 'policy_denied', message: '', assessment: { decision: 'deny' } }),
    );
    const other = { row: { digest: 'other' } };
    expect(await (await signed(other)).call()).toMatchObject(failed({ class: 'seal_moved', message: '' }));
    const bare = await signed(other, (run) => ({ ...run, gate: { ...run.gate, proposal: null } }));
    expect(await bare.call()).toMatchObject(failed({ differences: [] }));
  });

  it('E14: has nothing to publish without a commit or a base, and says which is missing', async () => {
    await expect(pushes({}, (run) => ({ ...run, change: { ...run.change, commit: null } }))).rejects.toThrow(
      'no commit',
    );
    await expect(pushes({}, (run) => ({ ...run, target: { ...run.target, base: null } }))).rejects.toThrow(
      'no base',
    );
  });

  it('E14: is of the commit that the run has now, not of one that passed before', async () => {
    const after = (run: Run): Run => ({
      ...run,
      change: { ...run.change, commit: run.change.commit && { ...run.change.commit, sha: sha('b') } },
    });
    const { world, call } = unsigned({}, after);
    expect(said(await call())[0]).toBe('policy_denied');
    expect(didOf(world)).toEqual([]);
  });

  it('E14: is made once, however often it is read back', async () => {
    const lags: DoorWorld = { head: null };
    const { world, call } = unsigned(lags, undefined, sha('a'), sha('x'));
    expect(await call()).toMatchObject({ kind: 'later' });
    expect(await call()).toMatchObject({ kind: 'later' });
    delete lags.head;
    expect(said(await call())).toEqual(['worker.push.completed']);
    expect(didOf(world)).toHaveLength(1);
  });

  it('G2: proposes the branch and the commit that were pushed', async () => {
    expect(await pushes()).toMatchObject({
      input: {
        branch: 'say-hello-in-french-r1',
        sha: sha('a'),
        proposal: { fields: { branch: 'say-hello-in-french-r1', headSha: sha('a') } },
      },
    });
    const renamed = await pushes({ refused: { branch: 1 } });
    expect(renamed).toMatchObject({
      input: { proposal: { fields: { branch: 'say-hello-in-french-r1-2' } } },
    });
  });

  it('G6: of what is on the branch already is judged like any other', async () => {
    const there = (run: Run): Run => ({
      ...run,
      change: { ...run.change, pushedHead: { branch: 'feature/agentpr-r1', sha: sha('a') } },
    });
    const asks = evaluated({ assessment: assessment({ decision: 'escalate' }) });
    const denied = evaluated({ assessment: assessment({ decision: 'deny', risk: 'high' }) });
    expect(said(await pushes({}, (run) => there(denied(run))))[0]).toBe('policy_denied');
    expect(await pushes({ head: sha('e') }, (run) => there(asks(run)))).toMatchObject(failed({}));
    // A push that somebody signed is that push, with its own approval.
    expect(said(await (await signed({ row: null }, there)).call())[0]).toBe('permission_denied');
    // Its pull request may have been opened meanwhile, and nobody has heard so.
    const opened = await opening({ pulls: (made) => [made] });
    const {
      gate: { consumedApproval: consumed },
    } = opened.run;
    const { world, call } = unsigned({ pulls: () => [] }, (run) =>
      patchRun(there(asks(run)), { gate: { consumedApproval: consumed } }),
    );
    world.there.push(
      ...opened.world.there.map((one) => ({
        ...one,
        ...createDoorWorld(
          () => opened.run,
          () => null,
        ).made(),
      })),
    );
    expect(said(await call())).toEqual(['worker.pr.opened']);
    expect(checked.run.upstream.pullRequest).toBeNull();
  });
});

describe('other words for a card', () => {
  const { run } = at('PUSHED');
  const approvalId = run.gate.approval?.id ?? '';
  /** As it was judged when its card was made. */
  const shown = async (): Promise<Run> => {
    const { world } = await opening();
    return { ...run, gate: { ...run.gate, proposal: await gatherPullProposal(world.parts, run) } };
  };
  const pullText = { title: 'Greet in French', description: null };
  const asked = { approvalId, pullText, by: 'Ana', reason: 'clearer' };
  const input = { type: 'worker.proposal.modified', approvalId, by: 'Ana', pullText };

  it('P4: are judged, and shown on a proposal that says what it was made from', async () => {
    const waiting = await shown();
    expect(await rewording(waiting, asked)).toMatchObject({
      kind: 'result',
      input: {
        ...input,
        decision: {
          kind: 'modified',
          by: 'human',
          original: waiting.gate.proposal?.digest,
          reason: 'clearer',
        },
        proposal: { fields: { title: 'Greet in French' } },
      },
    });
  });

  it('P4: keep what was reworded before, and go on with it', async () => {
    const before = { title: null, description: 'It says why.', original: 'd', by: 'Ana', reason: 'first' };
    const body = expect.stringContaining('It says why.') as unknown;
    expect(await rewording(patchRun(await shown(), { gate: { editedPrText: before } }), asked)).toMatchObject(
      {
        input: { proposal: { fields: { title: 'Greet in French', body } } },
      },
    );
  });

  it.each<[string, RunPatch, string]>([
    ['another one', {}, 'other'],
    ['none', { gate: { approval: null } }, approvalId],
    ['one without a proposal', { gate: { proposal: null } }, approvalId],
  ])('P4: are not taken for a card that is gone: %s', async (_, change, id) => {
    expect(await rewording(patchRun(run, change), { ...asked, approvalId: id })).toEqual({
      kind: 'result',
      input: {
        ...input,
        approvalId: id,
        proposal: null,
        decision: { kind: 'rejected', by: 'policy', why: { kind: 'card_closed' } },
      },
    });
  });

  it('P4: an answer is judged with the change, and stands in what is proposed', async () => {
    const what = {
      what: 'words',
      text: 'I read it line by line.',
      by: { id: '1', name: 'Ana' },
      at: 5,
    } as const;
    const none = { title: null, description: null };
    expect(await rewording(await shown(), { ...asked, pullText: none, answer: what })).toMatchObject({
      input: {
        ...input,
        pullText: none,
        answer: what,
        decision: { kind: 'modified' },
        proposal: { fields: { body: expect.stringContaining(what.text) as unknown } },
      },
    });
  });

  it('F9: what the template asks is asked on the card, and its answer makes a new one without the question', async () => {
    const template = '## Description\n\n## Which customers asked for this?\n';
    const { contract } = run.target;
    if (!contract) throw new Error('no contract');
    const before = { ...run, target: { ...run.target, contract: { ...contract, template } } };
    const { world } = await opening();
    const proposal = await gatherPullProposal(world.parts, before);
    const questions = ['Which customers asked for this?'];
    expect(proposal.fields.assessment.reasons).toContainEqual(
      expect.objectContaining({ reason: { kind: 'template_open', questions } }),
    );
    const by = { id: '1', name: 'Ana' };
    const answer = { what: 'template', text: 'Two of them, in #4.', by, at: 5 } as const;
    const none = { title: null, description: null };
    const card = { ...before, gate: { ...before.gate, proposal } };
    const outcome = await rewording(card, { ...asked, pullText: none, answer });
    expect(JSON.stringify(outcome)).toContain('## Which customers asked for this?\\n\\nTwo of them, in #4.');
    expect(JSON.stringify(outcome)).toContain('"kind":"answer","what":"template"');
    expect(JSON.stringify(outcome)).not.toContain('template_open');
  });

  it('P4: are not taken when what they make is riskier than what the card showed', async () => {
    expect(run.gate.proposal?.fields.assessment.risk).toBe('low');
    expect(await rewording(run, asked)).toMatchObject({
      input: { decision: { kind: 'rejected', by: 'policy', why: { kind: 'raises_risk' } }, proposal: null },
    });
  });

  it('P4: are not taken when they are forbidden, and make no proposal', async () => {
    expect(await rewording(await shown(), asked, { frozen: true })).toMatchObject({
      kind: 'result',
      input: {
        ...input,
        proposal: null,
        decision: { kind: 'rejected', by: 'policy', why: { kind: 'forbidden' } },
      },
    });
  });
});
