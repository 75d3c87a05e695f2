/** Processor time of this thread, which other work on the machine does not change much. */

/** L9: what strangers' bytes may take of the main thread (ms). */
export const MOST_MS = 150;

/** Least of three tries (ms). */
export const measureMs = (act: () => unknown): number => {
  let least = Infinity;
  for (let i = 0; i < 3 && least > MOST_MS; i += 1) {
    const before = process.threadCpuUsage();
    act();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};
