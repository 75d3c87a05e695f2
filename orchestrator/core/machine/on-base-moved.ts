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
  const { base, commit, pushed, merging } = run;
  if (!base || !commit || !pushed) return;
  const sha = run.baseMove?.sha ?? (merging ? pushed.sha : commit.sha);
  const at = run.baseMove?.at ?? workspaceAt(run) ?? sha;
  const from = run.baseMove?.from ?? base.ref;
  run.baseMove = { from, to, sha, at };
  run.base = { ...base, ref: to };
  run.compared = null;
  if (commit.sha !== pushed.sha) run.evaluation = run.proposal = null;
  // Commits of the old base belong into no pull request against the new one.
  // guard: F12-old-merge-dropped
  if (merging) {
    run.merging = null;
    run.round = { kind: 'merge_base', told: [], about: askedFor(run.round) };
  }
  if (run.state === 'ITERATING') enter(d, 'ITERATING', { kind: 'base_moved', from, to });
};

/** The change compared with its new base: whatever follows builds upon that. */
export const baseFollowed = (d: Draft, input: InputOf<'worker.base.followed'>): Ruling => {
  const { run } = d;
  const { baseMove: move, base } = run;
  if (!move || !base) return { ignore: 'nobody asks' };
  if (move.to !== input.ref || move.sha !== input.commit.sha) {
    work(d, { kind: 'follow_base' });
    return undefined;
  }
  succeeded(d);
  if (input.undone) undo(d, input.undone);
  if (move.at !== move.sha) run.lay = move.sha;
  run.baseMove = null;
  run.base = { ...base, ref: input.ref, sha: input.commit.base };
  run.commit = input.commit;
  run.contract = input.contract;
  run.wantsSigned = input.wantsSigned;
  const reason = { kind: 'base_moved', from: move.from, to: move.to } as const;
  if (run.round.kind !== 'implement' || run.commit.sha !== run.pushed?.sha) {
    // No agent and no check begins that nothing is left for.
    const spent = usedUp(run, isToUpdate(run) || fixWaits(run) ? 'check' : 'agent');
    return spent ? (outOf(d, spent) as undefined) : void enter(d, 'ITERATING', reason);
  }
  run.round = within(run.round, 'implement', []);
  enter(d, 'CI_WAIT', reason);
  settle(d);
  return undefined;
};

/** Before there is a pull request nobody moves it: the new name of the branch is asked for. */
export const branchRenamed = (d: Draft, { from, to }: InputOf<'forge.branch.renamed'>): Ruling => {
  const { run } = d;
  if (run.pr || run.base?.ref !== from) return { ignore: 'nothing new' };
  run.base = { ...run.base, ref: to };
  if (run.merging) run.merging = { ...run.merging, ref: to };
  return undefined;
};
