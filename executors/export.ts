/** A fresh export of exactly one tree, and the proof that what was checked is still that tree. */
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkOut } from './checkout.ts';
import type { Git } from './git.ts';
import { removeTree, type RunPlaces } from './layout.ts';
import { rawBytes, type RawPath } from './names.ts';
import { blobId, listTree, type TreeEntry } from './objects.ts';
import { createPace } from './pace.ts';

/** Numbers go up and are never used again, so that a leftover of a crash is not taken for a fresh export. */
const freshDir = async (root: string): Promise<string> => {
  const taken = (await readdir(root)).flatMap((name) => /^export-(\d+)$/.exec(name)?.[1] ?? []);
  for (let n = Math.max(0, ...taken.map(Number)) + 1; ; n++) {
    const dir = join(root, `export-${n}`);
    try {
      await mkdir(dir);
      return dir;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
};

const sameEntry = (dir: string, entry: TreeEntry): boolean => {
  const place = Buffer.concat([Buffer.from(`${dir}/`), rawBytes(entry.path)]);
  const stats = lstatSync(place);
  if (entry.mode === '120000')
    return (
      stats.isSymbolicLink() &&
      blobId(readlinkSync(place, { encoding: 'buffer' }), entry.oid.length) === entry.oid
    );
  return (
    stats.isFile() &&
    stats.size === entry.size &&
    ((stats.mode & 0o100) !== 0) === (entry.mode === '100755') &&
    blobId(readFileSync(place), entry.oid.length) === entry.oid
  );
};

/** Tracked files only: what checks add (build output, installed packages) does not count. Folders may not become links. */
const isIntact = async (dir: string, tree: ReadonlyMap<RawPath, TreeEntry>): Promise<boolean> => {
  const pace = createPace();
  const folders = new Set<RawPath>(['.']);
  const realFolder = (path: RawPath): boolean => {
    if (folders.has(path)) return true;
    if (!realFolder(dirname(path))) return false;
    if (!lstatSync(Buffer.concat([Buffer.from(`${dir}/`), rawBytes(path)])).isDirectory()) return false;
    folders.add(path);
    return true;
  };
  try {
    for (const entry of tree.values()) {
      await pace();
      if (entry.mode === '160000') continue;
      if (!realFolder(dirname(entry.path)) || !sameEntry(dir, entry)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
};

export const exportTree = async (
  git: Git,
  at: RunPlaces,
  index: string,
  sha: string,
): Promise<{ dir: string; home: string; intact(): Promise<boolean>; remove(): Promise<void> }> => {
  const tree = await listTree(git, at.git, sha);
  const place = await freshDir(at.root);
  const [dir, home] = [join(place, 'tree'), join(place, 'home')];
  for (const part of [dir, home]) await mkdir(part);
  await checkOut(git, { gitDir: at.git, index, sha, dir });
  return { dir, home, intact: () => isIntact(dir, tree), remove: () => removeTree(place) };
};
