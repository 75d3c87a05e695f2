import { setTimeout as sleep } from 'node:timers/promises';
import { waits } from './waits.js';

export { waits };

/**
 * Calls `work` until it succeeds, is not worth another try, or has had its tries.
 * Resolves with what `work` gives; rejects with its last error.
 */
export async function patient(work, { retryIf = () => true, wait = sleep, ...options } = {}) {
  const pauses = waits(options);
  for (let turn = 0; ; turn += 1) {
    try {
      return await work(turn);
    } catch (error) {
      if (turn >= pauses.length || !retryIf(error)) throw error;
      await wait(pauses[turn]);
    }
  }
}
