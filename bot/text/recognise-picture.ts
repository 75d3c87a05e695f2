/** Recognises images by their bytes (C2). SVG can contain scripts and is shown as text. */

export type PictureKind = 'png' | 'jpg' | 'gif' | 'webp';
export const MAX_PICTURE_BYTES = 5_000_000;
/** Maximum pixels, because a small file may unpack to a huge image. */
const MOST_POINTS = 50_000_000;

const hasBytesAt = (bytes: Buffer, hex: string, at = 0): boolean =>
  bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;

type Size = { width: number; height: number };

/** Returns null for other data, and for too large or truncated images. */
export const recognisePicture = (given: Uint8Array): (Size & { kind: PictureKind }) | null => {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const found = bytes.length > MAX_PICTURE_BYTES ? null : measurePicture(bytes);
  const points = found === null ? 0 : found.width * found.height;
  return points > MOST_POINTS || points === 0 ? null : found;
};

/** The size that its header says; null for other data. */
export const measurePicture = (bytes: Buffer): (Size & { kind: PictureKind }) | null => {
  const found = bytes.length < 30 ? null : kindOf(bytes);
  const size = found && found.size(bytes);
  return size && { kind: found.kind, ...size };
};

type Sized = { kind: PictureKind; size: (bytes: Buffer) => Size | null };

const kindOf = (bytes: Buffer): Sized | null => {
  if (hasBytesAt(bytes, '89504e470d0a1a0a') && hasBytesAt(bytes, '49484452', 12))
    return { kind: 'png', size: (b) => ({ width: b.readUInt32BE(16), height: b.readUInt32BE(20) }) };
  if (hasBytesAt(bytes, '474946383761') || hasBytesAt(bytes, '474946383961'))
    return { kind: 'gif', size: (b) => ({ width: b.readUInt16LE(6), height: b.readUInt16LE(8) }) };
  if (hasBytesAt(bytes, 'ffd8ff')) return { kind: 'jpg', size: sizeOfJpeg };
  if (hasBytesAt(bytes, '52494646') && hasBytesAt(bytes, '57454250', 8))
    return { kind: 'webp', size: sizeOfWebp };
  return null;
};

/** ITU T.81, B.2.2. */
const sizeOfJpeg = (bytes: Buffer): Size | null => {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
};

/** RFC 9649. */
const sizeOfWebp = (bytes: Buffer): Size | null => {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
};
