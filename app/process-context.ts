/**
 * What every process is, whatever its role: its log, the ledger as its role writes it, the hands that
 * do work, who watches them, and the order in which all of that ends.
 */
import { assertGit } from '#git';
import { createExposedSecrets } from '#sandbox';
import { createAttemptTimes } from './attempt-times.ts';
import type { EffectHandlers } from '../orchestrator/engine/effect-handler.ts';
import type { WorkConfig } from './config.ts';
import { createAdapters } from './adapters.ts';
import { createLogger, raiseLogLevelOnSignal } from './logger.ts';
import { openLedgerForRole } from './open-ledger.ts';
import { combineObservers } from './instrumentation.ts';

export const createProcessContext = async (
  config: WorkConfig,
  of: {
    /** Whether keys that are missing may be made. */
    mayMakeKeys: boolean;
    /** The code host could not be reached. */
    onTrouble: () => void;
  },
) => {
  const lent = createExposedSecrets();
  const log = createLogger(config.logLevel, undefined, (line) => lent.hide(line));
  const asBefore = raiseLogLevelOnSignal(log);
  await assertGit();
  const opened = await openLedgerForRole(config, log);
  const { ledger, clock, place } = opened;
  // A start that fails must leave nothing open that would keep the process alive.
  const giveUp = async (error: unknown): Promise<never> => {
    await ledger.close();
    throw error;
  };
  const tracing = await tracingOf(config, log).catch(giveUp);
  const attempts = createAttemptTimes();
  const watch = tracing ? combineObservers(attempts.watch, tracing.watch) : attempts.watch;
  const hands = await createAdapters({ config, ledger, clock, place, lent, log, watch, ...of }).catch(giveUp);
  /** Ends its work, and everything. */
  const end = async (stopWork: () => Promise<void>): Promise<void> => {
    asBefore();
    // After the effects know: what a stopped git left undone is done again after the next start.
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
    /** Null where nobody asked for traces. */
    tracing,
    end,
    /** The same for a start that failed: a process that lived on would keep others from its seat. */
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
