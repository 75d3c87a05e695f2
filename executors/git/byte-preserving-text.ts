/** Decodes bytes to a string without loss: invalid UTF-8 becomes lone surrogates. */

const LONE = 0xdc00;

const isMore = (byte: number | undefined, from = 0x80, to = 0xbf): boolean =>
  byte !== undefined && byte >= from && byte <= to;

const sequenceLength = (bytes: Uint8Array, at: number, first: number): number => {
  if (first < 0xc2 || first > 0xf4) return 0;
  const b = bytes[at + 1];
  if (first < 0xe0) return isMore(b) ? 2 : 0;
  if (!isMore(bytes[at + 2])) return 0;
  if (first < 0xf0) return isMore(b, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) ? 3 : 0;
  return isMore(b, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && isMore(bytes[at + 3])
    ? 4
    : 0;
};

export const decodePreservingBytes = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const units = new Uint16Array(bytes.length);
  let length = 0;
  const lowBits = (at: number): number => (bytes[at] ?? 0) & 63;
  for (let at = 0; at < bytes.length;) {
    const a = bytes[at] ?? 0;
    const size = a < 0x80 ? 1 : sequenceLength(bytes, at, a);
    if (size === 4) {
      const code =
        (((a & 7) << 18) | (lowBits(at + 1) << 12) | (lowBits(at + 2) << 6) | lowBits(at + 3)) - 0x10000;
      units[length++] = 0xd800 + (code >> 10);
      units[length++] = 0xdc00 + (code & 0x3ff);
    } else if (size === 3) units[length++] = ((a & 15) << 12) | (lowBits(at + 1) << 6) | lowBits(at + 2);
    else if (size === 2) units[length++] = ((a & 31) << 6) | lowBits(at + 1);
    else units[length++] = size === 1 ? a : LONE + a;
    at += size || 1;
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
};
