/** Expedites polls when a webhook reports news. */
import type { SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

export type PollExpediter = {
  expedite(runId: string): Promise<void>;
  begin(runId: string): void;
  hinted(runId: string): boolean;
  /** F5: the code host asked for a pause until then (epoch ms); hints wait for the next poll. */
  quiet(until: number): void;
  /** Epoch ms, in the past when there is no pause. */
  quietUntil(): number;
};

/** Hints that come within this time of a poll's begin share the next poll (ms). */
export const MIN_HINT_GAP_MS = 500;

type PollHintParts = { ledger: Pick<Ledger, 'hurry'>; clock: SystemClock };

/** Kept in memory: every poll is due after a restart. */
export const createPollHints = ({ ledger, clock }: PollHintParts): PollExpediter => {
  const marks = new Set<string>();
  /** When the last poll of a run began, and when the next one was last expedited (epoch ms). */
  const begun = new Map<string, number>();
  const hurried = new Map<string, number>();
  const isRecent = (at: number | undefined, now: number): at is number =>
    at !== undefined && at <= now && now - at < MIN_HINT_GAP_MS;
  let quiet = { from: 0, until: 0 };
  /** A clock that went back makes the end of the pause unknown. */
  const quietUntil = (): number => (clock.now() < quiet.from ? 0 : quiet.until);
  return {
    async expedite(runId) {
      const now = clock.now();
      const isMarked = marks.has(runId);
      marks.add(runId);
      if (now < quietUntil() || (isMarked && isRecent(hurried.get(runId), now))) return;
      hurried.set(runId, now);
      const last = begun.get(runId);
      await ledger.hurry(runId, isRecent(last, now) ? last + MIN_HINT_GAP_MS : now);
    },
    begin(runId) {
      const now = clock.now();
      marks.delete(runId);
      for (const times of [begun, hurried])
        for (const [id, at] of times) if (!isRecent(at, now)) times.delete(id);
      begun.set(runId, now);
    },
    hinted: (runId) => marks.has(runId),
    quiet(until) {
      quiet = { from: clock.now(), until: Math.max(quietUntil(), until) };
    },
    quietUntil,
  };
};
