/**
 * L7: a worker: takes jobs as far as there are places, claims their effects, and does them. What a
 * job means the ledger says: one that comes twice, or too late, finds nothing to claim.
 */
import { traitsOf } from '../core/machine/effect-traits.ts';
import type { Run } from '../core/machine/run.ts';
import { SECOND } from '../core/units.ts';
import { JOB_POOLS, type Claim, type WorkerJob, type JobPool, type Jobs, type Timers } from '../ports.ts';
import { LIGHT_CAP } from './dispatch.ts';
import { LEASE_MS } from './handler.ts';
import { createLeases } from './leases.ts';
import { createPerform, createTries, SHUTDOWN, type PerformParts } from './perform.ts';

export type WorkerParts = PerformParts & {
  jobs: Jobs;
  timers: Timers;
  /** How many agents and checks may run at once here. */
  heavyCap: number;
  /** Between two life signs of a job (ms). */
  touchMs: number;
  /** Before each effect. */
  before: () => Promise<unknown>;
};

export type WorkerLoop = {
  /** Looks for jobs now. Cheap; call it whenever there may be one. */
  wake: () => void;
  /** Stops what works for an epoch that is over. */
  onWritten: (run: Run) => void;
  /** Whether something is being done for it here. */
  worksOn: (runId: string) => boolean;
  stop(): Promise<void>;
};

/** Jobs that nobody told of are looked for so often (ms). */
const LOOK_EVERY = 2 * SECOND;
/** Clocks that follow one another are not the same: what is due at once is due (ms). */
const SOON = SECOND / 4;

export const createWorker = (parts: WorkerParts): WorkerLoop => {
  const { ledger, jobs, clock, timers, log, heavyCap, touchMs } = parts;
  const perform = createPerform(parts);
  const { running, begin } = createTries(async (claim, signal) => {
    try {
      await perform(claim, signal);
    } catch (error) {
      log.error({ err: error, effect: claim.id }, 'the ledger did not take an outcome');
    }
  });
  const keepLease = createLeases(parts);
  const busy: Record<JobPool, number> = { heavy: 0, outside: 0 };
  const atWork = new Set<Promise<void>>();
  let stopped = false;
  let taking = false;
  let again = false;
  let alarm: { cancel(): void } | null = null;

  const work = async (claim: Claim): Promise<void> => {
    const { stop, done } = begin(claim);
    const lease = keepLease(claim, stop);
    await done.finally(() => lease.cancel());
  };

  const keepJob = (job: WorkerJob): { cancel(): void } => {
    let timer = { cancel: () => {} };
    const sign = (): void => {
      timer = timers.after(touchMs, () => {
        job.touch().catch((error: unknown) => log.warn({ err: error }, 'a job got no sign of life'));
        sign();
      });
    };
    sign();
    return { cancel: () => timer.cancel() };
  };

  const serve = async (job: WorkerJob): Promise<void> => {
    const kept = keepJob(job);
    try {
      const now = clock.now() + SOON;
      const [claim] = await ledger.claim({ now, leaseMs: LEASE_MS, limit: 1, only: job.n });
      if (claim) await parts.before().then(() => work(claim));
      const left = claim ? null : await ledger.query.effect(job.n);
      // Its run is at other work, or it is not due yet. Of anything else its end is known, or its lease.
      await (left?.state === 'pending' && !stopped ? job.again() : job.done());
    } finally {
      kept.cancel();
    }
  };

  const start = (pool: JobPool, job: WorkerJob): void => {
    busy[pool] += 1;
    const one = serve(job)
      .catch((error: unknown) => log.error({ err: error, effect: job.n }, 'a job could not be done'))
      .finally(() => {
        busy[pool] -= 1;
        atWork.delete(one);
        wake();
      });
    atWork.add(one);
  };

  const take = async (pool: JobPool): Promise<void> => {
    const most = (pool === 'heavy' ? heavyCap : LIGHT_CAP) - busy[pool];
    if (most <= 0 || stopped) return;
    for (const job of await jobs.take(pool, most)) start(pool, job);
  };

  const wake = (): void => {
    if (stopped) return;
    again = taking;
    if (taking) return;
    taking = true;
    alarm?.cancel();
    Promise.all(JOB_POOLS.map(take))
      .catch((error: unknown) => log.error({ err: error }, 'jobs could not be taken'))
      .finally(() => {
        taking = false;
        alarm = timers.after(LOOK_EVERY, wake);
        if (again) wake();
      });
  };

  return {
    wake,
    onWritten(run) {
      for (const { claim, stop } of running.values()) {
        const over = claim.runId === run.id && claim.epoch !== null && claim.epoch !== run.epoch;
        if (over && traitsOf(claim.do.kind).stops) stop.abort();
      }
      wake();
    },
    worksOn: (runId) => [...running.values()].some(({ claim }) => claim.runId === runId),
    async stop() {
      stopped = true;
      alarm?.cancel();
      for (const { stop } of running.values()) stop.abort(SHUTDOWN);
      await Promise.allSettled([...atWork]);
    },
  };
};
