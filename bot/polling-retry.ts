/** Retries long polling after transient failures; a stop ends the wait. */
import type { ApiResponse } from 'grammy/types';
import type { LogPort } from '#ports/processes';
import { isTelegramUpdate } from './commands/read-telegram-update.ts';
import { HOUR } from '#model/values';

type PollingParts = {
  stopping: AbortSignal;
  now: () => number;
  pause: (ms: number) => Promise<void>;
  log: Pick<LogPort, 'warn'>;
  /** L7: no other process polls; Telegram may report a killed predecessor as a conflict. */
  only: boolean;
};

const POLL_RETRY_MS = 3_000;
const MAX_POLL_RETRY_MS = HOUR;
/** A short-lived second poller conflicts a few times, a permanent one again and again. */
const MAX_CONFLICTS = 5;
const CONFLICTS_WITHIN = 600_000;

export const createPollRetry = ({ stopping, now, pause, log, only }: PollingParts) => {
  let conflicts: number[] = [];

  const isBearable = (): boolean => {
    conflicts = [...conflicts.filter((at) => at > now() - CONFLICTS_WITHIN), now()];
    return only || conflicts.length <= MAX_CONFLICTS;
  };

  /** Returns the wait before the next try (ms); null when the answer is final. */
  const waitAfter = (answer: ApiResponse<unknown>): number | null => {
    if (answer.ok) {
      if (Array.isArray(answer.result) && answer.result.every(isTelegramUpdate)) return null;
      log.warn({}, 'Telegram answered with something that is not its API');
      return POLL_RETRY_MS;
    }
    if (answer.error_code === 429) {
      const asked = answer.parameters?.retry_after ?? 0;
      return Math.min(MAX_POLL_RETRY_MS, Math.max(POLL_RETRY_MS, asked * 1_000));
    }
    const conflict = answer.error_code === 409 && /other getUpdates/i.test(answer.description);
    if (!conflict || !isBearable()) return null;
    log.warn({}, 'another program fetched updates of this bot');
    return POLL_RETRY_MS;
  };

  return async <T>(ask: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> => {
    for (;;) {
      // This error keeps grammY from confirming the current update, stored or not, on stop.
      if (stopping.aborted) throw new Error('the bot is stopping');
      const answer = await ask();
      const wait = waitAfter(answer);
      if (wait === null) return answer;
      await pause(wait);
    }
  };
};
