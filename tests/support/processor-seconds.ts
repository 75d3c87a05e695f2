/** How much processor this process has used. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** Fields of /proc/self/stat after the name: user and system time, of itself and of ended children. */
const TIME_FIELDS = [11, 12, 13, 14];

/** Seconds, with those of the programs that it started and that have ended; null where there is no /proc. */
export const readProcessorSeconds = (): number | null => {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
};
