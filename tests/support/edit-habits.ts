/** Patch formats that models produce: each turns one change into a patch. */
import type { Sample } from './edit-samples.ts';

const block = (search: readonly string[], replace: readonly string[]): string =>
  ['<<<<<<< SEARCH', ...search, '=======', ...replace, '>>>>>>> REPLACE'].join('\n');
const linesOf = ({ before }: Sample): string[] =>
  before
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
const around = (s: Sample, n: number) => {
  const lines = linesOf(s);
  return {
    above: lines.slice(Math.max(0, s.at - n), s.at),
    below: lines.slice(s.at + s.search.length, s.at + s.search.length + n),
  };
};
const marked = (mark: string, lines: readonly string[]): string[] => lines.map((line) => mark + line);
const hunk = (s: Sample, head: string, n = 3, blank = ' '): string => {
  const { above, below } = around(s, n);
  return [
    head,
    ...marked(blank, above),
    ...marked('-', s.search),
    ...marked('+', s.replace),
    ...marked(blank, below),
  ].join('\n');
};
const header = (s: Sample, n = 3): string => {
  const { above, below } = around(s, n);
  const old = above.length + s.search.length + below.length;
  const now = above.length + s.replace.length + below.length;
  return `@@ -${s.at - above.length + 1},${old} +${s.at - above.length + 1},${now} @@`;
};
const names = ({ path }: Sample): string => `--- a/${path}\n+++ b/${path}`;
const reindent = (lines: readonly string[], by: (line: string) => string): string[] =>
  lines.map((line) => (line.trim() === '' ? line : by(line)));

export type Habit = {
  name: string;
  write: (s: Sample) => string;
  /** Restricts the habit to fitting samples. */
  of?: (s: Sample) => boolean;
  /** The tool call names the file. */
  named?: boolean;
};

const isIndented = ({ search }: Sample): boolean => /^\s/.test(search[0] ?? '');
const hasTabs = ({ search }: Sample): boolean => search.some((line) => line.startsWith('\t'));
const less = (s: Sample): string => /^\s*/.exec(s.search[0] ?? '')?.[0] ?? '';
const dedent = (s: Sample, lines: readonly string[]): string[] =>
  reindent(lines, (line) => (line.startsWith(less(s)) ? line.slice(less(s).length) : line));

export const HABITS: readonly Habit[] = [
  { name: 'the file above the block', write: (s) => `${s.path}\n${block(s.search, s.replace)}` },
  {
    name: 'the file above a fence',
    write: (s) => `Here is the change.\n\n${s.path}\n\`\`\`js\n${block(s.search, s.replace)}\n\`\`\`\n`,
  },
  {
    name: 'the file inside the fence',
    write: (s) => `\`\`\`\n${s.path}\n${block(s.search, s.replace)}\n\`\`\``,
  },
  {
    name: 'the file in bold',
    write: (s) => `**${s.path}**\n\n\`\`\`\n${block(s.search, s.replace)}\n\`\`\``,
  },
  {
    name: 'the file as a heading with code',
    write: (s) => `### \`${s.path}\`\n${block(s.search, s.replace)}`,
  },
  { name: 'the file after “File:”', write: (s) => `File: ${s.path}:\n${block(s.search, s.replace)}` },
  {
    name: 'the file in the fence’s first line',
    write: (s) => `\`\`\`ts ${s.path}\n${block(s.search, s.replace)}\n\`\`\``,
  },
  {
    name: 'the file on the marker',
    write: (s) => block(s.search, s.replace).replace('SEARCH', `SEARCH ${s.path}`),
  },
  { name: 'the file in the tool call alone', write: (s) => block(s.search, s.replace), named: true },
  {
    name: 'dashes and pluses as markers',
    write: (s) =>
      `${s.path}\n${block(s.search, s.replace).replace('<<<<<<<', '-------').replace('>>>>>>>', '+++++++')}`,
  },
  {
    name: 'a stray “>” after SEARCH',
    write: (s) => `${s.path}\n${block(s.search, s.replace).replace('SEARCH', 'SEARCH>')}`,
  },
  {
    name: 'five and nine angle brackets',
    write: (s) =>
      `${s.path}\n${block(s.search, s.replace).replace('<<<<<<<', '<<<<<').replace('>>>>>>>', '>>>>>>>>>')}`,
  },
  {
    name: 'ORIGINAL and UPDATED',
    write: (s) =>
      `${s.path}\n${block(s.search, s.replace).replace('SEARCH', 'ORIGINAL').replace('REPLACE', 'UPDATED')}`,
  },
  {
    name: 'the line at which it starts',
    write: (s) => `${s.path}\n${block([`:start_line:${s.at + 1}`, '-------', ...s.search], s.replace)}`,
  },
  {
    name: 'lines that are numbered as they were read',
    write: (s) => {
      const number = (lines: readonly string[]) =>
        lines.map((line, i) => `${String(s.at + i + 1).padStart(5)} | ${line}`);
      return `${s.path}\n${block(number(s.search), number(s.replace))}`;
    },
  },
  {
    name: 'a fence inside each half',
    write: (s) => `${s.path}\n${block(['```', ...s.search, '```'], ['```', ...s.replace, '```'])}`,
  },
  {
    name: 'blank lines around both halves',
    write: (s) => `${s.path}\n${block(['', ...s.search, ''], ['', ...s.replace, ''])}`,
  },
  {
    name: 'blanks at the ends of lines',
    write: (s) =>
      `${s.path}\n${block(
        s.search.map((line) => `${line}  `),
        s.replace,
      )}`,
  },
  {
    name: 'without the common indentation',
    write: (s) => `${s.path}\n${block(dedent(s, s.search), dedent(s, s.replace))}`,
    of: isIndented,
  },
  {
    name: 'indented more than the file',
    write: (s) =>
      `${s.path}\n${block(
        reindent(s.search, (line) => `    ${line}`),
        reindent(s.replace, (line) => `    ${line}`),
      )}`,
    of: (s) => !hasTabs(s),
  },
  {
    name: 'spaces in place of tabs',
    write: (s) => {
      const spaces = (lines: readonly string[]) =>
        lines.map((line) => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)));
      return `${s.path}\n${block(spaces(s.search), spaces(s.replace))}`;
    },
    of: hasTabs,
  },
  {
    name: 'characters escaped as in HTML',
    write: (s) => {
      const html = (lines: readonly string[]) =>
        lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
      return `${s.path}\n${block(html(s.search), html(s.replace))}`;
    },
    of: (s) => /[<>&]/.test(s.search.join('')),
  },
  {
    name: 'typographic quotes in lines that stay',
    write: (s) => {
      const [first = '', ...rest] = s.search;
      const curly = rest.map((line) =>
        s.replace.includes(line) ? line.replace(/"([^"]*)"/g, '“$1”') : line,
      );
      return `${s.path}\n${block(
        [first, ...curly],
        s.replace.map((line) => (rest.includes(line) ? line.replace(/"([^"]*)"/g, '“$1”') : line)),
      )}`;
    },
  },
  {
    name: 'lines left out between two that change',
    write: (s) => {
      const { above, below } = around(s, 2);
      return `${s.path}\n${block([...above, ...s.search, '    # ...', ...below.slice(-1)], [...above, ...s.replace, '    # ...', ...below.slice(-1)])}`;
    },
    of: (s) => around(s, 2).below.length > 0,
  },
  {
    name: 'the rest left out at the end',
    write: (s) => {
      const { above } = around(s, 1);
      return `${s.path}\n${block([...above, ...s.search, '...'], [...above, ...s.replace, '...'])}`;
    },
  },
  {
    name: 'Windows line ends in the patch',
    write: (s) => `${s.path}\n${block(s.search, s.replace)}`.replaceAll('\n', '\r\n'),
  },
  { name: 'the path with ./', write: (s) => `./${s.path}\n${block(s.search, s.replace)}` },
  { name: 'the path absolute', write: (s) => `/work/tree/${s.path}\n${block(s.search, s.replace)}` },
  {
    name: 'only the name of the file',
    write: (s) => `${s.path.split('/').at(-1)}\n${block(s.search, s.replace)}`,
  },
  { name: 'a diff with right numbers', write: (s) => `${names(s)}\n${hunk(s, header(s))}\n` },
  {
    name: 'a diff of git',
    write: (s) =>
      `diff --git a/${s.path} b/${s.path}\nindex 1234567..89abcde 100644\n${names(s)}\n${hunk(s, header(s))}\n`,
  },
  {
    name: 'a diff in a fence, with words around',
    write: (s) =>
      `I change this:\n\n\`\`\`diff\n${names(s)}\n${hunk(s, header(s))}\n\`\`\`\n\nThat should do.`,
  },
  { name: 'a diff with wrong numbers', write: (s) => `${names(s)}\n${hunk(s, '@@ -900,7 +900,9 @@')}\n` },
  {
    name: 'a diff with wrong counts',
    write: (s) => `${names(s)}\n${hunk(s, `@@ -${s.at},99 +${s.at},1 @@`)}\n`,
  },
  {
    name: 'a diff with a bare @@',
    write: (s) => `${names(s)}\n${hunk(s, '@@')}\n`,
  },
  { name: 'a diff with @@ ... @@', write: (s) => `${names(s)}\n${hunk(s, '@@ ... @@')}\n` },
  {
    name: 'a diff without letters before paths',
    write: (s) => `--- ${s.path}\n+++ ${s.path}\n${hunk(s, header(s))}\n`,
  },
  {
    name: 'a diff with times after paths',
    write: (s) =>
      `--- a/${s.path}\t2026-01-01 00:00:00\n+++ b/${s.path}\t2026-01-02 00:00:00\n${hunk(s, header(s))}\n`,
  },
  { name: 'a diff without context', write: (s) => `${names(s)}\n${hunk(s, header(s, 0), 0)}\n` },
  {
    name: 'a diff whose context lost its blank',
    write: (s) => `${names(s)}\n${hunk(s, header(s), 2, '')}\n`,
    of: (s) => ![...around(s, 2).above, ...around(s, 2).below].some((line) => /^[-+]/.test(line)),
  },
  {
    name: 'a diff whose blank lines are empty',
    write: (s) => `${names(s)}\n${hunk(s, header(s)).replace(/^ $/gm, '')}\n`,
  },
  { name: 'a diff without its header', write: (s) => hunk(s, header(s)), named: true },
  {
    name: 'a diff with “No newline at end of file”',
    write: (s) => `${names(s)}\n${hunk(s, header(s))}\n\\ No newline at end of file\n`,
  },
  {
    name: 'a patch of codex',
    write: (s) => `*** Begin Patch\n*** Update File: ${s.path}\n${hunk(s, '@@')}\n*** End Patch`,
  },
  {
    name: 'a patch of codex below a heading',
    write: (s) =>
      `*** Begin Patch\n*** Update File: ${s.path}\n${hunk(s, `@@ ${linesOf(s)[0] ?? ''}`, 1)}\n*** End Patch`,
  },
  {
    name: 'a patch of codex to the end of the file',
    write: (s) =>
      `*** Begin Patch\n*** Update File: ${s.path}\n${hunk(s, '@@', 20)}\n*** End of File\n*** End Patch\n`,
  },
];
