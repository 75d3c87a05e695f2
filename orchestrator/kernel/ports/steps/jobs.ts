/** Queue of effects for free workers (L7). Jobs may repeat or be stale; the ledger decides. */

export const JOB_POOLS = ['outside', 'heavy'] as const;
export type JobPool = (typeof JOB_POOLS)[number];

export type WorkerJob = {
  n: number;
  touch(): Promise<unknown>;
  done(): Promise<unknown>;
  /** Returns the job to the queue for a moment. */
  again(): Promise<unknown>;
};

export type JobQueue = {
  /** Takes jobs for this worker; runs whose workspace is here go first. */
  take(pool: JobPool, most: number): Promise<WorkerJob[]>;
};
