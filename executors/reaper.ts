/** L6: ends what a crashed boot left behind; by pid and start time, and by the mark that its runs' processes carry. */
import { realpathSync } from 'node:fs';
import type { Reaper } from '../orchestrator/ports.ts';
import { killTree, markPrefix, members, startTime, type Tree } from './process-tree.ts';

/** Processes of another data directory are strangers: their marks begin differently. */
export const createReaper = (deps: { dataDir: string }): Reaper => ({
  reap: async (attempts) => {
    const dataDir = realpathSync(deps.dataDir);
    const trees = attempts.flatMap(({ runId, pid, pidStart }): Tree[] => {
      // Without the right start time the pid is somebody else's by now; the mark still finds our own.
      const same = pid !== null && pidStart !== null && startTime(pid) === pidStart;
      const marked = { root: null, start: 0, mark: markPrefix(dataDir, runId) };
      return same ? [{ root: pid, start: Number(pidStart), mark: null }, marked] : [marked];
    });
    const alive = new Set(trees.flatMap((tree) => members(tree, new Map()).map(({ pid }) => pid)));
    for (const tree of trees) await killTree(tree);
    return alive.size;
  },
});
