/** O4: answers health requests. Ready means that ledger, disk and required connections work. */
import { SECOND } from '#model/values';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { ChangedRun } from '#audit';
import { answerJson, type HttpRoute } from '#webhooks';
import type { ConnectionStatus } from './connections.ts';
import type { AttemptTimes } from './attempt-times.ts';
import {
  controlMetrics,
  createMetrics,
  workerMetrics,
  type ControlMeasured,
  type MetricGauges,
} from './metrics.ts';

type HealthParts = {
  connections: () => readonly ConnectionStatus[];
  standing: () => Promise<{ well: boolean; says: Record<string, unknown> }>;
  measures: MetricGauges;
  attempts: AttemptTimes;
};

export type ControlHealth = Omit<ControlMeasured, 'query'> & {
  ledger: Pick<Ledger, 'hasRoom' | 'takesWrites' | 'rollback'> & { query: ControlMeasured['query'] };
  changedRuns: () => readonly ChangedRun[];
  connections: () => readonly ConnectionStatus[];
  attempts: AttemptTimes;
  log: Pick<LogPort, 'error'>;
};

export type WorkerHealth = {
  ledger: Pick<Ledger, 'takesWrites'> & { query: Pick<Ledger['query'], 'counts'> };
  connections: () => readonly ConnectionStatus[];
  attempts: AttemptTimes;
  hasRoom: () => boolean;
  worker: { tookAt: () => number | null; places: () => { pool: string; busy: number; most: number }[] };
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
};

const LEDGER = { away: 'cannot be read', 'read-only': 'takes no writes', well: 'read' } as const;
const stateOf = (read: boolean, ledger: Pick<Ledger, 'takesWrites'>): keyof typeof LEDGER =>
  read ? (ledger.takesWrites() ? 'well' : 'read-only') : 'away';
const DISK = ({ room }: { room: boolean }): string => (room ? 'has room' : 'is full');

const readOr = async <T>(log: Pick<LogPort, 'error'>, read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read();
  } catch (error) {
    log.error({ err: error }, 'the ledger could not be read');
    return null;
  }
};

/** L5: what differs is told, and stops nothing: whoever watches decides what it means. */
const INTEGRITY = {
  older: 'an older copy of the ledger was put back: see agentpr audit accept',
  missing: 'keys/ledger.anchor is gone: see agentpr audit accept',
} as const;

export const healthOf = ({
  ledger,
  changedRuns,
  connections,
  attempts,
  log,
  ...measured
}: ControlHealth): HealthParts => {
  const { query } = ledger;
  return {
    connections,
    standing: async () => {
      const counted = await readOr(log, async () => ({
        runs: await query.counts(),
        inbox: await query.inboxCounts(),
        rollback: await ledger.rollback(),
      }));
      const [state, room] = [stateOf(counted !== null, ledger), ledger.hasRoom()];
      const { rollback = null, ...counts } = counted ?? {};
      const changed = changedRuns().map(({ runId, says: differs }) => ({ run: runId, differs }));
      const integrity = rollback ? INTEGRITY[rollback] : changed.length > 0 ? 'changed' : 'as written';
      const says = {
        ledger: LEDGER[state],
        integrity,
        ...(changed.length > 0 && { changed }),
        disk: DISK({ room }),
        ...counts,
      };
      return { well: state === 'well' && room, says };
    },
    measures: controlMetrics({ ...measured, query }),
    attempts,
  };
};

/** Unready after this time without a successful job request (ms). */
const MOST_WITHOUT = 30 * SECOND;

export const workerHealthOf = (parts: WorkerHealth): HealthParts => {
  const { ledger, connections, attempts, hasRoom, worker, clock, log } = parts;
  return {
    connections,
    standing: async () => {
      const state = stateOf((await readOr(log, () => ledger.query.counts())) !== null, ledger);
      const [room, tookAt] = [hasRoom(), worker.tookAt()];
      const takes = tookAt !== null && clock.now() - tookAt <= MOST_WITHOUT;
      const says = {
        ledger: LEDGER[state],
        disk: DISK({ room }),
        jobs: takes ? 'are taken' : 'cannot be taken',
        places: worker.places(),
      };
      return { well: state === 'well' && room && takes, says };
    },
    measures: workerMetrics(worker),
    attempts,
  };
};

export const healthPages = ({ connections, standing, measures, attempts }: HealthParts): HttpRoute[] => {
  const metrics = createMetrics({ measures, connections, attempts });
  return [
    {
      method: 'GET',
      path: '/healthz',
      handle: (_request, response) => answerJson(response, 200, '{"ok":true}'),
    },
    {
      method: 'GET',
      path: '/readyz',
      handle: async (_request, response) => {
        const all = connections().map(({ party, state, says, since }) => ({
          ...party,
          state,
          says,
          since: new Date(since).toISOString(),
        }));
        const { well, says } = await standing();
        const ok = well && all.every(({ state }) => state === 'reached');
        answerJson(response, ok ? 200 : 503, JSON.stringify({ ok, ...says, connections: all }));
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handle: async (_request, response) => {
        const registry = await metrics();
        const text = await registry.metrics();
        response.writeHead(200, { 'content-type': registry.contentType }).end(text);
      },
    },
  ];
};
