/** `push` publishes the checked commit on the run's branch and reads the remote head back (E14). */
import { failureDetail, type FailureClass } from '#model/failure';
import type { PushFork } from '#model/pull';
import { findSealDifferences, type Proposal } from '#model/seal';
import { needsSignature } from './signature-rule.ts';
import { alternativeBranch } from '#pull-text';
import { repositoryOf, type CommitEvaluation, type Run } from '../run/run.ts';
import { toStepFailure, type EffectHandler, type HandlerOutcome } from '../runtime/effect-handler.ts';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import type { PushOutcome, RepoRef } from '#ports/workspaces';
import { syncFork, createForkWait, ensureHead, readHeadRepository, headRepoRef } from './ensure-fork.io.ts';
import { readPullOfRun } from '../ci/poll-code-host.io.ts';
import { findOpenPullOutcome } from './verify-opened-pull.io.ts';
import {
  assertTakesPulls,
  requireValue,
  PullMoved,
  readRunRepository,
  requireRunOf,
  type EffectContext,
} from '../handlers/effect-context.ts';
import { updateDescription } from './update-description.io.ts';
import { checkOwnKeysAgain } from './check-own-keys-again.io.ts';
import { checkSignersAgain } from './check-signers-again.io.ts';
import { createReadBacks } from './retry-read-back.io.ts';
import { assessPush, gatherPullProposal, gatherPushProposal, branchToPush } from './gather-proposal.io.ts';
import { updatedPullBody } from './write-pull-text.io.ts';

export const createPushHandler = (parts: EffectContext): EffectHandler<'push'> => {
  const { workspaces, ledger } = parts;
  const readBacks = createReadBacks<Pushed>(parts.clock);
  const forkWait = createForkWait(parts);

  const readBack = async (claim: ClaimedEffect, run: Run, made: Pushed): Promise<HandlerOutcome> => {
    const { repo, branch, sha, expect, approvalId } = made;
    let head: string | null = null;
    const outcome = await readBacks.read(claim, made, async () => {
      head = await workspaces.remoteHead({ runId: run.id, repo, branch });
      if (head === sha) return null;
      return head === null || head === expect ? 'unseen' : toMismatch(branch, head, sha);
    });
    if (outcome === 'unseen') return toMismatch(branch, head, sha);
    return (
      outcome ?? reportPushed({ ...run, target: { ...run.target, fork: made.fork } }, branch, sha, approvalId)
    );
  };

  const reportPushed = async (
    run: Run,
    branch: string,
    sha: string,
    approvalId: string | null,
  ): Promise<HandlerOutcome> => {
    const both = run.gate.consumedApproval?.id === approvalId && run.gate.consumedApproval.kind === 'open_pr';
    const proposal =
      run.upstream.pullRequest || both
        ? null
        : await gatherPullProposal(parts, { ...run, change: { ...run.change, pushedHead: { branch, sha } } });
    const description = await updateDescription(parts, run, approvalId);
    const fork = run.target.fork ? { fork: run.target.fork } : {};
    const input = { type: 'worker.push.completed', branch, sha, ...fork, proposal, ...description } as const;
    return { kind: 'result', input };
  };

  const pushAgain = async (
    run: Run,
    { checks, passed, grade = null, checkConfigFiles }: CommitEvaluation,
  ): Promise<Proposal> => {
    const body = await updatedPullBody(parts, run, { checks });
    const checked = {
      run,
      repo: await readRunRepository(parts, run),
      checks,
      passed,
      grade,
      checkConfig: checkConfigFiles ?? null,
      ...body,
    };
    return gatherPushProposal(parts, checked, assessPush(parts, checked));
  };

  /** A signed push publishes exactly the signed commit, or nothing. */
  const checkApproval = async (
    run: Run,
    claim: ClaimedEffect,
    approvalId: string,
  ): Promise<HandlerOutcome | null> => {
    const row = await ledger.query.approval(approvalId);
    const { evaluation } = run.change;
    // guard: G6-push-consumed
    if (!row || row.state !== 'consumed' || row.consumedBy !== claim.id || !evaluation) {
      return toStepFailure('push', 'permission_denied', 'no live approval stands behind this push');
    }
    const now =
      row.kind === 'open_pr'
        ? await gatherPullProposal(parts, run, { pushes: true })
        : await pushAgain(run, evaluation);
    // guard: G6-signed-push
    if (now.digest === row.digest) {
      const lapsed = await checkSignersAgain(parts, run, { step: 'push', approvalId }, now);
      // guard: G10-push-signers
      if (lapsed) return lapsed;
      const action = row.kind === 'open_pr' ? 'open_pr' : 'push';
      // guard: G11-push
      return checkOwnKeysAgain(parts, run, { step: 'push', action, approvalId }, now);
    }
    const { assessment } = now.fields;
    if (assessment.decision === 'deny') return toStepFailure('push', 'policy_denied', '', { assessment });
    const moved = run.gate.proposal ? findSealDifferences(run.gate.proposal.fields, now.fields) : [];
    return toStepFailure('push', 'seal_moved', '', { differences: moved, proposal: now });
  };

  type Target = { repo: RepoRef; branch: string; sha: string; expect: string | null };
  /** A refused branch name is changed once; signed names, and a second refusal, need a person. */
  const pushRenamed = async (
    run: Run,
    to: Target,
    approvalId: string | null,
  ): ReturnType<typeof workspaces.push> => {
    const outcome = await workspaces.push({ runId: run.id, ...to });
    // guard: G6-signed-name
    if (
      outcome.kind === 'rejected' &&
      outcome.because === 'name' &&
      !run.change.pushedHead &&
      approvalId === null
    )
      return workspaces.push({ runId: run.id, ...to, branch: alternativeBranch(to.branch) });
    return outcome;
  };

  const assertPullUnmoved = async (run: Run, id: string): Promise<void> => {
    const { pull } = await readPullOfRun(parts, run, id, 'whole');
    const { headDeleted = false, repo } = pull.shown ?? {};
    const moved = pull.baseRef !== run.target.base?.ref || headDeleted || repo?.archived === true;
    // guard: F12-base-before-push
    if (pull.state === 'open' && moved) throw new PullMoved(pull);
  };

  /** A code host takes a pull request out of its queue when its head moves. */
  const assertNotQueued = async (run: Run, id: string): Promise<void> => {
    const { observed } = run.upstream;
    const ci = run.change.pushedHead ? observed.ci[run.change.pushedHead.sha] : undefined;
    const isTold = observed.pull?.metadata?.inMergeQueue === true;
    if (!isTold && ci?.usesMergeQueue !== true) return;
    const isQueued = (await parts.forge.inMergeQueue?.(repositoryOf(run), id)) ?? isTold;
    // guard: F12-queue-awaited
    if (isQueued) throw new OutsideFailure('merge_queue', `${id} waits in the merge queue`);
  };

  const reportAlreadyPushed = async (run: Run, sha: string): Promise<HandlerOutcome> => {
    const repo = headRepoRef(run, await readHeadRepository(parts, run, await readRunRepository(parts, run)));
    const branch = branchToPush(run);
    const known = await findOpenPullOutcome(parts, run);
    if (known) return known;
    const head = await workspaces.remoteHead({ runId: run.id, repo, branch });
    // guard: G2-push-read-back
    if (head !== sha) return toMismatch(branch, head, sha, 'push_rejected');
    const proposal = run.upstream.pullRequest ? null : await gatherPullProposal(parts, run);
    return { kind: 'result', input: { type: 'worker.push.completed', branch, sha, proposal } };
  };

  return async (claim) => {
    const { commitSha, approvalId } = claim.do;
    const before = await requireRunOf(parts, claim.runId);
    const made = readBacks.made(claim);
    if (made) return readBack(claim, before, made);
    const commit = requireValue(before.change.commit, 'commit');
    const { evaluation } = before.change;
    // guard: E14-push-evaluated
    if (commit.sha !== commitSha || evaluation?.commitSha !== commitSha || !evaluation.passed) {
      return toStepFailure('push', 'policy_denied', 'only a commit that passed our checks is pushed');
    }
    const { assessment } = evaluation;
    const asked = assessment.decision !== 'deny' && needsSignature(before, assessment);
    if (
      approvalId === null &&
      asked &&
      !before.upstream.pullRequest &&
      before.change.pushedHead?.sha === commitSha
    )
      return reportAlreadyPushed(before, commitSha);
    // guard: G6-push-judged-now
    if (approvalId === null && (assessment.decision === 'deny' || needsSignature(before, assessment))) {
      return toStepFailure('push', 'policy_denied', 'this push needs an approval');
    }
    const facts = await readRunRepository(parts, before);
    // guard: F10-refused-before-push
    if (!before.upstream.pullRequest) assertTakesPulls(facts);
    else {
      await assertPullUnmoved(before, before.upstream.pullRequest.id);
      await assertNotQueued(before, before.upstream.pullRequest.id);
    }
    const { head, run } = await ensureHead(parts, before, facts);
    const stop = approvalId === null ? null : await checkApproval(run, claim, approvalId);
    if (stop) return stop;
    const repo = headRepoRef(run, head);
    const first = branchToPush(run);
    // guard: P3-not-default-branch
    if (
      [facts.defaultBranch, head.defaultBranch, requireValue(run.target.base, 'base').ref].includes(first)
    ) {
      return toStepFailure('push', 'policy_denied', `${first} is the target branch itself`);
    }
    const open = await findOpenPullOutcome(parts, run);
    // guard: G6-no-second-pull
    if (open) return open;
    const later = run.target.fork ? await forkWait(claim, run, head) : null;
    if (later) return later;
    await syncFork(parts, before, head, facts);
    // A recreated fork has no old head of ours.
    const expect = run.target.fork?.id === before.target.fork?.id ? claim.do.expectedHead : null;
    const to = { repo, branch: first, sha: commitSha, expect };
    const outcome = await pushRenamed(run, to, approvalId);
    if (outcome.kind === 'rejected') return toRejectedOutcome(outcome);
    return readBack(claim, run, {
      repo,
      fork: run.target.fork,
      branch: outcome.branch,
      sha: outcome.sha,
      expect,
      approvalId,
    });
  };
};

const toRejectedOutcome = ({
  because,
  reason,
  detail,
}: Extract<PushOutcome, { kind: 'rejected' }>): HandlerOutcome =>
  toStepFailure('push', REJECTED[because] ?? 'push_rejected', reason, {
    ...(detail === undefined ? {} : { detail }),
  });

const REJECTED: Partial<Record<string, FailureClass>> = {
  auth: 'permission_denied',
  closed: 'not_allowed',
  archived: 'repository_archived',
};

type Pushed = {
  repo: RepoRef;
  fork: PushFork | null;
  branch: string;
  sha: string;
  expect: string | null;
  approvalId: string | null;
};

const toMismatch = (
  branch: string,
  head: string | null,
  sha: string,
  failure: FailureClass = 'readback_mismatch',
): HandlerOutcome =>
  toStepFailure('push', failure, `${branch} is at ${head ?? 'nothing'}, not at ${sha}`, {
    detail: failureDetail({ kind: 'branch_differs', branch, found: head, expected: sha }),
  });
