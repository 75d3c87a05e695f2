/** Cost of the thread that ends a process that hangs (L9). */
import { createWatchdog } from '../../app/watchdog.ts';
import { temporaryDirectory } from '../machine.ts';
import { inPairs, spread } from '../measure.ts';
import { residentMb } from '../processes.ts';
import type { Measurement, Row } from '../row.ts';
import { setTimeout as pause } from 'node:timers/promises';

const CALLS = 20_000;
const HELD_MS = 5_000;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

export const handlingWatch: Measurement = {
  name: 'handling-watch',
  about: 'what watching each message and effect costs, and the thread while one is in hand',
  run: async ({ pairs }): Promise<Row[]> => {
    const { dir, remove } = temporaryDirectory();
    const watch = createWatchdog(dir, { error: () => {} });
    const work = (): Promise<void> => Promise.resolve();
    /** Processor time of one call (µs). */
    const each = (call: () => Promise<void>) => async (): Promise<number> => {
      const began = cpuMs();
      for (let i = 0; i < CALLS; i += 1) await call();
      return ((cpuMs() - began) * 1_000) / CALLS;
    };
    try {
      // The compiler and the collector of what was loaded are done by then.
      await pause(HELD_MS);
      const alone = residentMb(process.pid);
      const idle = cpuMs();
      await pause(HELD_MS);
      const rest = cpuMs() - idle;
      const held = Promise.withResolvers<void>();
      const handled = watch.within('held', () => held.promise);
      // The start of the thread is told apart.
      const starting = cpuMs();
      await pause(1_000);
      const start = cpuMs() - starting;
      const memory = residentMb(process.pid) - alone;
      const began = cpuMs();
      await pause(HELD_MS);
      const beat = (cpuMs() - began - rest) / (HELD_MS / 1_000);
      const cost = await inPairs(
        pairs,
        each(() => watch.within('one', work)),
        each(work),
      );
      held.resolve();
      await handled;
      return [
        {
          name: 'watch-thread',
          value: beat,
          unit: 'ms a second',
          bar: { is: '<=', at: 5 },
          note: `processor time while something is in hand, over that of the same process at rest; its start takes ${start.toFixed(0)} ms and ${memory.toFixed(0)} MB, and it ends soon after`,
        },
        {
          name: 'watch-call',
          value: cost.a - cost.b,
          unit: 'µs',
          bar: { is: '<=', at: 20 },
          note: `processor time of watching one message or effect, over the same without; ${spread(cost)}`,
        },
      ];
    } finally {
      watch.end();
      remove();
    }
  },
};
