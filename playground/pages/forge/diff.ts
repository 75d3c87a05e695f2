/** Reads a patch as git prints it: files with their names, modes and sizes, and the numbered lines of their hunks. */

export type DiffLine = {
  kind: 'same' | 'added' | 'deleted' | 'note';
  old: number | null;
  new: number | null;
  text: string;
};
export type Hunk = { heading: string; lines: DiffLine[] };
export type FileDiff = {
  path: string;
  /** When it had another. */
  oldPath: string | null;
  status: 'added' | 'deleted' | 'renamed' | 'copied' | 'modified';
  /** `100644` and the like; null where it is the same or is not there. */
  oldMode: string | null;
  newMode: string | null;
  binary: boolean;
  added: number;
  deleted: number;
  hunks: Hunk[];
};

/** Content lines begin with a sign of their own: only a header can stand at the start of a line. */
export function readPatch(patch: string): FileDiff[] {
  const starts = [...patch.matchAll(/^diff --git /gm)].map((match) => match.index);
  return starts.map((start, at) => readFile(patch.slice(start, starts[at + 1]).split('\n')));
}

function readFile(lines: string[]): FileDiff {
  const file: FileDiff = {
    ...{ path: namesOf(lines[0] ?? ''), oldPath: null, status: 'modified', oldMode: null, newMode: null },
    ...{ binary: false, added: 0, deleted: 0, hunks: [] },
  };
  let at = 1;
  for (; at < lines.length && !lines[at]?.startsWith('@@ '); at += 1) readHeader(file, lines[at] ?? '');
  readHunks(file, lines.slice(at));
  return file;
}

function readHeader(file: FileDiff, line: string): void {
  const [, key = '', value = ''] =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|---|\+\+\+|index|Binary files|GIT binary patch)(?: (.*))?$/.exec(
      line,
    ) ?? [];
  if (key === 'old mode' || key === 'deleted file mode') file.oldMode = value;
  if (key === 'new mode' || key === 'new file mode') file.newMode = value;
  if (key === 'new file mode') file.status = 'added';
  if (key === 'deleted file mode') file.status = 'deleted';
  if (key === 'rename from' || key === 'copy from') {
    file.oldPath = unquote(value);
    file.status = key === 'copy from' ? 'copied' : 'renamed';
  }
  if (key === 'rename to' || key === 'copy to') file.path = unquote(value);
  if (key === '---' && file.status === 'deleted') file.path = unquote(value).slice(2);
  if (key === '+++' && file.status !== 'deleted') file.path = unquote(value).slice(2);
  if (key === 'Binary files' || key === 'GIT binary patch') file.binary = true;
}

function readHunks(file: FileDiff, lines: string[]): void {
  let [before, after] = [0, 0];
  for (const line of lines) {
    const [, from, to, heading = ''] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line) ?? [];
    const text = line.slice(1).replace(/\r$/, '␍');
    const into = file.hunks.at(-1)?.lines;
    if (from && to) {
      [before, after] = [Number(from), Number(to)];
      file.hunks.push({ heading, lines: [] });
    } else if (line.startsWith('+')) {
      file.added += 1;
      into?.push({ kind: 'added', old: null, new: after++, text });
    } else if (line.startsWith('-')) {
      file.deleted += 1;
      into?.push({ kind: 'deleted', old: before++, new: null, text });
    } else if (line.startsWith(' ')) into?.push({ kind: 'same', old: before++, new: after++, text });
    else if (line.startsWith('\\')) into?.push({ kind: 'note', old: null, new: null, text: text.trim() });
  }
}

/** The name in `diff --git a/x b/x`, which is all there is when nothing but a mode changed: there both are the same. */
function namesOf(header: string): string {
  const names = header.slice('diff --git '.length);
  if (names.startsWith('"')) return unquote(/^"(?:[^"\\]|\\.)*"/.exec(names)?.[0] ?? names).slice(2);
  return names.slice(2, (names.length - 1) / 2);
}

const ESCAPES: Readonly<Record<string, number>> = {
  ...{ a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 },
};

/** Git quotes names as C does; a tab marks the end of an unquoted name that has spaces. */
function unquote(written: string): string {
  const name = written.replace(/\t$/, '');
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\([^0-7])|([^\\]+)/g)) {
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else if (letter) bytes.push(ESCAPES[letter] ?? 63);
    else bytes.push(...Buffer.from(plain ?? ''));
  }
  return Buffer.from(bytes).toString();
}
