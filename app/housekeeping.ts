/** L8: background retention and disk reserve. */
import type { SystemClock, Ledger, TimerPort, LogPort } from '../orchestrator/kernel/ports/index.ts';
import { startRounds, type RepeatingJob } from '#pacing';

/** Maximum number of steps per round, so that chats do not wait. */
const MAX_STEPS_PER_ROUND = 100;
const HOUSEKEEPING_INTERVAL_MS = 180_000;
/** A run takes about 4 ms to fold, so chats wait for a third of the processor at most. */
const REST_MS = 10;

export const removeExpired = async (
  ledger: Pick<Ledger, 'tidy'>,
  clock: SystemClock,
  stopped: () => boolean = () => false,
): Promise<void> => {
  for (let i = 0; i < MAX_STEPS_PER_ROUND && !stopped() && (await ledger.tidy(clock.now())); i += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

/** Starts at once in the background; a failed round is repeated with the next. */
export const startHousekeeping = (parts: {
  ledger: Pick<Ledger, 'tidy'>;
  /** O4: precomputed, so that reports are fast. */
  figures: { refresh(stopped: () => boolean, rest: () => Promise<void>): Promise<unknown> };
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
}): RepeatingJob => {
  const { ledger, figures, clock, timers, log } = parts;
  const rest = (): Promise<void> => new Promise((resolve) => void timers.after(REST_MS, resolve));
  return startRounds({
    timers,
    every: HOUSEKEEPING_INTERVAL_MS,
    round: async (stopped) => {
      try {
        await removeExpired(ledger, clock, stopped);
        await figures.refresh(stopped, rest);
      } catch (error) {
        log.error({ err: error }, 'the ledger could not be tidied');
      }
    },
  });
};
