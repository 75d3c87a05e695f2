/** Defines the Prometheus metrics; one process alone reports figures of the ledger (O4). */
import type { Registry } from 'prom-client';
import type { GroupFigures, ReportService } from '#reports';
import { selectEffectKinds, traitsOf } from '#effects';
import { RUN_STATES } from '#model/run';
import { MINUTE } from '#model/values';
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import type { UnrelatedDeliveries } from '#webhooks';
import type { AttemptObserver } from './attempt-observer.ts';
import type { ConnectionStatus } from './connection-monitor.ts';
import { collectProcessMetrics } from './process-metrics.ts';

type Sample = { labels: Record<string, string>; value: number };
export type MetricGauges = readonly {
  name: string;
  help: string;
  labels: readonly string[];
  read: () => Promise<Sample[]> | Sample[];
}[];

export type ControlMeasured = {
  query: Pick<Ledger['query'], 'counts' | 'inboxCounts' | 'depths'>;
  reports: Pick<ReportService, 'report'>;
  clock: SystemClock;
  unrelated: UnrelatedDeliveries['totals'];
};

export const controlMetrics = ({ query, reports, clock, unrelated }: ControlMeasured): MetricGauges => [
  {
    name: 'agentpr_runs',
    help: 'Runs by state.',
    labels: ['state'],
    read: async () => {
      const counts = await query.counts();
      return RUN_STATES.map((state) => ({ labels: { state }, value: counts[state] ?? 0 }));
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
  {
    name: 'agentpr_unrelated_deliveries',
    help: 'Webhook deliveries since the start that concerned no run, by event.',
    labels: ['event'],
    read: () => [...unrelated()].map(([event, value]) => ({ labels: { event }, value })),
  },
  {
    name: 'agentpr_queue_depth',
    help: 'Effects that are due, due later, or at work, by kind and by the pool whose places they take.',
    labels: ['pool', 'kind', 'state'],
    read: async () => {
      const found = await query.depths(clock.now());
      return selectEffectKinds(() => true).flatMap((kind) =>
        (['due', 'later', 'at_work'] as const).map((state) => ({
          labels: { pool: traitsOf(kind).pool, kind, state },
          value: found.find((one) => one.kind === kind && one.state === state)?.n ?? 0,
        })),
      );
    },
  },
  ...figureMetrics(reports, clock),
];

type FigureMeasure = { name: string; help: string; of: (all: GroupFigures) => number | null };
const toSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
const shareOf = ({ yes, of }: GroupFigures['firstCi']): number | null => (of === 0 ? null : yes / of);
/** Figures of runs ordered in the last 30 days; absent without data. */
const FIGURES: readonly FigureMeasure[] = [
  { name: 'ordered_runs', help: 'Runs ordered', of: ({ runs }) => runs },
  { name: 'pull_requests', help: 'Pull requests that runs opened', of: ({ pulls }) => pulls },
  {
    name: 'first_ci_checked',
    help: 'Pull requests whose first commit was checked by CI',
    of: ({ firstCi }) => firstCi.of,
  },
  {
    name: 'first_ci_pass_ratio',
    help: 'Share of first commits that CI passed',
    of: ({ firstCi }) => shareOf(firstCi),
  },
  {
    name: 'iterations_mean',
    help: 'Fixes for each pull request, on average',
    of: ({ iterations }) => iterations,
  },
  {
    name: 'needs_human_review_ratio',
    help: 'Share of runs that stopped for a person',
    of: ({ needsHuman }) => shareOf(needsHuman),
  },
  {
    name: 'ready_median_seconds',
    help: 'From the order to the first card, median',
    of: ({ ready }) => toSeconds(ready.p50),
  },
  {
    name: 'ready_p90_seconds',
    help: 'From the order to the first card, 90th percentile',
    of: ({ ready }) => toSeconds(ready.p90),
  },
  { name: 'taps_per_pull', help: 'Taps for each pull request', of: ({ perPull }) => perPull?.taps ?? null },
  {
    name: 'pings_per_pull',
    help: 'Messages with a sound for each pull request',
    of: ({ perPull }) => perPull?.pings ?? null,
  },
  {
    name: 'attention_seconds_per_pull',
    help: 'Attention of people for each pull request',
    of: ({ perPull }) => perPull?.seconds ?? null,
  },
];
/** Cache time, because the query is expensive and scrapes are frequent (ms). */
const FIGURES_MAX_AGE_MS = MINUTE;

const figureMetrics = (reports: Pick<ReportService, 'report'>, clock: SystemClock): MetricGauges => {
  let kept: { at: number; all: Promise<GroupFigures> } | null = null;
  const readFigures = (): Promise<GroupFigures> => {
    const at = clock.now();
    if (kept && at - kept.at >= 0 && at - kept.at < FIGURES_MAX_AGE_MS) return kept.all;
    const all = reports.report({ days: 30, by: 'engine' }).then(({ report }) => report.all);
    all.catch(() => (kept = null));
    kept = { at, all };
    return all;
  };
  return FIGURES.map(({ name, help, of }) => ({
    name: `agentpr_${name}`,
    help: `${help}, of runs ordered within 30 days.`,
    labels: [],
    read: async () => {
      const value = of(await readFigures());
      return value === null ? [] : [{ labels: {}, value }];
    },
  }));
};

export const workerMetrics = (worker: {
  places: () => { pool: string; busy: number; most: number }[];
}): MetricGauges => [
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

const DURATION_BUCKETS_S = [1, 5, 15, 60, 180, 600, 1_800, 3_600, 10_800];

/** Loaded on the first scrape, to save memory on hosts without Prometheus. */
export const createMetrics = (parts: {
  measures: MetricGauges;
  connections: () => readonly ConnectionStatus[];
  attempts: AttemptObserver;
}): (() => Promise<Registry>) => {
  let registry: Promise<Registry> | null = null;
  const measures: MetricGauges = [
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
  const loadRegistry = async (): Promise<Registry> => {
    const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
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
          // An unlabelled gauge would report 0 without samples.
          if (labels.length === 0) this.remove();
          for (const one of samples) this.set(one.labels, one.value);
        },
      });
    const took = new Histogram({
      name: 'agentpr_attempt_seconds',
      help: 'How long agents, checks and installations took in this process.',
      labelNames: ['step', 'engine', 'outcome'],
      buckets: DURATION_BUCKETS_S,
      registers: [made],
    });
    parts.attempts.subscribe(({ step, engine, outcome, ms }) =>
      took.observe({ step, engine: engine ?? '', outcome }, ms / 1_000),
    );
    collectProcessMetrics({ collectDefaultMetrics, Counter, Gauge }, made);
    return made;
  };
  return () => (registry ??= loadRegistry());
};
