/**
 * What follows from a 429: how long its chat hears nothing, and whether it looks as if Telegram
 * meant all of them.
 */
import type { OutsideFailure } from '../orchestrator/ports.ts';
import { MINUTE } from '../orchestrator/core/units.ts';

/** A short wait is what one chat gets that was spoken to too fast, and costs little (ms). */
const SHORT_WAIT_MS = 10_000;
/**
 * How long all chats hear nothing when it does: so long, then twice as long … (ms). Then one of
 * them is tried.
 */
const FIRST_SILENCE_MS = 1_000;
const MAX_SILENCE_MS = MINUTE;

export const createRefusals = (clock: { now(): number }) => {
  /**
   * Chats that were refused since a message last went through: Telegram does not say whom it means.
   */
  const refused = new Set<string>();
  let pause = FIRST_SILENCE_MS;
  let heldUntil = 0;

  return {
    wentThrough(): void {
      refused.clear();
      pause = FIRST_SILENCE_MS;
    },
    /** Null when it was no refusal for being too fast. */
    silence(chat: string, error: OutsideFailure): { chat: number; everybody: number | null } | null {
      const until = error.retryAt;
      if (error.class !== 'rate_limited' || until === null) return null;
      const now = clock.now();
      if (until - now < SHORT_WAIT_MS) return { chat: until, everybody: null };
      refused.add(chat);
      // Of several that were under way at the same time only the first is news.
      if (refused.size < 2 || now < heldUntil) return { chat: until, everybody: null };
      heldUntil = Math.min(until, now + pause);
      pause = Math.min(MAX_SILENCE_MS, pause * 2);
      return { chat: until, everybody: heldUntil };
    },
  };
};
