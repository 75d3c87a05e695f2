/** Delivers effect numbers to workers by pg-boss; the ledger decides if there is work to do (L7). */
import { PgBoss, type ConstructorOptions, type QueueOptions } from 'pg-boss';
import packageOfBoss from 'pg-boss/package.json' with { type: 'json' };
import { z } from 'zod';
import { JOB_POOLS, type WorkerJob, type JobPool, type JobQueue } from '#ports/steps';
import { DAY, SECOND } from '#model/values';
import { DatabaseFailure, explainDatabaseError } from '../sql/database-failures.ts';

export type EffectNotice = {
  n: number;
  pool: JobPool;
  home: string | null;
  /** Number of claims; identifies repeated jobs. */
  leaseEpoch: number;
  dueAt: number;
};
type Execute = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

export type PgBossQueue = JobQueue & {
  /** Uses the caller's transaction, if given. */
  send(errands: readonly EffectNotice[], execute?: Execute): Promise<void>;
  close(): Promise<void>;
};

export type BossParts = {
  url: string;
  application: string;
  place: string | null;
  /** Creates pg-boss's tables and reassigns jobs of dead workers; one program does so. */
  supervises: boolean;
  now: () => number;
  onTrouble: (error: unknown) => void;
};

const { schema: SCHEMA } = z.object({ pgboss: z.object({ schema: z.number() }) }).parse(packageOfBoss).pgboss;

/** `version`: of pg-boss's tables, null when missing. */
export const jobsSchemaStanding = (version: number | null): 'lacks' | 'ours' | 'newer' =>
  version === SCHEMA ? 'ours' : (version ?? 0) < SCHEMA ? 'lacks' : 'newer';

/** Heartbeat timeout (s); pg-boss's minimum is ten. */
const HEARTBEAT_S = 10;
const MONITOR_S = 5;
const QUEUE = {
  policy: 'exclusive',
  expireInSeconds: DAY / SECOND,
  heartbeatSeconds: HEARTBEAT_S,
  retryLimit: 10_000,
  retryDelay: 1,
  deleteAfterSeconds: 3_600,
} as const satisfies QueueOptions & { policy: string };
export const TOUCH_MS = 4 * SECOND;

const queueOf = (pool: JobPool, place: string | null): string =>
  place === null ? `agentpr.${pool}` : `agentpr.${pool}.${place}`;

export const createPgBossQueue = async (parts: BossParts): Promise<PgBossQueue> => {
  const { place, supervises } = parts;
  const options: ConstructorOptions = {
    connectionString: parts.url,
    application_name: parts.application,
    max: 4,
    schedule: false,
    migrate: supervises,
    supervise: supervises,
    superviseIntervalSeconds: MONITOR_S,
    monitorIntervalSeconds: MONITOR_S,
  };
  const boss = new PgBoss(options);
  boss.on('error', (error) => parts.onTrouble(explainDatabaseError(error)));
  const queues = new Set<string>();
  const makeQueue = async (name: string): Promise<void> => {
    const { policy, ...changeable } = QUEUE;
    await boss.createQueue(name, { ...changeable, policy });
    await boss.updateQueue(name, changeable);
    assertFit(await boss.getQueue(name));
    queues.add(name);
  };
  try {
    await explainRejection(boss.start());
    for (const pool of JOB_POOLS)
      for (const of of place === null ? [null] : [null, place])
        await explainRejection(makeQueue(queueOf(pool, of)));
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }

  const isThere = async (name: string): Promise<boolean> => {
    if (!queues.has(name) && (await boss.getQueue(name))) queues.add(name);
    return queues.has(name);
  };

  const jobOf = (
    name: string,
    attempt: { id: string; retryCount: number; data: { n: number } },
  ): WorkerJob => ({
    n: attempt.data.n,
    touch: () => explainRejection(boss.touch(name, attempt)),
    done: () => explainRejection(boss.complete(name, attempt)),
    again: () => explainRejection(boss.fail(name, attempt)),
  });

  return {
    async send(errands, execute) {
      const byQueue = new Map<string, EffectNotice[]>();
      for (const errand of errands) {
        const own = queueOf(errand.pool, errand.home);
        const name = (await isThere(own)) ? own : queueOf(errand.pool, null);
        byQueue.set(name, [...(byQueue.get(name) ?? []), errand]);
      }
      for (const [name, some] of byQueue) {
        const jobs = some.map(({ n, leaseEpoch, dueAt }) => ({
          data: { n },
          singletonKey: `${n}.${leaseEpoch}`,
          ...(dueAt > parts.now() ? { startAfter: new Date(dueAt).toISOString() } : {}),
        }));
        await boss.insert(name, jobs, execute ? { db: { executeSql: execute } } : {});
      }
    },
    async take(pool, most) {
      const jobs: WorkerJob[] = [];
      for (const of of place === null ? [null] : [place, null]) {
        const name = queueOf(pool, of);
        if (jobs.length >= most) break;
        const found = await explainRejection(
          boss.fetch<{ n: number }>(name, { batchSize: most - jobs.length }),
        );
        jobs.push(...found.map((one) => jobOf(name, one)));
      }
      return jobs;
    },
    close: () => boss.stop({ graceful: false }),
  };
};

const explainRejection = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw explainDatabaseError(error);
  });

/** pg-boss's defaults would not detect a dead worker. */
const assertFit = (queue: QueueOptions | null): void => {
  const { heartbeatSeconds, expireInSeconds } = queue ?? {};
  if (heartbeatSeconds !== HEARTBEAT_S || MONITOR_S > 15 || (expireInSeconds ?? 0) * SECOND < DAY)
    throw new DatabaseFailure({
      kind: 'jobs_timing',
      heartbeat: String(heartbeatSeconds),
      longest: String(expireInSeconds),
    });
};
