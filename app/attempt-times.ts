/** Measures how long agents and checks took in this process (O4). */
import type { ObserveWork, WatchedWork } from './instrumentation.ts';

type Attempt = Omit<WatchedWork, 'runId'> & { outcome: string; ms: number };
export type AttemptTimes = {
  /** Also replays the last attempts before this call; earlier ones are dropped. */
  hear: (observe: (attempt: Attempt) => void) => void;
};

const MAX_KEPT_TIMES = 1_000;

export const createAttemptTimes = (): AttemptTimes & { watch: ObserveWork } => {
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
    hear: (observe) => {
      kept.splice(0).forEach(observe);
      recordAttempt = observe;
    },
  };
};
