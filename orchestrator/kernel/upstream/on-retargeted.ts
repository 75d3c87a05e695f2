/** Follows a pull request to another base branch, or to a new name of its base (F12). */
import { z } from 'zod';
import { Commit } from '#model/change';
import { Contract } from '#model/contract';
import { BEFORE_PULL, SETTLED, STOPPED } from '../run/state-groups.ts';
import { DISCARDED_EDITS } from '../lifecycle/result-fields.ts';
import { findExhaustedBudget } from '../lifecycle/run-budget.ts';
import { enterState } from '../lifecycle/enter-state.ts';
import { clearRetries, addWork, requestReset, type StepDraft } from '../lifecycle/step-draft.ts';
import { defineFact, defineResult, moveFrom, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import type { InputOf } from '../run/input-types.ts';
import { feedbackAskedFor, innerRound } from '../run/round-table.ts';
import { isFixAwaitingChecks, isBaseUpdateDue, workspaceShaOf } from '../run/run.ts';
import { settleState } from '../lifecycle/settle-state.ts';
import { stopForBudget } from '../lifecycle/permit-round.ts';
import { recordDiscardedEdits } from '../rounds/record-discarded-edits.ts';

/** Unpublished work for the old base is void, and is redone before anything is pushed. */
export const moveBase = (draft: StepDraft, to: string): void => {
  const { run } = draft;
  const { base } = run.target;
  const { commit, pushedHead: pushed, pendingMerge: merging } = run.change;
  if (!base || !commit || !pushed) return;
  const sha = run.target.pendingBaseChange?.commitSha ?? (merging ? pushed.sha : commit.sha);
  const at = run.target.pendingBaseChange?.workspaceSha ?? workspaceShaOf(run) ?? sha;
  const from = run.target.pendingBaseChange?.from ?? base.ref;
  run.target.pendingBaseChange = { from, to, commitSha: sha, workspaceSha: at };
  run.target.base = { ...base, ref: to };
  run.upstream.ciComparison = null;
  if (commit.sha !== pushed.sha) run.change.evaluation = run.gate.proposal = null;
  // Commits of the old base must not enter a pull request against the new one.
  // guard: F12-old-merge-dropped
  if (merging) {
    run.change.pendingMerge = null;
    run.agent.round = { kind: 'update_from_base', feedback: [], purpose: feedbackAskedFor(run.agent.round) };
  }
  if (run.lifecycle.state === 'ITERATING') enterState(draft, 'ITERATING', { kind: 'base_changed', from, to });
};

const onBaseCompared = (draft: StepDraft, input: InputOf<'worker.base.compared'>): HandlerRuling => {
  const { run } = draft;
  const { pendingBaseChange: move, base } = run.target;
  if (!move || !base) return { ignore: 'nobody asks' };
  if (move.to !== input.ref || move.commitSha !== input.commit.sha) {
    addWork(draft, { kind: 'compare_base' });
    return undefined;
  }
  clearRetries(draft);
  if (input.discardedEdits) recordDiscardedEdits(draft, input.discardedEdits);
  if (move.workspaceSha !== move.commitSha) requestReset(draft, move.commitSha);
  run.target.pendingBaseChange = null;
  run.target.base = { ...base, ref: input.ref, sha: input.commit.base };
  run.change.commit = input.commit;
  const { pushed } = run.change;
  if (pushed?.commit.sha === input.commit.sha) run.change.pushed = { ...pushed, commit: input.commit };
  else delete run.change.pushed;
  run.target.contract = input.contract;
  run.target.requiresSignedCommits = input.requiresSignedCommits;
  const reason = { kind: 'base_changed', from: move.from, to: move.to } as const;
  if (run.agent.round.kind !== 'implement' || run.change.commit.sha !== run.change.pushedHead?.sha) {
    const spent = findExhaustedBudget(
      run,
      isBaseUpdateDue(run) || isFixAwaitingChecks(run) ? 'check' : 'agent',
    );
    return void (spent ? stopForBudget(draft, spent) : enterState(draft, 'ITERATING', reason));
  }
  run.agent.round = innerRound(run.agent.round, 'implement', []);
  enterState(draft, 'CI_WAIT', reason);
  settleState(draft);
  return undefined;
};

/** A pull request shows its own base; only runs without one follow the rename here. */
const onBranchRenamed = (draft: StepDraft, { from, to }: InputOf<'forge.branch.renamed'>): HandlerRuling => {
  const { run } = draft;
  if (run.upstream.pullRequest || run.target.base?.ref !== from) return { ignore: 'nothing new' };
  run.target.base = { ...run.target.base, ref: to };
  if (run.change.pendingMerge) run.change.pendingMerge = { ...run.change.pendingMerge, ref: to };
  return undefined;
};

export const BASE_RESULTS = [
  /** F12: diff of our commit against the new base of the pull request. */
  defineResult({
    type: 'worker.base.compared',
    fields: {
      ref: z.string(),
      commit: Commit,
      contract: Contract,
      requiresSignedCommits: z.boolean(),
      discardedEdits: DISCARDED_EDITS,
    },
    moves: [
      moveFrom(['ITERATING'], SETTLED, 'compared with its new base; goes on, or has nothing to do there'),
    ],
    // The comparison is requested again whenever work on the change begins.
    late: 'ignored',
    handle: (d, input): HandlerRuling => onBaseCompared(d, input),
  }),
];

export const BASE_FACTS = [
  defineFact({
    type: 'forge.branch.renamed',
    fields: { from: z.string(), to: z.string() },
    moves: stayIn([...BEFORE_PULL, 'PUSHED', ...STOPPED], 'the base has another name'),
    handle: (d, input): HandlerRuling => onBranchRenamed(d, input),
  }),
];
