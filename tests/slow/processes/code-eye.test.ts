/** E9, S7, O10: how the builtin engine looks at code: by definition, and at each edit as soon as it is made. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSourceReader } from '../../../executors/outline/source-reader.ts';
import type { EditedFile } from '#ports/processes';
import type { ReaderLimits } from '../../../executors/process/reader-threads.ts';
import { call, createBuiltin, edit, REPORT } from '../../support/builtin-round.ts';

const QUEUE = [
  'export class Queue {',
  '  constructor() { this.items = []; }',
  '  take() {',
  '    return this.items.shift();',
  '  }',
  '}',
  '',
  'export const drain = (queue) => {',
  '  while (queue.take()) continue;',
  '};',
  '',
].join('\n');
const BROKEN = edit('queue.js', '    return this.items.shift();', '    return this.items.shift(;');
const MENDED = edit('queue.js', '    return this.items.shift(;', '    return this.items.pop();');

const played = async (...turns: Parameters<Awaited<ReturnType<typeof createBuiltin>>['model']['plays']>) => {
  const { run, model, write } = await createBuiltin();
  write('queue.js', QUEUE);
  write('old.py', 'def fine():\n    return 1\n\ndef broken(:\n    pass\n');
  write('notes.zig', 'fn take() void { (\n');
  model.plays(...turns, REPORT);
  expect(await run()).toMatchObject({ outcome: 'completed' });
  return (turn: number): string => JSON.stringify(model.requests[turn]?.body);
};

describe('E9: search and reading by definition', () => {
  test('each line that is found comes with the definition around it', async () => {
    const told = await played(call('search', { pattern: 'take' }));
    expect(told(1)).toContain('queue.js:3:  take() { ‹in take, lines 3 to 5›');
    expect(told(1)).toContain('while (queue.take()) continue; ‹in drain, lines 8 to 10›');
    expect(told(1)).toMatch(/notes\.zig:1:fn take\(\) void \{ \((?! ‹)/);
  });

  test('a definition is read by its name, wherever it stands', async () => {
    const told = await played(
      call('read', { definition: 'Queue.take' }),
      call('read', { path: 'queue.js', definition: 'drain' }),
      call('read', { path: 'queue.js', definition: 'nothing' }),
      call('read', { definition: '../../etc/passwd' }),
      call('read', {}),
    );
    expect(told(1)).toContain('queue.js, lines 3 to 5 of 10:');
    expect(told(2)).toContain('queue.js, lines 8 to 10 of 10:');
    expect(told(3)).toContain('No definition of nothing was found');
    expect(told(3)).toContain('These are defined there: Queue, constructor, take, drain.');
    expect(told(4)).toContain('No definition of ../../etc/passwd was found');
    expect(told(5)).toContain('name a file, or a definition');
  });
});

describe('E9: each edit is looked at', () => {
  test('what cannot be parsed any more is told in the answer of the edit itself', async () => {
    const told = await played(BROKEN, MENDED);
    expect(told(1)).toContain('The edit was written, but the file cannot be parsed where it could before.');
    expect(told(1)).toMatch(/queue\.js:4:\d+: \) is missing: return this\.items\.shift\(;/);
    expect(told(2).split('cannot be parsed')).toHaveLength(2);
  });

  test('nothing is said of what was broken before, and of languages without a grammar', async () => {
    const told = await played(
      edit('old.py', '    return 1', '    return 2'),
      edit('notes.zig', 'fn take() void { (', 'fn take() void { ((('),
    );
    expect(told(2)).toContain('Written: notes.zig');
    expect(told(2)).not.toContain('cannot be parsed');
  });

  test('S7: it is told three times in a round, and then left to the checks', async () => {
    const again = [1, 2, 3, 4].map((n) => edit('queue.js', `shift(${n - 1};`, `shift(${n};`));
    const first = edit('queue.js', '    return this.items.shift();', '    return this.items.shift(0;');
    const told = await played(first, ...again);
    expect(told(5).split('cannot be parsed')).toHaveLength(4);
  });
});

describe('E9: each edit is linted', () => {
  const complaint = (text: string) => ({ program: 'eslint', path: 'queue.js', line: 4, text });

  test('complaints come in the answer of the edit; what cannot be parsed is linted once it can', async () => {
    const asked: (readonly EditedFile[])[] = [];
    const { run, model, write } = await createBuiltin();
    write('queue.js', QUEUE);
    model.plays(BROKEN, MENDED, REPORT);
    await run({
      lint: async (files) => {
        asked.push(files);
        return [complaint('bad'), { ...complaint(''), line: null }];
      },
    });
    const after = QUEUE.replace('shift()', 'pop()');
    expect(asked).toEqual([[{ path: 'queue.js', before: QUEUE, after }]]);
    const told = JSON.stringify(model.requests[2]?.body);
    expect(told).toContain('queue.js:4: bad (eslint)');
    expect(told).toContain('queue.js: it is not formatted as the repository wants (eslint)');
    expect(JSON.stringify(model.requests[1]?.body)).not.toContain('eslint');
  });

  test('S7: with faults of syntax together they are told three times, eight at a time', async () => {
    const { run, model, write } = await createBuiltin();
    write('queue.js', QUEUE);
    const line = (inside: string): string => `    return this.items.shift(${inside}`;
    const again = ['a', 'b', 'c'].map((name, i) =>
      edit('queue.js', line(`${'ab'[i - 1] ?? ''});`), line(`${name});`)),
    );
    model.plays(BROKEN, edit('queue.js', line(';'), line(');')), ...again, REPORT);
    let asked = 0;
    await run({
      lint: async () => {
        asked += 1;
        return Array.from({ length: 10 }, (_, i) => complaint(`${asked}.${i}`));
      },
    });
    expect(asked).toBe(2);
    const told = JSON.stringify(model.requests.at(-1)?.body);
    expect(told).toContain('1.7 (eslint)');
    expect(told).not.toContain('1.8 (eslint)');
    expect(told).toContain('… and 2 more');
    expect(told).not.toContain('3.0 (eslint)');
  });

  test('a removed file is no file to lint, and nothing is asked for what did not fit', async () => {
    const asked: (readonly EditedFile[])[] = [];
    const { run, model, write } = await createBuiltin();
    write('queue.js', QUEUE);
    const removal = `--- a/queue.js\n+++ /dev/null\n@@ -1,10 +0,0 @@\n${QUEUE.trimEnd().replace(/^/gm, '-')}\n`;
    model.plays(edit('queue.js', 'nowhere', 'x'), call('patch', { patch: removal }), REPORT);
    await run({ lint: async (files) => (asked.push(files), []) });
    expect(asked).toEqual([[{ path: 'queue.js', before: null, after: null }]]);
  });
});

describe('O10: sources that nobody would write', () => {
  const reader = (limits: Partial<ReaderLimits> = {}) => {
    const made = createSourceReader(limits);
    onTestFinished(() => made.end());
    return made;
  };

  test('5 MB in one line are refused, deep nesting is read or refused, and the thread goes on', async () => {
    const { outline, faults } = reader();
    expect(await outline('a.js', `x = "${'a('.repeat(2_500_000)}"`)).toBeNull();
    const deep = `x = ${'('.repeat(100_000)}1${')'.repeat(100_000)}`;
    for (const path of ['a.js', 'a.py', 'a.rb', 'a.go']) {
      const found = await outline(path, deep);
      expect(found === null || found.definitions.length < 3).toBe(true);
    }
    expect(await faults('a.zig', null, 'fn (')).toBeNull();
    expect(await outline('b.py', 'def on():\n    go()\n')).toMatchObject({
      definitions: [{ name: 'on', line: 1, endLine: 2 }],
      calls: [{ name: 'go', line: 2 }],
    });
  });

  test('a file that goes past the limit ends the thread, and is not read again', async () => {
    const { outline, count } = reader({ fileMs: 1, totalMs: 1 });
    const long = 'const a = () => b(1, 2, 3);\n'.repeat(10_000);
    expect(await outline('a.ts', long)).toBeNull();
    expect(count()).toBe(0);
    const asked = outline('a.ts', long);
    expect(count()).toBe(0);
    expect(await asked).toBeNull();
  });

  test('nothing runs once it is over', async () => {
    const { outline, count, end } = createSourceReader();
    expect(count()).toBe(0);
    await outline('a.ts', 'const a = 1;');
    expect(count()).toBe(1);
    await end();
    expect(count()).toBe(0);
  });
});
