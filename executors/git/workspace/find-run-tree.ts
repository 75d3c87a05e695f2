/** Reads a commit of a run's trusted git directory, for programs that only look. */
import { existsSync } from 'node:fs';
import type { WorkspacePort } from '#ports/workspaces';
import { createDataLayout } from '../../process/data-layout.ts';
import { requireSha } from '../object-ids.ts';
import { createGit } from '../trusted-git.ts';
import { readTree } from './read-tree.ts';

export const findRunTree = async (
  dataDir: string,
  runId: string,
  sha: string,
): Promise<Awaited<ReturnType<WorkspacePort['tree']>> | null> => {
  const { git } = createDataLayout(dataDir).run(runId);
  if (!existsSync(git)) return null;
  try {
    return await readTree(createGit('https'), git, requireSha(sha));
  } catch {
    return null;
  }
};
