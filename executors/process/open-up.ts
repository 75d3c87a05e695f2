/**
 * What a run wrote is ours to read and to remove: as an ordinary user we are bound by the modes
 * that it left behind.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { spawnProcess } from './spawn.ts';

/** A look at each entry costs us 6 µs; at more entries than this, `find` costs us less. */
const MAX_WALKED_ENTRIES = 1_000;

/** What the owner needs (mode bits). */
const [FOLDER_BITS, FILE_BITS] = [0o700, 0o600];
const [LOCKED_FOLDER, LOCKED_FILE] = [
  ['-type', 'd', '!', '-perm', '-u=rwx'],
  ['-type', 'f', '!', '-perm', '-u=rw'],
];

/** Opens one entry; whether it is a folder to go into. What is gone or not ours is passed over. */
const openEntry = (path: Buffer): boolean => {
  try {
    const stats = lstatSync(path);
    const isFolder = stats.isDirectory();
    const needed = isFolder ? FOLDER_BITS : stats.isFile() ? FILE_BITS : 0;
    if ((stats.mode & needed) !== needed) chmodSync(path, (stats.mode & 0o7777) | needed);
    return isFolder;
  } catch {
    return false;
  }
};

const namesIn = (folder: Buffer): Buffer[] => {
  try {
    return readdirSync(folder, { encoding: 'buffer' });
  } catch {
    return [];
  }
};

/** False when there is more than is looked at here. */
const openSmall = (places: readonly string[]): boolean => {
  let left = MAX_WALKED_ENTRIES;
  const folders = places.map((place) => Buffer.from(place)).filter(openEntry);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const name of namesIn(folder)) {
      if (--left < 0) return false;
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      if (openEntry(path)) folders.push(path);
    }
  return true;
};

/**
 * Every process of the run is dead. No link is followed, and nothing is made executable. What
 * cannot be opened is met again, and told of, by whoever reads it.
 */
export const openUp = async (...places: [string, ...string[]]): Promise<void> => {
  if (openSmall(places)) return;
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
