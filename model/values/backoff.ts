/** Computes exponential back-off: each wait is twice the one before, up to a limit. */

/** Unit as in `first` and `most`; `done` counts the waits before this one. */
export const backoffDelay = (done: number, { first, most }: { first: number; most: number }): number =>
  Math.min(most, first * 2 ** Math.max(0, done));
