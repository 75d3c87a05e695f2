/**
 * Helpers of `agentpr replay`: one thread for each further core, each with a look of its own at the
 * ledger.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReplayHelpers, ShareResult } from '../orchestrator/engine/replay.ts';

/** More would wait for the disk. */
const MAX_REPLAY_THREADS = 7;

export const createThreads = (
  dataDir: string,
  database: string | null = null,
  count = availableParallelism() - 1,
): ReplayHelpers => ({
  count: Math.min(count, MAX_REPLAY_THREADS),
  judge: (share) =>
    new Promise((resolve) => {
      const worker = new Worker(new URL(import.meta.resolve('#programs/replay-thread')), {
        workerData: { dataDir, database, share },
      });
      worker.once('message', (part: ShareResult) => resolve(part));
      // Whoever asked judges the share then.
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
    }),
});
