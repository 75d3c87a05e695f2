/** A manual clock: due timers fire in order, with everything that follows. */
export type TestClock = {
  now(): number;
  after(ms: number, go: () => void): { cancel(): void };
  /** Advances the time (ms). */
  pass(ms: number): Promise<void>;
};

/** Waits until pending promises have settled. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const createClock = (start = 1_800_000_000_000): TestClock => {
  let now = start;
  let waiting: { at: number; go: () => void }[] = [];
  return {
    now: () => now,
    after(ms, go) {
      const one = { at: now + ms, go };
      waiting.push(one);
      return { cancel: () => void (waiting = waiting.filter((other) => other !== one)) };
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        waiting = waiting.filter((other) => other !== next);
        now = next.at;
        next.go();
        await settle();
      }
      now = end;
      await settle();
    },
  };
};
