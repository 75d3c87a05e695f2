/** Repeats a failed read-back for a while before it alarms; a difference alarms at once (E14). */
import type { HandlerOutcome } from '../runtime/effect-handler.ts';
import { OutsideFailure } from '#ports/forge';
import type { ClaimedEffect } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import { HOUR, backoffDelay } from '#model/values';

/** Time for replicas and busy hosts to catch up (ms). */
const READ_BACK_TIMEOUT_MS = 90_000;
const READ_BACK_DELAYS = { first: 1_000, most: 15_000 };
const MAX_READ_BACK_WAIT_MS = HOUR;

type ReadBacks<Made> = {
  /** Kept in memory: after a restart the code host is asked instead. */
  made(claim: ClaimedEffect): Made | null;
  /** Repeats a read that failed or is `unseen`; past the limit, the failure is the answer. */
  read<T extends HandlerOutcome | null>(
    claim: ClaimedEffect,
    made: Made,
    read: () => Promise<T | 'unseen'>,
  ): Promise<T | HandlerOutcome | 'unseen'>;
};

/** `timeoutMs` limits the repeats; waits that the code host asks for do not count. */
export const createReadBacks = <Made>(
  clock: SystemClock,
  timeoutMs = READ_BACK_TIMEOUT_MS,
): ReadBacks<Made> => {
  const begun = new Map<string, { made: Made; since: number; reads: number }>();
  return {
    made: ({ id }) => begun.get(id)?.made ?? null,
    async read({ id }, made, read) {
      const now = clock.now();
      const one = begun.get(id) ?? { made, since: now, reads: 0 };
      const readLater = (reason: string, at: number): HandlerOutcome => {
        begun.set(id, { ...one, reads: one.reads + 1 });
        return { kind: 'later', at, reason, counts: true };
      };
      // A clock that went back must not extend the wait.
      const waits = one.since - now < MAX_READ_BACK_WAIT_MS && now - one.since < timeoutMs;
      const next = now + backoffDelay(one.reads, READ_BACK_DELAYS);
      begun.delete(id);
      try {
        const outcome = await read();
        return outcome === 'unseen' && waits ? readLater('nothing is to be seen of it yet', next) : outcome;
      } catch (error) {
        if (!(error instanceof OutsideFailure)) throw error;
        const asked = Math.min(error.retryAt ?? 0, now + MAX_READ_BACK_WAIT_MS);
        // Requests to retry at once do not extend the limit.
        if (asked > next) one.since = Math.max(one.since, asked);
        else if (!waits) throw error;
        return readLater(error.message, Math.max(asked, next));
      }
    },
  };
};
