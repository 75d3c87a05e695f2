/** L4: renews the lease of an effect, and aborts the effect when the lease is lost. */
import { traitsOf } from '../run/effect-traits.ts';
import type { ClaimedEffect, SystemClock, Ledger, LogPort, TimerPort } from '../ports/index.ts';
import { LEASE_MS } from './effect-handler.ts';

export type LeaseParts = {
  ledger: Pick<Ledger, 'renew'>;
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
};

export const createLeases =
  ({ ledger, clock, timers, log }: LeaseParts) =>
  (claim: ClaimedEffect, stop: AbortController): { cancel(): void } => {
    let timer = { cancel: () => {} };
    let over = false;
    const renew = async (): Promise<void> => {
      const ours = await ledger.renew(claim, clock.now() + LEASE_MS);
      // guard: L4-lease-renewed-again
      if (!ours && traitsOf(claim.do.kind).stops) stop.abort();
      else schedule();
    };
    const schedule = (): void => {
      // No timer after the end, as it would keep the process alive.
      // guard: L4-lease-ends
      if (over) return;
      timer = timers.after(LEASE_MS / 3, () => {
        renew().catch((error: unknown) => {
          log.error({ err: error, effect: claim.id, run: claim.runId }, 'a lease could not be renewed');
          schedule();
        });
      });
    };
    // guard: L4-lease-renewed
    schedule();
    return {
      cancel: () => {
        over = true;
        timer.cancel();
      },
    };
  };
