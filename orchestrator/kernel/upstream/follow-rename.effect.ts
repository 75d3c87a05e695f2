/** Follows renames on the code host: the run learns the name, then the step is repeated (F12). */
import { repositoryOf, type Run } from '../run/run.ts';
import type { Input } from '../run/input-types.ts';
import type { EffectKind } from '../effects/effect-types.ts';
import { type EffectHandler, toStepFailure } from '../runtime/effect-handler.ts';
import { OutsideFailure } from '#ports/forge';
import type { ForgePulls, ForgeRepository } from '#ports/roles';
import type { ClaimedEffect } from '#ports/steps';
import { toPullObserved, readPullOfRun } from '../ci/poll-code-host.io.ts';
import { learnContract } from '../preparation/discover.effect.ts';
import { contractToday, fallbackUnlessUnavailable } from '../preparation/read-contribution-rules.io.ts';
import {
  requireValue,
  PullMoved,
  RepositoryRenamed,
  readRunRepository,
  repoRef,
  requireRunOf,
  type EffectContext,
} from '../handlers/effect-context.ts';
import { toDiscardedEdits } from '../rounds/record-discarded-edits.ts';
import { workOfTitle } from '#model/pull';
import type { DiscardedEdits } from '#model/change';

type Needs = Pick<EffectContext, 'ledger' | 'submit' | 'clock'> & { forge: ForgeRepository & ForgePulls };

const findRenameInput = async ({ forge }: Needs, run: Run, error: OutsideFailure): Promise<Input | null> => {
  if (error instanceof RepositoryRenamed) {
    const { id, name, archived } = error.facts;
    return { type: 'forge.repository.observed', repository: id, name, archived };
  }
  if (error instanceof PullMoved) return toPullObserved(error.pull);
  if (error.class !== 'base_missing' || !run.target.base) return null;
  // The code host retargets open pull requests itself, so its answer counts.
  if (run.upstream.pullRequest)
    return toPullObserved((await readPullOfRun({ forge }, run, run.upstream.pullRequest.id, 'whole')).pull);
  const to = await forge.branchName(repositoryOf(run), run.target.base.ref);
  return to === null ? null : { type: 'forge.branch.renamed', from: run.target.base.ref, to };
};

const renameStateKey = (run: Run): string =>
  JSON.stringify([repositoryOf(run).toLowerCase(), run.target.base?.ref, run.lifecycle.epoch]);

const followRename = async (parts: Needs, claim: ClaimedEffect, error: OutsideFailure): Promise<boolean> => {
  const run = await requireRunOf(parts, claim.runId);
  const input = await findRenameInput(parts, run, error);
  if (!input) return false;
  const key = `effect:${claim.id}:${claim.leaseEpoch}:followed`;
  await parts.submit({ runId: run.id, input, key, cause: { kind: 'none' } });
  // guard: F12-followed-once
  return renameStateKey(await requireRunOf(parts, claim.runId)) !== renameStateKey(run);
};

export const withRenameFollowed =
  <K extends EffectKind>(parts: Needs, handler: EffectHandler<K>): EffectHandler<K> =>
  async (claim, signal) => {
    try {
      return await handler(claim, signal);
    } catch (error) {
      if (!(error instanceof OutsideFailure) || !(await followRename(parts, claim, error))) throw error;
      return { kind: 'later', at: parts.clock.now(), reason: error.message, counts: false };
    }
  };

/** Recreates a clean workspace for a new base, so that its git knows it. */
const layWorkspaceAt = async (
  { workspaces }: Pick<EffectContext, 'workspaces'>,
  run: Run,
  { commitSha: sha, workspaceSha: at }: { commitSha: string; workspaceSha: string },
  base: string,
): Promise<DiscardedEdits | null> => {
  const [id, before] = [run.id, requireValue(run.target.base, 'base').sha];
  if ((at === sha && base === before) || !(await workspaces.exists(id))) return null;
  const { files } = await workspaces.left({ runId: id, base: before, sha: at });
  if (at === sha && files.length > 0) return null;
  await workspaces.reset({ runId: id, sha, base });
  return files.length === 0 ? null : toDiscardedEdits('other_commit', files);
};

export const createCompareBaseHandler =
  (parts: EffectContext): EffectHandler<'compare_base'> =>
  async (claim) => {
    const { workspaces, forge } = parts;
    const run = await requireRunOf(parts, claim.runId);
    const move = requireValue(run.target.pendingBaseChange, 'other base');
    const repo = repoRef(run, await readRunRepository(parts, run));
    const before = requireValue(run.target.contract, 'contract');
    const { commit, tip } = await workspaces.against({
      runId: run.id,
      repo,
      ref: move.to,
      sha: move.commitSha,
    });
    const undone = await layWorkspaceAt(parts, run, move, commit.base);
    const learned = await learnContract(
      parts,
      { id: run.id, repo: repositoryOf(run), work: workOfTitle(run.order.goal) },
      tip,
    );
    if ('problem' in learned) return toStepFailure('compare_base', 'bad_repository_file', learned.problem);
    // Checks of the files come from the commit; rules come from the new base.
    const { rules } = await contractToday(
      parts,
      { ...run, target: { ...run.target, base: { ...requireValue(run.target.base, 'base'), sha: '' } } },
      tip,
    );
    const { installs, checks } = before;
    const contract = { ...learned, rules, installs, checks };
    const wantsSigned = await fallbackUnlessUnavailable(forge.wantsSigned(repositoryOf(run), move.to), false);
    const input = {
      type: 'worker.base.compared',
      ref: move.to,
      commit,
      contract,
      requiresSignedCommits: wantsSigned,
      discardedEdits: undone,
    } as const;
    return { kind: 'result', input };
  };
