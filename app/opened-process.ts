/** Opens the log and the ledger. It loads little, because messages wait for nothing else. */
import { createExposedSecrets } from '#sandbox';
import { type OpenedFleet, openLedger, createWitnessFile } from '#db';
import type { WorkConfig } from './config.ts';
import { createLogger } from './logger.ts';
import type { ChatLimits } from '#ports/chat';
import type { SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { systemClock } from './clock.ts';
import type { OpenPages } from './http-listener.ts';
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
  const openPages = async (): Promise<OpenPages | null> => {
    const { listenWhileWaiting } = await import('./http-listener.ts');
    return listenWhileWaiting(http, { log, why: () => why }).catch((error: unknown) => {
      log.info({ err: error }, 'no page tells that this process waits');
      return null;
    });
  };
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
  const { openSharedLedger } = await import('#db/shared-ledger');
  const fleet = await openSharedLedger({ dataDir, database, role, limits, onTrouble, ...hearing });
  return { ...fleet, fleet, taken: taken.promise };
};

export const openProcess = async (config: WorkConfig, limits: ChatLimits) => {
  const lent = createExposedSecrets();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  return { ...(await openLedgerForRole(config, log, limits)), lent, log };
};

export type OpenedProcess = Awaited<ReturnType<typeof openProcess>>;
