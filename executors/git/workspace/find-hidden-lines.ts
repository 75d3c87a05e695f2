/** Finds lines in the displayed patch whose change is invisible to a reader (G8). */
import { createReadStream } from 'node:fs';
import type { Finding } from '#model/change';
import { readHunkHeader, unquoteGitName, trimEndCharacters } from '#model/values';
import { redactSecrets, showInvisible } from '#text-safety';

type Sign = '+' | '-' | ' ';
type Line = { sign: Sign; text: string; open: boolean };

type Tally = {
  path: string;
  hidden: Record<Sign, number>;
  firstHidden: number;
  changed: number;
  ends: number;
  blanks: number;
  unseen: number;
  firstUnseen: number;
};

const tallyOf = (path: string): Tally => ({
  path,
  hidden: { '+': 0, '-': 0, ' ': 0 },
  firstHidden: 0,
  changed: 0,
  ends: 0,
  blanks: 0,
  unseen: 0,
  firstUnseen: 0,
});

/** git appends a tab to names with a blank, and quotes special ones. */
const PATCH_FILE_HEADER = /^(?:\+\+\+|---) ("?[ab]\/[^\n]*?)\t?$/;
const nameIn = (text: string): string | undefined => {
  const said = PATCH_FILE_HEADER.exec(text)?.[1];
  return said === undefined ? undefined : unquoteGitName(said).slice(2);
};
const SIGN: Readonly<Record<string, Sign>> = { '+': '+', '-': '-', ' ': ' ' };

async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const hideIn = ({ head, lines, start }: Hunk, tally: Tally): void => {
  const whole = [head, ...lines.map(({ sign, text, open }) => `${sign}${text}${open ? '' : '\n\\'}`)].join(
    '\n',
  );
  const shown = redactSecrets(whole);
  if (shown === whole) return;
  const after = shown.split('\n').values();
  let no = start;
  if (after.next().value !== head) {
    tally.hidden[' '] += 1;
    tally.firstHidden ||= no;
  }
  for (const { sign, text, open } of lines) {
    if (after.next().value !== sign + text) {
      tally.hidden[sign] += 1;
      tally.firstHidden ||= no;
    }
    if (!open) after.next();
    if (sign !== '-') no += 1;
  }
};

const withoutEnd = ({ text }: Line): string => trimEndCharacters(text, '\r');
const withoutBlanks = ({ text }: Line): string => text.replace(/[\s\p{Zs}\ufeff]+/gu, '');
const visibleFormOf = (line: Line): string => showInvisible(withoutEnd(line)).trimEnd();
const exactFormOf = ({ text, open }: Line): string => `${open ? '' : '\n'}${text}`;

const removePairedLines = (
  [removed, added]: readonly [readonly Line[], readonly Line[]],
  key: (line: Line) => string,
  meet: (line: Line) => void = () => undefined,
): [Line[], Line[]] => {
  const waiting = new Map<string, Line[]>();
  for (const line of removed) {
    const same = waiting.get(key(line));
    if (same) same.push(line);
    else waiting.set(key(line), [line]);
  }
  const alone = added.filter((line) => {
    const other = waiting.get(key(line))?.pop();
    if (other !== undefined) meet(line);
    return other === undefined;
  });
  return [[...waiting.values()].flat(), alone];
};

const blanksIn = (lines: readonly Line[], start: number, tally: Tally): void => {
  const removed = lines.filter(({ sign }) => sign === '-');
  const added = lines.filter(({ sign }) => sign === '+');
  tally.changed += removed.length + added.length;
  const numbers = new Map<Line, number>();
  let no = start;
  for (const line of lines) if (line.sign !== '-') numbers.set(line, no++);
  const tallyUnseen = (line: Line): void => {
    tally.unseen += 1;
    tally.firstUnseen ||= numbers.get(line) ?? 0;
  };
  let left = removePairedLines([removed, added], exactFormOf);
  left = removePairedLines(left, withoutEnd, (line) => {
    tally.ends += 2;
    tallyUnseen(line);
  });
  left = removePairedLines(left, visibleFormOf, (line) => {
    tally.blanks += 2;
    tallyUnseen(line);
  });
  left = removePairedLines(left, withoutBlanks, () => void (tally.blanks += 2));
  tally.blanks += left.flat().filter((line) => withoutBlanks(line) === '').length;
};

const countFieldOf = (total: number): { count?: number } => (total > 1 ? { count: total } : {});

const toFindings = (tally: Tally): Finding[] => {
  const { path, hidden, changed, ends, blanks, unseen } = tally;
  const found: Finding[] = [];
  const all = hidden['+'] + hidden['-'] + hidden[' '];
  if (all > 0)
    found.push({
      kind: 'hidden_line',
      path,
      line: tally.firstHidden,
      note: { kind: 'hidden_in', added: hidden['+'], removed: hidden['-'], other: hidden[' '] },
      ...countFieldOf(all),
    });
  if (changed > 0 && ends === changed)
    found.push({ kind: 'line_endings_only', path, line: 0, note: { kind: 'only_line_ends' } });
  else if (changed > 0 && ends + blanks === changed)
    found.push({ kind: 'whitespace_only', path, line: 0, note: { kind: 'only_whitespace' } });
  else if (unseen > 0)
    found.push({
      kind: 'unseen_change',
      path,
      line: tally.firstUnseen,
      note: { kind: 'looks_same' },
      ...countFieldOf(unseen),
    });
  return found;
};

/** Lines can look like headers, so the numbers in a hunk's head tell its end. */
type Hunk = { head: string; start: number; old: number; now: number; lines: Line[] };

export const findHiddenLines = async (file: string): Promise<Finding[]> => {
  const found: Finding[] = [];
  let tally = tallyOf('');
  let hunk: Hunk | null = null;
  const closeHunk = (): void => {
    if (hunk) {
      hideIn(hunk, tally);
      blanksIn(hunk.lines, hunk.start, tally);
    }
    hunk = null;
  };
  for await (const text of linesOf(file)) {
    const sign = SIGN[text[0] ?? ''];
    if (hunk && sign !== undefined && (hunk.old > 0 || hunk.now > 0)) {
      hunk.lines.push({ sign, text: text.slice(1), open: true });
      if (sign !== '+') hunk.old -= 1;
      if (sign !== '-') hunk.now -= 1;
      continue;
    }
    const last = hunk?.lines.at(-1);
    if (last && text.startsWith('\\')) {
      last.open = false;
      continue;
    }
    closeHunk();
    if (text.startsWith('diff --git ')) {
      found.push(...toFindings(tally));
      tally = tallyOf('');
    }
    const header = readHunkHeader(text);
    if (header)
      hunk = { head: text, start: header.new, old: header.oldLines, now: header.newLines, lines: [] };
    else tally.path = nameIn(text) ?? tally.path;
  }
  closeHunk();
  return [...found, ...toFindings(tally)];
};
