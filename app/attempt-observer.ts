/** Measures how long agents and checks took in this process (O4). */
import type { ObserveWork, WatchedWork } from './observe-work.ts';

type Attempt = Omit<WatchedWork, 'runId'> & { outcome: string; ms: number };
export type AttemptObserver = {
  /** Also replays the last attempts before this call; earlier ones are dropped. */
  subscribe: (observe: (attempt: Attempt) => void) => void;
};

const MAX_KEPT_TIMES = 1_000;

export const createAttemptObserver = (): AttemptObserver & { watch: ObserveWork } => {
  const kept: Attempt[] = [];
  let recordAttempt = (attempt: Attempt): void => {
    kept.push(attempt);
    if (kept.length > MAX_KEPT_TIMES) kept.shift();
  };
  return {
    watch:
      ({ step, engine }) =>
      (outcome, ms) =>
        recordAttempt({ step, engine, outcome, ms }),
    subscribe: (observe) => {
      kept.splice(0).forEach(observe);
      recordAttempt = observe;
    },
  };
};
