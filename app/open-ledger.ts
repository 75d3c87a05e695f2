/** Opens the ledger as the role requires: alone, or shared in a Postgres. */
import { telegramLimits } from '../bot/telegram-limits.ts';
import { type OpenedFleet, openLedger } from '#db';
import type { SystemClock, Ledger, LogPort } from '../orchestrator/kernel/ports/index.ts';
import { systemClock } from './clock.ts';
import type { WorkConfig } from './config.ts';
import { listenWhileWaiting, type OpenPages } from './http-listener.ts';
import { ConfigError } from './config-error.ts';

export type OpenedLedger = {
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
  const open = (): Promise<OpenPages | null> =>
    listenWhileWaiting(http, { log, why: () => why }).catch((error: unknown) => {
      log.info({ err: error }, 'no page tells that this process waits');
      return null;
    });
  return {
    say: (text: string): void => {
      why = text;
      log.warn({}, text);
      if (http.port !== 0) pages ??= open();
    },
    end: async (): Promise<void> => (await pages)?.close(),
  };
};

export const openLedgerForRole = async (config: WorkConfig, log: LogPort): Promise<OpenedLedger> => {
  const waiting = createWaiting(config.http, log);
  try {
    return await openAs(config, log, waiting.say);
  } finally {
    await waiting.end();
  }
};

const openAs = async (
  config: WorkConfig,
  log: LogPort,
  onWaiting: (why: string) => void,
): Promise<OpenedLedger> => {
  const { dataDir, database, role } = config;
  const taken = Promise.withResolvers<never>();
  taken.promise.catch(() => {});
  const hearing = { onWaiting, onTaken: taken.reject };
  const limits = telegramLimits;
  if (role === 'all') {
    const clock = systemClock;
    const ledger = await openLedger({ dataDir, database, now: () => clock.now(), limits, ...hearing });
    return { ledger, clock, place: dataDir, fleet: null, taken: taken.promise };
  }
  if (database === null) throw new ConfigError(({ settingsProblems: p }) => p.roleAlone(role));
  const onTrouble = (error: unknown): void => log.warn({ err: error }, 'jobs could not be looked after');
  const { openFleet } = await import('#db/fleet');
  const fleet = await openFleet({ dataDir, database, role, limits, onTrouble, ...hearing });
  return { ...fleet, fleet, taken: taken.promise };
};
