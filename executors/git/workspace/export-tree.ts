/** Exports a tree, proves that it is unchanged, and gives every check the same start. */
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isPlainFolderPath } from '#model/contract';
import { MB } from '#model/values';
import type { CommitExport, CachedInstall } from '#ports/workspaces';
import { checkOut, writeWorkspaceGitDir } from '../checkout.ts';
import type { InstallCache } from './install-cache.ts';
import { parseExportNumber, type InterruptedInstalls } from './reuse-interrupted-installs.ts';
import { translateDiskErrors } from '../git-failure.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { type RunPlaces } from '../../process/data-layout.ts';
import { copyTree, removeTree } from '../../process/folder-trees.ts';
import { checkPathName, toPathBytes, type RawPath } from '../path-names.ts';
import { objectId } from '../object-ids.ts';
import { fileBlobId, listTree, readBlobs, type GitTree, type TreeEntry } from '../read-objects.ts';
import { createPeriodicYield } from '../../process/yield-event-loop.ts';

/** Numbers are never reused, so that a leftover is not taken for a new export. */
const freshDir = async (root: string): Promise<string> => {
  for (let n = Math.max(0, ...(await readdir(root)).map(parseExportNumber)) + 1; ; n++) {
    const dir = join(root, `export-${n}`);
    try {
      await mkdir(dir);
      return dir;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
};

const placeOf = (dir: string, path: RawPath): Buffer =>
  Buffer.concat([Buffer.from(`${dir}/`), toPathBytes(path)]);

const READ_WHOLE = 16 * MB;
const idOf = async (place: Buffer, size: number, idLength: number): Promise<string> => {
  if (size <= READ_WHOLE) return objectId('blob', readFileSync(place), idLength);
  const fd = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return await fileBlobId(fd, size, idLength);
  } finally {
    closeSync(fd);
  }
};

const sameEntry = async (place: Buffer, entry: TreeEntry): Promise<boolean> => {
  const stats = lstatSync(place);
  if (entry.mode === '120000')
    return (
      stats.isSymbolicLink() &&
      objectId('blob', readlinkSync(place, { encoding: 'buffer' }), entry.oid.length) === entry.oid
    );
  return (
    stats.isFile() &&
    stats.size === entry.size &&
    ((stats.mode & 0o100) !== 0) === (entry.mode === '100755') &&
    (await idOf(place, stats.size, entry.oid.length)) === entry.oid
  );
};

const isRealFolder = (place: Buffer): boolean =>
  lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

/** Tracked files that differ from the commit, and folders that became links. */
const findStrayedFiles = async (dir: string, tree: GitTree): Promise<TreeEntry[]> => {
  const pace = createPeriodicYield();
  const folders = new Map<RawPath, boolean>([['.', true]]);
  const isReal = (path: RawPath): boolean => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const real = isReal(dirname(path)) && isRealFolder(placeOf(dir, path));
    folders.set(path, real);
    return real;
  };
  const found: TreeEntry[] = [];
  for (const entry of tree.values()) {
    await pace();
    if (entry.mode === '160000') continue;
    try {
      if (isReal(dirname(entry.path)) && (await sameEntry(placeOf(dir, entry.path), entry))) continue;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
    found.push(entry);
  }
  return found;
};

const makeFolder = (dir: string, path: RawPath): void => {
  if (path === '.') return;
  makeFolder(dir, dirname(path));
  const place = placeOf(dir, path);
  if (isRealFolder(place)) return;
  rmSync(place, { force: true });
  mkdirSync(place);
};

/** Follows no link. All processes that could interfere must be dead. */
const putBack = (dir: string, entry: Pick<TreeEntry, 'path' | 'mode'>, bytes: Buffer): void => {
  makeFolder(dir, dirname(entry.path));
  const place = placeOf(dir, entry.path);
  rmSync(place, { recursive: true, force: true });
  if (entry.mode === '120000') symlinkSync(bytes, place);
  else writeFileSync(place, bytes, { flag: 'wx', mode: entry.mode === '100755' ? 0o755 : 0o644 });
};

export const exportTree = async (
  git: TrustedGit,
  at: RunPlaces,
  index: string,
  { tree: sha, head, history }: { tree: string; head: string; history: ReadonlyMap<string, string> | null },
  { installs, leftovers }: { installs: InstallCache; leftovers: InterruptedInstalls },
  reuse: CachedInstall | null,
): Promise<CommitExport> => {
  const tree = await listTree(git, at.git, sha);
  const place = await freshDir(at.root);
  leftovers.begins(place);
  const parts = ['tree', 'home'] as const;
  const [dir, home] = [join(place, 'tree'), join(place, 'home')];
  const kept = join(place, 'kept');
  let isKept = false;
  for (const part of parts) await mkdir(join(place, part));
  await checkOut(git, { gitDir: at.git, index, sha, dir });
  const own = { gitDir: at.git, index, sha: head, branch: null, dir };
  await writeWorkspaceGitDir(git, history ? { ...own, history } : own);
  let reused: CommitExport['reused'] = null;
  if (reuse) {
    const of = `${reuse.key} ${sha}`;
    const fetched = await leftovers.goOn(place, of);
    reused = (await installs.reuse(reuse, { dir, home, tree })) ?? fetched;
    await leftovers.replace(place, of);
  }

  const restoreFiles = async (): Promise<void> => {
    const wrong = await findStrayedFiles(dir, tree);
    if (wrong.length === 0) return;
    const blobs = await readBlobs(
      git,
      at.git,
      wrong.map(({ oid }) => oid),
    );
    for (const entry of wrong) putBack(dir, entry, blobs.get(entry.oid) ?? Buffer.alloc(0));
  };

  const writeFiles = (files: readonly { path: string; text: string | null }[]): void => {
    for (const { path, text } of files) {
      const raw = Buffer.from(path).toString('latin1');
      // guard: E3-written-inside
      if (
        path === '' ||
        !isPlainFolderPath(path) ||
        path.split('/').some((part) => checkPathName(part, { symlink: false }) !== null)
      )
        throw new Error('no file of a tree has such a path');
      makeFolder(dir, dirname(raw));
      if (text === null) rmSync(placeOf(dir, raw), { recursive: true, force: true });
      else putBack(dir, { path: raw, mode: tree.get(raw)?.mode ?? '100644' }, Buffer.from(text));
    }
  };

  /** The last check gets the original, every other one a copy. */
  const renewExport = async ({ last }: { last: boolean }): Promise<void> => {
    if (!isKept) await restoreFiles();
    if (!isKept && last) return;
    for (const part of parts) {
      const [here, aside] = [join(place, part), join(kept, part)];
      if (isKept) await removeTree(here);
      else await mkdir(kept, { recursive: true }).then(() => rename(here, aside));
      // Installed programs contain their path, so it must stay the same.
      await (last ? rename(aside, here) : copyTree(aside, here));
    }
    isKept = !last;
  };

  return {
    dir,
    home,
    reused,
    write: (files) => translateDiskErrors(async () => writeFiles(files)),
    keep: (input) => translateDiskErrors(() => installs.keep(input, { dir, home, tree })),
    intact: async () => (await findStrayedFiles(dir, tree)).length === 0,
    renew: ({ last }) => translateDiskErrors(() => renewExport({ last })),
    leave: () => leftovers.ends(place),
    remove: async () => {
      await removeTree(place);
      leftovers.ends(place);
    },
  };
};
