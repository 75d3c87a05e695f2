/** Deletes branches of runs ended before a pull request and, by setting, of finished forks. */
import { failureConsequence } from '#model/failure';
import { headName } from '#model/pull';
import { SECOND } from '#model/values';
import { alternativeBranch } from '#pull-text';
import { repositoryOf, type Run } from '../run/run.ts';
import type { ClaimOf, HandlerOutcome } from '../runtime/effect-handler.ts';
import { OutsideFailure, type RepoFacts } from '#ports/forge';
import type { ForgeForks, ForgePulls, ForgeRepository } from '#ports/roles';
import { findKnownFork, headRepoRef } from '../gate/ensure-fork.io.ts';
import { readRunRepository, type EffectContext } from '../handlers/effect-context.ts';
import { branchToPush } from '../gate/gather-proposal.io.ts';

type Needs = Pick<EffectContext, 'settings' | 'workspaces' | 'log' | 'ledger' | 'clock'> & {
  forge: ForgeRepository & ForgeForks & ForgePulls;
};
type Branch = { branch: string; sha: string };

const MAX_TRIES = 4;
const OPENING_MS = 10 * SECOND;

// guard: S10-taken-branch-stays
const isEndedEarly = ({
  lifecycle: { reason },
  upstream: { pullRequest: pr },
  change: { adoptedHead: taken },
}: Run): boolean => reason.kind === 'ended_by_person' && pr === null && taken === null;

const goesWithPull = ({
  lifecycle: { reason },
  upstream: { pullRequest: pr },
  change: { adoptedHead: taken },
}: Run): boolean =>
  reason.kind === 'ended_by_person' && reason.branch === 'removed' && pr !== null && taken === null;

const isClosing = async ({ ledger }: Needs, { id: runId }: Run): Promise<boolean> => {
  const closings = await ledger.query.effects({ runId, kind: 'close_pr' });
  return closings.some(({ state }) => state === 'pending' || state === 'claimed');
};

const isOverInFork = (
  { target: { fork }, upstream: { pullRequest: pr, observed: seen } }: Run,
  { settings }: Needs,
): boolean => {
  const { removeBranches } = settings.forks;
  if (!fork || !pr || removeBranches === 'never') return false;
  return removeBranches === 'merged' ? seen.pull?.merged === true : seen.pull?.state === 'closed';
};

/** A push without an answer may have created the branch under either name. */
const namesOf = (run: Run): string[] => {
  if (run.change.pushedHead) return [run.change.pushedHead.branch];
  if (run.change.ownCommits.length === 0 || !run.target.contract) return [];
  const branch = branchToPush(run);
  return [branch, alternativeBranch(branch)];
};

const ownBranches = async ({ workspaces }: Needs, run: Run, head: RepoFacts): Promise<Branch[]> => {
  const found: Branch[] = [];
  for (const branch of namesOf(run)) {
    const sha = await workspaces.remoteHead({ runId: run.id, repo: headRepoRef(run, head), branch });
    // guard: E14-removes-own-commit
    if (sha !== null && run.change.ownCommits.includes(sha)) found.push({ branch, sha });
  }
  return found;
};

const isProposed = async ({ forge }: Needs, run: Run, { branch }: Branch): Promise<boolean> => {
  const pulls = await forge.pullsByHead(repositoryOf(run), headName(run.target.fork, branch));
  return pulls.some(({ state }) => state === 'open');
};

/** An opening in flight still needs its branch. */
const mayStillOpen = async ({ ledger }: Needs, { id: runId }: Run): Promise<boolean> => {
  const openings = await ledger.query.effects({ runId, kind: 'open_pr' });
  return openings.some(({ state }) => state === 'pending' || state === 'claimed');
};

const removeOwnBranches = async (parts: Needs, run: Run): Promise<void> => {
  const base = await readRunRepository(parts, run);
  const head = run.target.fork ? await findKnownFork(parts, run.target.fork) : base;
  if (!head) return;
  const kept = [base.defaultBranch, head.defaultBranch, run.target.base?.ref];
  for (const one of await ownBranches(parts, run, head)) {
    // guard: P3-removes-no-target
    if (kept.includes(one.branch)) continue;
    // guard: G1-proposed-branch-stays
    if (await isProposed(parts, run, one)) continue;
    await parts.workspaces.removeRemote({ runId: run.id, repo: headRepoRef(run, head), ...one });
  }
};

export const removeBranch = async (
  parts: Needs,
  run: Run,
  { tries }: Pick<ClaimOf<'remove_workspace'>, 'tries'>,
): Promise<HandlerOutcome | null> => {
  if (!isEndedEarly(run) && !isOverInFork(run, parts) && !goesWithPull(run)) return null;
  // guard: G1-opening-before-removal
  if ((await mayStillOpen(parts, run)) || (goesWithPull(run) && (await isClosing(parts, run))))
    return {
      kind: 'later',
      at: parts.clock.now() + OPENING_MS,
      reason: 'an opening or closing is under way',
      counts: false,
    };
  try {
    await removeOwnBranches(parts, run);
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    if (failureConsequence(error.class) === 'retry' && tries < MAX_TRIES) throw error;
    parts.log.info({ why: error.message, run: run.id }, 'a branch could not be removed');
  }
  return null;
};
