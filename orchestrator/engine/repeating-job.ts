/** Looking at something again and again: at once, after every pause, and sooner when there is news. */
import type { TimerPort } from '../ports.ts';

export type RepeatingJob = {
  /** There is news: what comes within a moment is looked at together. */
  soon(): void;
  /** Waits for the round that is under way. */
  stop(): Promise<void>;
};

/** Begins at once, in the background. A round never fails: it tells of its failures itself. */
export const startRounds = (parts: {
  timers: TimerPort;
  /** Between two rounds, and between news and the round about it (ms). */
  every: number;
  soon?: number;
  round: (stopped: () => boolean) => Promise<void>;
}): RepeatingJob => {
  const { timers, every, round } = parts;
  let stopped = false;
  let hurried = false;
  let alarm: { cancel(): void } | null = null;
  const next = (ms: number): void => {
    alarm?.cancel();
    alarm = timers.after(ms, () => void (rounds = rounds.then(once)));
  };
  const once = async (): Promise<void> => {
    hurried = false;
    await round(() => stopped);
    if (!stopped && !hurried) next(every);
  };
  let rounds = once();
  return {
    soon() {
      if (stopped || hurried) return;
      hurried = true;
      next(parts.soon ?? every);
    },
    async stop() {
      stopped = true;
      alarm?.cancel();
      await rounds;
    },
  };
};
