/**
 * Writes blobs and trees into a trusted directory: bytes as they are, through no filter, index or
 * process.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Git } from './git.ts';
import { rawBytes, type RawPath } from './names.ts';
import { listWhole, objectId, rememberBlob, rememberList, type Listed, type TreeEntry } from './objects.ts';

const store = async (
  gitDir: string,
  type: 'blob' | 'tree',
  bytes: Uint8Array,
  idLength: number,
): Promise<string> => {
  const id = objectId(type, bytes, idLength);
  const folder = join(gitDir, 'objects', id.slice(0, 2));
  const place = join(folder, id.slice(2));
  if (await stat(place).catch(() => null)) return id;
  const packed = await promisify(deflate)(Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]));
  await mkdir(folder, { recursive: true });
  // Under another name first: half of an object must never be taken for one.
  const half = join(folder, `tmp_obj_${randomUUID()}`);
  await writeFile(half, packed, { mode: 0o444 });
  await rename(half, place);
  return id;
};

/** Gives its id. */
export const writeBlob = async (gitDir: string, bytes: Uint8Array, idLength = 40): Promise<string> => {
  const id = await store(gitDir, 'blob', bytes, idLength);
  rememberBlob(gitDir, id, bytes);
  return id;
};

const parentOf = (path: RawPath): RawPath => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: RawPath): RawPath => path.slice(path.lastIndexOf('/') + 1);

const NOTHING: Listed = { files: new Map(), folders: new Map() };

/** Folders below which something is not as it was. */
const changedFolders = (before: Listed, files: ReadonlyMap<RawPath, TreeEntry>): Set<RawPath> => {
  const changed = new Set<RawPath>(['']);
  const mark = (path: RawPath): void => {
    for (let at = parentOf(path); !changed.has(at); at = parentOf(at)) changed.add(at);
  };
  for (const { path, oid, mode } of files.values()) {
    const old = before.files.get(path);
    if (old?.oid !== oid || old.mode !== mode) mark(path);
  }
  for (const path of before.files.keys()) if (!files.has(path)) mark(path);
  return changed;
};

type Child = { mode: string; oid: string };
/** What lies in each folder that is to be written; a folder among it has no id yet. */
type Folders = Map<RawPath, Map<RawPath, Child | 'folder'>>;

/** Where a file and a folder have the same name, the later of them stays, as in an index. */
const childrenOf = (
  before: Listed,
  files: ReadonlyMap<RawPath, TreeEntry>,
  changed: ReadonlySet<RawPath>,
): Folders => {
  const made: Folders = new Map();
  made.set('', new Map());
  const folderAt = (path: RawPath): Map<RawPath, Child | 'folder'> => {
    const known = path === '' ? undefined : made.get(parentOf(path))?.get(nameOf(path));
    const there = made.get(path);
    if (there && (path === '' || known === 'folder')) return there;
    folderAt(parentOf(path)).set(nameOf(path), 'folder');
    const fresh = new Map<RawPath, Child | 'folder'>();
    made.set(path, fresh);
    return fresh;
  };
  for (const { path, mode, oid } of files.values()) {
    // The highest folder that is as it was stands for all that is in it.
    let at: RawPath = path;
    let same: Child | null = null;
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      const kept = changed.has(folder) ? undefined : before.folders.get(folder);
      if (kept !== undefined) [at, same] = [folder, { mode: '40000', oid: kept }];
    }
    folderAt(parentOf(at)).set(nameOf(at), same ?? { mode, oid });
  }
  return made;
};

const FORBIDDEN = /^(?:\.{0,2}|\.git)$/i;

/** Git sorts a folder as though its name ended in a slash. */
const treeBytes = (children: readonly (readonly [RawPath, Child])[]): Buffer => {
  const key = ([name, { mode }]: readonly [RawPath, Child]): string => (mode === '40000' ? `${name}/` : name);
  const sorted = [...children].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, { mode, oid }]) => {
      // guard: E1-tree-names
      if (FORBIDDEN.test(name)) throw new Error(`No commit may have the name "${name}" in it.`);
      return [rawBytes(`${mode} ${name}\0`), Buffer.from(oid, 'hex')];
    }),
  );
};

/**
 * The id of the tree with these entries. `from` is a tree or commit that is much like it: folders
 * that are the same are taken from there and not written.
 */
export const writeTree = async (
  git: Git,
  gitDir: string,
  from: string | null,
  entries: Iterable<TreeEntry>,
): Promise<string> => {
  const before = from === null ? NOTHING : await listWhole(git, gitDir, from);
  const given = new Map([...entries].map((entry) => [entry.path, entry]));
  const idLength = [...given.values(), ...before.files.values()][0]?.oid.length ?? 40;
  const changed = changedFolders(before, given);
  const made = childrenOf(before, given, changed);
  const folders = new Map([...before.folders].filter(([path]) => !changed.has(path)));
  const write = async (path: RawPath): Promise<string> => {
    const children: (readonly [RawPath, Child])[] = [];
    for (const [name, child] of made.get(path) ?? [])
      children.push([
        name,
        child === 'folder'
          ? { mode: '40000', oid: await write(path === '' ? name : `${path}/${name}`) }
          : child,
      ]);
    const id = await store(gitDir, 'tree', treeBytes(children), idLength);
    if (path !== '') folders.set(path, id);
    return id;
  };
  const id = await write('');
  const isWhole = [...given.values()].every(({ size, mode }) => size !== null || mode === '160000');
  if (isWhole && !replaced(given)) rememberList(gitDir, id, { files: given, folders });
  return id;
};

/** A file that had to make room for a folder of its name, or the other way round. */
const replaced = (files: ReadonlyMap<RawPath, TreeEntry>): boolean => {
  for (const path of files.keys())
    for (let at = parentOf(path); at !== ''; at = parentOf(at)) if (files.has(at)) return true;
  return false;
};
