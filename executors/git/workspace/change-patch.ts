/** A change as it is sealed, and as people read it: a patch in a file of ours. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DOCUMENT_LIMIT, toVisibleText } from '#text-safety';
import type { ChangePatch } from '../../../orchestrator/ports.ts';
import type { TrustedGit } from '../trusted-git.ts';
import { commitsSince, type LoggedCommit } from '../compare-commits.ts';
import { parseChanges, type RawChange } from '../diff-facts.ts';
import { keepLast } from '../keep-last.ts';
import { SUBMODULE_MODE } from '../object-format.ts';
import { treeOf, verifyObjects } from '../read-objects.ts';
import { decodePreservingBytes } from '../byte-preserving-text.ts';
import { digestOfChanges, readTreeChanges } from '../tree-changes.ts';
import { createPace } from '../../process/yield-event-loop.ts';
import { KB, MB } from '../../../orchestrator/core/units.ts';

export type CommitRange = { gitDir: string; scratch: string; base: string; head: string };

const RENAMES = ['-M50%', '-l2000'];
/**
 * How the patch is made that people see: of binary files as well, so that it shows all that is
 * published.
 */
const FOR_PEOPLE = [...RENAMES, '-a'];

const HOW = ['-r', '-p', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', ...FOR_PEOPLE];
const fileOf = ({ scratch, base, head }: CommitRange): string =>
  join(scratch, `${base}-${head}.people.patch`);

/** In a file of ours, because it may be larger than memory should be; once in one scratch directory. */
export const peoplePatch = async (git: TrustedGit, range: CommitRange): Promise<string> => {
  const file = fileOf(range);
  if (await stat(file).catch(() => null)) return file;
  const { gitDir, base, head } = range;
  await git(['diff-tree', ...HOW, `--output=${file}`, base, head], { gitDir });
  return file;
};

/** What of the list of changes is read at first. */
const MAX_LIST_BYTES = 4 * MB;

/** The list before the patch, however long it is. */
const readList = async (file: FileHandle): Promise<ReturnType<typeof parseChanges>> => {
  const { size } = await file.stat();
  for (let bytes = MAX_LIST_BYTES; ; bytes *= 4) {
    const start = Buffer.alloc(Math.min(size, bytes));
    await file.read(start, 0, start.length, 0);
    try {
      return parseChanges(start);
    } catch (error) {
      if (start.length >= size) throw error;
    }
  }
};

/** Which files change and how much, and the patch that people see of them: git compares once. */
export const changesWithPatch = async (git: TrustedGit, range: CommitRange): Promise<RawChange[]> => {
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
  [gitDir, treeOf(gitDir, base), treeOf(gitDir, head)].join(' ');

/**
 * G2: of the whole change. Asked of git each time: what was true of these objects before the
 * approval need not be true when they are published.
 */
export const changeDigest = async (git: TrustedGit, { gitDir, base, head }: CommitRange): Promise<string> => {
  const changes = await readTreeChanges(git, gitDir, { base, head });
  const sides = changes.flatMap(({ before, after }) => [before, after]).filter((side) => side !== null);
  const blobs = sides.filter(({ mode }) => mode !== SUBMODULE_MODE).map(({ oid }) => oid);
  // guard: G2-bytes-of-the-change
  await verifyObjects(git, gitDir, [head, ...blobs]);
  return digestOfChanges(changes);
};

const READ_AT_ONCE = 64 * KB;

/**
 * G8: how many bytes people get to read; beyond what fits a document it no longer matters how many
 * exactly.
 */
export const documentBytes = async (file: string): Promise<number> => {
  const { size } = await stat(file);
  if (size > DOCUMENT_LIMIT) return size;
  const pace = createPace();
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_AT_ONCE })) {
    bytes += Buffer.byteLength(toVisibleText(decodePreservingBytes(chunk as Buffer)));
    await pace();
  }
  return bytes;
};

const messages = keepLast<string[]>(1024 * 1024, (all) => all.join().length + 100);

const messagesKey = ({ gitDir, base, head }: Omit<CommitRange, 'scratch'>): string =>
  [gitDir, base, head].join(' ');

/** Of the commits from `base` to `head`, oldest first. */
export const rememberMessages = (
  range: Omit<CommitRange, 'scratch'>,
  commits: readonly LoggedCommit[],
): string[] => {
  const all = commits.map(({ message }) => message);
  messages.add(messagesKey(range), all);
  return all;
};

const messagesOf = async (git: TrustedGit, range: CommitRange): Promise<string[]> =>
  messages.get(messagesKey(range)) ??
  rememberMessages(range, await commitsSince(git, range.gitDir, { from: range.base, head: range.head }));

/** A part of the patch, and how many bytes of it follow. */
type Part = { text: string; omitted: number };
/** A card is followed by its document, which is of the same patch. */
const texts = keepLast<Part>(4 * 1024 * 1024, ({ text }) => text.length * 2 + 1_000);

/** At most `limit` bytes of the patch for people, cut after a whole line. `head` may be a tree. */
export const partOfPatch = async (git: TrustedGit, range: CommitRange, limit: number): Promise<Part> => {
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

/** The same with the messages of its commits. */
export const patchText = async (
  git: TrustedGit,
  range: CommitRange,
  limit: number,
): Promise<ChangePatch> => ({
  ...(await partOfPatch(git, range, limit)),
  messages: await messagesOf(git, range),
});

const makePart = async (git: TrustedGit, range: CommitRange, limit: number): Promise<Part> => {
  const file = await open(await peoplePatch(git, range));
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
