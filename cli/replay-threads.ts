/** Starts the threads of `agentpr replay`, each with its own connection to the ledger. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ReplayHelpers, ShareResult } from '#audit';

/** More threads would wait for the disk. */
const MAX_REPLAY_THREADS = 7;

export const createReplayThreads = (
  dataDir: string,
  database: string | null = null,
  count = availableParallelism() - 1,
): ReplayHelpers => ({
  count: Math.min(count, MAX_REPLAY_THREADS),
  verifyShare: (share) =>
    new Promise((resolve) => {
      const worker = new Worker(new URL(import.meta.resolve('#programs/replay-worker')), {
        workerData: { dataDir, database, share },
      });
      worker.once('message', (part: ShareResult) => resolve(part));
      // The caller then verifies this share itself.
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
    }),
});
