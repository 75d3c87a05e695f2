/** The push and open effects over a world that matches the signed card, or differs on purpose. */
import { receiptsWith } from './receipts.ts';
import { ENGLISH_WORDING } from '#language';
import type { Effect } from '#effects';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import type { HandlerOutcome } from '#runtime';
import { DEFAULT_POLICY_SETTINGS, type UserRole } from '#model/settings';
import type { z } from 'zod';
import { PullSettings } from '#model/opening';
import { ForkSettings } from '#model/pull';
import type { Proposal, SealFields } from '#model/seal';
import { withReceipt } from '../../pull-text/pull-body.ts';
import { sealFields } from '../../orchestrator/kernel/runtime/content-hash.ts';
import type { EffectContext } from '#kernel';
import type { CheckOwnKeys } from '#ports/records';
import { createModifyProposalHandler } from '../../orchestrator/kernel/gate/modify-proposal.effect.ts';
import { createOpenPrHandler } from '../../orchestrator/kernel/gate/open-pr.effect.ts';
import {
  assessPush,
  gatherPullProposal,
  gatherPushProposal,
} from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { updatedPullBody } from '../../orchestrator/kernel/gate/write-pull-text.io.ts';
import { createPushHandler } from '../../orchestrator/kernel/gate/push.effect.ts';
import { createReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import { OutsideFailure, type PullFacts, type PullsRefused } from '#ports/forge';
import type { ApprovalRow } from '#ports/ledger';
import type { ClaimedEffect } from '#ports/steps';
import { approvePush, at, confirm, sha, validated } from './core.ts';

export const receiptKey = Buffer.alloc(32, 1);
export const doorRepo = {
  id: '1',
  name: 'ana/app',
  network: '1',
  defaultBranch: 'trunk',
  archived: false,
  cloneUrl: 'u',
  mayPush: true,
  mayFork: true,
  htmlUrl: 'h',
};
const compared = { mergeBase: sha('0'), tree: sha('7'), diff: 'd', conflicts: false, author: 'bot' };
const forbids = {
  id: 'freeze',
  when: { minAdded: 1, actions: ['push', 'open_pr'] },
  verdict: 'deny',
  reason: 'Freeze.',
};

const asksForKeys = {
  id: 'keys',
  when: { repos: ['*/*'] },
  verdict: 'escalate',
  reason: 'Signed with a key.',
  by: 'passkey',
};

const asksForTwo = {
  id: 'two',
  when: { repos: ['*/*'] },
  verdict: 'escalate',
  reason: 'Two people read it.',
  approvals: 2,
};

const watches = {
  id: 'watch',
  when: { actions: ['push'] },
  verdict: 'escalate',
  reason: 'Look at it.',
};

const customOf = (w: DoorWorld): unknown[] => {
  const asks = [...(w.two ? [asksForTwo] : []), ...(w.keys ? [asksForKeys] : [])];
  if (asks.length > 0) return asks;
  return w.frozen ? [forbids] : w.watched ? [watches] : [];
};

/** Deviations from the state at signing. */
export type DoorWorld = {
  row?: Partial<ApprovalRow> | null;
  /** What was signed, of what was gathered. */
  signs?: (fields: SealFields) => SealFields;
  conflicts?: boolean;
  /** The card showed the conflict. */
  known?: boolean;
  frozen?: boolean;
  /** G11: a policy asks for approvers' own keys, and what judges them. */
  keys?: CheckOwnKeys;
  /** G10: a policy asks for two approvals. */
  two?: boolean;
  /** G10: what people may do now, by their ids; approvers otherwise. */
  roles?: Readonly<Record<string, UserRole | null>>;
  /** An operator's policy requires a signature for each push. */
  watched?: boolean;
  head?: string | null;
  /** Epoch ms. */
  at?: number;
  /** Error of the call, with nothing created. */
  fails?: Error;
  tries?: number;
  /** The pull request is created, but neither returned nor listed. */
  quiet?: boolean;
  /** Lease checks in order; true afterwards. */
  ours?: boolean[];
  /** Existing pull requests, and what the new one shows. */
  pulls?: (made: PullFacts) => Partial<PullFacts>[];
  shows?: Partial<PullFacts>;
  /** The call succeeds at the code host, but is reported as refused. */
  refuses?: OutsideFailure | true;
  /** Errors of searching, and of reading back. */
  unseen?: Error;
  unread?: Error;
  refused?: { branch: number; because?: string };
  /** The host's field against pull requests of ours. */
  takesNone?: PullsRefused;
  /** Authors of open pull requests for the same issue. */
  rivals?: readonly string[];
  pullsUnread?: string;
  /** The fork of `inFork`, where it is not as usual. */
  fork?: Partial<typeof doorRepo>;
  compared?: Partial<typeof compared & { signer: string }>;
  /** Open pull requests of ours. */
  open?: number;
  /** Nothing of ours was merged there. */
  strangers?: boolean;
  /** How pull requests open, by the operator's settings. */
  pull?: z.input<typeof PullSettings>;
  /** We may not push there. */
  theirs?: true;
  /** A sign-in that an agent was lent. */
  lent?: string;
  /** Whether the pull request is in the merge queue. */
  queued?: boolean;
};

const fork = { ...doorRepo, id: '2', name: 'us/app' };
export const inFork = (run: Run): Run =>
  patchRun(run, { target: { fork: { repo: fork.name, id: fork.id } } });

export const createDoorWorld = (
  run: () => Run,
  row: () => Partial<ApprovalRow> | null,
  w: DoorWorld = {},
) => {
  const did: string[] = [];
  const there: PullFacts[] = [];
  let looks = 0;
  const leases: number[] = [];
  const parts = {
    approvals: {
      issueReceipt: receiptsWith(receiptKey),
      checkOwnKeys: w.keys,
      roleOf: async (id: string) => (w.roles?.[id] === undefined ? 'approver' : w.roles[id]),
    },
    texts: {
      wording: ENGLISH_WORDING,
      ...(w.lent === undefined
        ? {}
        : { lent: { namesIn: (text: string) => (text.includes(w.lent ?? '') ? ['KEY'] : []) } }),
    },
    settings: {
      forks: ForkSettings.parse({}),
      ...(w.pull ? { pull: PullSettings.parse(w.pull) } : {}),
      policies: {
        ...DEFAULT_POLICY_SETTINGS,
        custom: customOf(w),
      },
    },
    clock: { now: () => w.at ?? 1 },
    forge: {
      login: async () => 'us',
      repo: async (name: string) => {
        if (name === fork.name) return { ...fork, ...w.fork };
        const seen = w.theirs ? { ...doorRepo, mayPush: false } : doorRepo;
        return w.takesNone ? { ...seen, pullsRefused: w.takesNone } : seen;
      },
      openPulls: async () => w.open ?? 0,
      knowsUs: async () => !w.strangers,
      followParent: async () => undefined,
      inMergeQueue: async () => w.queued ?? false,
      issue: async () => ({ state: 'open', assignees: [], labels: [] }),
      competingPulls: async () => ({
        pulls: (w.rivals ?? []).map((author, i) => ({
          id: `#${40 + i}`,
          url: 'u',
          title: 'The same',
          author,
          matchedBy: 'issue',
        })),
        ...(w.pullsUnread === undefined ? {} : { unread: w.pullsUnread }),
      }),
      pullsByHead: async () => {
        if (w.unseen) throw w.unseen;
        return w.quiet ? [] : there;
      },
      pull: async (_: string, id: string) => {
        if (w.unread) throw w.unread;
        const {
          target: { base },
        } = run();
        const unmoved = { id, state: 'open', baseRepoId: base?.repoId, baseRef: base?.ref, body: '' };
        return there.find((p) => p.id === id) ?? { ...unmoved, ...w.shows };
      },
      describe: async (_: string, id: string, body: string) => {
        const pull = there.find((p) => p.id === id);
        if (!pull) throw new OutsideFailure('forge_refused', 'no such pull request');
        did.push(`described ${id}`);
        pull.body = body;
        return pull;
      },
      createPull: async (_: string, wish: { title: string; body: string }) => {
        if (w.fails) throw w.fails;
        did.push(`opened ${wish.title}`);
        there.push({ ...made(), ...wish, ...w.shows });
        if (w.refuses)
          throw w.refuses === true ? new OutsideFailure('forge_refused', 'it exists') : w.refuses;
        return w.quiet ? null : there.at(-1);
      },
    },
    workspaces: {
      patch: async () => ({ text: '', omitted: 0, messages: ['Change'] }),
      compare: async () => (
        did.push('compared'),
        { ...compared, ...w.compared, conflicts: w.conflicts ?? false }
      ),
      remoteHead: async ({ branch }: { branch?: string }) =>
        branch === undefined
          ? 'no branch'
          : w.head === undefined
            ? (run().change.commit?.sha ?? null)
            : w.head,
      push: async ({ branch }: { branch: string }) => {
        did.push(`pushed ${branch}`);
        const no = did.filter((d) => d.startsWith('pushed')).length <= (w.refused?.branch ?? 0);
        return no
          ? { kind: 'rejected', because: w.refused?.because ?? 'name', reason: 'no' }
          : { kind: 'pushed', branch, sha: run().change.commit?.sha };
      },
    },
    ledger: {
      query: { run: async () => run(), approval: async () => row() },
      renew: async (_: ClaimedEffect, until: number) => (leases.push(until), w.ours?.[looks++] ?? true),
    },
  } as unknown as EffectContext;
  const made = (): PullFacts => {
    const fields = run().gate.consumedApproval?.fields ?? run().gate.proposal?.fields;
    if (!fields) throw new Error('nothing was signed');
    const { baseRepoId, headRepoId, baseRef, branch: headRef, headSha, title, draft } = fields;
    const claims = {
      run: run().id,
      digest: run().gate.consumedApproval?.digest ?? '',
      policyVersion: fields.policyVersion,
    };
    const body = withReceipt(
      fields.body,
      createReceipt(receiptKey, { ...claims, approver: run().gate.consumedApproval?.by ?? '' }),
    );
    return {
      id: '#7',
      url: 'u/7',
      state: 'open',
      merged: false,
      mergedBy: null,
      author: 'us',
      maintainerCanModify: false,
      baseRepoId,
      headRepoId,
      baseRef,
      headRef,
      headSha,
      title,
      body,
      draft,
    };
  };
  return { parts, did, there, made, leases };
};

export const claimOf = <D extends Effect['do']>(
  run: Run,
  what: D,
): Omit<ClaimedEffect, 'do'> & { do: D } => ({
  n: 1,
  id: 'e',
  runId: run.id,
  epoch: run.lifecycle.epoch,
  leaseEpoch: 1,
  tries: 1,
  do: what,
});
export const never = new AbortController().signal;
export const said = (outcome: HandlerOutcome): unknown[] => {
  if (outcome.kind !== 'result') return [outcome.kind, 'result' in outcome ? outcome.result : ''];
  const { input } = outcome;
  return input.type === 'worker.step.failed' ? [input.class, input.message] : [input.type];
};

type Change = (run: Run) => Run;
const same: Change = (run) => run;
const signedOf = ({ signs }: DoorWorld, gathered: Proposal): Proposal =>
  signs ? sealFields(signs(gathered.fields)) : gathered;

/** A signed opening; `call` performs it repeatedly. */
export const opening = async (w: DoorWorld = {}, change = same, before = same) => {
  const card = before(at('PUSHED').when(confirm()).run);
  const { parts } = createDoorWorld(
    () => card,
    () => null,
    { conflicts: w.known ?? false, ...(w.keys && { keys: w.keys }), ...(w.two && { two: w.two }) },
  );
  const { digest, fields } = signedOf(w, await gatherPullProposal(parts, card));
  if (!card.gate.consumedApproval) throw new Error('nothing was signed');
  const run = change({
    ...card,
    gate: {
      ...card.gate,
      consumedApproval: { ...card.gate.consumedApproval, digest, fields },
      proposal: { digest, fields },
    },
  });
  const row = { kind: 'open_pr', runId: run.id, state: 'consumed', consumedBy: 'e', digest } as const;
  const world = createDoorWorld(
    () => run,
    () => (w.row === null ? null : { ...row, ...w.row }),
    w,
  );
  world.there.push(
    ...(w.pulls?.(world.made()) ?? []).map((p, i) => ({ ...world.made(), ...p, id: `#${90 + i}` })),
  );
  const handler = createOpenPrHandler(world.parts);
  const what = { kind: 'open_pr', approvalId: card.gate.consumedApproval.id, digest } as const;
  const call = () => handler({ ...claimOf(run, what), tries: w.tries ?? 1 }, never);
  return { world, run, call };
};

export const checked = at('LOCAL_VALIDATING').when(validated());

export const unsigned = (
  w: DoorWorld = {},
  change = same,
  commitSha = sha('a'),
  expected: string | null = null,
) => {
  const run = change(checked.run);
  const world = createDoorWorld(
    () => run,
    () => null,
    w,
  );
  const what = { kind: 'push', commitSha, expectedHead: expected, approvalId: null } as const;
  const handler = createPushHandler(world.parts);
  return { world, run, call: () => handler(claimOf(run, what), never) };
};
export const evaluated =
  (more: Partial<NonNullable<Run['change']['evaluation']>>): Change =>
  (run) => ({
    ...run,
    change: { ...run.change, evaluation: run.change.evaluation && { ...run.change.evaluation, ...more } },
  });

export const signedForBoth = async (w: DoorWorld = {}, change = same) => {
  const asked = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate', both: {} }), confirm()).run;
  const { parts } = createDoorWorld(
    () => asked,
    () => null,
    { ...(w.keys && { keys: w.keys }), ...(w.two && { two: w.two }) },
  );
  const { digest, fields } = signedOf(w, await gatherPullProposal(parts, asked, { pushes: true }));
  if (!asked.gate.consumedApproval) throw new Error('nothing was signed');
  const consumed = { ...asked.gate.consumedApproval, digest, fields };
  const run = change({
    ...asked,
    gate: { ...asked.gate, consumedApproval: consumed, proposal: { digest, fields } },
  });
  const row = { kind: 'open_pr', runId: run.id, state: 'consumed', consumedBy: 'e', digest } as const;
  const world = createDoorWorld(
    () => run,
    () => (w.row === null ? null : { ...row, ...w.row }),
    w,
  );
  const approvalId = consumed.id;
  const push = { kind: 'push', commitSha: sha('a'), expectedHead: null, approvalId } as const;
  const open = { kind: 'open_pr', approvalId, digest } as const;
  return {
    world,
    run,
    pushes: () => createPushHandler(world.parts)(claimOf(run, push), never),
    opens: () => createOpenPrHandler(world.parts)(claimOf(run, open), never),
  };
};

export const signed = async (w: DoorWorld = {}, change = same) => {
  const run = change(at('LOCAL_VALIDATING').when(validated({ decision: 'escalate' }), approvePush()).run);
  const { parts } = createDoorWorld(
    () => run,
    () => null,
    { ...(w.keys && { keys: w.keys }), ...(w.two && { two: w.two }) },
  );
  if (!run.change.evaluation) throw new Error('nothing was evaluated');
  const { checks, passed, grade = null, checkConfigFiles } = run.change.evaluation;
  const body = await updatedPullBody(parts, run, { checks });
  const judged = {
    run,
    repo: doorRepo,
    checks,
    passed,
    grade,
    checkConfig: checkConfigFiles ?? null,
    ...body,
  };
  const { digest } = signedOf(w, await gatherPushProposal(parts, judged, assessPush(parts, judged)));
  const row = { kind: 'push', runId: run.id, state: 'consumed', consumedBy: 'e', digest } as const;
  const world = createDoorWorld(
    () => run,
    () => (w.row === null ? null : { ...row, ...w.row }),
    w,
  );
  const what = {
    kind: 'push',
    commitSha: sha('a'),
    expectedHead: null,
    approvalId: run.gate.consumedApproval?.id ?? 'a',
  } as const;
  const handler = createPushHandler(world.parts);
  return { world, run, call: () => handler(claimOf(run, what), never) };
};

export const rewording = (
  run: Run,
  what: Omit<Extract<Effect['do'], { kind: 'modify_proposal' }>, 'kind'>,
  w: DoorWorld = {},
) => {
  const { parts } = createDoorWorld(
    () => run,
    () => null,
    w,
  );
  return createModifyProposalHandler(parts)(claimOf(run, { kind: 'modify_proposal', ...what }), never);
};
