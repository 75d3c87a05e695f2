/** Runs claimed effects under a renewed lease, one try at a time. */
import { traitsOf } from '../effects/effect-traits.ts';
import type { EffectKind } from '../effects/effect-types.ts';
import { findOpenQuestion, type Run } from '../run/run.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { TimerPort, SystemClock, LogPort } from '#ports/processes';
import type { Ledger } from '#ports/ledger';
import { createEffectRunner, createTries, SHUTDOWN_REASON, type EffectRunnerParts } from './effect-runner.ts';
import { LEASE_MS } from './effect-handler.ts';

type LeaseParts = {
  ledger: Pick<Ledger, 'renew'>;
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
};

const createLeases =
  ({ ledger, clock, timers, log }: LeaseParts) =>
  (claim: ClaimedEffect, stop: AbortController): { cancel(): void } => {
    let timer = { cancel: () => {} };
    let over = false;
    const renewLease = async (): Promise<void> => {
      const ours = await ledger.renew(claim, clock.now() + LEASE_MS);
      // guard: L4-lease-renewed-again
      if (!ours && traitsOf(claim.do.kind).stops) stop.abort();
      else scheduleRenewal();
    };
    const scheduleRenewal = (): void => {
      // No timer after the end, as it would keep the process alive.
      // guard: L4-lease-ends
      if (over) return;
      timer = timers.after(LEASE_MS / 3, () => {
        renewLease().catch((error: unknown) => {
          log.error({ err: error, effect: claim.id, run: claim.runId }, 'a lease could not be renewed');
          scheduleRenewal();
        });
      });
    };
    // guard: L4-lease-renewed
    scheduleRenewal();
    return {
      cancel: () => {
        over = true;
        timer.cancel();
      },
    };
  };

export const LIGHT_CAP = 16;

const isOver = ({ do: work, epoch }: ClaimedEffect, run: Run): boolean =>
  // guard: E21-stops-when-moved-on
  work.kind === 'answer_question'
    ? findOpenQuestion(run)?.id !== work.question
    : epoch !== null && epoch !== run.lifecycle.epoch;

export const createRunningEffects = (parts: EffectRunnerParts & { timers: TimerPort }) => {
  const { log } = parts;
  const perform = createEffectRunner(parts);
  const keepLease = createLeases(parts);
  const { running, begin } = createTries(async (claim, signal) => {
    try {
      await perform(claim, signal);
    } catch (error) {
      log.error({ err: error, effect: claim.id, run: claim.runId }, 'the ledger did not take an outcome');
    }
  });
  return {
    async begin(claim: ClaimedEffect): Promise<void> {
      const { stop, done } = begin(claim);
      const lease = keepLease(claim, stop);
      await done.finally(() => lease.cancel());
    },
    count: (kinds: readonly EffectKind[]): number =>
      [...running.values()].filter(({ claim }) => kinds.includes(claim.do.kind)).length,
    isIdle: (): boolean => running.size === 0,
    worksOn: (runId: string): boolean => [...running.values()].some(({ claim }) => claim.runId === runId),
    onWritten(run: Run): void {
      for (const { claim, stop } of running.values()) {
        const over = claim.runId === run.id && isOver(claim, run);
        // guard: S2-left-state-stops
        if (over && traitsOf(claim.do.kind).stops) stop.abort();
      }
    },
    async stop(): Promise<void> {
      for (const { stop } of running.values()) stop.abort(SHUTDOWN_REASON);
      // guard: L6-shutdown-waits
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
};
