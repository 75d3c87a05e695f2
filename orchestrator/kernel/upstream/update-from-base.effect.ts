/** `update` merges today's base into a change; `head` reads commits that others pushed (S10). */
import { baseMergeMessage } from '#pull-text';
import type { BaseMerge, DiscardedEdits } from '#model/change';
import { toDiscardedEdits } from '../rounds/record-discarded-edits.ts';
import { readHeadRepository, headRepoRef } from '../gate/ensure-fork.io.ts';
import { findLeftovers } from '../rounds/restore-guarded-files.io.ts';
import type { Run } from '../run/run.ts';
import { toStepFailure, type EffectHandler } from '../runtime/effect-handler.ts';
import type { WorkspacePort } from '#ports/workspaces';
import {
  requireValue,
  readRunRepository,
  repoRef,
  requireRunOf,
  type EffectContext,
} from '../handlers/effect-context.ts';
import { branchToPush } from '../gate/gather-proposal.io.ts';

export const parentCommitsOf = (run: Run): { base: string; parent: string; parents?: readonly string[] } => {
  const base = requireValue(run.target.base, 'base').sha;
  const { pendingMerge: merging, pushedHead: pushed } = run.change;
  if (!merging) return { base, parent: pushed?.sha ?? base };
  // The base's new files are tracked in the laid-out merge and in neither parent.
  return {
    base: merging.sha,
    parent: merging.workspaceSha,
    parents: [...(pushed ? [pushed.sha] : []), merging.sha],
  };
};

export const mergeMessage = (run: Run, merging: Pick<BaseMerge, 'ref'>): string =>
  run.change.pushedHead
    ? baseMergeMessage(
        merging.ref,
        run.change.pushedHead.branch,
        requireValue(run.target.contract, 'contract'),
        run.target.commitTrailers,
      )
    : requireValue(run.change.commit, 'commit').message;

const findUncommitted = async (parts: EffectContext, run: Run): Promise<DiscardedEdits | null> => {
  if (!(await parts.workspaces.exists(run.id))) return null;
  const { files } = await findLeftovers(parts, run);
  return files.length === 0 ? null : toDiscardedEdits('other_commit', files);
};

export const createUpdateFromBaseHandler =
  (parts: EffectContext): EffectHandler<'update_from_base'> =>
  async (claim) => {
    const run = await requireRunOf(parts, claim.runId);
    const { ref } = requireValue(run.target.base, 'base');
    const undone = await findUncommitted(parts, run);
    const merge = await parts.workspaces.merge({
      runId: run.id,
      repo: repoRef(run, await readRunRepository(parts, run)),
      ref,
      head: requireValue(run.change.commit, 'commit').sha,
      pushed: run.change.pushedHead?.sha ?? null,
      message: mergeMessage(run, { ref }),
      author: parts.settings.author,
      at: run.lifecycle.createdAt,
    });
    const told = { type: 'worker.base.merged', ref, sha: merge.sha, discardedEdits: undone } as const;
    switch (merge.kind) {
      case 'level':
        return { kind: 'result', input: { ...told, commits: 0, result: { kind: 'level' } } };
      case 'merged': {
        const { commits, commit } = merge;
        return {
          kind: 'result',
          input: {
            ...told,
            commits,
            result: { kind: 'merged', commit, workspaceSha: commit.sha, conflicts: [] },
          },
        };
      }
      case 'conflicts': {
        const { commits, laid, paths, says } = merge;
        const result = { kind: 'conflicts', workspaceSha: laid, conflicts: paths, says } as const;
        return { kind: 'result', input: { ...told, commits, result } };
      }
    }
  };

export const createReadHeadHandler =
  (parts: EffectContext): EffectHandler<'read_head'> =>
  async (claim) => {
    const { sha, adoptedBy: takenBy } = claim.do;
    const run = await requireRunOf(parts, claim.runId);
    const branch = branchToPush(run);
    const base = await readRunRepository(parts, run);
    const repo = headRepoRef(run, await readHeadRepository(parts, run, base));
    const head = await parts.workspaces.head({
      runId: run.id,
      repo,
      branch,
      ours: requireValue(run.change.pushedHead, 'pushed commit').sha,
      ref: requireValue(run.target.base, 'base').ref,
      baseRepo: repoRef(run, base),
    });
    if (!head) return toStepFailure('read_head', 'forge_refused', `the branch ${branch} is gone`);
    // Only the head that was shown is adopted; another one is shown first.
    const by = head.sha === sha ? takenBy : null;
    const undone = by === null && !head.mergedBase ? null : await findUncommitted(parts, run);
    return {
      kind: 'result',
      input: { type: 'worker.head.read', head, adoptedBy: by, discardedEdits: undone },
    };
  };

/** S10: files with a conflict marker, as a failed check's output; null when none do. */
export const findConflictMarkers = async (
  { workspaces }: { workspaces: Pick<WorkspacePort, 'unresolved'> },
  run: Run,
): Promise<string | null> => {
  const { pendingMerge: merging, commit } = run.change;
  if (!merging || !commit || merging.conflicts.length === 0) return null;
  const { conflicts: paths, sha: theirs, ownSha: ours } = merging;
  const left = await workspaces.unresolved({ runId: run.id, sha: commit.sha, ours, theirs, paths });
  return left.length === 0 ? null : left.join('\n');
};
