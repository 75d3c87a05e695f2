/** Sets up and shuts down what every process role shares: log, ledger, adapters, tracing. */
import { assertGit } from '#git';
import { createExposedSecrets } from '#sandbox';
import { createAttemptTimes } from './attempt-times.ts';
import type { EffectHandlers } from '../orchestrator/kernel/runtime/effect-handler.ts';
import type { WorkConfig } from './config.ts';
import { createAdapters } from './adapters.ts';
import { createLogger, raiseLogLevelOnSignal } from './logger.ts';
import { openLedgerForRole } from './open-ledger.ts';
import { combineObservers } from './instrumentation.ts';

export const createProcessContext = async (
  config: WorkConfig,
  of: {
    mayMakeKeys: boolean;
    onTrouble: () => void;
  },
) => {
  const lent = createExposedSecrets();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const asBefore = raiseLogLevelOnSignal(log);
  await assertGit();
  const opened = await openLedgerForRole(config, log);
  const { ledger, clock, place } = opened;
  // Close everything after a failed start, so that the process can exit.
  const giveUp = async (error: unknown): Promise<never> => {
    await ledger.close();
    throw error;
  };
  const tracing = await tracingOf(config, log).catch(giveUp);
  const attempts = createAttemptTimes();
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
    await ledger.close();
  };
  return {
    ...opened,
    lent,
    log,
    hands,
    handlers: (...of: Parameters<typeof hands.handlers>): EffectHandlers => {
      const handlers = hands.handlers(...of);
      return tracing ? tracing.handlers(handlers) : handlers;
    },
    attempts,
    tracing,
    end,
    /** Ends a failed start, so that the process does not block its seat. */
    giveUp: async (error: unknown, stopWork = async (): Promise<void> => {}): Promise<never> => {
      await end(stopWork);
      throw error;
    },
  };
};

export type OpenMember = Awaited<ReturnType<typeof createProcessContext>>;

const tracingOf = async (
  { traces, role, proxies }: WorkConfig,
  log: Parameters<typeof openLedgerForRole>[1],
) => (traces === null ? null : (await import('./tracing.ts')).createTracing({ traces, role, proxies, log }));
