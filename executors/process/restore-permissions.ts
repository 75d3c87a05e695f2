/** Restores our permissions on files that a run has locked. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { spawnProcess } from './spawn.ts';

/** `find` is faster for more entries than this. */
const MAX_WALKED_ENTRIES = 1_000;

const [FOLDER_BITS, FILE_BITS] = [0o700, 0o600];
const [LOCKED_FOLDER, LOCKED_FILE] = [
  ['-type', 'd', '!', '-perm', '-u=rwx'],
  ['-type', 'f', '!', '-perm', '-u=rw'],
];

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

/** All processes of the run must be dead. Follows no link, makes nothing executable. */
export const restorePermissions = async (...places: [string, ...string[]]): Promise<void> => {
  if (openSmall(places)) return;
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
