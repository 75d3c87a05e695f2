/** C2: pictures before and after, as they leave for a chat: one as a file, several in one message. */
import { expect, it } from 'vitest';
import { created, HERE, SECRET, type World } from '../support/told-chat.ts';

const png = (wide: number): Uint8Array => {
  const bytes = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(40)]);
  bytes.writeUInt32BE(wide, 16);
  bytes.writeUInt32BE(9, 20);
  return bytes;
};
const side = (which: 'before' | 'after', path: string) => ({ side: which, sha: which, path });
const told = async (
  w: World,
  sides: ReturnType<typeof side>[],
  more: { tries?: number; sound?: boolean } = {},
) => {
  const { tell, calls } = created(w);
  return { calls, outcome: await tell({ view: 'pictures', sides }, more) };
};

it('C2: of two of which one is there, that one is sent, without a number', async () => {
  const sides = [side('before', 'a.png'), side('after', 'a.png')];
  const { calls, outcome } = await told({ files: { 'after a.png': png(7) } }, sides);
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    how: 'document',
    chat: HERE,
    silent: true,
    name: 'run-r1-after.png',
    content: png(7),
    caption: '<b>After</b> · <code>a.png</code> · 7 × 9',
  });
  expect(outcome).toEqual({ kind: 'done', result: { chat: HERE, messageId: '101', epoch: null } });
});

it('C2: several are one message, told apart by their numbers, and rings when it shall', async () => {
  const sides = ['a.png', 'b.png', 'evil.png', 'c.png'].map((path) => side('after', path));
  const files = Object.fromEntries(['a', 'b', 'c'].map((name, i) => [`after ${name}.png`, png(i + 1)]));
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
  const { calls } = await told({ files: { ...files, 'after evil.png': svg } }, sides, { sound: true });
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ how: 'album', chat: HERE, silent: false });
  expect(calls[0]?.pictures?.map(({ name, wide }) => [name, wide])).toEqual([
    ['run-r1-after-1.png', 1],
    ['run-r1-after-2.png', 2],
    ['run-r1-after-3.png', 3],
  ]);
});

it('L4, C5: a second try says so, and no caption shows a secret', async () => {
  const path = `${SECRET}.png`;
  const { calls } = await told({ files: { [`after ${path}`]: png(1) } }, [side('after', path)], { tries: 2 });
  expect(calls[0]?.caption).toContain('(repeat)');
  expect(calls[0]?.caption).not.toContain(SECRET);
  const first = await told({ files: { 'after a.png': png(1) } }, [side('after', 'a.png')]);
  expect(first.calls[0]?.caption).not.toContain('(repeat)');
});

it.each<[string, World]>([
  ['no bytes', { files: {} }],
  ['nobody who reads them', {}],
  ['no run', { run: null, files: { 'after a.png': png(1) } }],
])('C2: with %s nothing is sent, and it says why', async (_, w) => {
  const { calls, outcome } = await told(w, [side('after', 'a.png')]);
  expect(calls).toEqual([]);
  expect(outcome).toEqual({ kind: 'dead', reason: 'The pictures to be sent are no longer there.' });
});
