/** Reads and writes git objects of a trusted directory in bulk: trees as lists, blobs as bytes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Git } from './git.ts';
import type { RawPath } from './names.ts';

export type TreeEntry = { mode: string; oid: string; path: RawPath; size: number | null };

/** Every file of a commit or tree, by path. */
export const listTree = async (
  git: Git,
  gitDir: string,
  treeish: string,
): Promise<Map<RawPath, TreeEntry>> => {
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

/** Sizes of those of the ids that are blobs. */
export const blobSizes = async (
  git: Git,
  gitDir: string,
  oids: Iterable<string>,
): Promise<Map<string, number>> => {
  const stdin = [...new Set(oids)].map((oid) => `${oid}\n`).join('');
  const end = await git(['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'], {
    gitDir,
    stdin,
  });
  return new Map(
    end.stdout.split('\n').flatMap((text): [string, number][] => {
      const [oid = '', type, size] = text.split(' ');
      return type === 'blob' ? [[oid, Number(size)]] : [];
    }),
  );
};

/** The bytes of blobs; the caller sees to it that they fit into memory together. */
export const readBlobs = async (
  git: Git,
  gitDir: string,
  oids: Iterable<string>,
): Promise<Map<string, Buffer>> => {
  const stdin = [...new Set(oids)].map((oid) => `${oid}\n`).join('');
  const blobs = new Map<string, Buffer>();
  if (stdin === '') return blobs;
  const { stdoutBytes: bytes } = await git(['cat-file', '--batch'], { gitDir, stdin });
  for (let at = 0; at < bytes.length;) {
    const stop = bytes.indexOf(10, at);
    const [oid = '', type, size = ''] = bytes.toString('latin1', at, stop).split(' ');
    if (type !== 'blob') throw new Error(`${oid} was expected to be a blob of this repository.`);
    blobs.set(oid, bytes.subarray(stop + 1, stop + 1 + Number(size)));
    at = stop + 2 + Number(size);
  }
  return blobs;
};
