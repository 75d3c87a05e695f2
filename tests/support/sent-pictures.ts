/** Pictures as phones and hostile people send them, byte by byte. */
import { crc32, deflateSync } from 'node:zlib';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
export const pngChunk = (type: string, content: Uint8Array = new Uint8Array()): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  return Buffer.concat([u32(content.length), named, u32(crc32(named))]);
};
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Grey. `notes` stand before the image, `after` behind its end; `says` is the size in its header. */
export const pngOf = ({
  width = 2,
  height = 2,
  says = null as readonly [number, number] | null,
  notes = [] as readonly Buffer[],
  after = Buffer.alloc(0),
} = {}): Buffer => {
  const [wide, high] = says ?? [width, height];
  const header = Buffer.concat([u32(wide), u32(high), Buffer.from([8, 0, 0, 0, 0])]);
  const image = deflateSync(Buffer.alloc((width + 1) * height, 0x7f));
  const chunks = [pngChunk('IHDR', header), ...notes, pngChunk('IDAT', image), pngChunk('IEND')];
  return Buffer.concat([PNG, ...chunks, after]);
};

export const jpegSegment = (marker: number, content: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};
export const jpegFrame = (width: number, height: number): Buffer => {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return jpegSegment(0xc0, content);
};
export const JPEG_SCAN = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
]);
export const jpegOf = ({
  width = 2,
  height = 2,
  notes = [] as readonly Buffer[],
  after = Buffer.alloc(0),
} = {}): Buffer => {
  const table = jpegSegment(0xdb, Buffer.alloc(65, 1));
  const image = [table, jpegFrame(width, height), JPEG_SCAN, Buffer.from([0xff, 0xd9])];
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...notes, ...image, after]);
};

export const EXIF = Buffer.from('Exif\0\0MM\0*GPSLatitude 48.2082 GPSLongitude 16.3738', 'latin1');

/** A camera's note: which corner is up, and where it was taken. */
export const exifOf = (order: 'MM' | 'II', orientation: number, placed = true): Buffer => {
  const [u16, long] =
    order === 'MM'
      ? (['writeUInt16BE', 'writeUInt32BE'] as const)
      : (['writeUInt16LE', 'writeUInt32LE'] as const);
  const tiff = Buffer.alloc(26);
  tiff.write(order, 'latin1');
  tiff[u16](42, 2);
  tiff[long](8, 4);
  tiff[u16](1, 8);
  tiff[u16](0x0112, 10);
  tiff[u16](3, 12);
  tiff[long](1, 14);
  tiff[u16](orientation, 18);
  return Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    tiff,
    placed ? EXIF.subarray(10) : Buffer.alloc(0),
  ]);
};

export const webpChunk = (type: string, content: Uint8Array): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, content, Buffer.alloc(content.length % 2)]);
};
export const webpOf = (chunks: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), size, body]);
};
export const webpFrame = (width: number, height: number): Buffer => {
  const content = Buffer.alloc(20, 5);
  content.set([0x10, 0, 0, 0x9d, 0x01, 0x2a]);
  content.writeUInt16LE(width, 6);
  content.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', content);
};
export const webpHeader = (flags: number, width: number, height: number): Buffer => {
  const content = Buffer.alloc(10);
  content[0] = flags;
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', content);
};
