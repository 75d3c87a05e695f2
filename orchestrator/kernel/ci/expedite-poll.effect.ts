/** Expedites polls when a webhook reports news. */
import type { SystemClock, Ledger } from '../ports/index.ts';

export type PollExpediter = {
  look(runId: string): Promise<void>;
  /** A poll begins, which covers all earlier hints. */
  begin(runId: string): void;
  hinted(runId: string): boolean;
  /** F5: the code host asked for a pause until then (epoch ms); hints wait for the next poll. */
  quiet(until: number): void;
  /** Epoch ms, in the past when there is no pause. */
  quietUntil(): number;
};

/** Kept in memory: every poll is due after a restart. */
export const createPollHints = ({
  ledger,
  clock,
}: {
  ledger: Pick<Ledger, 'hurry'>;
  clock: SystemClock;
}): PollExpediter => {
  const marks = new Set<string>();
  let quiet = { from: 0, until: 0 };
  /** A clock that went back makes the end of the pause unknown. */
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
