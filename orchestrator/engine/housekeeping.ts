/**
 * Housekeeping (L8): what nobody needs any more goes, and room on the disk is kept, for as long as
 * the process runs.
 */
import type { SystemClock, Ledger, TimerPort, LogPort } from '../ports.ts';
import type { FigureRecords } from './fold-figures.ts';
import { startRounds, type RepeatingJob } from './repeating-job.ts';

/** Little steps that one round takes at most: a chat never waits for all of them. */
const MAX_STEPS_PER_ROUND = 100;
/** Between two rounds (ms). */
const HOUSEKEEPING_INTERVAL_MS = 180_000;

/** One round: removes what may go and takes the disk reserve again. Ends early when told to. */
export const removeExpired = async (
  ledger: Pick<Ledger, 'tidy'>,
  clock: SystemClock,
  stopped: () => boolean = () => false,
): Promise<void> => {
  for (let i = 0; i < MAX_STEPS_PER_ROUND && !stopped() && (await ledger.tidy(clock.now())); i += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

/**
 * Begins at once, in the background: nothing waits for it. A round that fails is tried again with
 * the next.
 */
export const startHousekeeping = (parts: {
  ledger: Pick<Ledger, 'tidy'>;
  /** O4: so that nobody who asks for a report waits for them. */
  figures: Pick<FigureRecords, 'refresh'>;
  clock: SystemClock;
  timers: TimerPort;
  log: Pick<LogPort, 'error'>;
}): RepeatingJob => {
  const { ledger, figures, clock, timers, log } = parts;
  return startRounds({
    timers,
    every: HOUSEKEEPING_INTERVAL_MS,
    round: async (stopped) => {
      try {
        await removeExpired(ledger, clock, stopped);
        await figures.refresh(stopped);
      } catch (error) {
        log.error({ err: error }, 'the ledger could not be tidied');
      }
    },
  });
};
