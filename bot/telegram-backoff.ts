/** Handles 429 answers: pauses the chat, or all chats when the whole bot seems limited. */
import type { OutsideFailure } from '#ports/forge';
import { MINUTE } from '#model/values';

const SHORT_WAIT_MS = 10_000;
/** First and maximum pause of all chats (ms); it doubles each time. */
const FIRST_SILENCE_MS = 1_000;
const MAX_SILENCE_MS = MINUTE;

export const createTelegramBackoff = (clock: { now(): number }) => {
  /** Chats refused since the last success; Telegram does not say whether a limit is per chat. */
  const refused = new Set<string>();
  let pause = FIRST_SILENCE_MS;
  let heldUntil = 0;

  return {
    wentThrough(): void {
      refused.clear();
      pause = FIRST_SILENCE_MS;
    },
    silenceAfter(chat: string, error: OutsideFailure): { chat: number; everybody: number | null } | null {
      const until = error.retryAt;
      if (error.class !== 'rate_limited' || until === null) return null;
      const now = clock.now();
      if (until - now < SHORT_WAIT_MS) return { chat: until, everybody: null };
      refused.add(chat);
      // Concurrent refusals count once.
      if (refused.size < 2 || now < heldUntil) return { chat: until, everybody: null };
      heldUntil = Math.min(until, now + pause);
      pause = Math.min(MAX_SILENCE_MS, pause * 2);
      return { chat: until, everybody: heldUntil };
    },
  };
};
