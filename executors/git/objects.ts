/** Reads and writes git objects of a trusted directory in bulk: trees as lists, blobs as bytes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { line, type Git } from './git.ts';
import { keepLast } from './keep-last.ts';
import type { RawPath } from './names.ts';

export const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export const checkedSha = (sha: string): string => {
  if (!SHA.test(sha)) throw new Error(`"${sha}" is not a commit id.`);
  return sha;
};

export type TreeEntry = { mode: string; oid: string; path: RawPath; size: number | null };
export type Tree = ReadonlyMap<RawPath, TreeEntry>;

/** Objects never change, and a run asks for the same few trees and small files again and again. */
const trees = keepLast<Tree>(50_000, (tree) => tree.size + 1);
const blobs = keepLast<Buffer>(4 * 1024 * 1024, (bytes) => bytes.length + 100);
const commits = keepLast<{ tree: string; author: string }>(1_000, () => 1);
/** Of commits. */
const roots = keepLast<string>(1_000, () => 1);
const SMALL = 256 * 1024;

export const rememberTree = (gitDir: string, commit: string, tree: string): void =>
  roots.add(`${gitDir} ${commit}`, tree);

/**
 * The tree of a commit that was made or read here; any other id as it is. Commits of one tree
 * change the same.
 */
export const treeOf = (gitDir: string, id: string): string => roots.get(`${gitDir} ${id}`) ?? id;

/**
 * Every file of a commit or tree, by path. `id` is the whole id of it: a name may lead elsewhere a
 * moment later.
 */
export const listTree = async (git: Git, gitDir: string, id: string): Promise<Tree> => {
  const key = `${gitDir} ${treeOf(gitDir, id)}`;
  const kept = trees.get(key);
  if (kept) return kept;
  const listed = await askTree(git, gitDir, id);
  trees.add(key, listed);
  return listed;
};

const askTree = async (git: Git, gitDir: string, treeish: string): Promise<Tree> => {
  const end = await git(['ls-tree', '-r', '-z', '-l', '--full-tree', '--end-of-options', treeish], {
    gitDir,
  });
  const entries = new Map<RawPath, TreeEntry>();
  for (const record of end.stdoutBytes.toString('latin1').split('\0')) {
    const match = /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t([^]*)$/.exec(record);
    if (!match) continue;
    const [, mode = '', oid = '', size = '-', path = ''] = match;
    entries.set(path, { mode, oid, path, size: size === '-' ? null : Number(size) });
  }
  return entries;
};

/** The id that git gives to a blob with these bytes. */
export const blobId = (bytes: Uint8Array, idLength = 40): string =>
  createHash(idLength === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');

/** The same of an open file of any size, without holding it in memory. */
export const fileBlobId = async (fd: number, size: number, idLength = 40): Promise<string> => {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1').update(`blob ${size}\0`);
  for await (const chunk of createReadStream('', { fd, autoClose: false, start: 0 }))
    hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** The bytes of blobs; the caller sees to it that they fit into memory together. */
export const readBlobs = async (
  git: Git,
  gitDir: string,
  oids: Iterable<string>,
): Promise<Map<string, Buffer>> => {
  const wanted = [...new Set(oids)];
  const found = new Map<string, Buffer>();
  for (const oid of wanted) {
    const kept = blobs.get(`${gitDir} ${oid}`);
    if (kept) found.set(oid, kept);
  }
  const missing = wanted.filter((oid) => !found.has(oid));
  if (missing.length === 0) return found;
  for (const [oid, bytes] of await askBlobs(git, gitDir, missing)) {
    found.set(oid, bytes);
    // A copy: the bytes are a window on all that git said.
    if (bytes.length <= SMALL) blobs.add(`${gitDir} ${oid}`, Buffer.from(bytes));
  }
  return found;
};

const askBlobs = async (git: Git, gitDir: string, oids: readonly string[]): Promise<Map<string, Buffer>> => {
  const stdin = oids.map((oid) => `${oid}\n`).join('');
  const said = new Map<string, Buffer>();
  const { stdoutBytes: bytes } = await git(['cat-file', '--batch'], { gitDir, stdin });
  for (let at = 0; at < bytes.length;) {
    const stop = bytes.indexOf(10, at);
    const [oid = '', type, size = ''] = bytes.toString('latin1', at, stop).split(' ');
    if (type !== 'blob') throw new Error(`${oid} was expected to be a blob of this repository.`);
    said.set(oid, bytes.subarray(stop + 1, stop + 1 + Number(size)));
    at = stop + 2 + Number(size);
  }
  return said;
};

/** The tree of a commit, and who made it. */
export const readCommit = async (
  git: Git,
  gitDir: string,
  id: string,
): Promise<{ tree: string; author: string }> => {
  const key = `${gitDir} ${id}`;
  const kept = commits.get(key);
  if (kept) return kept;
  const end = await git(['show', '-s', '--no-show-signature', '--format=%T%n%an <%ae>', id], { gitDir });
  const [tree = '', author = ''] = line(end).split('\n');
  commits.add(key, { tree, author });
  rememberTree(gitDir, id, tree);
  return { tree, author };
};
