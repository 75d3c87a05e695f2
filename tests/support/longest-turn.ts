/** O10: measures the longest turn of the event loop during a task. */
import { setImmediate as turn } from 'node:timers/promises';

const usedMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/** CPU time of this thread (ms). */
export const longestTurn = async (deed: () => Promise<unknown>): Promise<number> => {
  await turn();
  let over = false;
  let longest = 0;
  let before = process.threadCpuUsage();
  const done = deed().finally(() => (over = true));
  while (!over) {
    await turn();
    longest = Math.max(longest, usedMs(process.threadCpuUsage(before)));
    before = process.threadCpuUsage();
  }
  await done;
  return longest;
};
