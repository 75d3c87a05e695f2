/**
 * Takes the branch of a run away that no pull request needs: of one that people ended before a pull
 * request was opened, and of a fork once its pull request is over, where the settings say so.
 */
import { failureConsequence } from '../core/failure-classes.ts';
import { headName } from '../core/push-fork.ts';
import { alternativeBranch } from '#pull-text';
import { repositoryOf, type Run } from '../core/machine/run.ts';
import { SECOND } from '../core/units.ts';
import type { ClaimOf, HandlerOutcome } from '../engine/effect-handler.ts';
import { OutsideFailure, type RepoFacts } from '../ports.ts';
import { knownFork, refOf } from './ensure-fork.ts';
import { repoOf, type EffectContext } from './effect-context.ts';
import { targetBranch } from './seal-proposal.ts';

type Needs = Pick<EffectContext, 'forge' | 'settings' | 'workspaces' | 'log' | 'ledger' | 'clock'>;
type Branch = { branch: string; sha: string };

/** Tries before a branch is left where it is: it harms nobody. */
const MAX_TRIES = 4;
const OPENING_MS = 10 * SECOND;

/** Whose commit was taken over may still want it. */
// guard: S10-taken-branch-stays
const isEndedEarly = ({
  lifecycle: { reason },
  upstream: { pullRequest: pr },
  change: { adoptedHead: taken },
}: Run): boolean => reason.kind === 'ended_by_person' && pr === null && taken === null;

const isOverInFork = (
  { target: { fork }, upstream: { pullRequest: pr, observed: seen } }: Run,
  { settings }: Needs,
): boolean => {
  const { removeBranches } = settings.forks;
  if (!fork || !pr || removeBranches === 'never') return false;
  return removeBranches === 'merged' ? seen.pull?.merged === true : seen.pull?.state === 'closed';
};

/** A push that nobody heard back from may have reached the branch, under either of its names. */
const namesOf = (run: Run): string[] => {
  if (run.change.pushedHead) return [run.change.pushedHead.branch];
  if (run.change.ownCommits.length === 0 || !run.target.contract) return [];
  const branch = targetBranch(run);
  return [branch, alternativeBranch(branch)];
};

/** Branches of the run that are still at a commit of ours. */
const ownBranches = async ({ workspaces }: Needs, run: Run, head: RepoFacts): Promise<Branch[]> => {
  const found: Branch[] = [];
  for (const branch of namesOf(run)) {
    const sha = await workspaces.remoteHead({ runId: run.id, repo: refOf(run, head), branch });
    // guard: E14-removes-own-commit
    if (sha !== null && run.change.ownCommits.includes(sha)) found.push({ branch, sha });
  }
  return found;
};

const isProposed = async ({ forge }: Needs, run: Run, { branch }: Branch): Promise<boolean> => {
  const pulls = await forge.pullsByHead(repositoryOf(run), headName(run.target.fork, branch));
  return pulls.some(({ state }) => state === 'open');
};

/** Whether an opening may still reach the code host: then its branch is needed. */
const mayStillOpen = async ({ ledger }: Needs, { id: runId }: Run): Promise<boolean> => {
  const openings = await ledger.query.effects({ runId, kind: 'open_pr' });
  return openings.some(({ state }) => state === 'pending' || state === 'claimed');
};

const remove = async (parts: Needs, run: Run): Promise<void> => {
  const base = await repoOf(parts, run);
  const head = run.target.fork ? await knownFork(parts, run.target.fork) : base;
  if (!head) return;
  const kept = [base.defaultBranch, head.defaultBranch, run.target.base?.ref];
  for (const one of await ownBranches(parts, run, head)) {
    // guard: P3-removes-no-target
    if (kept.includes(one.branch)) continue;
    // guard: G1-proposed-branch-stays
    if (await isProposed(parts, run, one)) continue;
    await parts.workspaces.removeRemote({ runId: run.id, repo: refOf(run, head), ...one });
  }
};

/** Null when nothing is left to be done about it. */
export const removeBranch = async (
  parts: Needs,
  run: Run,
  { tries }: Pick<ClaimOf<'remove_workspace'>, 'tries'>,
): Promise<HandlerOutcome | null> => {
  if (!isEndedEarly(run) && !isOverInFork(run, parts)) return null;
  // guard: G1-opening-before-removal
  if (await mayStillOpen(parts, run))
    return {
      kind: 'later',
      at: parts.clock.now() + OPENING_MS,
      reason: 'an opening is under way',
      counts: false,
    };
  try {
    await remove(parts, run);
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    if (failureConsequence(error.class) === 'retry' && tries < MAX_TRIES) throw error;
    parts.log.info({ why: error.message, run: run.id }, 'a branch could not be removed');
  }
  return null;
};
