/** How long to wait before something is tried again: twice as long each time, up to a bound. */

/** In the unit of `first` and `most`; `done` counts the waits before this one. */
export const backoffDelay = (done: number, { first, most }: { first: number; most: number }): number =>
  Math.min(most, first * 2 ** Math.max(0, done));
