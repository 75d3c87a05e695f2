/** Finds every process that has to do with a data directory, whatever it calls itself. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const quietly = (read: () => string): string => {
  try {
    return read();
  } catch {
    return ''; // The process is gone, or not ours to look at.
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
