/** E2: how much directories hold. */
import { KB, MINUTE } from '../../orchestrator/core/units.ts';
import { searchPath } from '../process/box-environment.ts';
import { spawnProcess } from '../process/spawn.ts';
import type { MeasureDirectories } from './resource-caps.ts';

/** What the directories hold (bytes), counted by `du` so that we go on meanwhile. */
export const measureDirs: MeasureDirectories = async (dirs) => {
  const env = { PATH: searchPath(), LC_ALL: 'C' };
  const argv = ['du', '-skx', '--', ...dirs] as const;
  const end = await spawnProcess({
    argv: [...argv],
    cwd: '/',
    env,
    timeoutMs: MINUTE,
    maxOutputBytes: 65_536,
  });
  const sizes = [...end.stdout.matchAll(/^(\d+)\t/gm)].map(([, kb]) => Number(kb) * KB);
  // A directory that may not be read leaves its own size out and the sum in.
  return sizes.length === dirs.length ? sizes.reduce((sum, size) => sum + size, 0) : null;
};
