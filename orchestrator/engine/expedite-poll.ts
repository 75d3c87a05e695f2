/**
 * Hints: somebody says that there is something to see on the forge, so the next look need not wait
 * for its time.
 */
import type { SystemClock, Ledger } from '../ports.ts';

export type PollExpediter = {
  /** Makes the run's next look due now, or, while one is under way, has another follow it. */
  look(runId: string): Promise<void>;
  /** A look begins: what was hinted until now it will see. */
  begin(runId: string): void;
  /** Whether something was hinted since. */
  hinted(runId: string): boolean;
  /**
   * The forge asked for quiet until then (epoch ms): hints wait for the look that comes after (F5).
   */
  quiet(until: number): void;
  /** Until when that is (epoch ms); in the past when nothing was asked. */
  quietUntil(): number;
};

/** In memory only: after a restart every look is due by itself. */
export const createPollHints = ({
  ledger,
  clock,
}: {
  ledger: Pick<Ledger, 'hurry'>;
  clock: SystemClock;
}): PollExpediter => {
  const marks = new Set<string>();
  let quiet = { from: 0, until: 0 };
  /** By a clock that was put back since, nobody knows any more until when. */
  const quietUntil = (): number => (clock.now() < quiet.from ? 0 : quiet.until);
  return {
    async look(runId) {
      marks.add(runId);
      const now = clock.now();
      if (now >= quietUntil()) await ledger.hurry(runId, now);
    },
    begin: (runId) => void marks.delete(runId),
    hinted: (runId) => marks.has(runId),
    quiet(until) {
      quiet = { from: clock.now(), until: Math.max(quietUntil(), until) };
    },
    quietUntil,
  };
};
