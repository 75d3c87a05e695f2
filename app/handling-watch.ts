/**
 * L9: writes down at which row or effect the main thread hung or crashed, for the next start to count.
 * A thread of its own sees that the main thread stands still, and asks it through the inspector what it
 * is at. That works within an expression or a loop, so that only what hangs is accused, and neither what
 * was handled beside it nor what a kill from outside met.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { MAX_STOPS, type HandlingWatch, type LogPort } from '../orchestrator/kernel/ports/index.ts';
import { SECOND } from '../orchestrator/model/units.ts';

const BEAT_MS = SECOND;
/** Beats of the watcher without one of the main thread. Counted, because a machine may sleep. */
const MAX_MISSED_BEATS = 3;
/** A thread costs 19 MB, so it ends soon after the last handling (ms). */
const IDLE_MS = 2 * SECOND;
/** Found by the watcher's question in the main thread. */
const CURRENT = 'agentprIsHandling';

/** Plain JavaScript, since a thread of its own cannot load our modules at once. */
const WATCHER = `
const { workerData: { shared, mark } } = require('node:worker_threads');
const { rmSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const beats = new Int32Array(shared);
let last = -1;
let missed = 0;
const ask = () => {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: '${CURRENT}()' }, (error, answer) => {
    const key = answer?.result?.value;
    if (missed >= ${MAX_MISSED_BEATS} && typeof key === 'string') writeFileSync(mark, key);
    session.disconnect();
  });
};
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now === last) missed += 1;
  else {
    if (missed >= ${MAX_MISSED_BEATS}) rmSync(mark, { force: true });
    missed = 0;
  }
  last = now;
  if (missed === ${MAX_MISSED_BEATS}) ask();
}, ${BEAT_MS});`;

const startWatcher = (mark: string): { end(): void } => {
  const shared = new SharedArrayBuffer(4);
  const beats = new Int32Array(shared);
  const worker = new Worker(WATCHER, {
    eval: true,
    workerData: { shared, mark },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // Nobody is harmed by a watcher that cannot start.
  worker.on('error', () => {});
  worker.unref();
  const timer = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS / 2).unref();
  return {
    end: () => {
      clearInterval(timer);
      void worker.terminate();
    },
  };
};

const Stops = z.record(z.string(), z.int().positive());

/** A missing or torn file counts nothing. */
const readStops = (file: string): Map<string, number> => {
  try {
    return new Map(Object.entries(Stops.parse(JSON.parse(readFileSync(file, 'utf8')))));
  } catch {
    return new Map();
  }
};
const readMark = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

export type OpenHandlingWatch = HandlingWatch & {
  /** Rows and effects that are set aside when they come up next. */
  setAside: readonly string[];
  end(): void;
};

export const createHandlingWatch = (place: string, log: Pick<LogPort, 'error'>): OpenHandlingWatch => {
  const [mark, file] = [join(place, 'stopped-at'), join(place, 'stops.json')];
  const stops = readStops(file);
  const save = (): void => {
    if (stops.size === 0) rmSync(file, { force: true });
    else writeFileSync(file, JSON.stringify(Object.fromEntries(stops)));
  };
  const stoppedAt = readMark(mark);
  if (stoppedAt !== null) {
    stops.set(stoppedAt, (stops.get(stoppedAt) ?? 0) + 1);
    save();
    rmSync(mark, { force: true });
    log.error({ at: stoppedAt, times: stops.get(stoppedAt) }, 'the process before this one hung or crashed');
  }
  const forget = (key: string): void => {
    if (stops.delete(key)) save();
  };
  const handling = new AsyncLocalStorage<string>();
  Object.defineProperty(globalThis, CURRENT, {
    value: () => handling.getStore() ?? null,
    configurable: true,
  });
  const onCrash = (): void => {
    const key = handling.getStore();
    if (key !== undefined) writeFileSync(mark, key);
  };
  process.on('uncaughtExceptionMonitor', onCrash);
  let watcher: { end(): void } | null = null;
  let idle: NodeJS.Timeout | undefined;
  let inHand = 0;
  const endWatcher = (): void => {
    watcher?.end();
    watcher = null;
  };
  return {
    setAside: [...stops].filter(([, times]) => times >= MAX_STOPS).map(([key]) => key),
    async within(key, work) {
      inHand += 1;
      clearTimeout(idle);
      watcher ??= startWatcher(mark);
      try {
        const made = await handling.run(key, work);
        // guard: L9-handled-is-harmless
        forget(key);
        return made;
      } finally {
        inHand -= 1;
        if (inHand === 0) idle = setTimeout(endWatcher, IDLE_MS).unref();
      }
    },
    stopsAt: (key) => stops.get(key) ?? 0,
    forget,
    end: () => {
      clearTimeout(idle);
      endWatcher();
      process.off('uncaughtExceptionMonitor', onCrash);
    },
  };
};
