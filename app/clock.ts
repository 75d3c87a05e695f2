/** Provides the system clock and timers. */
import type { SystemClock, TimerPort } from '#ports/processes';

export const systemClock: SystemClock = { now: () => Date.now() };
export const systemTimers: TimerPort = {
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
