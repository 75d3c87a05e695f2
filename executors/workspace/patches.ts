/**
 * The patches of a change in files of ours: the one whose digest is sealed, and the one that people
 * read.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_LIMIT, exact } from '../../orchestrator/core/exact.ts';
import type { Patch } from '../../orchestrator/ports.ts';
import type { Git } from '../git/git.ts';
import { commitsSince, type LoggedCommit } from '../git/commits.ts';
import { keepLast } from '../git/keep-last.ts';
import { treeOf } from '../git/objects.ts';
import { lossless } from '../git/lossless.ts';
import { createPace } from '../process/pace.ts';
import { KB } from '../../orchestrator/core/units.ts';

export type Range = { gitDir: string; scratch: string; base: string; head: string };

export const RENAMES = ['-M50%', '-l2000'];
/**
 * How the patch is made that people see: of binary files as well, so that it shows all that is
 * published.
 */
const FOR_PEOPLE = [...RENAMES, '-a'];

/**
 * Writes the patch to a file of ours, because it may be larger than memory should be; once in one
 * scratch directory.
 */
const patchFile = async (git: Git, range: Range, name: string, flags: readonly string[]): Promise<string> => {
  const { gitDir, scratch, base, head } = range;
  const file = join(scratch, `${base}-${head}.${name}`);
  const there = await stat(file).catch(() => null);
  if (there) return file;
  const common = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative'];
  await git(['diff-tree', '-r', '-p', ...common, ...flags, `--output=${file}`, base, head], { gitDir });
  return file;
};

const keyOf = ({ gitDir, base, head }: Range): string =>
  [gitDir, treeOf(gitDir, base), treeOf(gitDir, head)].join(' ');

/**
 * G2: of the whole change, binary files included. Asked of git each time: what was true of these
 * objects before the approval need not be true of their bytes when they are published.
 */
export const digestOf = async (git: Git, range: Range): Promise<{ digest: string; bytes: number }> => {
  const flags = ['--binary', '--full-index', '--no-renames', '-a'];
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(await patchFile(git, range, 'digest.patch', flags))) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { digest: hash.digest('hex'), bytes };
};

export const peoplePatch = (git: Git, range: Range): Promise<string> =>
  patchFile(git, range, 'people.patch', FOR_PEOPLE);

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
    bytes += Buffer.byteLength(exact(lossless(chunk as Buffer)));
    await pace();
  }
  return bytes;
};

const messages = keepLast<string[]>(1024 * 1024, (all) => all.join().length + 100);

const messagesKey = ({ gitDir, base, head }: Omit<Range, 'scratch'>): string =>
  [gitDir, base, head].join(' ');

/** Of the commits from `base` to `head`, oldest first. */
export const rememberMessages = (
  range: Omit<Range, 'scratch'>,
  commits: readonly LoggedCommit[],
): string[] => {
  const all = commits.map(({ message }) => message);
  messages.add(messagesKey(range), all);
  return all;
};

const messagesOf = async (git: Git, range: Range): Promise<string[]> =>
  messages.get(messagesKey(range)) ??
  rememberMessages(range, await commitsSince(git, range.gitDir, { from: range.base, head: range.head }));

/** A part of the patch, and how many bytes of it follow. */
type Part = { text: string; omitted: number };
/** A card is followed by its document, which is of the same patch. */
const texts = keepLast<Part>(4 * 1024 * 1024, ({ text }) => text.length * 2 + 1_000);

/** At most `limit` bytes of the patch for people, cut after a whole line. `head` may be a tree. */
export const partOfPatch = async (git: Git, range: Range, limit: number): Promise<Part> => {
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
export const patchText = async (git: Git, range: Range, limit: number): Promise<Patch> => ({
  ...(await partOfPatch(git, range, limit)),
  messages: await messagesOf(git, range),
});

const makePart = async (git: Git, range: Range, limit: number): Promise<Part> => {
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
    return { text: lossless(buffer.subarray(0, whole)), omitted: size - whole };
  } finally {
    await file.close();
  }
};
