/** Finds every process related to a data directory. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const quietly = (read: () => string): string => {
  try {
    return read();
  } catch {
    return ''; // The process ended, or may not be read.
  }
};

export const processesOf = (dataDir: string): { pid: number; says: string }[] => {
  const mark = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const stat = quietly(() => readFileSync(`/proc/${name}/stat`, 'latin1'));
      if (stat === '' || /\) [ZX] /.test(stat)) return [];
      const argv = quietly(() => readFileSync(`/proc/${name}/cmdline`, 'latin1')).replaceAll('\0', ' ');
      const environ = quietly(() => readFileSync(`/proc/${name}/environ`, 'latin1'));
      const cwd = quietly(() => readlinkSync(`/proc/${name}/cwd`));
      const ours = [argv, environ, cwd].some((text) => text.includes(dataDir) || text.includes(mark));
      return ours ? [{ pid: Number(name), says: `${argv} (in ${cwd})` }] : [];
    });
};
