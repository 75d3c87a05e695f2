/** Writes the patch of a change, as it is sealed and as people read it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DOCUMENT_LIMIT, toVisibleText } from '#text-safety';
import type { ChangePatch } from '#ports/workspaces';
import type { TrustedGit } from '../trusted-git.ts';
import { readCommitsSince, type LoggedCommit } from '../compare-commits.ts';
import { parseDiffTree, type RawChange } from '../parse-diff-tree.ts';
import { createBoundedCache } from '../bounded-cache.ts';
import { SUBMODULE_MODE } from '../tree-and-commit-format.ts';
import { toCachedTreeId, verifyObjects } from '../read-objects.ts';
import { decodePreservingBytes } from '../byte-preserving-text.ts';
import { digestOfChanges, readTreeChanges } from '../tree-changes.ts';
import { createPeriodicYield } from '../../process/yield-event-loop.ts';
import { KB, MB } from '#model/values';

export type CommitRange = { gitDir: string; scratch: string; base: string; head: string };

const RENAMES = ['-M50%', '-l2000'];
/** It includes binary files, so that it shows everything that is published. */
const FOR_PEOPLE = [...RENAMES, '-a'];

const HOW = ['-r', '-p', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', ...FOR_PEOPLE];
const fileOf = ({ scratch, base, head }: CommitRange): string =>
  join(scratch, `${base}-${head}.people.patch`);

/** A file, because the patch may be too large for memory. */
export const writeReadablePatch = async (git: TrustedGit, range: CommitRange): Promise<string> => {
  const file = fileOf(range);
  if (await stat(file).catch(() => null)) return file;
  const { gitDir, base, head } = range;
  await git(['diff-tree', ...HOW, `--output=${file}`, base, head], { gitDir });
  return file;
};

const MAX_LIST_BYTES = 4 * MB;

const readList = async (file: FileHandle): Promise<ReturnType<typeof parseDiffTree>> => {
  const { size } = await file.stat();
  for (let bytes = MAX_LIST_BYTES; ; bytes *= 4) {
    const start = Buffer.alloc(Math.min(size, bytes));
    await file.read(start, 0, start.length, 0);
    try {
      return parseDiffTree(start);
    } catch (error) {
      if (start.length >= size) throw error;
    }
  }
};

export const readChangesWithPatch = async (git: TrustedGit, range: CommitRange): Promise<RawChange[]> => {
  const { gitDir, scratch, base, head } = range;
  const both = join(scratch, `${base}-${head}.both`);
  const list = ['-z', '--raw', '--numstat', '--no-abbrev'];
  await git(['diff-tree', ...list, ...HOW, `--output=${both}`, base, head], { gitDir });
  const file = await open(both);
  try {
    const { changes, patchAt } = await readList(file);
    const patch = file.createReadStream({ start: patchAt, autoClose: false });
    await pipeline(patch, createWriteStream(fileOf(range)));
    return changes;
  } finally {
    await file.close();
    await rm(both);
  }
};

const keyOf = ({ gitDir, base, head }: CommitRange): string =>
  [gitDir, toCachedTreeId(gitDir, base), toCachedTreeId(gitDir, head)].join(' ');

/** G2: computed each time, because objects may be damaged after the approval. */
export const computeChangeDigest = async (
  git: TrustedGit,
  { gitDir, base, head }: CommitRange,
): Promise<string> => {
  const changes = await readTreeChanges(git, gitDir, { base, head });
  const sides = changes.flatMap(({ before, after }) => [before, after]).filter((side) => side !== null);
  const blobs = sides.filter(({ mode }) => mode !== SUBMODULE_MODE).map(({ oid }) => oid);
  // guard: G2-bytes-of-the-change
  await verifyObjects(git, gitDir, [head, ...blobs]);
  return digestOfChanges(changes);
};

const READ_AT_ONCE = 64 * KB;

/** G8: bytes that people read; not exact above the limit. */
export const countShownBytes = async (file: string): Promise<number> => {
  const { size } = await stat(file);
  if (size > DOCUMENT_LIMIT) return size;
  const pace = createPeriodicYield();
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_AT_ONCE })) {
    bytes += Buffer.byteLength(toVisibleText(decodePreservingBytes(chunk as Buffer)));
    await pace();
  }
  return bytes;
};

const messages = createBoundedCache<string[]>(1024 * 1024, (all) => all.join().length + 100);

const messagesKey = ({ gitDir, base, head }: Omit<CommitRange, 'scratch'>): string =>
  [gitDir, base, head].join(' ');

export const cacheCommitMessages = (
  range: Omit<CommitRange, 'scratch'>,
  commits: readonly LoggedCommit[],
): string[] => {
  const all = commits.map(({ message }) => message);
  messages.add(messagesKey(range), all);
  return all;
};

const messagesOf = async (git: TrustedGit, range: CommitRange): Promise<string[]> =>
  messages.get(messagesKey(range)) ??
  cacheCommitMessages(
    range,
    await readCommitsSince(git, range.gitDir, { from: range.base, head: range.head }),
  );

type Part = { text: string; omitted: number };
const texts = createBoundedCache<Part>(4 * 1024 * 1024, ({ text }) => text.length * 2 + 1_000);

/** The first `limit` bytes, cut after a whole line. `head` may be a tree. */
export const readPatchStart = async (git: TrustedGit, range: CommitRange, limit: number): Promise<Part> => {
  const whole = keyOf(range);
  const all = texts.get(whole);
  if (all && Buffer.byteLength(all.text) <= limit) return all;
  const key = `${whole} ${limit}`;
  const kept = texts.get(key);
  if (kept) return kept;
  const made = await makePart(git, range, limit);
  texts.add(made.omitted === 0 ? whole : key, made);
  return made;
};

export const readChangePatch = async (
  git: TrustedGit,
  range: CommitRange,
  limit: number,
): Promise<ChangePatch> => ({
  ...(await readPatchStart(git, range, limit)),
  messages: await messagesOf(git, range),
});

const makePart = async (git: TrustedGit, range: CommitRange, limit: number): Promise<Part> => {
  const file = await open(await writeReadablePatch(git, range));
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(size, limit)),
      0,
      Math.min(size, limit),
      0,
    );
    const whole = bytesRead < size ? buffer.lastIndexOf(10, bytesRead - 1) + 1 : bytesRead;
    return { text: decodePreservingBytes(buffer.subarray(0, whole)), omitted: size - whole };
  } finally {
    await file.close();
  }
};
