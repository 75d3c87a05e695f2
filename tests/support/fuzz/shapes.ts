/** O10: texts that keep careless readers busy, of any size. */

const fill = (unit: string, size: number): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: Math.ceil(count) }, (_, i) => line(i)).join('\n');

/** Sizes in characters. */
export const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'a quarter of it quotation marks': (n) => fill('"', n / 4),
  'one line of one letter, and a sign': (n) => `${fill('a', n - 1)}!`,
  'empty lines': (n) => fill('\n', n / 2),
  'brackets in brackets': (n) => fill('[', n),
  'names for names of lists': (n) =>
    `a: &a [x,x,x]\n${lines(n / 60, (i) => `b${i}: &b${i} [*a, *a, *a, *a, *a, *a, *a, *a]`)}`,
  backticks: (n) => fill('`', n),
  'lists in lists': (n) => fill('- ', n),
  bars: (n) => fill('|', n),
  backslashes: (n) => fill('\\', n),
  blanks: (n) => fill(' ', n),
  'carriage returns': (n) => fill('\r', n),
  'ever deeper': (n) => lines(Math.sqrt(2 * n), (i) => `${' '.repeat(i)}a:`),
  'separators of lines': (n) => fill('\u2028', n / 3),
  'people who hold hands': (n) => fill('\u{1f469}\u200d', n / 3),
  'words of look-alikes': (n) => fill('\u0430\u0435 ', n / 2),
  'UTF-16': (n) => `\ufeff${fill('a\0', n)}`,
  'colours of a terminal': (n) => fill('\u001b[31m', n),
  'the same key again': (n) => fill('__proto__: x\n', n),
  'one object of many keys': (n) => `{${lines(n / 20, (i) => `"k${i}":"v${i}"`).replaceAll('\n', ',')}}`,
  'tasks that call tasks': (n) =>
    `{"scripts":{${lines(n / 60, (i) => `"test:${i}":"npm run test:${i + 1} && npm run lint"`).replaceAll('\n', ',')}}}`,
  'short lines': (n) => fill('* @a\n', n),
  'rules in sentences': (n) => fill('Please do not open a pull request. ', n),
  'lines of one sign': (n) => fill('+\n', n),
  expressions: (n) => fill('${{', n),
  dots: (n) => fill('a.', n),
  hunks: (n) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n${fill('@@ -1 +1 @@\n-a\n+b\n', n)}`,
  'what looks like a key': (n) => fill('token=', n),
  failures: (n) => fill('FAIL a\n', n),
};
