/** Parses unified diffs and codex patches. */
import type { PatchEdit, PatchRead, SearchReplace, WrongBlock } from './edit-types.ts';
import { fileIn, fileInFence, isFence } from './file-names.ts';

const HUNK = /^@@+(?:\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?)?\s*(?:@@+)?(.*)$/;
const OLD = /^--- (.*)$/;
const NEW = /^\+\+\+ (.*)$/;
const CODEX = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const MOVE = /^(?:\*\*\* Move to: |rename to )(.+)$/;
const DIFF_GIT_LINE = /^diff --git (?:"?a\/)(.+?)"? "?b\/(.+?)"?$/;
const NOISE =
  /^(?:index [\da-f]|new file mode|old mode|new mode|deleted file mode|similarity index|rename from |\*\*\* (?:Begin|End) Patch|\*\*\* End of File|\\ No newline|\\$|Binary files )/;

export const hasHunks = (lines: readonly string[]): boolean =>
  lines.some(
    (line, i) =>
      CODEX.test(line) ||
      /^@@/.test(line) ||
      DIFF_GIT_LINE.test(line) ||
      (OLD.test(line) && NEW.test(lines[i + 1] ?? '')),
  );

const nameIn = (text: string): string | null => {
  const name =
    text
      .split('\t')[0]
      ?.trim()
      .replace(/^"(.*)"$/, '$1') ?? '';
  return name === '/dev/null' || name === '' ? null : name;
};
const stripped = (from: string | null, to: string | null): [string | null, string | null] => {
  const has = (name: string | null, letter: string): boolean =>
    name === null || name.startsWith(`${letter}/`);
  const less = (name: string | null): string | null => name?.slice(2) ?? null;
  return has(from, 'a') && has(to, 'b') ? [less(from), less(to)] : [from, to];
};

type File = {
  path: string | null;
  to: string | null;
  kind: 'update' | 'add' | 'delete';
  hunks: number;
  git?: boolean;
};

export const readDiff = (lines: readonly string[], usual: string | null): PatchRead => {
  const edits: PatchEdit[] = [];
  const wrong: WrongBlock[] = [];
  let file: File = { path: usual, to: null, kind: 'update', hunks: 0 };
  let heads: string[] = [];
  let line: number | null = null;
  let body: string[] | null = null;
  let deleted: string[] = [];

  const flush = (): void => {
    const under = heads.at(-1)?.trim() ?? '';
    if (body !== null && body.some((one) => one !== '')) {
      const hunk = trimmed(body);
      if (file.kind === 'update') {
        const reading = readingOf(hunk);
        const empty = reading.search.length === 0 && reading.replace.length === 0;
        if (!empty)
          edits.push({
            kind: 'replace',
            path: file.path,
            readings: [reading],
            line,
            under: under || null,
            hunk: true,
          });
      } else if (file.kind === 'add')
        edits.push({ kind: 'create', path: file.path, lines: hunk.map((one) => one.replace(/^\+/, '')) });
      else deleted.push(...readingOf(hunk).search);
      file.hunks += 1;
    }
    [body, heads, line] = [null, [], null];
  };
  const close = (): void => {
    flush();
    if (file.kind === 'delete')
      edits.push({ kind: 'delete', path: file.path, lines: deleted.length > 0 ? deleted : null });
    if (file.kind === 'add' && file.hunks === 0) edits.push({ kind: 'create', path: file.path, lines: [] });
    if (file.to !== null && file.to !== file.path) edits.push({ kind: 'move', path: file.path, to: file.to });
    deleted = [];
  };
  const open = (path: string | null, kind: File['kind'], to: string | null = null): void => {
    const named = path === file.path || path === file.to;
    if (file.git !== true || !named || body !== null || file.hunks > 0) close();
    file = { path, to, kind, hunks: 0 };
  };

  for (let i = 0; i < lines.length; i += 1) {
    const text = lines[i] ?? '';
    const codex = CODEX.exec(text);
    if (codex !== null) {
      open(
        codex[2]?.trim() ?? null,
        codex[1] === 'Add' ? 'add' : codex[1] === 'Delete' ? 'delete' : 'update',
      );
      if (file.kind === 'add') body = [];
      continue;
    }
    const next = lines[i + 1] ?? '';
    if (OLD.test(text) && NEW.test(next)) {
      const [from, to] = stripped(nameIn(text.slice(4)), nameIn(next.slice(4)));
      const moved = from !== null && to !== null && from !== to ? to : null;
      open(from ?? to, from === null ? 'add' : to === null ? 'delete' : 'update', moved);
      i += 1;
      continue;
    }
    const git = DIFF_GIT_LINE.exec(text);
    if (git !== null) {
      open(git[1] ?? null, 'update', git[2] !== git[1] ? (git[2] ?? null) : null);
      file.git = true;
      if (/^new file mode/.test(next)) file.kind = 'add';
      if (/^deleted file mode/.test(next)) file.kind = 'delete';
      continue;
    }
    const move = MOVE.exec(text);
    if (move !== null && body === null) {
      file.to = move[1]?.trim() ?? null;
      continue;
    }
    if (NOISE.test(text)) continue;
    if (isFence(text) && (body === null || body.length > 0)) {
      const named = fileInFence(text);
      if (body === null && named !== null) open(named, 'update');
      flush();
      continue;
    }
    const hunk = HUNK.exec(text);
    if (hunk !== null) {
      // Codex names a place by several consecutive headings.
      if (body === null || body.length > 0) flush();
      line ??= hunk[1] === undefined ? null : Number(hunk[1]);
      const head = (hunk[2] ?? '').replace(/@@\s*$/, '').trim();
      if (head !== '' && head !== '...') heads.push(head);
      body = [];
      continue;
    }
    if (body !== null) body.push(text);
    else if (/^[-+]/.test(text) && file.path !== null) body = [text];
    else {
      const named = fileIn(text);
      if (named !== null && /^\s*(?:@@|---|\+|-)/.test(next)) open(named, 'update');
    }
  }
  close();
  return { edits, wrong };
};

const trimmed = (body: readonly string[]): readonly string[] => {
  let end = body.length;
  while (end > 0 && body[end - 1] === '') end -= 1;
  return body.slice(0, end);
};

const readingOf = (body: readonly string[]): SearchReplace => {
  const halves = (context: (line: string) => string): SearchReplace => ({
    search: body.flatMap((line) =>
      line.startsWith('+') ? [] : [line.startsWith('-') ? line.slice(1) : context(line)],
    ),
    replace: body.flatMap((line) =>
      line.startsWith('-') ? [] : [line.startsWith('+') ? line.slice(1) : context(line)],
    ),
  });
  return {
    ...halves((line) => (line.startsWith(' ') ? line.slice(1) : line)),
    unmarked: halves((line) => line),
  };
};
