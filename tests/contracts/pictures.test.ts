/** C2: pictures of a change, before and after: by their bytes, of a bounded size, and nothing active. */
import { expect, it } from 'vitest';
import { MAX_PICTURE_BYTES, recognisePicture } from '#chat-text';
import { createChatWorld } from '../support/chat-world.ts';
import { file, someDiff } from '../support/ready-run.ts';

const hex = (text: string, more = 40): Buffer =>
  Buffer.concat([Buffer.from(text.replaceAll(' ', ''), 'hex'), Buffer.alloc(more)]);
const png = (width: number, height: number): Buffer => {
  const bytes = hex('89504e470d0a1a0a 0000000d 49484452');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

it.each([
  ['PNG', png(640, 480), 'png', 640, 480],
  ['GIF', hex('474946383961 4000 2000'), 'gif', 64, 32],
  ['JPEG', hex('ffd8 ffe0 0004 0000 ffc2 0011 08 0020 0040'), 'jpg', 64, 32],
  [
    'WebP, lossy',
    hex('52494646 00000000 57454250 56503820 00000000 000000 9d012a 4000 2000'),
    'webp',
    64,
    32,
  ],
  ['WebP, lossless', hex('52494646 00000000 57454250 5650384c 00000000 2f 3fc00700'), 'webp', 64, 32],
  [
    'WebP, extended',
    hex('52494646 00000000 57454250 56503858 0a000000 00 000000 3f0000 1f0000'),
    'webp',
    64,
    32,
  ],
] as const)('C2: %s is known by its bytes, with its size', (_, bytes, kind, width, height) => {
  expect(recognisePicture(bytes)).toEqual({ kind, width, height });
});

it.each([
  ['SVG', SVG],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(60))],
  ['an archive', hex('504b0304')],
  ['the first bytes alone', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['a bomb', png(60_000, 60_000)],
  ['nothing to see', png(0, 10)],
  ['a JPEG without a frame', hex('ffd8 ffe0 0004 0000 ffd9')],
  ['more than a phone wants', Buffer.concat([png(10, 10), Buffer.alloc(MAX_PICTURE_BYTES)])],
])('C2: no picture is %s', (_, bytes) => {
  expect(recognisePicture(bytes)).toBeNull();
});

const patchOf = (path: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-\u0000a\n+\u0000b\n`;

it('C2: a changed picture is sent before and after, under names of ours', async () => {
  const path = 'docs/<b>lo"go</b>.png';
  const asked: string[] = [];
  const w = await createChatWorld({
    patch: patchOf(path),
    files: async (_run, sha, at) => {
      asked.push(`${sha.slice(0, 6)} ${at}`);
      return png(32, 16);
    },
  });
  const run = await w.readyRun({ diff: someDiff({ files: [{ ...file(path, 0, 0), binary: true }] }) });
  await w.taps('Diff');
  const before = w.documents.length;
  expect(await w.taps('Picture')).toBe('See below.');
  const sent = w.documents.slice(before);
  expect(sent.map(({ name }) => name)).toEqual([`run-${run.id}-before.png`, `run-${run.id}-after.png`]);
  expect(sent.every(({ content }) => Buffer.from(content).equals(png(32, 16)))).toBe(true);
  expect(sent[1]?.caption).toBe(
    '<b>After</b> · <code>docs/&lt;b&gt;lo&quot;go&lt;/b&gt;.png</code> · 32 × 16',
  );
  expect(new Set(asked).size).toBe(2);
});

it('C2: what only calls itself a picture is not sent, and a new one has no before', async () => {
  const files = { 'evil.png': SVG, 'new.png': png(8, 8) };
  for (const [path, bytes] of Object.entries(files)) {
    const w = await createChatWorld({
      patch: patchOf(path),
      files: async (_run, sha) => (sha.startsWith('d4e5f6') ? bytes : null),
    });
    await w.readyRun({ diff: someDiff({ files: [file(path, 1, 1)] }) });
    await w.taps('Diff');
    const before = w.documents.length;
    const said = await w.taps('Picture');
    const names = w.documents.slice(before).map(({ name }) => name);
    expect([said === 'See below.', names.length]).toEqual(path === 'new.png' ? [true, 1] : [false, 0]);
  }
});
