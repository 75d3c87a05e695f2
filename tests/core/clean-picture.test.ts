/** C2: of a picture that a person sends, only its image is passed on. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanPicture } from '../../bot/text/clean-picture.ts';
import {
  EXIF,
  exifOf,
  JPEG_SCAN,
  jpegFrame,
  jpegOf,
  jpegSegment,
  pngChunk,
  pngOf,
  webpChunk,
  webpFrame,
  webpHeader,
  webpOf,
} from '../support/sent-pictures.ts';

const bytesOf = (given: Uint8Array): Buffer => {
  const clean = cleanPicture(given);
  if ('unfit' in clean) throw new Error(clean.unfit);
  return Buffer.from(clean.bytes);
};
const SCRIPT = Buffer.from('<script>alert(1)</script>#!/bin/sh\nrm -rf /\n');
const FRAME = webpFrame(3, 2);
const ALPHA = webpChunk('ALPH', Buffer.alloc(8, 1));

describe('C2: what is no image stays behind', () => {
  it.each([
    ['png', pngOf({ notes: [pngChunk('eXIf', EXIF), pngChunk('tEXt', SCRIPT)], after: SCRIPT }), pngOf()],
    ['png, with an animation', pngOf({ notes: [pngChunk('acTL', Buffer.alloc(8))] }), pngOf()],
    [
      'jpg',
      jpegOf({
        notes: [jpegSegment(0xe1, EXIF), jpegSegment(0xfe, SCRIPT), jpegSegment(0xed, SCRIPT)],
        after: SCRIPT,
      }),
      jpegOf(),
    ],
    ['jpg, with a small one in its head', jpegOf({ notes: [jpegSegment(0xe0, EXIF)] }), jpegOf()],
    [
      'webp',
      webpOf([webpHeader(0x0c, 3, 2), FRAME, webpChunk('EXIF', EXIF), webpChunk('XMP ', SCRIPT)]),
      webpOf([FRAME]),
    ],
    [
      'webp, see-through',
      Buffer.concat([webpOf([webpHeader(0x1c, 3, 2), ALPHA, FRAME, webpChunk('EXIF', EXIF)]), SCRIPT]),
      webpOf([webpHeader(0x10, 3, 2), ALPHA, FRAME]),
    ],
  ])('%s', (_, sent, clean) => {
    const kept = bytesOf(sent);
    expect(kept.equals(clean)).toBe(true);
    expect(kept.includes('GPS')).toBe(false);
    expect(kept.includes('script')).toBe(false);
    expect(bytesOf(kept).equals(kept)).toBe(true);
  });

  it.each(['MM', 'II'] as const)('a JPEG file stays turned as it was taken (%s)', (order) => {
    const sent = jpegOf({ notes: [jpegSegment(0xe1, exifOf(order, 6))] });
    const clean = bytesOf(sent);
    expect(clean.equals(jpegOf({ notes: [jpegSegment(0xe1, exifOf('MM', 6, false))] }))).toBe(true);
    expect(clean.includes('GPS')).toBe(false);
    expect(bytesOf(clean).equals(clean)).toBe(true);
    for (const upright of [exifOf(order, 1), exifOf(order, 9), exifOf(order, 6).subarray(0, 20)])
      expect(bytesOf(jpegOf({ notes: [jpegSegment(0xe1, upright)] })).equals(jpegOf())).toBe(true);
  });

  it('an ordinary picture stays as it is, to the byte', () => {
    for (const name of ['phone-card.png', 'forge-pull.png']) {
      const file = readFileSync(new URL(`../../docs/images/${name}`, import.meta.url));
      expect(cleanPicture(file)).toMatchObject({ kind: 'png' });
      expect(file.length - bytesOf(file).length).toBeLessThan(200);
    }
    const colours = jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'));
    expect(bytesOf(jpegOf({ notes: [colours] })).equals(jpegOf({ notes: [colours] }))).toBe(true);
  });
});

describe('C2: is no picture', () => {
  const png = pngOf();
  const jpeg = jpegOf();
  const spoilt = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  it.each<[string, Buffer]>([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['GIF', Buffer.from(`${'GIF89a'}${'\x02\0\x02\0'.repeat(10)}`, 'latin1')],
    ['HTML under another name', Buffer.from('<html>'.repeat(10))],
    ['nothing', Buffer.alloc(0)],
    ['PNG without its end', png.subarray(0, -12)],
    ['PNG of which a bit is another', spoilt(png, png.length - 20)],
    ['PNG with two heads', pngOf({ notes: [pngChunk('IHDR', Buffer.alloc(13, 1))] })],
    ['PNG with a chunk that nobody knows', pngOf({ notes: [pngChunk('ABCD', SCRIPT)] })],
    ['PNG whose chunk is longer than the file', Buffer.concat([png.subarray(0, 33), Buffer.alloc(30, 0xff)])],
    ['PNG of no points', pngOf({ says: [0, 5] })],
    ['JPEG without its end', jpeg.subarray(0, -2)],
    ['JPEG with a second, larger frame', jpegOf({ notes: [jpegFrame(2, 2)], width: 60_000, height: 60_000 })],
    ['JPEG without a frame', Buffer.concat([Buffer.from([0xff, 0xd8]), JPEG_SCAN, Buffer.alloc(40)])],
    ['JPEG whose segment has no length', jpegOf({ notes: [Buffer.from([0xff, 0xe1, 0, 0])] })],
    ['WebP with an animation', webpOf([webpHeader(2, 3, 2), webpChunk('ANIM', Buffer.alloc(6)), FRAME])],
    ['WebP whose image is larger than it says', webpOf([webpHeader(0, 3, 2), webpFrame(16_000, 16_000)])],
    ['WebP without an image', webpOf([webpHeader(0, 3, 2), webpChunk('EXIF', EXIF)])],
    ['WebP with two images', webpOf([FRAME, FRAME])],
  ])('%s', (_, bytes) => expect(cleanPicture(bytes)).toEqual({ unfit: 'form' }));

  it.each<[string, Buffer]>([
    ['50 million points in a few bytes', pngOf({ says: [7_100, 7_100] })],
    ['one long line', pngOf({ says: [8_001, 1] })],
    ['a JPEG', jpegOf({ width: 60_000, height: 60_000 })],
  ])('%s would unpack to too much', (_, bytes) => expect(cleanPicture(bytes)).toEqual({ unfit: 'points' }));
});
