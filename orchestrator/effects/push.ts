/** push: the one commit that was checked, to the run's own branch, with the remote head read back (E14). */
import { needsSignature } from '../core/machine/on-result.ts';
import { renamed } from '../core/publish/publish.ts';
import type { Run } from '../core/machine/run.ts';
import { whatMoved } from '../core/seal.ts';
import { stepFailed, type Handler, type Outcome } from '../engine/handler.ts';
import type { Claim, RepoRef } from '../ports.ts';
import { openAlready } from './opening.ts';
import { need, repoOf, repoRef, runOf, type EffectParts } from './parts.ts';
import { createReadBacks } from './read-back.ts';
import { assessPush, pullProposal, pushProposal, targetBranch } from './proposal.ts';

export const createPush = (parts: EffectParts): Handler<'push'> => {
  const { workspaces, ledger } = parts;
  const readBacks = createReadBacks<Pushed>(parts.clock);

  /** What the code host shows of it. Its old head, or none, is what a copy shows that has not heard of the push yet. */
  const readBack = async (claim: Claim, run: Run, made: Pushed): Promise<Outcome> => {
    const { repo, branch, sha, expect } = made;
    let head: string | null = null;
    const outcome = await readBacks.read(claim, made, async () => {
      head = await workspaces.remoteHead({ runId: run.id, repo, branch });
      if (head === sha) return null;
      return head === null || head === expect ? 'unseen' : differs(branch, head, sha);
    });
    if (outcome === 'unseen') return differs(branch, head, sha);
    return outcome ?? pushed(run, branch, sha);
  };

  /** Denied or not, it is told with what it was judged by: the branch is there in any case. */
  const pushed = async (run: Run, branch: string, sha: string): Promise<Outcome> => {
    const proposal = run.pr ? null : await pullProposal(parts, { ...run, pushed: { branch, sha } });
    return { kind: 'result', input: { type: 'worker.push.completed', branch, sha, proposal } };
  };

  /** A push that a person signed publishes what they signed, or nothing. */
  const approved = async (run: Run, claim: Claim, approvalId: string): Promise<Outcome | null> => {
    const row = await ledger.query.approval(approvalId);
    const { evaluation } = run;
    // guard: G6-push-consumed
    if (!row || row.state !== 'consumed' || row.consumedBy !== claim.id || !evaluation) {
      return stepFailed('push', 'permission_denied', 'no live approval stands behind this push');
    }
    const { checks, passed, grade = null } = evaluation;
    const judged = { run, repo: await repoOf(parts, run), checks, passed, grade };
    const now = await pushProposal(parts, judged, assessPush(parts, judged));
    // guard: G6-signed-push
    if (now.digest === row.digest) return null;
    const { assessment } = now.fields;
    if (assessment.decision === 'deny') return stepFailed('push', 'policy_denied', '', { assessment });
    const moved = run.proposal ? whatMoved(run.proposal.fields, now.fields) : [];
    return stepFailed('push', 'seal_moved', '', { moved, proposal: now });
  };

  const pushOnce = async (
    run: Run,
    repo: RepoRef,
    branch: string,
    sha: string,
    expect: string | null,
  ): ReturnType<typeof workspaces.push> => workspaces.push({ runId: run.id, repo, sha, branch, expect });

  /** Nothing is pushed: what the branch shows already is what a pull request would propose. */
  const onBranch = async (run: Run, sha: string): Promise<Outcome> => {
    const repo = repoRef(run, await repoOf(parts, run));
    const branch = targetBranch(run);
    const known = await openAlready(parts, run);
    if (known) return known;
    const head = await workspaces.remoteHead({ runId: run.id, repo, branch });
    // guard: G2-push-read-back
    if (head !== sha)
      return stepFailed('push', 'push_rejected', `${branch} is at ${head ?? 'nothing'}, not at ${sha}`);
    const proposal = run.pr ? null : await pullProposal(parts, run);
    return { kind: 'result', input: { type: 'worker.push.completed', branch, sha, proposal } };
  };

  return async (claim) => {
    const { commitSha, expect, approvalId } = claim.do;
    const run = await runOf(parts, claim.runId);
    const made = readBacks.made(claim);
    if (made) return readBack(claim, run, made);
    const commit = need(run.commit, 'commit');
    const { evaluation } = run;
    // guard: E14-push-evaluated
    if (commit.sha !== commitSha || evaluation?.commitSha !== commitSha || !evaluation.passed) {
      return stepFailed('push', 'policy_denied', 'only a commit that passed our checks is pushed');
    }
    const { assessment } = evaluation;
    const asked = assessment.decision !== 'deny' && needsSignature(run, assessment);
    if (approvalId === null && asked && !run.pr && run.pushed?.sha === commitSha)
      return onBranch(run, commitSha);
    // guard: G6-push-judged-now
    if (approvalId !== null) {
      const stop = await approved(run, claim, approvalId);
      if (stop) return stop;
    } else if (evaluation.assessment.decision === 'deny' || needsSignature(run, evaluation.assessment)) {
      return stepFailed('push', 'policy_denied', 'this push needs an approval');
    }
    const facts = await repoOf(parts, run);
    const repo = repoRef(run, facts);
    const first = targetBranch(run);
    // guard: P3-not-default-branch
    if (first === facts.defaultBranch || first === need(run.base, 'base').ref) {
      return stepFailed('push', 'policy_denied', `${first} is the target branch itself`);
    }
    const open = await openAlready(parts, run);
    // guard: G6-no-second-pull
    if (open) return open;
    let outcome = await pushOnce(run, repo, first, commitSha, expect);
    // A name that the code host refuses is changed once; a second refusal, or a signed name, is for a person.
    // guard: G6-signed-name
    if (outcome.kind === 'rejected' && outcome.because === 'name' && !run.pushed && approvalId === null) {
      outcome = await pushOnce(run, repo, renamed(first), commitSha, expect);
    }
    if (outcome.kind === 'rejected') {
      return stepFailed(
        'push',
        outcome.because === 'auth' ? 'permission_denied' : 'push_rejected',
        outcome.reason,
      );
    }
    return readBack(claim, run, { repo, branch: outcome.branch, sha: outcome.sha, expect });
  };
};

type Pushed = { repo: RepoRef; branch: string; sha: string; expect: string | null };

const differs = (branch: string, head: string | null, sha: string): Outcome =>
  stepFailed('push', 'readback_mismatch', `${branch} is at ${head ?? 'nothing'}, not at ${sha}`);
