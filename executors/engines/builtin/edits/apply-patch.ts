/** Applies all blocks of a patch to a tree, or none of them. */
import { hasDiffHunks, readDiff } from './read-diff.ts';
import type { PatchEdit, PatchRead, EditPlacement, ReplaceEdit } from './edit-types.ts';
import { describeNearestLines } from './nearest-lines.ts';
import { findPathInTree, findSameNamedPaths } from './resolve-path.ts';
import { placeEdit } from './place-edit.ts';
import { hasSearchBlocks, parseSearchBlocks } from './search-replace.ts';
import { encodeFileText, createFileText, type FileText, parseFileText } from './file-text.ts';

export type FoundFile =
  | { kind: 'text'; text: FileText }
  | { kind: 'none' }
  | { kind: 'refused'; why: string };
/** Paths are relative to the tree and plain. */
export type PatchTree = {
  root: string;
  read: (path: string) => FoundFile;
  files: () => readonly string[];
  seen: () => readonly string[];
};

type PatchOutcome =
  | { kind: 'fits'; writes: readonly { path: string; bytes: Uint8Array | null }[]; notes: readonly string[] }
  | { kind: 'wrong'; says: string };

const PATCH_INSTRUCTIONS = [
  'Give one or more blocks, each with the path of its file above it:',
  'src/example.js',
  '<<<<<<< SEARCH',
  'lines exactly as they stand in the file',
  '=======',
  'lines that take their place',
  '>>>>>>> REPLACE',
  'or a unified diff. An empty SEARCH creates a file.',
].join('\n');

export const parseModelPatch = (patch: string, usual: string | null = null): PatchRead => {
  const lines = patch.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (hasSearchBlocks(lines)) return parseSearchBlocks(lines, usual);
  if (hasDiffHunks(lines)) return readDiff(lines, usual);
  return { edits: [], wrong: [] };
};

/** Minimum lines that identify a file by their content. */
const SAYS_ENOUGH = 2;

type State = Map<string, FileText | null>;
type Outcome = { placed: EditPlacement; path: string; note?: string };

const readState = (tree: PatchTree, state: State, path: string): FoundFile => {
  const now = state.get(path);
  if (now === undefined) return tree.read(path);
  return now === null ? { kind: 'none' } : { kind: 'text', text: now };
};

const findElsewhere = (
  tree: PatchTree,
  state: State,
  edit: ReplaceEdit,
  among: readonly string[],
): Outcome | null => {
  const lines = edit.readings[0]?.search.filter((line) => line.trim() !== '').length ?? 0;
  if (lines < SAYS_ENOUGH || edit.readings.length !== 1) return null;
  const fits = among.flatMap((path): Outcome[] => {
    const found = readState(tree, state, path);
    if (found.kind !== 'text') return [];
    const placed = placeEdit(found.text, edit);
    const plainly = placed.kind === 'placed' && placed.plain;
    return plainly || placed.kind === 'several' ? [{ placed, path }] : [];
  });
  const [only] = fits;
  return fits.length === 1 && only?.placed.kind === 'placed' ? only : null;
};

const NAMELESS = 'it names no file: write its path on the line above it';

const applyReplaceEdit = (
  tree: PatchTree,
  state: State,
  edit: ReplaceEdit,
  path: string | null,
): Outcome | string => {
  const found: FoundFile = path === null ? { kind: 'none' } : readState(tree, state, path);
  if (found.kind === 'refused') return found.why;
  if (path !== null && found.kind === 'text') {
    const placed = placeEdit(found.text, edit);
    if (placed.kind !== 'nowhere') return { placed, path };
  }
  const others = tree.seen().filter((one) => one !== path);
  const like = path !== null && found.kind === 'none' ? findSameNamedPaths(path, tree.files()) : [];
  const meant = findElsewhere(tree, state, edit, like.length > 0 ? like : others);
  if (meant !== null) {
    const note =
      path === null
        ? `it names no file; it fits ${meant.path} alone`
        : `it is not in ${path}, but fits ${meant.path} alone`;
    return { ...meant, note };
  }
  if (path === null) return NAMELESS;
  if (found.kind === 'none') {
    const hint =
      like.length > 0
        ? ` Did you mean ${like.slice(0, 3).join(' or ')}?`
        : ' An empty SEARCH creates a file.';
    return `there is no file ${path}.${hint}`;
  }
  return { placed: { kind: 'nowhere' }, path };
};

const describePlacement = (placed: EditPlacement, edit: ReplaceEdit, text: FileText | null): string => {
  switch (placed.kind) {
    case 'several':
      return `its lines stand there ${placed.at.length} times (lines ${placed.at
        .slice(0, 6)
        .map((at) => at + 1)
        .join(', ')}): add more of the lines around them`;
    case 'refused':
      return placed.why;
    case 'nowhere':
      return `its lines are not in the file.\n${describeNearestLines(text?.lines.map((line) => line.text) ?? [], edit.readings[0]?.search ?? [])}`;
    case 'placed':
    case 'there':
      return '';
  }
};

const applyEdit = (tree: PatchTree, state: State, edit: PatchEdit): { note?: string } | { wrong: string } => {
  const path = edit.path === null ? null : findPathInTree(edit.path, tree.root);
  if (edit.path !== null && path === null)
    return { wrong: `${edit.path.slice(0, 200)} is not a path in the workspace` };
  if (edit.kind === 'replace') {
    const outcome = applyReplaceEdit(tree, state, edit, path);
    if (typeof outcome === 'string') return { wrong: outcome };
    const { placed, note } = outcome;
    const found = readState(tree, state, outcome.path);
    const why = describePlacement(placed, edit, found.kind === 'text' ? found.text : null);
    if (why !== '') return { wrong: why };
    if (placed.kind === 'there') return { note: 'it stands there already' };
    if (placed.kind === 'placed') state.set(outcome.path, placed.text);
    return note === undefined ? {} : { note };
  }
  if (path === null) return { wrong: NAMELESS };
  const found = readState(tree, state, path);
  if (found.kind === 'refused') return { wrong: found.why };
  if (edit.kind === 'create') {
    if (found.kind === 'text' && found.text.lines.length > 0)
      return { wrong: `there is a file ${path} already: search the lines that are to change` };
    state.set(path, createFileText(edit.lines));
    return {};
  }
  if (found.kind === 'none') return { wrong: `there is no file ${path}` };
  if (edit.kind === 'delete') {
    const { lines } = edit;
    const same =
      lines === null ||
      lines.join('\n').trim() ===
        found.text.lines
          .map((line) => line.text)
          .join('\n')
          .trim();
    if (!same) return { wrong: `${path} is not as you show it, so it is not deleted: read it first` };
    state.set(path, null);
    return {};
  }
  const to = findPathInTree(edit.to, tree.root);
  if (to === null) return { wrong: `${edit.to.slice(0, 200)} is not a path in the workspace` };
  if (readState(tree, state, to).kind !== 'none') return { wrong: `there is a file ${to} already` };
  state.set(path, null);
  state.set(to, found.text);
  return {};
};

export const applyPatch = (patch: string, tree: PatchTree, usual: string | null = null): PatchOutcome => {
  const { edits, wrong: unread } = parseModelPatch(patch, usual);
  if (edits.length === 0 && unread.length === 0)
    return { kind: 'wrong', says: `There is no block in this patch.\n${PATCH_INSTRUCTIONS}` };
  const state: State = new Map();
  const notes: string[] = [];
  const wrong = unread.map(({ block, says }) => `Block ${block}: ${says}.`);
  edits.forEach((edit, i) => {
    const name = `Block ${i + 1} of ${edits.length}${edit.path === null ? '' : ` (${edit.path.slice(0, 200)})`}`;
    const done = applyEdit(tree, state, edit);
    if ('wrong' in done) wrong.push(`${name}: ${done.wrong}${/[.?]$|\n/.test(done.wrong) ? '' : '.'}`);
    else if (done.note !== undefined) notes.push(`${name}: ${done.note}.`);
  });
  if (wrong.length > 0)
    return {
      kind: 'wrong',
      says: [...wrong, 'Nothing was written: correct these blocks and send the whole patch again.'].join(
        '\n',
      ),
    };
  const writes = [...state].map(([path, text]) => ({
    path,
    bytes: text === null ? null : encodeFileText(text),
  }));
  return { kind: 'fits', writes, notes };
};

type Files = ReadonlyMap<string, Uint8Array | null>;

const toFoundFile = (bytes: Uint8Array | null | undefined): FoundFile => {
  if (bytes === null || bytes === undefined) return { kind: 'none' };
  const text = parseFileText(bytes);
  return text === null ? { kind: 'refused', why: 'it is no text in UTF-8' } : { kind: 'text', text };
};

export const reapplyPatch = (patch: string, usual: string | null, files: Files): Files | null => {
  const names = [...files.keys()];
  const fitted = applyPatch(
    patch,
    { root: '/', read: (path) => toFoundFile(files.get(path)), files: () => names, seen: () => names },
    usual,
  );
  return fitted.kind === 'fits' ? new Map(fitted.writes.map(({ path, bytes }) => [path, bytes])) : null;
};
