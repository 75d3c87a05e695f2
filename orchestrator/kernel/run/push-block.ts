/** Says why nothing can be pushed to the pull request of a run, as the code host shows it (F12). */
import type { RunUpstream } from './run.ts';
import type { PushBlock } from '#model/failure';

/** Returns null when a push may work: commands that lead to one are then accepted and offered. */
export const pushBlockOf = (run: {
  upstream: Pick<RunUpstream, 'pullRequest' | 'observed'>;
}): PushBlock | null => {
  const { pullRequest: pr, observed: seen } = run.upstream;
  const shown = seen.pull && seen.pull.id === pr?.id ? seen.pull.metadata : undefined;
  const repository = shown?.repo ?? seen.repository;
  // guard: F12-archived-blocks
  if (repository?.archived) return 'archived';
  // guard: F12-fork-gone-blocks
  return shown?.headDeleted ? 'fork_deleted' : null;
};
