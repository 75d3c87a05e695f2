/** Reads unified diffs and patches as codex writes them. */
import { readCountedDiff } from './counted-diff.ts';
import {
  type DiffFile,
  type DiffHunk,
  editsOfFile,
  headingIn,
  diffFileOf,
  withoutBlankEnd,
} from './diff-files.ts';
import type { PatchRead } from './edit-types.ts';
import { fileIn, fileInFence, isFence } from './file-names.ts';

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

export const hasHunks = (lines: readonly string[]): boolean =>
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

const readLooseDiff = (lines: readonly string[], usual: string | null): DiffFile[] => {
  const files: DiffFile[] = [];
  let file: Omit<DiffFile, 'hunks'> = { path: usual, to: null, kind: 'update' };
  let hunks: DiffHunk[] = [];
  let byGit = false;
  let heads: string[] = [];
  let line: number | null = null;
  let body: string[] | null = null;

  const endHunk = (): void => {
    const whole = withoutBlankEnd(body ?? []);
    if (whole.length > 0) hunks.push({ line, under: heads.at(-1) ?? null, lines: whole });
    [body, heads, line] = [null, [], null];
  };
  const beginFile = (next: typeof file, { git = false }: { git?: boolean } = {}): void => {
    const named = next.path === file.path || next.path === file.to;
    endHunk();
    if (!byGit || !named || hunks.length > 0) files.push({ ...file, hunks });
    [file, hunks, byGit] = [next, [], git];
  };

  for (let i = 0; i < lines.length; i += 1) {
    const text = lines[i] ?? '';
    const next = lines[i + 1] ?? '';
    const codex = CODEX.exec(text);
    if (codex !== null) {
      beginFile({ path: codex[2]?.trim() ?? null, to: null, kind: CODEX_KINDS[codex[1] ?? ''] ?? 'update' });
      if (file.kind === 'add') body = [];
      continue;
    }
    if (OLD.test(text) && NEW.test(next)) {
      beginFile(diffFileOf(nameIn(text.slice(4)), nameIn(next.slice(4))));
      i += 1;
      continue;
    }
    const git = DIFF_GIT_LINE.exec(text);
    if (git !== null) {
      const [, path = null, to = null] = git;
      const kind = GIT_KIND.exec(next)?.[1];
      beginFile(
        { path, to, kind: kind === 'new' ? 'add' : kind === 'deleted' ? 'delete' : 'update' },
        { git: true },
      );
      continue;
    }
    const move = MOVE.exec(text);
    if (move !== null && body === null) {
      file = { ...file, to: move[1]?.trim() ?? null };
      continue;
    }
    if (NOISE.test(text)) continue;
    if (isFence(text) && (body === null || body.length > 0)) {
      const named = fileInFence(text);
      if (body === null && named !== null) beginFile({ path: named, to: null, kind: 'update' });
      endHunk();
      continue;
    }
    const hunk = HUNK.exec(text);
    if (hunk !== null) {
      // Codex names a place by several consecutive headings.
      if (body === null || body.length > 0) endHunk();
      line ??= hunk[1] === undefined ? null : Number(hunk[1]);
      const head = headingIn(hunk[2] ?? '');
      if (head !== null) heads.push(head);
      body = [];
      continue;
    }
    if (body !== null) body.push(text);
    else if (/^[-+]/.test(text) && file.path !== null) body = [text];
    else {
      const named = fileIn(text);
      if (named !== null && /^\s*(?:@@|---|\+|-)/.test(next))
        beginFile({ path: named, to: null, kind: 'update' });
    }
  }
  endHunk();
  return [...files, { ...file, hunks }];
};

export const readDiff = (lines: readonly string[], usual: string | null): PatchRead => {
  const files = readCountedDiff(lines) ?? readLooseDiff(lines, usual);
  const copies = lines.some((line) => COPY.test(line));
  return {
    edits: files.flatMap(editsOfFile),
    wrong: copies ? [{ block: 1, says: 'it copies a file: give the copy whole, as a new file' }] : [],
  };
};
