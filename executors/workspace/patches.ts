/** The patches of a change in files of ours: the one whose digest is sealed, and the one that people read. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCUMENT_LIMIT, exact } from '../../orchestrator/core/exact.ts';
import type { Patch } from '../../orchestrator/ports.ts';
import type { Git } from '../git/git.ts';
import { keepLast } from '../git/keep-last.ts';
import { lossless } from '../git/lossless.ts';
import { createPace } from '../process/pace.ts';
import { KB } from '../../orchestrator/core/units.ts';

export type Range = { gitDir: string; scratch: string; base: string; head: string };

export const RENAMES = ['-M50%', '-l2000'];
/** How the patch is made that people see: of binary files as well, so that it shows all that is published. */
const FOR_PEOPLE = [...RENAMES, '-a'];

/** Writes the patch to a file of ours, because it may be larger than memory should be. */
const patchFile = async (git: Git, range: Range, name: string, flags: readonly string[]): Promise<string> => {
  const file = join(range.scratch, name);
  const common = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative'];
  await git(['diff-tree', '-r', '-p', ...common, ...flags, `--output=${file}`, range.base, range.head], {
    gitDir: range.gitDir,
  });
  return file;
};

/** Of the whole change, binary files included. */
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

/** G8: how many bytes people get to read; beyond what fits a document it no longer matters how many exactly. */
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

/** Oldest first, byte for byte. */
const messagesOf = async (git: Git, { gitDir, base, head }: Range): Promise<string[]> => {
  const format = ['--no-show-signature', '--no-color', '--encoding=UTF-8', '-z', '--format=%B'];
  const end = await git(['log', '--reverse', ...format, `${base}..${head}`], { gitDir });
  return lossless(end.stdoutBytes).split('\0').slice(0, -1);
};

/** A card is followed by its document, which is of the same patch. */
const texts = keepLast<Patch>(4 * 1024 * 1024, ({ text }) => text.length * 2 + 1_000);

/** At most `limit` bytes of the patch for people, cut after a whole line; and the messages of its commits. */
export const patchText = async (git: Git, range: Range, limit: number): Promise<Patch> => {
  const key = [range.gitDir, range.base, range.head, limit].join(' ');
  const kept = texts.get(key);
  if (kept) return kept;
  const made = await makeText(git, range, limit);
  texts.add(key, made);
  return made;
};

const makeText = async (git: Git, range: Range, limit: number): Promise<Patch> => {
  const messages = await messagesOf(git, range);
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
    return { text: lossless(buffer.subarray(0, whole)), omitted: size - whole, messages };
  } finally {
    await file.close();
  }
};
