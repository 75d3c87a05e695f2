/** The subset of tar that a backup needs (POSIX ustar, regular files only). */

const TAR_BLOCK_BYTES = 512;
const ZEROS = Buffer.alloc(TAR_BLOCK_BYTES);
/** Largest size in eleven octal digits; larger ones are binary, as in GNU tar. */
const MAX_OCTAL_SIZE = 8 ** 11;

export class BadArchive extends Error {}

export type TarEntry = { name: string; size: number };
export type TarContent = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const field = (block: Buffer, at: number, text: string): void => void block.write(text, at, 'latin1');
const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

const checksum = (block: Buffer): number => {
  let sum = 0;
  for (const [i, byte] of block.entries()) sum += i >= 148 && i < 156 ? 32 : byte;
  return sum;
};

/** POSIX splits names over 100 bytes at a slash. */
const cutName = (name: string): { prefix: string; rest: string } => {
  if (name.length <= 100) return { prefix: '', rest: name };
  const at = name.lastIndexOf('/', 155);
  if (at <= 0 || name.length - at - 1 > 100)
    throw new BadArchive(`"${name}" is too long a name for a backup.`);
  return { prefix: name.slice(0, at), rest: name.slice(at + 1) };
};

const header = ({ name, size }: TarEntry, at: number): Buffer => {
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  const { prefix, rest } = cutName(name);
  field(block, 0, rest);
  field(block, 100, octal(0o600, 7));
  field(block, 108, octal(0, 7));
  field(block, 116, octal(0, 7));
  if (size < MAX_OCTAL_SIZE) field(block, 124, octal(size, 11));
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  field(block, 136, octal(Math.floor(at / 1000), 11));
  field(block, 156, '0');
  field(block, 257, 'ustar\x0000');
  field(block, 345, prefix);
  field(block, 148, `${checksum(block).toString(8).padStart(6, '0')}\0 `);
  return block;
};

const padding = (size: number): Buffer =>
  ZEROS.subarray(0, (TAR_BLOCK_BYTES - (size % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES);

/** Throws when the file's length differs from `size`. */
export async function* packTarEntry(
  entry: TarEntry,
  content: TarContent,
  at: number,
): AsyncGenerator<Uint8Array> {
  yield header(entry, at);
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    yield piece;
  }
  if (size !== entry.size) throw new BadArchive(`${entry.name} changed while it was read.`);
  yield padding(size);
}

export const TAR_END_BLOCKS: Uint8Array = Buffer.concat([ZEROS, ZEROS]);

const sizeIn = (block: Buffer): number => {
  if (block[124] === 0x80) return Number(block.readBigUInt64BE(128));
  const text = block.toString('latin1', 124, 136).replace(/[\0 ]+$/, '');
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : NaN;
};
const textIn = (block: Buffer, from: number, to: number): string =>
  block.toString('latin1', from, to).replace(/\0[^]*$/, '');

const entryIn = (block: Buffer): TarEntry => {
  const sum = Number.parseInt(textIn(block, 148, 156).trim(), 8);
  const prefix = textIn(block, 345, 500);
  const name = `${prefix === '' ? '' : `${prefix}/`}${textIn(block, 0, 100)}`;
  const size = sizeIn(block);
  if (sum !== checksum(block) || textIn(block, 257, 262) !== 'ustar' || !Number.isSafeInteger(size))
    throw new BadArchive('It is no backup of agentpr.');
  if (textIn(block, 156, 157) !== '0') throw new BadArchive(`It holds "${name}", which is no plain file.`);
  return { name, size };
};

const CUT_OFF = 'It ends too early: it was not written to its end, or not copied whole.';

/** Each file must be read to its end before the next. */
export async function* unpackTar(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<TarEntry & { content: () => AsyncGenerator<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    const next = await pieces.next();
    if (next.done) throw new BadArchive(CUT_OFF);
    rest = next.value;
  };
  async function* take(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      if (rest.length === 0) await more();
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
  const block = async (): Promise<Buffer> => {
    const parts: Uint8Array[] = [];
    for await (const part of take(TAR_BLOCK_BYTES)) parts.push(part);
    return Buffer.concat(parts);
  };
  for (let next = await block(); !next.equals(ZEROS); next = await block()) {
    const entry = entryIn(next);
    yield { ...entry, content: () => take(entry.size) };
    for await (const _ of take(padding(entry.size).length)) continue;
  }
  await block();
  // Reads the rest, so that gzip and age check their last bytes.
  rest = Buffer.alloc(0);
  while (!(await pieces.next()).done) rest = Buffer.alloc(0);
}
