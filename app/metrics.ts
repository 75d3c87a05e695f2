/**
 * O4: what `/metrics` tells Prometheus: runs and inbox rows by state, who is reached, and the
 * process itself.
 */
import type { Registry } from 'prom-client';
import { STATES } from '../orchestrator/core/states.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import type { Connection } from './connections.ts';

export type MetricsParts = {
  ledger: { query: Pick<Ledger['query'], 'counts' | 'inboxCounts'> };
  connections: () => readonly Connection[];
};

/** Loaded when somebody asks first: most hosts have no Prometheus, and the library costs memory. */
export const createMetrics = ({
  ledger: { query },
  connections,
}: MetricsParts): (() => Promise<Registry>) => {
  let registry: Promise<Registry> | null = null;
  const load = async (): Promise<Registry> => {
    const { collectDefaultMetrics, Gauge, Registry } = await import('prom-client');
    const registers = [new Registry()] as const;
    new Gauge({
      ...{ name: 'agentpr_runs', help: 'Runs by state.', labelNames: ['state'], registers: [...registers] },
      async collect() {
        const counts = await query.counts();
        for (const state of STATES) this.set({ state }, counts[state] ?? 0);
      },
    });
    new Gauge({
      ...{
        name: 'agentpr_inbox',
        help: 'Stored inputs by state.',
        labelNames: ['state'],
        registers: [...registers],
      },
      async collect() {
        const counts = { new: 0, ...(await query.inboxCounts()) };
        this.reset();
        for (const [state, n] of Object.entries(counts)) this.set({ state }, n);
      },
    });
    new Gauge({
      ...{ name: 'agentpr_connection_up', help: '1 where the party was reached last.' },
      ...{ labelNames: ['kind', 'name'], registers: [...registers] },
      collect() {
        this.reset();
        for (const { party, state } of connections())
          this.set({ kind: party.kind, name: party.name }, state === 'reached' ? 1 : 0);
      },
    });
    collectDefaultMetrics({ register: registers[0] });
    return registers[0];
  };
  return () => (registry ??= load());
};
