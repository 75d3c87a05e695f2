/**
 * Lets the event loop breathe during long synchronous file work: taps and webhooks are answered
 * meanwhile.
 */
import { setImmediate } from 'node:timers/promises';

/** Call it often; it yields when `ms` of work have passed. */
export const createPace = (ms = 8): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < ms) return;
    await setImmediate();
    since = performance.now();
  };
};
