/**
 * L7: work that waits for whichever of several workers is free, as jobs that name its effect. A job
 * may come twice or for nothing: the ledger decides what it means.
 */

/** Pools of effects that workers do. */
export const JOB_POOLS = ['outside', 'heavy'] as const;
export type JobPool = (typeof JOB_POOLS)[number];

export type WorkerJob = {
  /** The effect, by its number. */
  n: number;
  /** Its worker lives. */
  touch(): Promise<unknown>;
  /** There is nothing more to do about it. */
  done(): Promise<unknown>;
  /** It could not be done yet: it comes again in a moment. */
  again(): Promise<unknown>;
};

export type JobQueue = {
  /** Jobs that are ours from now on; those of runs that this worker has at hand go first. */
  take(pool: JobPool, most: number): Promise<WorkerJob[]>;
};
