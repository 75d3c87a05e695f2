/** Measures Opus audio in an Ogg file (RFC 3533, RFC 7845) by its packets. Pure. */

const frameMs = (configuration: number): number => {
  const step = configuration % 4;
  if (configuration < 12) return [10, 20, 40, 60][step] ?? 60;
  if (configuration < 16) return step % 2 === 0 ? 10 : 20;
  return [2.5, 5, 10, 20][step] ?? 20;
};

/** RFC 6716, 3.2: the code in the TOC byte says how many frames a packet has. */
const packetMs = (toc: number, second: number): number => {
  const code = toc & 3;
  return frameMs(toc >> 3) * (code === 0 ? 1 : code < 3 ? 2 : second & 0x3f);
};

const OGG_PAGE = 'OggS';
const HEADER_BYTES = 27;
const HEADER_PACKETS = 2;

/** Seconds of sound; null for anything but one whole Ogg file of Opus. */
export const measureOpusSeconds = (given: Uint8Array): number | null => {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes.toString('latin1', 28, 36) !== 'OpusHead') return null;
  let ms = 0;
  let packets = 0;
  let starts = true;
  for (let at = 0; at < bytes.length;) {
    if (bytes.toString('latin1', at, at + 4) !== OGG_PAGE) return null;
    const segments = bytes[at + 26] ?? 0;
    let body = at + HEADER_BYTES + segments;
    for (let i = 0; i < segments; i += 1) {
      const length = bytes[at + HEADER_BYTES + i] ?? 0;
      if (body + length > bytes.length) return null;
      if (starts && packets >= HEADER_PACKETS && length > 0)
        ms += packetMs(bytes[body] ?? 0, bytes[body + 1] ?? 0);
      starts = length < 255;
      if (starts) packets += 1;
      body += length;
    }
    at = body;
  }
  return packets > HEADER_PACKETS ? ms / 1_000 : null;
};
