/** Measures the size of directories (E2). */
import { KB, MINUTE } from '#model/values';
import { toPathVariable } from '../process/box-environment.ts';
import { spawnProcess } from '../process/spawn.ts';
import type { MeasureDirectories } from './resource-limits.ts';

export const measureDirs: MeasureDirectories = async (dirs) => {
  const env = { PATH: toPathVariable(), LC_ALL: 'C' };
  const argv = ['du', '-skx', '--', ...dirs] as const;
  const end = await spawnProcess({
    argv: [...argv],
    cwd: '/',
    env,
    timeoutMs: MINUTE,
    maxOutputBytes: 65_536,
  });
  const sizes = [...end.stdout.matchAll(/^(\d+)\t/gm)].map(([, kb]) => Number(kb) * KB);
  // `du` skips an unreadable directory but prints a sum.
  return sizes.length === dirs.length ? sizes.reduce((sum, size) => sum + size, 0) : null;
};
