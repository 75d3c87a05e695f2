/** Reads a backup back into a folder of its own. Believes nothing of it: names, lengths and sums are checked. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFull } from '../sql/failures.ts';
import { BadArchive, unpacked } from './archive.ts';
import { KEYS, Label, LABEL, LEDGER, SUMS } from './backup.ts';
import { unsealed, type Opener } from './envelope.ts';

/** Of what is held in memory: the label and the sums (bytes). */
const MOST_TEXT = 64_000_000;

const RUN = /^runs\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/(?:ready\.json|git\/.+)$/;
const isOurs = (name: string): boolean =>
  name === LEDGER ||
  KEYS.some((key) => name === `keys/${key}`) ||
  // No part of a path that leads elsewhere; a trusted git directory has no odd names.
  // guard: S6-backup-names
  (RUN.test(name) && name.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part)));

/** `into` must not be there. Throws a sentence; what was read so far is left to the caller to remove. */
export const unpack = async (file: string, into: string, opener: Opener): Promise<Label> => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  try {
    return await extracted(file, into, opener);
  } catch (error) {
    if (error instanceof BadArchive)
      throw new Error(`${file} cannot be restored. ${error.message}`, { cause: error });
    if (isFull(error))
      throw new Error('The disk is full: nothing was restored. Free some space, then try again.', {
        cause: error,
      });
    throw error;
  }
};

const extracted = async (file: string, into: string, opener: Opener): Promise<Label> => {
  await mkdir(into, { mode: 0o700, recursive: true });
  const sums = new Map<string, string>();
  let label: Label | null = null;
  let listed: string | null = null;
  for await (const { name, size, content } of unpacked(unsealed(file, opener))) {
    if (listed !== null) throw new BadArchive('There are files behind its end.');
    const sum = createHash('sha256');
    const read = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of content()) {
        sum.update(piece);
        yield piece;
      }
    };
    if (name === LABEL || name === SUMS) {
      if (size > MOST_TEXT) throw new BadArchive('It is no backup of agentpr.');
      const text = await textOf(read());
      if (name === SUMS) listed = text;
      else label = labelIn(text);
    } else {
      if (label === null) throw new BadArchive('It is no backup of agentpr.');
      if (!isOurs(name) || sums.has(name)) throw new BadArchive(`It holds "${name}", which is not ours.`);
      await store(join(into, name), read());
    }
    if (name !== SUMS) sums.set(name, sum.digest('hex'));
  }
  const said = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');
  // guard: S6-backup-sums
  if (listed !== said) throw new BadArchive('It is damaged: what it holds is not what was written.');
  if (label === null || !sums.has(LEDGER)) throw new BadArchive('It holds no ledger.');
  return label;
};

const textOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const labelIn = (text: string): Label => {
  try {
    return Label.parse(JSON.parse(text));
  } catch (error) {
    throw new BadArchive('It is of another form than this version of agentpr reads.', { cause: error });
  }
};

const store = async (path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const out = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) await out.writeFile(piece);
    await out.sync();
  } finally {
    await out.close();
  }
};
