/** Keeps pictures that a command left in an export (C2). Follows no links. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TreePictures } from '#model/change';
import { MB } from '#model/values';
import type { TrustedGit } from '../trusted-git.ts';
import { writeObject, writeTree } from '../object-writer.ts';

const PICTURE_LIMITS = { files: 40, bytes: 5 * MB, depth: 6, entries: 2_000 };
const PICTURE_FILE_NAME = /^[\w][\w .@()+,=-]{0,99}$/;
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;

const isRealFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const pathsIn = (root: string): string[] => {
  const found: string[] = [];
  let seen = 0;
  const collectPictures = (folder: string, depth: number): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      seen += 1;
      if (seen > PICTURE_LIMITS.entries || !PICTURE_FILE_NAME.test(entry.name)) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && depth < PICTURE_LIMITS.depth) collectPictures(path, depth + 1);
      else if (entry.isFile() && PICTURE.test(entry.name)) found.push(path);
    }
  };
  collectPictures('', 0);
  return found.sort().slice(0, PICTURE_LIMITS.files);
};

const bytesOf = (path: string): Buffer | null => {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= PICTURE_LIMITS.bytes ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
};

/** The command may have made no `folder`. */
export const storePictures = async (
  git: TrustedGit,
  { gitDir, dir, folder }: { gitDir: string; dir: string; folder: string },
): Promise<TreePictures | null> => {
  let root = dir;
  for (const part of folder.split('/')) {
    root = join(root, part);
    if (!isRealFolder(root)) return null;
  }
  const files = new Map<string, string>();
  for (const path of pathsIn(root)) {
    const bytes = bytesOf(join(root, path));
    if (bytes === null) continue;
    files.set(path, await writeObject(gitDir, 'blob', bytes));
  }
  if (files.size === 0) return null;
  const entries = [...files].map(([path, oid]) => ({ mode: '100644', oid, path }));
  return { tree: await writeTree(git, gitDir, entries), files };
};
