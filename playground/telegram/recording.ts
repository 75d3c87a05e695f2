/** Makes a voice note: a real Ogg file of silent Opus that carries its words as a comment. */

const SILENT_PACKET = Buffer.from('f8fffe', 'hex');
const PACKETS_PER_SECOND = 50;
const PACKETS_PER_PAGE = 200;
const SAMPLES_PER_PACKET = 960;

/** RFC 3533: polynomial 0x04c11db7, not reflected, starting with 0. */
const checksum = (page: Buffer): number => {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
};

const lacing = ({ length }: Buffer): number[] => [
  ...Array<number>(Math.floor(length / 255)).fill(255),
  length % 255,
];

const page = (no: number, flags: number, samples: number, packets: readonly Buffer[]): Buffer => {
  const segments = packets.flatMap(lacing);
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[5] = flags;
  head.writeBigUInt64LE(BigInt(samples), 6);
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(no, 18);
  head[26] = segments.length;
  const whole = Buffer.concat([head, Buffer.from(segments), ...packets]);
  whole.writeUInt32LE(checksum(whole), 22);
  return whole;
};

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, bytes]);
};

export const createRecording = ({ says, seconds }: { says: string; seconds: number }): Buffer => {
  const opusHead = Buffer.from('4f707573486561640101380180bb0000000000', 'hex');
  const one = Buffer.from('01000000', 'hex');
  const tags = Buffer.concat([Buffer.from('OpusTags'), text('playground'), one, text(`TRANSCRIPT=${says}`)]);
  const pages = [page(0, 2, 0, [opusHead]), page(1, 0, 0, [tags])];
  const all = Math.max(1, Math.round(seconds * PACKETS_PER_SECOND));
  for (let sent = 0; sent < all;) {
    const packets = Array<Buffer>(Math.min(PACKETS_PER_PAGE, all - sent)).fill(SILENT_PACKET);
    sent += packets.length;
    pages.push(page(pages.length, sent === all ? 4 : 0, sent * SAMPLES_PER_PACKET, packets));
  }
  return Buffer.concat(pages);
};

/** A transcriber that reads the words of such a recording; `{file}` becomes its path. */
export const sampleTranscriberCommand = [
  process.execPath,
  '-e',
  `const b = require('node:fs').readFileSync(process.argv[1]);
   const at = b.indexOf('TRANSCRIPT=');
   if (at < 0) process.exit(1);
   process.stdout.write(b.subarray(at + 11, at + b.readUInt32LE(at - 4)));`,
  '{file}',
];
