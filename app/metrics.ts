/**
 * O4: what `/metrics` tells Prometheus: who is reached, the process itself, and of a control runs and
 * inbox rows by state, of a worker its places. What is of the ledger only one process tells: added
 * over all workers it would count thrice.
 */
import type { Registry } from 'prom-client';
import { STATES } from '../orchestrator/core/states.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import type { Connection } from './connections.ts';

type Sample = { labels: Record<string, string>; value: number };
/** Gauges, read when somebody asks. */
export type Measures = readonly {
  name: string;
  help: string;
  labels: readonly string[];
  read: () => Promise<Sample[]> | Sample[];
}[];

export const controlMetrics = (query: Pick<Ledger['query'], 'counts' | 'inboxCounts'>): Measures => [
  {
    name: 'agentpr_runs',
    help: 'Runs by state.',
    labels: ['state'],
    read: async () => {
      const counts = await query.counts();
      return STATES.map((state) => ({ labels: { state }, value: counts[state] ?? 0 }));
    },
  },
  {
    name: 'agentpr_inbox',
    help: 'Stored inputs by state.',
    labels: ['state'],
    read: async () =>
      Object.entries({ new: 0, ...(await query.inboxCounts()) }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
  },
];

export const workerMetrics = (worker: {
  places: () => { pool: string; busy: number; most: number }[];
}): Measures => [
  {
    name: 'agentpr_worker_places',
    help: 'Places for work.',
    labels: ['pool', 'state'],
    read: () =>
      worker.places().flatMap(({ pool, busy, most }) => [
        { labels: { pool, state: 'busy' }, value: busy },
        { labels: { pool, state: 'free' }, value: most - busy },
      ]),
  },
];

/** Loaded when somebody asks first: most hosts have no Prometheus, and the library costs memory. */
export const createMetrics = (parts: {
  measures: Measures;
  connections: () => readonly Connection[];
}): (() => Promise<Registry>) => {
  let registry: Promise<Registry> | null = null;
  const measures: Measures = [
    ...parts.measures,
    {
      name: 'agentpr_connection_up',
      help: '1 where the party was reached last.',
      labels: ['kind', 'name'],
      read: () =>
        parts.connections().map(({ party: { kind, name }, state }) => ({
          labels: { kind, name },
          value: state === 'reached' ? 1 : 0,
        })),
    },
  ];
  const load = async (): Promise<Registry> => {
    const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
    const made = new Registry();
    for (const { name, help, labels, read } of measures)
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [made],
        async collect() {
          const samples = await read();
          this.reset();
          for (const one of samples) this.set(one.labels, one.value);
        },
      });
    collectDefaultMetrics({ register: made });
    return made;
  };
  return () => (registry ??= load());
};
