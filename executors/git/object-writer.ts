/** Writes loose git objects into a trusted directory without a process, index or filter. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, deflate } from 'node:zlib';
import type { TrustedGit } from './trusted-git.ts';
import { checkPathName } from './path-names.ts';
import {
  formatCommit,
  formatTree,
  TREE_MODE,
  type NamedEntry,
  type NewCommit,
} from './tree-and-commit-format.ts';
import { objectId } from './object-ids.ts';
import type { TreeEntry } from './read-objects.ts';

const deflated = promisify(deflate);

/** Returns the object's id. A partial file never has the final name. */
export const writeObject = async (
  gitDir: string,
  type: 'blob' | 'tree' | 'commit',
  bytes: Uint8Array,
  idLength = 40,
): Promise<string> => {
  const id = objectId(type, bytes, idLength);
  const place = join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const made = join(gitDir, 'objects', `tmp_obj_${randomUUID()}`);
  try {
    await writeFile(made, await deflated(whole, { level: constants.Z_BEST_SPEED }), {
      mode: 0o444,
      flag: 'wx',
    });
    await mkdir(dirname(place), { recursive: true });
    await rename(made, place);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
  return id;
};

type Folder = Map<string, NamedEntry | Folder>;

const foldersOf = (entries: Iterable<Pick<TreeEntry, 'mode' | 'oid' | 'path'>>): Folder => {
  const root: Folder = new Map();
  for (const { mode, oid, path } of entries) {
    const names = path.split('/');
    const name = names.pop() ?? '';
    let folder = root;
    for (const part of names) {
      const inner = folder.get(part) ?? new Map<string, NamedEntry | Folder>();
      if (!(inner instanceof Map)) throw new Error('A tree cannot have a file and a folder of one name.');
      folder.set(part, inner);
      folder = inner;
    }
    if (folder.has(name)) throw new Error('A tree cannot have two entries of one name.');
    folder.set(name, { mode, name, oid });
  }
  return root;
};

const treeIn = (folder: Folder, idLength: number, made: Map<string, NamedEntry[]>): string => {
  const entries = [...folder].map(([name, entry]) =>
    entry instanceof Map ? { mode: TREE_MODE, name, oid: treeIn(entry, idLength, made) } : entry,
  );
  const id = objectId('tree', formatTree(entries), idLength);
  made.set(id, entries);
  return id;
};

export const writeTree = async (
  git: TrustedGit,
  gitDir: string,
  entries: readonly Pick<TreeEntry, 'mode' | 'oid' | 'path'>[],
): Promise<string> => {
  const idLength = entries[0]?.oid.length ?? 40;
  const made = new Map<string, NamedEntry[]>();
  const root = treeIn(foldersOf(entries), idLength, made);
  const there = new Set<string>();
  await git.readObjects(gitDir, { oids: [...made.keys()], maxBytes: 0, take: ({ oid }) => there.add(oid) });
  const fresh = [...made].filter(([id]) => !there.has(id)).map(([, named]) => named);
  const bad = fresh.flat().find(({ name }) => checkPathName(name, { symlink: false }) === 'name_like_git');
  // guard: E1-written-names
  if (bad !== undefined) throw new Error(`A tree cannot have an entry called "${bad.name}".`);
  for (const named of fresh) await writeObject(gitDir, 'tree', formatTree(named), idLength);
  return root;
};

export const writeCommit = (gitDir: string, commit: NewCommit): Promise<string> =>
  writeObject(gitDir, 'commit', formatCommit(commit), commit.tree.length);
