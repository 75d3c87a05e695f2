/**
 * O4: how long agents and checks took in this process. Until Prometheus asks for the first time only
 * the last ones are kept: before that there is nothing that a counter could be compared with.
 */
import type { Watch, WatchedWork } from './watching.ts';

type Attempt = Omit<WatchedWork, 'runId'> & { outcome: string; ms: number };
export type AttemptTimes = {
  /** From now on, and of those that are kept. */
  hear: (observe: (attempt: Attempt) => void) => void;
};

const MOST = 1_000;

export const createAttemptTimes = (): AttemptTimes & { watch: Watch } => {
  const kept: Attempt[] = [];
  let note = (attempt: Attempt): void => {
    kept.push(attempt);
    if (kept.length > MOST) kept.shift();
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
