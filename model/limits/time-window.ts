/** A window of time in which only so many things may happen. */

/** Later times count as now after a clock was set back. Oldest first. */
export const clampTimesToNow = (times: readonly number[], now: number): number[] =>
  times.map((at) => Math.min(at, now)).sort((a, b) => a - b);

/** `times` are sorted, oldest first; gives when one more may follow (epoch ms): 0, or a time long gone, is now. */
export const windowFreeAt = (
  times: readonly number[],
  { most, spanMs }: { most: number; spanMs: number },
): number => {
  const first = times[times.length - most];
  return first === undefined ? 0 : first + spanMs;
};
