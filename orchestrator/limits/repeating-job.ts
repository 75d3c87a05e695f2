/** Repeats a job: at once, after every pause, and earlier on news. */
import type { TimerPort } from '#ports/processes';

export type RepeatingJob = {
  soon(): void;
  stop(): Promise<void>;
};

/** `round` must not reject; it reports its own failures. */
export const startRepeatingJob = (parts: {
  timers: TimerPort;
  /** Pause between rounds, and delay after news (ms). */
  every: number;
  soon?: number;
  round: (stopped: () => boolean) => Promise<void>;
}): RepeatingJob => {
  const { timers, every, round } = parts;
  let stopped = false;
  let hurried = false;
  let alarm: { cancel(): void } | null = null;
  const scheduleNext = (ms: number): void => {
    alarm?.cancel();
    alarm = timers.after(ms, () => void (rounds = rounds.then(runOnce)));
  };
  const runOnce = async (): Promise<void> => {
    hurried = false;
    await round(() => stopped);
    if (!stopped && !hurried) scheduleNext(every);
  };
  let rounds = runOnce();
  return {
    soon() {
      if (stopped || hurried) return;
      hurried = true;
      scheduleNext(parts.soon ?? every);
    },
    async stop() {
      stopped = true;
      alarm?.cancel();
      await rounds;
    },
  };
};
