/** O10: texts that nobody would write, of any size: each keeps some reader busy that is not careful. */

const fill = (unit: string, size: number): string =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: Math.ceil(count) }, (_, i) => line(i)).join('\n');

/** In characters; those beyond ASCII have as many bytes, more or less. */
export const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'a quarter of it quotation marks': (n) => fill('"', n / 4),
  'one line of one letter, and a sign': (n) => `${fill('a', n - 1)}!`,
  'empty lines': (n) => fill('\n', n / 2),
  'brackets in brackets': (n) => fill('[', n),
  'objects in objects': (n) => fill('{"a":', n),
  parentheses: (n) => fill('(', n),
  'comments in comments': (n) => fill('<!--', n),
  'names for names of lists': (n) =>
    `a: &a [x,x,x]\n${lines(n / 60, (i) => `b${i}: &b${i} [*a, *a, *a, *a, *a, *a, *a, *a]`)}`,
  backticks: (n) => fill('`', n),
  fences: (n) => fill('```\n', n),
  asterisks: (n) => fill('*', n),
  'lists in lists': (n) => fill('- ', n),
  'number signs': (n) => fill('#', n),
  headings: (n) => fill('# a\n', n),
  bars: (n) => fill('|', n),
  backslashes: (n) => fill('\\', n),
  blanks: (n) => fill(' ', n),
  'carriage returns': (n) => fill('\r', n),
  'ends of lines of Windows': (n) => fill('\r\n', n),
  'ever deeper': (n) => lines(Math.sqrt(2 * n), (i) => `${' '.repeat(i)}a:`),
  'no-break spaces': (n) => fill('\u00a0', n / 2),
  'separators of lines': (n) => fill('\u2028', n / 3),
  'people who hold hands': (n) => fill('\u{1f469}\u200d', n / 3),
  'families of all sorts': (n) =>
    lines(n / 40, (i) =>
      [i, i >> 2, i >> 4, i >> 6]
        .map((k) => ['\u{1f469}', '\u{1f468}', '\u{1f466}', '\u{1f9d1}\u{1f3fd}'][k & 3])
        .join('\u200d'),
    ),
  'half a flag': (n) => fill('\u{1f3f4}\u{e0067}', n / 3),
  'marks on one letter': (n) => `a${fill('\u0301', n / 2)}`,
  'other directions': (n) => fill('\u202e', n / 3),
  'words of look-alikes': (n) => fill('\u0430\u0435 ', n / 2),
  'half characters': (n) => fill('\ud800', n / 3),
  zeros: (n) => fill('\0', n),
  'UTF-16': (n) => `\ufeff${fill('a\0', n)}`,
  'colours of a terminal': (n) => fill('\u001b[31m', n),
  'one key after the other': (n) => lines(n / 20, (i) => `key${i}: value${i}`),
  'the same key again': (n) => fill('__proto__: x\n', n),
  'one object of many keys': (n) => `{${lines(n / 20, (i) => `"k${i}":"v${i}"`).replaceAll('\n', ',')}}`,
  'a number without end': (n) => `{"a":${fill('9', n)}}`,
  'tasks that call tasks': (n) =>
    `{"scripts":{${lines(n / 60, (i) => `"test:${i}":"npm run test:${i + 1} && npm run lint"`).replaceAll('\n', ',')}}}`,
  'a range of ranges': (n) => `{"engines":{"node":"${fill('>=1.x || ', n)}"}}`,
  'short lines': (n) => fill('* @a\n', n),
  'short rules': (n) => fill('*a?*b* filter=x\n', n),
  'rules in sentences': (n) => fill('Please do not open a pull request. ', n),
  'the end of a sentence': (n) => fill('. ', n),
  'commands in a row': (n) => fill('npm test && ', n),
  'recipes of nothing': (n) => fill('a:\n\tb\n', n),
  'lines of one sign': (n) => fill('+\n', n),
  expressions: (n) => fill('${{', n),
  'variables in variables': (n) => fill('{{a}}', n),
  'links without an end': (n) => fill('[a](', n),
  addresses: (n) => fill('https://a.b/c/d/pull/1 ', n),
  dots: (n) => fill('a.', n),
  slashes: (n) => fill('a/', n),
  'cells in quotes': (n) => fill('"",', n),
  hunks: (n) => `diff --git a/x b/x\n--- a/x\n+++ b/x\n${fill('@@ -1 +1 @@\n-a\n+b\n', n)}`,
  'half an edit': (n) => fill('<<<<<<< SEARCH\n', n),
  'what looks like a key': (n) => fill('token=', n),
  'keys that begin': (n) => fill('-----BEGIN PRIVATE KEY-----\n', n),
  failures: (n) => fill('FAIL a\n', n),
  'labels before lines': (n) => lines(n / 12, (i) => `web-${i} | x`),
  'events that end early': (n) => fill('data: {"type":', n),
};
