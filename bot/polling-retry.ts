/**
 * Patience with long polling: what passes by itself is waited out here, where a stop ends the wait.
 */
import type { ApiResponse } from 'grammy/types';
import type { LogPort } from '../orchestrator/ports.ts';
import { isUpdate } from './commands/read-update.ts';
import { HOUR } from '../orchestrator/core/units.ts';

export type PollingParts = {
  stopping: AbortSignal;
  now: () => number;
  /** Ends early when stopping. */
  pause: (ms: number) => Promise<void>;
  log: Pick<LogPort, 'warn'>;
  /**
   * L7: nobody else polls for this ledger. Telegram takes the last one that did, and was killed, for a
   * second bot for most of a minute.
   */
  only: boolean;
};

/** Before Telegram is asked again (ms). */
const POLL_RETRY_MS = 3_000;
/** However long Telegram asks us to wait, we ask again within this (ms). */
const MAX_POLL_RETRY_MS = HOUR;
/**
 * Somebody who looked once, or another start that is about to end, conflicts a few times; a second
 * bot does so again and again.
 */
const MAX_CONFLICTS = 5;
const CONFLICTS_WITHIN = 600_000;

export const createPollRetry = ({ stopping, now, pause, log, only }: PollingParts) => {
  let conflicts: number[] = [];

  const bearable = (): boolean => {
    conflicts = [...conflicts.filter((at) => at > now() - CONFLICTS_WITHIN), now()];
    return only || conflicts.length <= MAX_CONFLICTS;
  };

  /** How long to wait before another try, in ms; null when the answer is to be used as it is. */
  const waitAfter = (answer: ApiResponse<unknown>): number | null => {
    if (answer.ok) {
      if (Array.isArray(answer.result) && answer.result.every(isUpdate)) return null;
      log.warn({}, 'Telegram answered with something that is not its API');
      return POLL_RETRY_MS;
    }
    if (answer.error_code === 429) {
      const asked = answer.parameters?.retry_after ?? 0;
      return Math.min(MAX_POLL_RETRY_MS, Math.max(POLL_RETRY_MS, asked * 1_000));
    }
    const conflict = answer.error_code === 409 && /other getUpdates/i.test(answer.description);
    if (!conflict || !bearable()) return null;
    log.warn({}, 'another program fetched updates of this bot');
    return POLL_RETRY_MS;
  };

  /**
   * Asks for updates until there is an answer that can be used, or that nothing can be done about.
   */
  return async <T>(ask: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> => {
    for (;;) {
      // On stop grammY confirms the update in hand, stored or not. It is redelivered instead, and
      // known by its key.
      if (stopping.aborted) throw new Error('the bot is stopping');
      const answer = await ask();
      const wait = waitAfter(answer);
      if (wait === null) return answer;
      await pause(wait);
    }
  };
};
