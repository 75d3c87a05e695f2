/**
 * F12: the pull request of a run was moved to another base, or its base has another name: what the
 * run works against follows.
 */
import { usedUp } from './budget.ts';
import { enter, succeeded, work, type Draft } from './draft.ts';
import type { Ruling } from './handler.ts';
import type { InputOf } from './inputs.ts';
import { askedFor, within } from './rounds.ts';
import { fixWaits, isToUpdate, workspaceAt } from './run.ts';
import { settle } from './settle.ts';
import { outOf } from './spending.ts';
import { undo } from './undone.ts';

/**
 * The pull request goes into another branch: what was made for the old one and is not public yet is
 * void, and is made again before anything is pushed.
 */
export const moveBase = (d: Draft, to: string): void => {
  const { run } = d;
  const {
    target: { base },
    change: { commit, pushedHead: pushed, pendingMerge: merging },
  } = run;
  if (!base || !commit || !pushed) return;
  const sha = run.target.pendingBaseChange?.commitSha ?? (merging ? pushed.sha : commit.sha);
  const at = run.target.pendingBaseChange?.workspaceSha ?? workspaceAt(run) ?? sha;
  const from = run.target.pendingBaseChange?.from ?? base.ref;
  run.target.pendingBaseChange = { from, to, commitSha: sha, workspaceSha: at };
  run.target.base = { ...base, ref: to };
  run.upstream.ciComparison = null;
  if (commit.sha !== pushed.sha) run.change.evaluation = run.gate.proposal = null;
  // Commits of the old base belong into no pull request against the new one.
  // guard: F12-old-merge-dropped
  if (merging) {
    run.change.pendingMerge = null;
    run.agent.round = { kind: 'merge_base', feedback: [], purpose: askedFor(run.agent.round) };
  }
  if (run.lifecycle.state === 'ITERATING') enter(d, 'ITERATING', { kind: 'base_changed', from, to });
};

/** The change compared with its new base: whatever follows builds upon that. */
export const baseFollowed = (d: Draft, input: InputOf<'worker.base.compared'>): Ruling => {
  const { run } = d;
  const {
    target: { pendingBaseChange: move, base },
  } = run;
  if (!move || !base) return { ignore: 'nobody asks' };
  if (move.to !== input.ref || move.commitSha !== input.commit.sha) {
    work(d, { kind: 'compare_base' });
    return undefined;
  }
  succeeded(d);
  if (input.discardedEdits) undo(d, input.discardedEdits);
  if (move.workspaceSha !== move.commitSha) run.change.resetTo = move.commitSha;
  run.target.pendingBaseChange = null;
  run.target.base = { ...base, ref: input.ref, sha: input.commit.base };
  run.change.commit = input.commit;
  run.target.contract = input.contract;
  run.target.requiresSignedCommits = input.requiresSignedCommits;
  const reason = { kind: 'base_changed', from: move.from, to: move.to } as const;
  if (run.agent.round.kind !== 'implement' || run.change.commit.sha !== run.change.pushedHead?.sha) {
    // No agent and no check begins that nothing is left for.
    const spent = usedUp(run, isToUpdate(run) || fixWaits(run) ? 'check' : 'agent');
    return spent ? (outOf(d, spent) as undefined) : void enter(d, 'ITERATING', reason);
  }
  run.agent.round = within(run.agent.round, 'implement', []);
  enter(d, 'CI_WAIT', reason);
  settle(d);
  return undefined;
};

/** Before there is a pull request nobody moves it: the new name of the branch is asked for. */
export const branchRenamed = (d: Draft, { from, to }: InputOf<'forge.branch.renamed'>): Ruling => {
  const { run } = d;
  if (run.upstream.pullRequest || run.target.base?.ref !== from) return { ignore: 'nothing new' };
  run.target.base = { ...run.target.base, ref: to };
  if (run.change.pendingMerge) run.change.pendingMerge = { ...run.change.pendingMerge, ref: to };
  return undefined;
};
