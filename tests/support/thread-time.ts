/** Processor time of this thread, which other work on the machine does not change much. */

/** L9: what strangers' bytes may take of the main thread (ms). */
export const MOST_MS = 150;

/** CPU time of this thread (ms). */
const timeOf = (act: () => unknown): number => {
  const before = process.threadCpuUsage();
  act();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

const TRIES = 4;
/** Returns the minimum of several tries, or the first below the limit (ms). */
export const leastMs = (limit: number, act: () => unknown): number => {
  let best = Infinity;
  for (let i = 0; i < TRIES && best > limit; i += 1) best = Math.min(best, timeOf(act));
  return best;
};

const WORDS = 'Please read this, and then that one. '.repeat(7_000);
/** Reference work: 30 ms on an idle reference machine. */
const known = (): number =>
  Array.from({ length: 12 }, () => WORDS.match(/\b\w+(?=[.,])|[^\w\s]/gu)?.length ?? 0).length;
const KNOWN_MS = 30;
/** Slowness of this machine at this moment, at least 1. */
export const slowness = (): number => Math.max(1, leastMs(0, known) / KNOWN_MS);

/** Least of several tries, as an idle machine would take (ms). */
export const measureMs = (act: () => unknown): number => {
  const least = leastMs(MOST_MS, act);
  return least > MOST_MS ? least / slowness() : least;
};
