/** Parses git's patch for a page: files, modes, sizes and numbered lines. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';

export type DiffLine = {
  kind: 'same' | 'added' | 'deleted' | 'note';
  old: number | null;
  new: number | null;
  text: string;
};
export type FileDiff = {
  path: string;
  oldPath: string | null;
  status: 'added' | 'deleted' | 'renamed' | 'copied' | 'modified';
  oldMode: string | null;
  newMode: string | null;
  binary: boolean;
  added: number;
  deleted: number;
  hunks: DiffLine[][];
};

/** A truncated patch loses its last file, which is incomplete. */
export function readPatch({ text, whole }: { text: string; whole: boolean }): FileDiff[] {
  const patch = whole ? text : text.slice(0, text.lastIndexOf('\ndiff --git ') + 1);
  return patch === '' ? [] : parsePatch(patch).map(readFile);
}

function readFile(file: StructuredPatch): FileDiff {
  const hunks = file.hunks.map(readHunk);
  const count = (wanted: DiffLine['kind']): number =>
    hunks.flat().filter(({ kind }) => kind === wanted).length;
  const [before = '', after = ''] = [file.oldFileName, file.newFileName].map((name) => name?.slice(2));
  return {
    path: file.isDelete ? before : after,
    oldPath: file.isRename || file.isCopy ? before : null,
    status: statusOf(file),
    oldMode: file.oldMode ?? null,
    newMode: file.newMode ?? null,
    binary: file.isBinary ?? false,
    added: count('added'),
    deleted: count('deleted'),
    hunks,
  };
}

function statusOf({ isCreate, isDelete, isRename, isCopy }: StructuredPatch): FileDiff['status'] {
  if (isCreate) return 'added';
  if (isDelete) return 'deleted';
  if (isRename) return 'renamed';
  return isCopy ? 'copied' : 'modified';
}

function readHunk({ oldStart, newStart, lines }: StructuredPatchHunk): DiffLine[] {
  let [before, after] = [oldStart, newStart];
  return lines.map((line) => {
    const text = line.slice(1).replace(/\r$/, '␍');
    if (line.startsWith('+')) return { kind: 'added', old: null, new: after++, text };
    if (line.startsWith('-')) return { kind: 'deleted', old: before++, new: null, text };
    if (line.startsWith('\\')) return { kind: 'note', old: null, new: null, text: text.trim() };
    return { kind: 'same', old: before++, new: after++, text };
  });
}
