/** Kills processes that a crash left behind, and unlocks their files (L6). */
import { existsSync, realpathSync } from 'node:fs';
import type { ProcessReaper } from '#ports/processes';
import { createDataLayout } from './data-layout.ts';
import { restorePermissions } from './restore-permissions.ts';
import {
  killProcessTree,
  readProcesses,
  markPrefix,
  listProcessTree,
  findProcessStartTime,
  type ProcessTree,
} from './process-tree.ts';

const MAX_REAP_PASSES = 2;

export const createReaper = (deps: { dataDir: string }): ProcessReaper => ({
  reap: async (attempts) => {
    const dataDir = realpathSync(deps.dataDir);
    const trees = attempts.flatMap(({ runId, pid, pidStart }): ProcessTree[] => {
      // A different start time means a reused pid; the mark still finds our processes.
      // guard: L6-foreign-pid
      const same = pid !== null && pidStart !== null && findProcessStartTime(pid) === pidStart;
      const marked = { root: null, start: 0, mark: markPrefix(dataDir, runId) };
      return same ? [{ root: pid, start: Number(pidStart), mark: null }, marked] : [marked];
    });
    const alive = new Set<number>();
    // Scan again for processes born during the first scan.
    for (let looks = 1; looks <= MAX_REAP_PASSES; looks += 1) {
      const sight = readProcesses();
      for (const tree of trees) {
        const left = listProcessTree(tree, new Map(), sight);
        for (const { pid } of left) alive.add(pid);
        if (left.length > 0) await killProcessTree(tree);
      }
    }
    const layout = createDataLayout(dataDir);
    const [first, ...more] = [...new Set(attempts.map(({ runId }) => runId))]
      .flatMap((runId) => [layout.run(runId).workspace, layout.run(runId).home])
      .filter((place) => existsSync(place));
    if (first !== undefined) await restorePermissions(first, ...more);
    return alive.size;
  },
});
