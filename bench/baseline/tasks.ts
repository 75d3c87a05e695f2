/** Small deterministic changes for any repository; as a program, makes the ordered one. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

type Rewrite = { in: RegExp; change: (content: string) => string };
type Task = { goal: string; does: { creates: string; content: string } | Rewrite };

const PROSE = /\.(?:md|markdown|rst|adoc|rdoc)$/i;
const README = /^readme(?:\.\w+)?$/i;
const MISSPELT: Record<string, string> = {
  teh: 'the',
  recieve: 'receive',
  seperate: 'separate',
  occured: 'occurred',
  untill: 'until',
  succesful: 'successful',
  dependancy: 'dependency',
  wich: 'which',
  explicitely: 'explicitly',
};

const atEnd =
  (words: string) =>
  (content: string): string =>
    content.includes(words) ? content : `${content.trimEnd()}\n\n${words}\n`;
const TASKS: readonly Task[] = [
  {
    goal: 'Mend misspelt words in the documentation',
    does: {
      in: PROSE,
      change: (content) =>
        content.replace(/\b[a-z]+\b/g, (word) =>
          Object.hasOwn(MISSPELT, word) ? (MISSPELT[word] ?? word) : word,
        ),
    },
  },
  {
    goal: 'Use https for the links of the README to GitHub and the Open Source Initiative',
    does: {
      in: README,
      change: (content) =>
        content.replace(/http:\/\/(?=(?:www\.)?(?:github\.com|opensource\.org)\b)/g, 'https://'),
    },
  },
  {
    goal: 'Bring the year of the licence up to date',
    does: {
      in: /^(?:MIT-)?LICEN[CS]E(?:[.-]\w+)?$/i,
      change: (content) =>
        content.replace(
          /^(\s*Copyright\b[^\d\n]*)(\d{4})(?:\s*[-–]\s*(?:\d{4}|present))?(?!\d|\s*[-–,])/im,
          (line, before: string, year: string) => (year === '2026' ? line : `${before}${year}-2026`),
        ),
    },
  },
  {
    goal: 'Add an .editorconfig with UTF-8 and final newlines',
    does: {
      creates: '.editorconfig',
      content: 'root = true\n\n[*]\ncharset = utf-8\ninsert_final_newline = true\n',
    },
  },
  {
    goal: 'Write GitHub as it writes itself in the documentation',
    does: { in: PROSE, change: (content) => content.replace(/(?<![\w/.@-])Github(?![\w/.-])/g, 'GitHub') },
  },
  {
    goal: 'Say in the README where to report bugs',
    does: { in: README, change: atEnd('Please report bugs in the issue tracker of this repository.') },
  },
  {
    goal: 'Say in the README that patches are welcome',
    does: { in: README, change: atEnd('Patches are welcome.') },
  },
];

const isPlain = (file: string): boolean => existsSync(file) && lstatSync(file).isFile();

const perform = ({ does }: Task, dir: string): boolean => {
  if ('creates' in does) {
    const file = `${dir}/${does.creates}`;
    if (existsSync(file)) return false;
    writeFileSync(file, does.content);
    return true;
  }
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: dir, maxBuffer: 1 << 28 }).toString();
  const files = listed.split('\0').filter((path) => does.in.test(path) && isPlain(`${dir}/${path}`));
  return files.map((path) => rewrite(`${dir}/${path}`, does)).includes(true);
};

/** latin1 keeps every byte, whatever the encoding is. */
const rewrite = (file: string, { change }: Rewrite): boolean => {
  const before = readFileSync(file, 'latin1');
  const after = change(before);
  if (after === before) return false;
  const crlf = !/[^\r]\n/.test(before) && before.includes('\r\n');
  writeFileSync(file, crlf ? after.replace(/\r?\n/g, '\r\n') : after, 'latin1');
  return true;
};

/** Applies the changes to the work tree to find out which are possible. */
export const goalsFor = (dir: string, most: number): string[] => {
  const goals: string[] = [];
  for (const task of TASKS) if (goals.length < most && perform(task, dir)) goals.push(task.goal);
  return goals;
};

const taskIn = (words: string): Task | undefined => TASKS.find(({ goal }) => words.includes(goal));
export const goalIn = (words: string): string | undefined => taskIn(words)?.goal;

if (import.meta.main) {
  const task = taskIn(await text(process.stdin));
  const changed = task !== undefined && perform(task, '.');
  console.log(JSON.stringify({ summary: changed ? task.goal : 'There is nothing to change' }));
}
