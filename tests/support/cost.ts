/** Relative CPU costs, measured in one run, so that a slow machine does not matter. */

/** CPU time of this process (µs). */
const once = (go: () => unknown): number => {
  const from = process.cpuUsage();
  go();
  const { user, system } = process.cpuUsage(from);
  return user + system;
};

const TRIES = 12;
/** Smaller times are dominated by the measurement (µs). */
const FLOOR = 2_000;

/** Returns the cost ratio of several tries, because a compiler or GC can only make it worse. */
export const times = (go: () => unknown, yard: () => unknown, enough: number): number => {
  let [most, least] = [Infinity, Infinity];
  for (let i = 0; i < TRIES; i += 1) {
    least = Math.min(least, once(yard));
    most = Math.min(most, once(go));
    if (most / Math.max(FLOOR, least) <= enough) break;
  }
  return most / Math.max(FLOOR, least);
};

/** Four times the input costs a bit more than four times as much; quadratic code, 16 times. */
export const LINEAR = 10;
export const growth = <T>(size: number, make: (size: number) => T, go: (input: T) => unknown): number => {
  const [small, large] = [make(size), make(4 * size)];
  return times(
    () => go(large),
    () => go(small),
    LINEAR,
  );
};
