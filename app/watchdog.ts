/**
 * Ends a process that hangs at a row or effect, and counts over the starts what hung or crashed
 * (L9). A thread of its own sees that the main thread goes round no more, and asks it through the
 * inspector what it is at. That works within an expression or a loop, so that only what hangs is
 * accused. Nothing is written before the thread itself ends the process: a kill from outside
 * accuses nobody.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { HandlingWatch } from '#ports/steps';
import type { LogPort } from '#ports/processes';
import { MINUTE, SECOND } from '#model/values';

const BEAT_MS = SECOND;
/** Processor time of the main thread in one turn of its loop (ms); waiting for a disk is no hang. */
const MAX_TURN_MS = 6 * SECOND;
/** A thread costs 17 MB, so the first one ends soon after the last handling (ms). */
const IDLE_MS = 2 * SECOND;
/** Starting one costs 75 ms of processor time: one that comes back so soon stays as long (ms). */
const BUSY_MS = MINUTE;
/** A suspect waits so long, while everything else is handled (ms). */
const SUSPECT_PAUSE_MS = 5 * SECOND;
/** Found by the watcher's question in the main thread. */
const CURRENT = 'agentprIsHandling';

/** Plain JavaScript, since a thread of its own cannot load our modules at once. */
const WATCHER = `
const { workerData: { shared, mark, maxTurnMs } } = require('node:worker_threads');
const { readFileSync, writeFileSync, writeSync } = require('node:fs');
const { Session } = require('node:inspector');
const beats = new Int32Array(shared);
// Only Linux tells the main thread's own time, in hundredths of a second.
const spent = () => {
  try {
    const stat = readFileSync('/proc/self/task/' + process.pid + '/stat', 'utf8');
    const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13).map(Number);
    return (user + system) * 10;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
};
let last = -1;
let from = 0;
let asking = false;
const ask = () => {
  asking = true;
  const askedAt = performance.now();
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: '${CURRENT}()' }, (error, answer) => {
    session.disconnect();
    asking = false;
    const key = answer?.result?.value;
    // A late answer comes from what was slow elsewhere, and has ended.
    const isPrompt = performance.now() - askedAt < ${BEAT_MS};
    if (typeof key !== 'string' || !isPrompt || Atomics.load(beats, 0) !== last) return;
    writeFileSync(mark, key);
    const line = { level: 60, time: Date.now(), at: key, msg: 'the process hangs, and ends itself' };
    try { writeSync(2, JSON.stringify(line) + '\\n'); } catch {}
    process.kill(process.pid, 'SIGKILL');
  });
};
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== last) [last, from] = [now, spent()];
  else if (!asking && spent() - from >= maxTurnMs) ask();
}, ${BEAT_MS});`;

type Watcher = { end(): void };
const startWatcher = (mark: string, maxTurnMs: number): Watcher => {
  const shared = new SharedArrayBuffer(4);
  const beats = new Int32Array(shared);
  const worker = new Worker(WATCHER, {
    eval: true,
    workerData: { shared, mark, maxTurnMs },
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

/** Runs the watcher while something is handled, and a while longer. */
const createWatchers = (start: () => Watcher) => {
  let watcher: Watcher | null = null;
  let idle: NodeJS.Timeout | undefined;
  let idleMs = IDLE_MS;
  let endedAt = -Infinity;
  let inHand = 0;
  const end = (): void => {
    clearTimeout(idle);
    watcher?.end();
    watcher = null;
    endedAt = performance.now();
  };
  return {
    end,
    take: (): void => {
      inHand += 1;
      clearTimeout(idle);
      if (watcher) return;
      idleMs = performance.now() - endedAt < BUSY_MS ? BUSY_MS : IDLE_MS;
      watcher = start();
    },
    release: (): void => {
      inHand -= 1;
      if (inHand === 0) idle = setTimeout(end, idleMs).unref();
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
  /** Everything that stopped the process before. */
  stopped(): readonly string[];
  end(): void;
};

export const createWatchdog = (
  place: string,
  log: Pick<LogPort, 'error'>,
  maxTurnMs = MAX_TURN_MS,
): OpenHandlingWatch => {
  const [mark, file] = [join(place, 'stopped-at'), join(place, 'stops.json')];
  const stops = readStops(file);
  const saveStops = (): void => {
    if (stops.size === 0) rmSync(file, { force: true });
    else writeFileSync(file, JSON.stringify(Object.fromEntries(stops)));
  };
  const stoppedAt = readMark(mark);
  if (stoppedAt !== null) {
    stops.set(stoppedAt, (stops.get(stoppedAt) ?? 0) + 1);
    saveStops();
    rmSync(mark, { force: true });
    log.error({ at: stoppedAt, times: stops.get(stoppedAt) }, 'the process before this one hung or crashed');
  }
  const forget = (key: string): void => {
    if (stops.delete(key)) saveStops();
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
  const watchers = createWatchers(() => startWatcher(mark, maxTurnMs));
  let pausedUntil: number | null = null;
  return {
    stopped: () => [...stops.keys()],
    async within(key, work) {
      watchers.take();
      try {
        const made = await handling.run(key, work);
        // guard: L9-handled-is-harmless
        forget(key);
        return made;
      } finally {
        watchers.release();
      }
    },
    stopsAt: (key) => stops.get(key) ?? 0,
    pauseBefore(key) {
      if (!stops.has(key)) return 0;
      const now = performance.now();
      pausedUntil ??= now + SUSPECT_PAUSE_MS;
      return Math.max(0, Math.ceil(pausedUntil - now));
    },
    forget,
    end: () => {
      watchers.end();
      process.off('uncaughtExceptionMonitor', onCrash);
    },
  };
};
