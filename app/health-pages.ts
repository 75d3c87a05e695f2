/** Answers health requests (O4). Ready means that ledger, disk and required connections work. */
import type { Ledger } from '#ports/ledger';
import { sendJson, type HttpRoute } from '#webhooks';
import type { AttemptObserver } from './attempt-observer.ts';
import {
  controlMetrics,
  createMetrics,
  workerMetrics,
  type ControlMeasured,
  type MetricGauges,
} from './metrics.ts';
import { listProbesAt } from './probes/probe-table.ts';
import type { Standing } from './probes/readiness.ts';

type HealthParts = { standing: Standing; measures: MetricGauges; attempts: AttemptObserver };

type Asked = Pick<Standing, 'connections' | 'log'> & { attempts: AttemptObserver };
export type ControlHealth = Asked &
  Omit<ControlMeasured, 'query'> & {
    ledger: Pick<Ledger, 'hasRoom' | 'takesWrites' | 'rollback'> & { query: ControlMeasured['query'] };
  } & Pick<NonNullable<Standing['control']>, 'changedRuns'>;

export type WorkerHealth = Asked &
  Pick<Standing, 'ledger' | 'hasRoom' | 'clock'> & { worker: NonNullable<Standing['worker']> };

export const createHealthParts = ({
  ledger,
  changedRuns,
  attempts,
  ...measured
}: ControlHealth): HealthParts => {
  const { query } = ledger;
  return {
    standing: {
      ...measured,
      ledger,
      hasRoom: () => ledger.hasRoom(),
      control: { inboxCounts: () => query.inboxCounts(), rollback: () => ledger.rollback(), changedRuns },
      worker: null,
    },
    measures: controlMetrics({ ...measured, query }),
    attempts,
  };
};

export const workerHealthOf = ({ attempts, ...standing }: WorkerHealth): HealthParts => ({
  standing: { ...standing, control: null },
  measures: workerMetrics(standing.worker),
  attempts,
});

export const createHealthRoutes = ({ standing, measures, attempts }: HealthParts): HttpRoute[] => {
  const metrics = createMetrics({ measures, connections: standing.connections, attempts });
  return [
    {
      method: 'GET',
      path: '/healthz',
      handle: (_request, response) => sendJson(response, 200, '{"ok":true}'),
    },
    {
      method: 'GET',
      path: '/readyz',
      handle: async (_request, response) => {
        const results = await Promise.all(listProbesAt('ready').map((probe) => probe(standing)));
        const found = results.filter((result) => result !== null);
        const ok = found.every(({ well }) => well);
        const facts = Object.assign({}, ...found.map((result) => result.facts)) as object;
        sendJson(response, ok ? 200 : 503, JSON.stringify({ ok, ...facts }));
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
