/** Takes jobs and runs their effects; the ledger rejects repeated or stale jobs (L7). */
import type { Run } from '../kernel/run/run.ts';
import { SECOND } from '#model/values';
import { JOB_POOLS, type WorkerJob, type JobPool, type JobQueue } from '#ports/steps';
import type { TimerPort } from '#ports/processes';
import { LEASE_MS } from '../kernel/runtime/effect-handler.ts';
import type { EffectRunnerParts } from '../kernel/runtime/effect-runner.ts';
import { createRunningEffects, LIGHT_CAP } from '../kernel/runtime/running-effects.ts';

type WorkerParts = EffectRunnerParts & {
  jobs: JobQueue;
  timers: TimerPort;
  heavyCap: number;
  /** Heartbeat interval of a job (ms). */
  touchMs: number;
  /** Other workers take the jobs while this is false. */
  hasRoom: () => boolean;
  before: () => Promise<unknown>;
};

type WorkerLoop = {
  /** Cheap; call it whenever there may be a job. */
  wake: () => void;
  onWritten: (run: Run) => void;
  worksOn: (runId: string) => boolean;
  /** Last successful request for jobs (epoch ms), or null. */
  tookAt: () => number | null;
  places: () => { pool: JobPool; busy: number; most: number }[];
  stop(): Promise<void>;
};

const JOB_POLL_INTERVAL_MS = 2 * SECOND;
const CLOCK_TOLERANCE_MS = SECOND / 4;

export const createWorker = (parts: WorkerParts): WorkerLoop => {
  const { ledger, jobs, clock, timers, log, heavyCap, touchMs } = parts;
  const work = createRunningEffects(parts);
  const busy: Record<JobPool, number> = { heavy: 0, outside: 0 };
  const atWork = new Set<Promise<void>>();
  let stopped = false;
  let taking = false;
  let again = false;
  let tookAt: number | null = null;
  let alarm: { cancel(): void } | null = null;

  const keepJob = (job: WorkerJob): { cancel(): void } => {
    let timer = { cancel: () => {} };
    const scheduleTouch = (): void => {
      timer = timers.after(touchMs, () => {
        job.touch().catch((error: unknown) => log.warn({ err: error }, 'a job got no sign of life'));
        scheduleTouch();
      });
    };
    scheduleTouch();
    return { cancel: () => timer.cancel() };
  };

  const serveJob = async (job: WorkerJob): Promise<void> => {
    const kept = keepJob(job);
    let run: string | null = null;
    try {
      const now = clock.now() + CLOCK_TOLERANCE_MS;
      const [claim] = await ledger.claim({ now, leaseMs: LEASE_MS, limit: 1, only: job.n });
      run = claim?.runId ?? null;
      if (claim) await parts.before().then(() => work.begin(claim));
      const left = claim ? null : await ledger.query.effect(job.n);
      // Not claimable yet; otherwise the effect has ended or is leased.
      await (left?.state === 'pending' && !stopped ? job.again() : job.done());
    } catch (error) {
      log.error({ err: error, effect: job.n, run }, 'a job could not be done');
    } finally {
      kept.cancel();
    }
  };

  const startJob = (pool: JobPool, job: WorkerJob): void => {
    busy[pool] += 1;
    const one = serveJob(job).finally(() => {
      busy[pool] -= 1;
      atWork.delete(one);
      wake();
    });
    atWork.add(one);
  };

  const mostOf = (pool: JobPool): number => (pool === 'heavy' ? heavyCap : LIGHT_CAP);
  const takeJobs = async (pool: JobPool): Promise<void> => {
    const most = mostOf(pool) - busy[pool];
    if (most <= 0 || stopped || !parts.hasRoom()) return;
    for (const job of await jobs.take(pool, most)) startJob(pool, job);
  };

  const wake = (): void => {
    if (stopped) return;
    again = taking;
    if (taking) return;
    taking = true;
    alarm?.cancel();
    Promise.all(JOB_POOLS.map(takeJobs))
      .then(() => void (tookAt = clock.now()))
      .catch((error: unknown) => log.error({ err: error }, 'jobs could not be taken'))
      .finally(() => {
        taking = false;
        if (stopped) return;
        alarm = timers.after(JOB_POLL_INTERVAL_MS, wake);
        if (again) wake();
      });
  };

  return {
    wake,
    onWritten(run) {
      work.onWritten(run);
      wake();
    },
    worksOn: work.worksOn,
    tookAt: () => tookAt,
    places: () => JOB_POOLS.map((pool) => ({ pool, busy: busy[pool], most: mostOf(pool) })),
    async stop() {
      stopped = true;
      alarm?.cancel();
      await work.stop();
      await Promise.allSettled([...atWork]);
    },
  };
};
