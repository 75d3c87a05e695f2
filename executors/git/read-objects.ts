/** Reads git objects of a trusted directory in bulk: trees as lists, blobs as bytes. */
import { createReadStream } from 'node:fs';
import { OutsideFailure } from '#ports/forge';
import { createPeriodicYield } from '../process/yield-event-loop.ts';
import type { TrustedGit } from './trusted-git.ts';
import { createBoundedCache } from './bounded-cache.ts';
import type { RawPath } from './path-names.ts';
import {
  parseCommit,
  parseTree,
  SUBMODULE_MODE,
  TREE_MODE,
  type CommitObject,
  type NamedEntry,
} from './tree-and-commit-format.ts';
import { createObjectHash } from './object-ids.ts';
import type { GitObject } from './object-reader.ts';
import { KB, MB } from '#model/values';

export type TreeEntry = { mode: string; oid: string; path: RawPath; size: number | null };
export type GitTree = ReadonlyMap<RawPath, TreeEntry>;

const trees = createBoundedCache<GitTree>(50_000, (tree) => tree.size + 1);
const blobs = createBoundedCache<Buffer>(4 * MB, (bytes) => bytes.length + 100);
const commits = createBoundedCache<CommitObject>(MB, ({ message }) => message.length + 500);
const roots = createBoundedCache<string>(1_000, () => 1);
const sizes = createBoundedCache<number>(200_000, () => 1);

const SMALL_BYTES = 256 * KB;
const MAX_BYTES_AT_ONCE = 256 * MB;
/** A small repository can name very many paths by reusing folders. */
export const MAX_PATHS = 1_000_000;
const MAX_PATH_BYTES = 256 * MB;

export const rememberTree = (gitDir: string, commit: string, tree: string): void =>
  roots.add(`${gitDir} ${commit}`, tree);

/** Lets commits with the same tree share a cache entry. */
export const toCachedTreeId = (gitDir: string, id: string): string => roots.get(`${gitDir} ${id}`) ?? id;

export const repositoryTooLarge = (): OutsideFailure =>
  new OutsideFailure('env_missing', 'The repository is too large: it has more than AgentPR reads at once.');

const askObjects = async (
  git: TrustedGit,
  gitDir: string,
  oids: Iterable<string>,
  types: readonly string[],
): Promise<Map<string, GitObject & { bytes: Buffer }>> => {
  const wanted = [...new Set(oids)];
  const found = new Map<string, GitObject & { bytes: Buffer }>();
  let room = MAX_BYTES_AT_ONCE;
  const take = (object: GitObject): void => {
    const { oid, type, size, bytes } = object;
    if (!types.includes(type)) throw new Error(`${oid} was expected to be a ${types[0]} of this repository.`);
    room -= size;
    if (bytes === null || room < 0) throw repositoryTooLarge();
    found.set(oid, { ...object, bytes });
  };
  await git.readObjects(gitDir, { oids: wanted, maxBytes: MAX_BYTES_AT_ONCE, take });
  const missing = wanted.find((oid) => !found.has(oid));
  if (missing !== undefined) throw new Error(`The object ${missing} of the repository is missing.`);
  return found;
};

/** G2: throws if an object on disk is missing or does not match its id. */
export const verifyObjects = async (
  git: TrustedGit,
  gitDir: string,
  oids: Iterable<string>,
): Promise<void> => {
  const wanted = [...new Set(oids)];
  const read = new Set<string>();
  await git.readObjects(gitDir, { oids: wanted, maxBytes: 1, take: ({ oid }) => void read.add(oid) });
  const missing = wanted.find((oid) => !read.has(oid));
  if (missing !== undefined) throw new Error(`The object ${missing} of the change is missing.`);
};

export const readTreeId = async (git: TrustedGit, gitDir: string, id: string): Promise<string> => {
  const known = toCachedTreeId(gitDir, id);
  if (known !== id) return known;
  const object = (await askObjects(git, gitDir, [id], ['tree', 'commit'])).get(id);
  return object?.type === 'commit' ? (await readCommit(git, gitDir, id)).tree : id;
};

export const readTrees = async (
  git: TrustedGit,
  gitDir: string,
  oids: Iterable<string>,
): Promise<Map<string, NamedEntry[]>> => {
  const read = await askObjects(git, gitDir, oids, ['tree']);
  return new Map([...read].map(([oid, { bytes }]) => [oid, parseTree(bytes, oid.length / 2)]));
};

/** `id` must be a full id, because a name can move. */
export const listTree = async (git: TrustedGit, gitDir: string, id: string): Promise<GitTree> => {
  const key = `${gitDir} ${toCachedTreeId(gitDir, id)}`;
  const kept = trees.get(key);
  if (kept) return kept;
  const listed = await askTree(git, gitDir, id);
  trees.add(`${gitDir} ${toCachedTreeId(gitDir, id)}`, listed);
  return listed;
};

type Place = { prefix: RawPath; oid: string };
/** Sorted by path, without sizes, which git would have to ask of each blob. */
export const listTreePaths = async (
  git: TrustedGit,
  gitDir: string,
  id: string,
): Promise<readonly Omit<TreeEntry, 'size'>[]> => {
  const kept = trees.get(`${gitDir} ${toCachedTreeId(gitDir, id)}`);
  if (kept) return [...kept.values()];
  const known = new Map<string, NamedEntry[]>();
  const found: (NamedEntry & { path: RawPath })[] = [];
  const pace = createPeriodicYield();
  let [paths, pathBytes] = [0, 0];
  let level: Place[] = [{ prefix: '', oid: await readTreeId(git, gitDir, id) }];
  while (level.length > 0) {
    const fresh = level.map(({ oid }) => oid).filter((oid) => !known.has(oid));
    for (const [oid, entries] of await readTrees(git, gitDir, fresh)) known.set(oid, entries);
    const next: Place[] = [];
    for (const { prefix, oid } of level)
      for (const entry of known.get(oid) ?? []) {
        await pace();
        const path = prefix + entry.name;
        paths += 1;
        pathBytes += path.length;
        // guard: E1-tree-bounded
        if (paths > MAX_PATHS || pathBytes > MAX_PATH_BYTES) throw repositoryTooLarge();
        if (entry.mode === TREE_MODE) next.push({ prefix: `${path}/`, oid: entry.oid });
        else found.push({ ...entry, path });
      }
    level = next;
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
};

const askTree = async (git: TrustedGit, gitDir: string, id: string): Promise<GitTree> => {
  const found = await listTreePaths(git, gitDir, id);
  const blobs = found.filter(({ mode }) => mode !== SUBMODULE_MODE).map(({ oid }) => oid);
  const bytesOf = await sizesOf(git, gitDir, blobs);
  return new Map(
    found.map(({ mode, oid, path }) => [path, { mode, oid, path, size: bytesOf.get(oid) ?? null }]),
  );
};

const sizesOf = async (
  git: TrustedGit,
  gitDir: string,
  oids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>();
  const asked = new Set<string>();
  for (const oid of oids) {
    const size = sizes.get(oid);
    if (size === undefined) asked.add(oid);
    else found.set(oid, size);
  }
  const take = ({ oid, type, size }: GitObject): void => {
    if (type !== 'blob') throw new Error(`${oid} was expected to be a blob of this repository.`);
    found.set(oid, size);
    sizes.add(oid, size);
  };
  await git.readObjects(gitDir, { oids: [...asked], maxBytes: 0, take });
  const missing = [...asked].find((oid) => !found.has(oid));
  if (missing !== undefined) throw new Error(`The object ${missing} of the repository is missing.`);
  return found;
};

export const fileBlobId = async (fd: number, size: number, idLength = 40): Promise<string> => {
  const hash = createObjectHash('blob', size, idLength);
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** The caller must make sure that the blobs fit into memory together. */
export const readBlobs = async (
  git: TrustedGit,
  gitDir: string,
  oids: Iterable<string>,
): Promise<Map<string, Buffer>> => {
  const wanted = new Set(oids);
  const found = new Map<string, Buffer>();
  for (const oid of wanted) {
    const kept = blobs.get(`${gitDir} ${oid}`);
    if (kept) found.set(oid, kept);
  }
  const missing = [...wanted].filter((oid) => !found.has(oid));
  if (missing.length === 0) return found;
  for (const [oid, { bytes }] of await askObjects(git, gitDir, missing, ['blob'])) {
    found.set(oid, bytes);
    if (bytes.length <= SMALL_BYTES) blobs.add(`${gitDir} ${oid}`, bytes);
  }
  return found;
};

export const readCommit = async (git: TrustedGit, gitDir: string, id: string): Promise<CommitObject> => {
  const key = `${gitDir} ${id}`;
  const kept = commits.get(key);
  if (kept) return kept;
  const object = (await askObjects(git, gitDir, [id], ['commit'])).get(id);
  const commit = parseCommit(object?.bytes ?? Buffer.alloc(0));
  commits.add(key, commit);
  rememberTree(gitDir, id, commit.tree);
  return commit;
};
