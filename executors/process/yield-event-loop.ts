/** Yields to the event loop during long file work, so that taps and webhooks are answered. */
import { setImmediate } from 'node:timers/promises';

export const createPeriodicYield = (ms = 8): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < ms) return;
    await setImmediate();
    since = performance.now();
  };
};
