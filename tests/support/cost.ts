/**
 * What something costs beside something else, measured in the same run: a slow machine is slow for
 * both.
 */

/** Our own time in microseconds: what else the machine does is no matter. */
const once = (go: () => unknown): number => {
  const from = process.cpuUsage();
  go();
  const { user, system } = process.cpuUsage(from);
  return user + system;
};

const TRIES = 4;
/** Below this (µs) it is the measuring that is measured. */
const FLOOR = 2_000;

/**
 * How many times what `yard` costs `go` costs. Both are tried in turn until it is at most `enough`,
 * a few times at most: a compiler or a collector that chimes in makes one of them dearer now and
 * then, but never cheaper.
 */
export const times = (go: () => unknown, yard: () => unknown, enough: number): number => {
  let [most, least] = [Infinity, Infinity];
  for (let i = 0; i < TRIES; i += 1) {
    least = Math.min(least, once(yard));
    most = Math.min(most, once(go));
    if (most / Math.max(FLOOR, least) <= enough) break;
  }
  return most / Math.max(FLOOR, least);
};

/**
 * What is four times as long costs four times as much, and some; where a square hides, it is
 * sixteen times.
 */
export const LINEAR = 10;
export const growth = <T>(size: number, make: (size: number) => T, go: (input: T) => unknown): number => {
  const [small, large] = [make(size), make(4 * size)];
  return times(
    () => go(large),
    () => go(small),
    LINEAR,
  );
};
