/** Reads a run's patch against its base, the last push, or somebody else's push. */
import type { FileOf, PatchOf } from '../bot/commands/command-context.ts';
import { MAX_PICTURE_BYTES } from '#chat-text';
import { DOCUMENT_LIMIT } from '#text-safety';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import type { WorkspacePort } from '#ports/workspaces';

export const createPatchOf =
  (
    { query }: { query: Pick<Ledger['query'], 'run'> },
    workspaces: Pick<WorkspacePort, 'exists' | 'patch'>,
  ): PatchOf =>
  async (runId, since) => {
    const run = await query.run(runId);
    if (!run?.change.commit || !(await workspaces.exists(runId))) return null;
    const {
      change: { pushedHead: pushed, foreignHead: foreign },
    } = run;
    if (since === 'theirs') {
      if (!foreign?.head || !pushed) return null;
      return workspaces.patch({ runId, base: pushed.sha, head: foreign.head.sha, limit: DOCUMENT_LIMIT });
    }
    if (since === 'card') {
      const { ownCommits, commit } = run.change;
      const before = ownCommits[ownCommits.indexOf(commit.sha) - 1];
      if (before === undefined) return null;
      return workspaces.patch({ runId, base: before, head: commit.sha, limit: DOCUMENT_LIMIT });
    }
    const base = (since === 'pushed' ? pushed?.sha : null) ?? run.change.commit.base;
    return workspaces.patch({ runId, base, head: run.change.commit.sha, limit: DOCUMENT_LIMIT });
  };

export const createFileOf =
  (workspaces: Pick<WorkspacePort, 'exists' | 'tree'>): FileOf =>
  async (runId, sha, path) =>
    (await workspaces.exists(runId))
      ? (await workspaces.tree(runId, sha)).bytes(path, MAX_PICTURE_BYTES)
      : null;

/** L7: fetches the run's workspace first, for a process that works on no runs. */
export const bringWorkspaceFirst = (
  {
    workspaces,
    mover,
  }: {
    workspaces: Pick<WorkspacePort, 'exists' | 'patch' | 'tree'>;
    mover: { bring(runId: string): Promise<void> };
  },
  log: Pick<LogPort, 'warn'>,
): Pick<WorkspacePort, 'exists' | 'patch' | 'tree'> => ({
  patch: workspaces.patch,
  tree: workspaces.tree,
  exists: async (runId) => {
    try {
      await mover.bring(runId);
    } catch (error) {
      log.warn({ err: error, run: runId }, 'what a run changes could not be brought here to be shown');
    }
    return workspaces.exists(runId);
  },
});
