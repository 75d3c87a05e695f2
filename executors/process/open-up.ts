/**
 * What a run wrote is ours to read and to remove: as an ordinary user we are bound by the modes
 * that it left behind.
 */
import { spawnProcess } from './spawn.ts';

const [LOCKED_FOLDER, LOCKED_FILE] = [
  ['-type', 'd', '!', '-perm', '-u=rwx'],
  ['-type', 'f', '!', '-perm', '-u=rw'],
];

/**
 * Every process of the run is dead. No link is followed, and nothing is made executable. What
 * cannot be opened is met again, and told of, by whoever reads it.
 */
export const openUp = async (...places: [string, ...string[]]): Promise<void> => {
  // A folder before what is in it; files many at a time.
  const folders = [...LOCKED_FOLDER, '-exec', 'chmod', 'u+rwx', '{}', ';'];
  const files = [...LOCKED_FILE, '-exec', 'chmod', 'u+rw', '{}', '+'];
  await spawnProcess({
    argv: ['find', '-P', ...places, '(', ...folders, ')', '-o', '(', ...files, ')'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 60_000,
    maxOutputBytes: 1 << 20,
  });
};
