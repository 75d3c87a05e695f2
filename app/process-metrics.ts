/** Figures of the process under prom-client's names, where its own are wrong until it is asked again (O4). */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import type * as PromClient from 'prom-client';
import { SECOND } from '#model/values';

type Prometheus = Pick<typeof PromClient, 'collectDefaultMetrics' | 'Counter' | 'Gauge'>;

const CPU: Readonly<Record<string, (spent: NodeJS.CpuUsage) => number>> = {
  process_cpu_user_seconds_total: ({ user }) => user,
  process_cpu_system_seconds_total: ({ system }) => system,
  process_cpu_seconds_total: ({ user, system }) => user + system,
};
const MICROSECONDS = 1e6;

type Delays = ReturnType<typeof monitorEventLoopDelay>;
/** How often the loop is measured (ms). Node counts this wait as part of the delay. */
const RESOLUTION_MS = 10;
const lagOf = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / SECOND);
const LAGS: Readonly<Record<string, { help: string; of: (delays: Delays) => number }>> = {
  min: { help: 'The shortest delay', of: ({ min }) => lagOf(min) },
  max: { help: 'The longest delay', of: ({ max }) => lagOf(max) },
  mean: { help: 'The mean of the delays', of: ({ mean }) => lagOf(mean) },
  stddev: { help: 'The standard deviation of the delays', of: ({ stddev }) => stddev / 1e9 },
  p50: { help: 'The median delay', of: (delays) => lagOf(delays.percentile(50)) },
  p90: { help: 'The 90th percentile of the delays', of: (delays) => lagOf(delays.percentile(90)) },
  p99: { help: 'The 99th percentile of the delays', of: (delays) => lagOf(delays.percentile(99)) },
};
const LAG = 'nodejs_eventloop_lag';
/** prom-client measures the loop as well, however it is asked; like this it wakes nobody (ms). */
const NEVER_MS = 2 ** 31 - 1;

export const collectProcessMetrics = (
  { collectDefaultMetrics, Counter, Gauge }: Prometheus,
  register: PromClient.Registry,
): void => {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: NEVER_MS });
  const registers = [register];
  const lags = Object.entries(LAGS);
  const replaced = [...Object.keys(CPU), `${LAG}_seconds`, ...lags.map(([name]) => `${LAG}_${name}_seconds`)];
  for (const name of replaced) register.removeSingleMetric(name);

  for (const [name, of] of Object.entries(CPU))
    new Counter({
      name,
      help: 'Processor time since the process started, in seconds.',
      registers,
      collect() {
        this.reset();
        this.inc(of(process.cpuUsage()) / MICROSECONDS);
      },
    });
  new Gauge({
    name: `${LAG}_seconds`,
    help: 'How long the event loop took to come round just now, in seconds.',
    registers,
    async collect() {
      const begun = performance.now();
      await setImmediate();
      this.set((performance.now() - begun) / SECOND);
    },
  });
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const gauges = lags.map(([name, { help, of }], i) => {
    const gauge: PromClient.Gauge = new Gauge({
      name: `${LAG}_${name}_seconds`,
      help: `${help} of the event loop since it was last asked for, in seconds.`,
      registers,
      ...(i === 0 && { collect: () => takeDelays() }),
    });
    return { gauge, of };
  });
  const takeDelays = (): void => {
    for (const { gauge, of } of gauges) {
      // Nothing was measured between two requests that come at once.
      if (delays.count === 0) gauge.remove();
      else gauge.set(of(delays));
    }
    delays.reset();
  };
};
