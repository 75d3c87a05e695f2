/** The clock and the timers of this machine. */
import type { Clock, Timers } from '../orchestrator/ports.ts';

export const systemClock: Clock = { now: () => Date.now() };
export const systemTimers: Timers = {
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
