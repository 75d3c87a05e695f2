/**
 * O4: how long agents and checks took in this process. Until Prometheus asks for the first time only
 * the last ones are kept: before that there is nothing that a counter could be compared with.
 */
import type { ObserveWork, WatchedWork } from './instrumentation.ts';

type Attempt = Omit<WatchedWork, 'runId'> & { outcome: string; ms: number };
export type AttemptTimes = {
  /** From now on, and of those that are kept. */
  hear: (observe: (attempt: Attempt) => void) => void;
};

const MAX_KEPT_TIMES = 1_000;

export const createAttemptTimes = (): AttemptTimes & { watch: ObserveWork } => {
  const kept: Attempt[] = [];
  let note = (attempt: Attempt): void => {
    kept.push(attempt);
    if (kept.length > MAX_KEPT_TIMES) kept.shift();
  };
  return {
    watch:
      ({ step, engine }) =>
      (outcome, ms) =>
        note({ step, engine, outcome, ms }),
    hear: (observe) => {
      kept.splice(0).forEach(observe);
      note = observe;
    },
  };
};
