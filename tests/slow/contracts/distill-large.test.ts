/** E8: logs of 50 MB, and what each byte of a long one costs. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { distillLog } from '../../../executors/checks/distill-output.ts';
import { growth, LINEAR, times } from '../../support/cost.ts';

const dir = new URL('../../fixtures/logs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(`${name}.txt`, dir), 'utf8');
const bytes = (text: string): number => Buffer.byteLength(text);

describe('a log of any size', () => {
  const MB = 1024 * 1024;
  const line = 'npm http fetch GET 200 https://registry.example/some-package-1.2.3.tgz 123ms (cache hit)\n';
  const long = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
  /** What it costs to find the lines of a text, and no more. */
  const lines = (text: string): number => [...text.matchAll(/^.*$/gm)].length;

  it('E8: keeps the first failure of 50 MB, early as it may be, for no more than a few looks at each line', () => {
    const log = `${line}${read('vitest-verbose')}\n${long(line, 50 * MB)}`;
    let short = '';
    const distilled = (): string => (short = distillLog(log));
    expect(times(distilled, () => lines(log), LOOKS)).toBeLessThan(LOOKS);
    expect(bytes(short)).toBeLessThanOrEqual(4096);
    expect(short).toContain("expected 'hello,-world!' to be 'hello-world'");
    expect(short).toContain('src/slug.test.ts:10:35');
  });
  const LOOKS = 25;

  it.each([
    ['one line', 'x'],
    ['one line of brackets', '('],
    ['colours', '\u001b[31mred\u001b[0m plain\n'],
    ['progress bars', '10%\r'],
    ['failures', 'not ok 1 - adds\n'],
    ['errors', 'Error: no\n'],
    ['almost failures', 'a:1: b:2: expected c\n'],
    ['half a sentence', 'expected '],
    ['empty lines', '\n'],
    ['spaces', ' '],
    ['labels', 'web-1  | nothing\n'],
    ['short labels', 'a: \n'],
    ['times', '2026-01-01T00:00:00Z \n'],
  ])('E8: costs no more for each byte when it is longer, and nothing but %s', (_, text) => {
    const make = (size: number): string => `start\n${long(text, size)}\nend`;
    expect(growth(MB, make, distillLog)).toBeLessThan(LINEAR);
    expect(bytes(distillLog(make(MB)))).toBeLessThanOrEqual(4096);
  });
});
