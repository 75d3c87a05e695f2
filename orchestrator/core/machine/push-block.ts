/** F12: why nothing can be pushed to the pull request of a run, as the code host shows it. */
import type { Run } from './run.ts';
import type { PushBlock } from './sight.ts';

/** Null when a push may work: commands that lead to one are taken, and their buttons offered. */
export const pushBlockOf = ({ pr, seen }: Pick<Run, 'pr' | 'seen'>): PushBlock | null => {
  const shown = seen.pull && seen.pull.id === pr?.id ? seen.pull.shown : undefined;
  const repository = shown?.repo ?? seen.repository;
  // guard: F12-archived-blocks
  if (repository?.archived) return 'archived';
  // guard: F12-fork-gone-blocks
  return shown?.headGone ? 'fork_gone' : null;
};
