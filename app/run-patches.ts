/** Reads a run's patch against its base, the last push, or somebody else's push. */
import type { FileOf, PatchOf } from '../bot/commands/command-context.ts';
import { MAX_PICTURE_BYTES } from '#chat-text';
import { DOCUMENT_LIMIT } from '#text-safety';
import type { Ledger } from '#ports/ledger';
import { isAgentWorking } from '#model/run';
import { workspaceShaOf, type Run } from '#run';
import type { LogPort } from '#ports/processes';
import type { WorkspacePort } from '#ports/workspaces';

type Unfinished = {
  query: Pick<Ledger['query'], 'attempts'>;
  workspaces: Pick<WorkspacePort, 'exists' | 'patch' | 'harvest'>;
  /** L7: workers have the workspaces of runs at work. */
  isElsewhere: boolean;
};
const HELD_ELSEWHERE = { text: '', omitted: 0, messages: [], isElsewhere: true } as const;
const NOBODY = { name: 'AgentPR', email: 'agentpr@localhost' };
/**
 * E21, E1: read as a change is harvested, and every folder is opened with care, because an agent may
 * begin there at any moment.
 */
const readUnfinishedPatch = async (
  run: Run,
  { query, workspaces, isElsewhere }: Unfinished,
): ReturnType<PatchOf> => {
  const { id: runId } = run;
  const parent = workspaceShaOf(run);
  const base = run.target.base?.sha;
  if (!isAgentWorking(run.lifecycle.state) && run.lifecycle.state !== 'PAUSED') return null;
  const isAtWork = async (): Promise<boolean> =>
    (await query.attempts(runId)).some(({ outcome }) => outcome === 'running');
  // Another process has the workspace, and here is at best an older copy.
  if (isElsewhere && (await isAtWork())) return HELD_ELSEWHERE;
  if (!parent || !base || !(await workspaces.exists(runId))) return null;
  const made = await workspaces.harvest({
    runId,
    base,
    parent,
    message: '',
    author: NOBODY,
    at: 0,
    isAtWork: true,
  });
  if (made.kind !== 'commit') return null;
  return workspaces.patch({ runId, base, head: made.commit.sha, limit: DOCUMENT_LIMIT });
};

export const createPatchReader =
  (
    { query }: { query: Pick<Ledger['query'], 'run' | 'attempts'> },
    workspaces: Pick<WorkspacePort, 'exists' | 'patch' | 'harvest'>,
    { isElsewhere = false }: { isElsewhere?: boolean } = {},
  ): PatchOf =>
  async (runId, since) => {
    const run = await query.run(runId);
    if (since === 'unfinished') return run && readUnfinishedPatch(run, { query, workspaces, isElsewhere });
    if (!run?.change.commit || !(await workspaces.exists(runId))) return null;
    const {
      change: { pushedHead: pushed, foreignHead: foreign },
    } = run;
    if (since === 'theirs') {
      if (!foreign?.head || !pushed) return null;
      return workspaces.patch({ runId, base: pushed.sha, head: foreign.head.sha, limit: DOCUMENT_LIMIT });
    }
    if (since === 'card') {
      const { ownCommits, commit, earlierCards } = run.change;
      const before = earlierCards?.at(-1)?.commit.sha ?? ownCommits[ownCommits.indexOf(commit.sha) - 1];
      if (before === undefined) return null;
      return workspaces.patch({ runId, base: before, head: commit.sha, limit: DOCUMENT_LIMIT });
    }
    const base = (since === 'pushed' ? pushed?.sha : null) ?? run.change.commit.base;
    return workspaces.patch({ runId, base, head: run.change.commit.sha, limit: DOCUMENT_LIMIT });
  };

export const createCommitFileReader =
  (workspaces: Pick<WorkspacePort, 'exists' | 'tree'>): FileOf =>
  async (runId, sha, path) =>
    (await workspaces.exists(runId))
      ? (await workspaces.tree(runId, sha)).bytes(path, MAX_PICTURE_BYTES)
      : null;

/** L7: fetches the run's workspace first, for a process that works on no runs. */
export const withFetchedWorkspace = (
  {
    workspaces,
    mover,
  }: {
    workspaces: Pick<WorkspacePort, 'exists' | 'patch' | 'tree' | 'harvest'>;
    mover: { bring(runId: string): Promise<void> };
  },
  log: Pick<LogPort, 'warn'>,
): Pick<WorkspacePort, 'exists' | 'patch' | 'tree' | 'harvest'> => ({
  patch: workspaces.patch,
  harvest: workspaces.harvest,
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
