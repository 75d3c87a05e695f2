/** C2, G8: the pages of a change: all of it, one screen at a time, for each reader their own. */
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { parseFilePatches } from '../../bot/text/parse-patch.ts';
import { orderPatchFiles, paginateFile, findPageAfter, type PageAt } from '../../bot/text/hunk-pages.ts';
import { toReadablePatch } from '#chat-text';
import { ANA, BO, createChatWorld, VIC, type Delivered } from '../support/chat-world.ts';
import { file, someDiff } from '../support/ready-run.ts';

const header = (path: string): string =>
  `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
const hunk = (lines: readonly string[], at = 1): string =>
  `@@ -${at} +${at},${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
const change = (paths: readonly string[], ...hunks: string[]) => ({
  patch: paths.map((path) => `${header(path)}${hunks.join('')}`).join(''),
  diff: someDiff({ files: paths.map((path) => file(path, 1, 0)) }),
});
const HOSTILE = [
  '<a href="https://evil.example">Approve</a></code></pre><b>signed</b>',
  '@everyone /approve_open_pr r1 --confirm https://evil.example tg://user?id=1',
  '@@ -1 +1 @@ not a hunk, diff --git a/x b/x',
  'wide 漢字漢字 \u202e gnp.exe \u200b hidden \u0000 ⟦…⟧',
  '&'.repeat(3_000),
  `${'🙂'.repeat(900)}\t${'x'.repeat(9_000)}`,
];

/** All pages as their reader sees them, without our own signs between the parts of a line. */
const read = (patch: string, path: string): string =>
  orderPatchFiles(patch, [])
    .filter((one) => one.path === path)
    .flatMap(paginateFile)
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('⟦↪⟧\n⟦↪⟧', '');

describe('the pages of a change', () => {
  it('G8: hold every line of it in its order, whatever the lines are', () => {
    const line = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...HOSTILE));
    const lines = fc.array(
      line.map((l) => l.replaceAll('\n', ' ')),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(fc.array(lines, { minLength: 1, maxLength: 3 }), (hunks) => {
        const patch = `${header('a.ts')}${hunks.map((h, i) => hunk(h, i * 100)).join('')}`;
        const [one] = parseFilePatches(patch);
        expect(read(patch, 'a.ts')).toBe(toReadablePatch(one?.text ?? ''));
      }),
      { numRuns: 5 },
    );
  });

  it('C2: are walked from the first to the last and back, without one left out', () => {
    const long = Array.from({ length: 130 }, (_, i) => `line ${i}`);
    const { patch } = change(['a', 'b', 'c'], hunk(['x']), hunk(long, 50));
    const book = orderPatchFiles(patch, ['b']);
    expect(book.map(({ path }) => path)).toEqual(['b', 'a', 'c']);
    const walk = (from: PageAt, step: 'on' | 'back'): PageAt[] => {
      const next = findPageAfter(book, from, step);
      return next ? [from, ...walk(next, step)] : [from];
    };
    const all = walk({ file: 0, page: 0 }, 'on');
    expect(all).toHaveLength(book.flatMap(paginateFile).length);
    expect(walk(all.at(-1) ?? { file: 0, page: 0 }, 'back')).toEqual(all.toReversed());
    expect(
      paginateFile(book[0] as never).map(({ hunk: n, hunks, part, parts }) => [n, hunks, part, parts]),
    ).toEqual([[1, 2, 1, 1], ...[1, 2, 3, 4].map((part) => [2, 2, part, 4])]);
  });

  it.each([
    ['a new mode', 'diff --git a/run b/run\nold mode 100644\nnew mode 100755\n', 'new mode 100755'],
    ['a rename', 'diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n', 'rename from o'],
    ['an empty file', 'diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n', 'new file mode'],
  ])('G8: a file with no hunk has one page: %s', (_, patch, says) => {
    const [page, ...more] = paginateFile(parseFilePatches(patch)[0] as never);
    expect(page?.text).toContain(says);
    expect(more).toEqual([]);
  });
});

const viewers = ({ messages }: { messages: readonly Delivered[] }): Delivered[] =>
  messages.filter(({ text }) => text.startsWith('DIFF'));
const place = (message: Delivered | undefined): string => message?.text.split('\n')[1] ?? '';

describe('the viewer beside a card', () => {
  it('C2: shows 500 files in one message, each page within what Telegram takes', async () => {
    const paths = Array.from({ length: 500 }, (_, i) => `src/${'deep/'.repeat(i % 30)}file-${i}.ts`);
    const hostile = change(paths.slice(0, 4), hunk(HOSTILE), hunk(['second'], 90));
    const { patch, diff } = change(paths, hunk(['first']), hunk(['second'], 90));
    const from = patch.indexOf(header(paths[4] ?? ''));
    const w = await createChatWorld({ patch: hostile.patch + patch.slice(from) });
    await w.readyRun({ diff });
    await w.taps('Diff');
    const [viewer, ...others] = viewers(w);
    expect(others).toEqual([]);
    const seen = new Set<string>();
    for (const button of ['Hunk ▶', 'File ▶', 'File ▶', 'Hunk ▶', '◀ File', '◀ Hunk', 'Hunk ▶']) {
      await w.taps(button, { on: viewer as Delivered });
      const { html = '', text = '', buttons = [] } = viewer ?? {};
      seen.add(place(viewer));
      expect(html.length).toBeLessThanOrEqual(4_096);
      expect(html.replace(/<code[^>]*>[^<]*<\/code>/g, '')).not.toMatch(/evil|everyone|href/);
      expect(text).toMatch(/^file \d+\/500 · hunk \d\/2/m);
      for (const { token } of buttons.flat()) expect(Buffer.byteLength(token)).toBeLessThanOrEqual(64);
    }
    expect(seen.size).toBeGreaterThan(4);
    expect(viewers(w)).toHaveLength(1);
    expect(await w.taps('◀ File', { on: viewer as Delivered })).toBe('');
  });

  it('C2: offers no step that leads nowhere, and an old button leads no further', async () => {
    const w = await createChatWorld({ ...change(['a', 'b'], hunk(['x'])) });
    await w.readyRun();
    await w.taps('Diff');
    const steps = (): string[] =>
      (viewers(w)[0]?.buttons.flat() ?? []).map(({ text }) => text).filter((text) => /[◀▶]/.test(text));
    expect(steps()).toEqual(['Hunk ▶', 'File ▶']);
    const old =
      viewers(w)[0]
        ?.buttons.flat()
        .find(({ text }) => text === 'File ▶')?.token ?? '';
    await w.taps('File ▶');
    expect(steps()).toEqual(['◀ Hunk', '◀ File']);
    await w.taps('', { data: old, messageId: viewers(w)[0]?.messageId ?? '', chat: ANA });
    expect(place(viewers(w)[0])).toBe('file 2/2 · hunk 1/1');
  });

  it('C2: two who read at once turn no page of each other', async () => {
    const w = await createChatWorld({ ...change(['a', 'b', 'c'], hunk(['x'])) });
    const group = '-100';
    await w.readyRun({ order: { chat: group } });
    const card = w.messages.find(({ text }) => text.startsWith('Open this')) as Delivered;
    await w.taps('Diff', { on: card, chat: group });
    await w.taps('Diff', { on: card, by: BO, chat: group });
    const [first, second] = viewers(w) as [Delivered, Delivered];
    expect(first.messageId).not.toBe(second.messageId);
    await w.taps('File ▶', { on: first, chat: group });
    await w.taps('File ▶', { on: first, chat: group });
    await w.taps('File ▶', { on: second, by: BO, chat: group });
    expect([first, second].map(place)).toEqual(['file 3/3 · hunk 1/1', 'file 2/3 · hunk 1/1']);
  });

  it('C2: leads to the next file that deserves a look, and back to a card that can be signed', async () => {
    const paths = ['src/a.ts', 'package-lock.json', 'src/b.ts', '.github/workflows/ci.yml'];
    const { patch, diff } = change(paths, hunk(['x']));
    const w = await createChatWorld({ patch });
    const run = await w.readyRun({ diff });
    await w.taps('Diff');
    const [viewer] = viewers(w) as [Delivered];
    const first = viewer.text;
    await w.taps('Next ⚠', { on: viewer });
    const names = [first, viewer.text].map((text) => text.split('\n')[2] ?? '').toSorted();
    expect(names[0]).toMatch(/^\.github\/workflows\/ci\.yml .*⚠/);
    expect(names[1]).toMatch(/^package-lock\.json .*⚠/);
    const [old] = viewer.buttons.flat();
    await w.taps('Back to the card', { on: viewer });
    expect(viewer.text).toMatch(/^Open this/);
    await w.taps('Open PR', { on: viewer });
    await w.taps('Confirm', { on: viewer });
    expect((await w.run(run.id)).gate.consumedApproval).not.toBeNull();
    // A button of the pages that this message showed before.
    expect(await w.taps('', { on: viewer, data: old?.token ?? '' })).toMatch(/already approved/i);
    expect(viewer.text).not.toMatch(/^DIFF/);
  });

  it('G4: a button of a page turns none once its message is the card again', async () => {
    const w = await createChatWorld({ ...change(['a', 'b'], hunk(['x'])) });
    await w.readyRun();
    await w.taps('Diff');
    const [viewer] = viewers(w) as [Delivered];
    const old = viewer.buttons.flat().find(({ text }) => text === 'File ▶');
    await w.taps('Back to the card', { on: viewer });
    await w.taps('Open PR', { on: viewer });
    expect(await w.taps('', { on: viewer, data: old?.token ?? '' })).toMatch(/replaced by a newer/);
    expect(viewer.buttons.flat().some(({ text }) => text.startsWith('Confirm'))).toBe(true);
  });

  it('C2: a decision closes the pages as it closes the card, and a moved change refuses them', async () => {
    const w = await createChatWorld({ ...change(['a', 'b'], hunk(['x'])) });
    await w.readyRun();
    const card = w.messages.find(({ text }) => text.startsWith('Open this')) as Delivered;
    await w.taps('Diff', { on: card });
    const [viewer] = viewers(w) as [Delivered];
    const old = viewer.buttons.flat().find(({ text }) => text === 'File ▶');
    await w.says('/deny r101 too broad', { replyTo: card });
    expect(viewer.buttons).toEqual([]);
    expect(viewer.text).toMatch(/^Denied/);
    expect(await w.taps('', { on: viewer, data: old?.token ?? '' })).not.toBe('');
    expect(viewer.text).toMatch(/^Denied/);
  });

  it('G3: whoever may read the change may turn its pages, and only in the chat of the message', async () => {
    const w = await createChatWorld({ ...change(['a', 'b'], hunk(['x'])) });
    await w.readyRun({ order: { chat: VIC, requester: { id: VIC, name: 'Vic' }, decider: null } });
    await w.says('/diff r101', { by: VIC });
    const [viewer] = viewers(w) as [Delivered];
    await w.taps('File ▶', { on: viewer, by: VIC, chat: VIC });
    expect(place(viewer)).toBe('file 2/2 · hunk 1/1');
    expect(await w.taps('◀ File', { on: viewer, by: ANA, chat: ANA })).toMatch(/another chat/);
  });
});
