/** The context of a process, built once: what every role shares, and how it is shut down. */
import { assertGit } from '#git';
import { createExposedSecrets } from '#sandbox';
import { type OpenedFleet, openLedger, createWitnessFile } from '#db';
import { createAttemptObserver } from './attempt-observer.ts';
import type { EffectHandlers } from '#runtime';
import type { WorkConfig } from './config.ts';
import { createAdapters } from './adapters.ts';
import { createWatchdog } from './watchdog.ts';
import { createLogger, raiseLogLevelOnSignal } from './logger.ts';
import { combineObservers } from './observe-work.ts';
import type { ChatLimits } from '#ports/chat';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { systemClock, systemTimers } from './clock.ts';
import { listenWhileWaiting, type OpenPages } from './http-listener.ts';
import { ConfigError } from './config-error.ts';

type OpenedLedger = {
  ledger: Ledger;
  clock: SystemClock;
  place: string;
  fleet: OpenedFleet | null;
  /** Rejects when another process took our place during a Postgres outage. */
  taken: Promise<never>;
};

/** Reports the reason for waiting in the log and, on a fixed port, on the health pages. */
const createWaiting = (http: WorkConfig['http'], log: LogPort) => {
  let why = '';
  let pages: Promise<OpenPages | null> | null = null;
  const openPages = (): Promise<OpenPages | null> =>
    listenWhileWaiting(http, { log, why: () => why }).catch((error: unknown) => {
      log.info({ err: error }, 'no page tells that this process waits');
      return null;
    });
  return {
    say: ({ message }: Error): void => {
      why = message;
      log.warn({}, message);
      if (http.port !== 0) pages ??= openPages();
    },
    end: async (): Promise<void> => (await pages)?.close(),
  };
};

const openLedgerForRole = async (
  config: WorkConfig,
  log: LogPort,
  limits: ChatLimits,
): Promise<OpenedLedger> => {
  const waiting = createWaiting(config.http, log);
  try {
    return await openAs(config, log, limits, waiting.say);
  } finally {
    await waiting.end();
  }
};

const openAs = async (
  config: WorkConfig,
  log: LogPort,
  limits: ChatLimits,
  onWaiting: (why: Error) => void,
): Promise<OpenedLedger> => {
  const { dataDir, database, role } = config;
  const taken = Promise.withResolvers<never>();
  taken.promise.catch(() => {});
  const hearing = { onWaiting, onTaken: taken.reject };
  if (role === 'all') {
    const clock = systemClock;
    const ledger = await openLedger({ dataDir, database, now: () => clock.now(), limits, ...hearing });
    createWitnessFile(dataDir);
    return { ledger, clock, place: dataDir, fleet: null, taken: taken.promise };
  }
  if (database === null) throw new ConfigError(({ settingsProblems: p }) => p.roleAlone(role));
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'jobs could not be looked after');
  const { openSharedLedger: openSharedLedger } = await import('#db/shared-ledger');
  const fleet = await openSharedLedger({ dataDir, database, role, limits, onTrouble, ...hearing });
  return { ...fleet, fleet, taken: taken.promise };
};

export const createAppContext = async <Config extends WorkConfig>(
  config: Config,
  {
    limits,
    ...of
  }: {
    limits: ChatLimits;
    mayMakeKeys: boolean;
    admins: readonly string[] | null;
    onTrouble: () => void;
  },
) => {
  const lent = createExposedSecrets();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const asBefore = raiseLogLevelOnSignal(log);
  await assertGit();
  const opened = await openLedgerForRole(config, log, limits);
  const { ledger, clock, place } = opened;
  const handling = createWatchdog(place, log);
  // Close everything after a failed start, so that the process can exit.
  const giveUp = async (error: unknown): Promise<never> => {
    await ledger.close();
    throw error;
  };
  const tracing = await tracingOf(config, log).catch(giveUp);
  const attempts = createAttemptObserver();
  const watch = tracing ? combineObservers(attempts.watch, tracing.watch) : attempts.watch;
  const hands = await createAdapters({ config, ledger, clock, place, lent, log, watch, ...of }).catch(giveUp);
  const end = async (stopWork: () => Promise<void>): Promise<void> => {
    asBefore();
    // Effects must know of the stop before git is killed; the next start repeats them.
    const stopped = stopWork();
    hands.stopGit();
    await stopped;
    await hands.close();
    await tracing?.stop();
    handling.end();
    await ledger.close();
  };
  return {
    config,
    ledger,
    clock,
    timers: systemTimers,
    place,
    fleet: opened.fleet,
    lent,
    log,
    hands,
    handlers: (...of: Parameters<typeof hands.handlers>): EffectHandlers => {
      const handlers = hands.handlers(...of);
      return tracing ? tracing.handlers(handlers) : handlers;
    },
    watches: { attempts, handling, tracing },
    life: {
      taken: opened.taken,
      end,
      giveUp: async (error: unknown, stopWork = async (): Promise<void> => {}): Promise<never> => {
        await end(stopWork);
        throw error;
      },
    },
  };
};

export type AppContext<Config extends WorkConfig = WorkConfig> = Awaited<
  ReturnType<typeof createAppContext<Config>>
>;

const tracingOf = async (
  { traces, role, proxies }: WorkConfig,
  log: Parameters<typeof openLedgerForRole>[1],
) => (traces === null ? null : (await import('./tracing.ts')).createTracing({ traces, role, proxies, log }));
