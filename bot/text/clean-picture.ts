/** Rewrites a picture that a person sent: what is no image (place, words, other files) stays behind (C2). */
import { crc32 } from 'node:zlib';
import type { SentPictureKind } from '#model/order';
import { measurePicture, type PictureKind } from './recognise-picture.ts';

const MAX_SIDE = 8_000;
const MAX_POINTS = 25_000_000;

type CleanPicture = { kind: SentPictureKind; width: number; height: number; bytes: Uint8Array };
type UnfitPicture = { unfit: 'form' | 'points' };

export const cleanPicture = (given: Uint8Array): CleanPicture | UnfitPicture => {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const found = measurePicture(bytes);
  if (!found || !isSentKind(found.kind)) return { unfit: 'form' };
  const { kind, width, height } = found;
  // guard: C2-picture-points
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_POINTS) return { unfit: 'points' };
  const clean = CLEANERS[kind](bytes, found);
  return clean === null || width * height === 0 ? { unfit: 'form' } : { kind, width, height, bytes: clean };
};

type Size = { width: number; height: number };

/** PNG, 11: only what says how the points look. An animation is a second image. */
const PNG_KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'sRGB', 'cHRM', 'sBIT', 'pHYs']);
const cleanPng = (bytes: Buffer): Buffer | null => {
  const kept = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(at + 4, end - 4))) return null;
    if ((type === 'IHDR') !== (at === 8)) return null;
    // guard: C2-picture-only-image
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end));
    else if (/^[A-Z]/.test(type)) return null;
    if (type === 'IEND') return Buffer.concat(kept);
    at = end;
  }
  return null;
};

const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);
const isComment = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
/** JFIF without a thumbnail, and Adobe's transform: without them the colours would be others. */
const isColourNote = (marker: number, segment: Buffer): boolean =>
  (marker === 0xe0 && segment.length === 18 && segment.toString('latin1', 4, 9) === 'JFIF\0') ||
  (marker === 0xee && segment.length === 16 && segment.toString('latin1', 4, 9) === 'Adobe');

/** Exif 2.32, 4.6.4: one entry of eight that says which corner is up; a camera writes it, turning no point. */
const ORIENTATION_TAG = 0x0112;
const EXIF_HEAD = 10;
const orientationIn = (segment: Buffer): number | null => {
  if (segment.toString('latin1', 4, EXIF_HEAD) !== 'Exif\0\0') return null;
  const tiff = segment.subarray(EXIF_HEAD);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'MM' && order !== 'II')) return null;
  const u16 = (at: number): number => (order === 'MM' ? tiff.readUInt16BE(at) : tiff.readUInt16LE(at));
  const first = order === 'MM' ? tiff.readUInt32BE(4) : tiff.readUInt32LE(4);
  const entries = first + 2 > tiff.length ? 0 : u16(first);
  for (let at = first + 2, i = 0; i < entries && at + 12 <= tiff.length; i += 1, at += 12)
    if (u16(at) === ORIENTATION_TAG) return u16(at + 8) <= 8 ? u16(at + 8) : null;
  return null;
};
const orientationNote = (orientation: number): Buffer => {
  const note = Buffer.from(
    'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000',
    'hex',
  );
  note.writeUInt16BE(orientation, 28);
  return note;
};

const endOfScan = (bytes: Buffer, from: number): number => {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
};

const cleanJpeg = (bytes: Buffer): Buffer | null => {
  const kept = [bytes.subarray(0, 2)];
  let [frames, scans] = [0, 0];
  for (let at = 2; at + 2 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || isAlone(marker)) return null;
    if (marker === 0xff) at += 1;
    else if (marker === 0xd9)
      return frames === 1 && scans > 0 ? Buffer.concat([...kept, bytes.subarray(at, at + 2)]) : null;
    else {
      const end = at + 4 > bytes.length ? Infinity : at + 2 + bytes.readUInt16BE(at + 2);
      if (end > bytes.length || end < at + 4) return null;
      const segment = bytes.subarray(at, end);
      if (isFrameMarker(marker)) frames += 1;
      // guard: C2-picture-no-place
      if (!isComment(marker) || isColourNote(marker, segment)) kept.push(segment);
      const orientation = marker === 0xe1 ? orientationIn(segment) : null;
      if (orientation !== null && orientation > 1) kept.push(orientationNote(orientation));
      at = end;
      if (marker !== 0xda) continue;
      if (frames !== 1) return null;
      scans += 1;
      at = endOfScan(bytes, end);
      kept.push(bytes.subarray(end, at));
    }
  }
  return null;
};

const HAS_ALPHA = 0x10;
/** RFC 9649, 2.7: the extended form stays only where an image has transparent points. */
const cleanWebp = (bytes: Buffer, size: Size): Buffer | null => {
  const whole = 8 + bytes.readUInt32LE(4);
  if (whole > bytes.length) return null;
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at + 8 <= whole;) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    const type = bytes.toString('latin1', at, at + 4);
    if (end > whole || type === 'ANIM' || type === 'ANMF' || chunks.has(type)) return null;
    chunks.set(type, bytes.subarray(at, end));
    at = end + (end % 2);
  }
  const [image, second] = ['VP8 ', 'VP8L'].flatMap((type) => chunks.get(type) ?? []);
  const [header, alpha] = [chunks.get('VP8X'), chunks.get('ALPH')];
  if (!image || second || (header && header.length !== 18)) return null;
  const inner = measurePicture(riffOf([image]));
  if (inner?.width !== size.width || inner.height !== size.height) return null;
  if (!header || !alpha) return riffOf([image]);
  const flags = Buffer.from(header);
  flags[8] = HAS_ALPHA;
  return riffOf([flags, alpha, image]);
};

const riffOf = (chunks: readonly Buffer[]): Buffer => {
  const body = chunks.flatMap((chunk) => (chunk.length % 2 === 0 ? [chunk] : [chunk, Buffer.alloc(1)]));
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + body.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...body]);
};

const CLEANERS: Record<SentPictureKind, (bytes: Buffer, size: Size) => Buffer | null> = {
  png: cleanPng,
  jpg: cleanJpeg,
  webp: cleanWebp,
};
const isSentKind = (kind: PictureKind): kind is SentPictureKind => Object.hasOwn(CLEANERS, kind);
