/** Reads unified diffs and patches as codex writes them. */
import { readCountedDiff } from './counted-diff.ts';
import {
  type DiffFile,
  type DiffHunk,
  editsOfFile,
  findHunkHeading,
  toDiffFile,
  withoutBlankEnd,
} from './diff-files.ts';
import type { PatchRead } from './edit-types.ts';
import { findFileName, findFenceFileName, isFence } from './file-names.ts';

const HUNK = /^@@+(?:\s*-(\d+)(?:,\d+)?\s+\+\d+(?:,\d+)?)?\s*(?:@@+)?([^]*)$/;
const OLD = /^--- (.*)$/;
const NEW = /^\+\+\+ (.*)$/;
const CODEX = /^\*\*\* (Update|Add|Delete) File: (.+)$/;
const CODEX_KINDS: Readonly<Record<string, DiffFile['kind']>> = { Add: 'add', Delete: 'delete' };
const MOVE = /^(?:\*\*\* Move to: |rename to )(.+)$/;
const DIFF_GIT_LINE = /^diff --git (?:"?a\/)(.+?)"? "?b\/(.+?)"?$/;
const GIT_KIND = /^(new|deleted) file mode/;
const NOISE =
  /^(?:index [\da-f]|new file mode|old mode|new mode|deleted file mode|similarity index|rename from |\*\*\* (?:Begin|End) Patch|\*\*\* End of File|\\ No newline|\\$|Binary files )/;
const COPY = /^copy from /;

export const hasDiffHunks = (lines: readonly string[]): boolean =>
  lines.some(
    (line, i) =>
      CODEX.test(line) ||
      /^@@/.test(line) ||
      DIFF_GIT_LINE.test(line) ||
      (OLD.test(line) && NEW.test(lines[i + 1] ?? '')),
  );

const nameIn = (text: string): string =>
  text
    .split('\t')[0]
    ?.trim()
    .replace(/^"(.*)"$/, '$1') ?? '';

type LooseDraft = {
  files: DiffFile[];
  file: Omit<DiffFile, 'hunks'>;
  hunks: DiffHunk[];
  byGit: boolean;
  heads: string[];
  line: number | null;
  body: string[] | null;
};

const endHunk = (draft: LooseDraft): void => {
  const { heads, line } = draft;
  const whole = withoutBlankEnd(draft.body ?? []);
  if (whole.length > 0) draft.hunks.push({ line, under: heads.at(-1) ?? null, lines: whole });
  Object.assign(draft, { body: null, heads: [], line: null });
};

const beginFile = (draft: LooseDraft, next: LooseDraft['file'], { git = false } = {}): void => {
  const isNamed = next.path === draft.file.path || next.path === draft.file.to;
  endHunk(draft);
  if (!draft.byGit || !isNamed || draft.hunks.length > 0)
    draft.files.push({ ...draft.file, hunks: draft.hunks });
  Object.assign(draft, { file: next, hunks: [], byGit: git });
};

const readFileHead = (draft: LooseDraft, text: string, next: string): number => {
  const codex = CODEX.exec(text);
  if (codex !== null) {
    const kind = CODEX_KINDS[codex[1] ?? ''] ?? 'update';
    beginFile(draft, { path: codex[2]?.trim() ?? null, to: null, kind });
    if (kind === 'add') draft.body = [];
    return 1;
  }
  if (OLD.test(text) && NEW.test(next)) {
    beginFile(draft, toDiffFile(nameIn(text.slice(4)), nameIn(next.slice(4))));
    return 2;
  }
  const git = DIFF_GIT_LINE.exec(text);
  if (git === null) return 0;
  const [, path = null, to = null] = git;
  const kind = GIT_KIND.exec(next)?.[1];
  const change = kind === 'new' ? 'add' : kind === 'deleted' ? 'delete' : 'update';
  beginFile(draft, { path, to, kind: change }, { git: true });
  return 1;
};

const readMove = (draft: LooseDraft, text: string): number => {
  const move = MOVE.exec(text);
  if (move === null || draft.body !== null) return 0;
  draft.file = { ...draft.file, to: move[1]?.trim() ?? null };
  return 1;
};

const readFence = (draft: LooseDraft, text: string): number => {
  const { body } = draft;
  if (!isFence(text) || body?.length === 0) return 0;
  const named = findFenceFileName(text);
  if (body === null && named !== null) beginFile(draft, { path: named, to: null, kind: 'update' });
  endHunk(draft);
  return 1;
};

const readHunkHead = (draft: LooseDraft, text: string): number => {
  const hunk = HUNK.exec(text);
  if (hunk === null) return 0;
  // Codex names a place by several consecutive headings.
  if (draft.body?.length !== 0) endHunk(draft);
  draft.line ??= hunk[1] === undefined ? null : Number(hunk[1]);
  const head = findHunkHeading(hunk[2] ?? '');
  if (head !== null) draft.heads.push(head);
  draft.body = [];
  return 1;
};

const readBody = (draft: LooseDraft, text: string, next: string): number => {
  if (draft.body !== null) draft.body.push(text);
  else if (/^[-+]/.test(text) && draft.file.path !== null) draft.body = [text];
  else {
    const named = findFileName(text);
    if (named !== null && /^\s*(?:@@|---|\+|-)/.test(next))
      beginFile(draft, { path: named, to: null, kind: 'update' });
  }
  return 1;
};

const LINE_READERS: readonly ((draft: LooseDraft, text: string, next: string) => number)[] = [
  readFileHead,
  readMove,
  (_, text) => (NOISE.test(text) ? 1 : 0),
  readFence,
  readHunkHead,
  readBody,
];

const readLine = (draft: LooseDraft, text: string, next: string): number => {
  for (const read of LINE_READERS) {
    const count = read(draft, text, next);
    if (count > 0) return count;
  }
  return 1;
};

const readLooseDiff = (lines: readonly string[], usual: string | null): DiffFile[] => {
  const file: LooseDraft['file'] = { path: usual, to: null, kind: 'update' };
  const draft: LooseDraft = { files: [], file, hunks: [], byGit: false, heads: [], line: null, body: null };
  for (let i = 0; i < lines.length;) i += readLine(draft, lines[i] ?? '', lines[i + 1] ?? '');
  endHunk(draft);
  return [...draft.files, { ...draft.file, hunks: draft.hunks }];
};

export const readDiff = (lines: readonly string[], usual: string | null): PatchRead => {
  const files = readCountedDiff(lines) ?? readLooseDiff(lines, usual);
  const copies = lines.some((line) => COPY.test(line));
  return {
    edits: files.flatMap(editsOfFile),
    wrong: copies ? [{ block: 1, says: 'it copies a file: give the copy whole, as a new file' }] : [],
  };
};
