/** The context of a process, built once: what every role shares, and how it is shut down. */
import { assertGit } from '#git';
import { createAttemptObserver } from './attempt-observer.ts';
import type { EffectHandlers } from '#runtime';
import type { WorkConfig } from './config.ts';
import { createAdapters } from './adapters.ts';
import { createWatchdog } from './watchdog.ts';
import { raiseLogLevelOnSignal } from './logger.ts';
import type { OpenedProcess } from './opened-process.ts';
import { combineObservers } from './observe-work.ts';
import { systemTimers } from './clock.ts';

export const createAppContext = async <Config extends WorkConfig>(
  config: Config,
  opened: OpenedProcess,
  {
    stopReceiving,
    ...of
  }: {
    mayMakeKeys: boolean;
    admins: readonly string[] | null;
    onTrouble: () => void;
    stopReceiving: () => Promise<void>;
  },
) => {
  const { ledger, clock, place, lent, log } = opened;
  // Close everything after a failed start, so that the process can exit.
  const giveUp = async (error: unknown): Promise<never> => {
    await stopReceiving();
    await ledger.close();
    throw error;
  };
  await assertGit().catch(giveUp);
  const asBefore = raiseLogLevelOnSignal(log);
  const handling = createWatchdog(place, log);
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
        await stopReceiving();
        await end(stopWork);
        throw error;
      },
    },
  };
};

export type AppContext<Config extends WorkConfig = WorkConfig> = Awaited<
  ReturnType<typeof createAppContext<Config>>
>;

const tracingOf = async ({ traces, role, proxies }: WorkConfig, log: OpenedProcess['log']) =>
  traces === null ? null : (await import('./tracing.ts')).createTracing({ traces, role, proxies, log });
