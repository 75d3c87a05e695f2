/**
 * A clock that a test winds: what falls due happens in its order, with all that follows from it.
 */
export type TestClock = {
  now(): number;
  after(ms: number, go: () => void): { cancel(): void };
  /** So much time passes. */
  pass(ms: number): Promise<void>;
};

/** Until nothing more follows from what has happened. */
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
