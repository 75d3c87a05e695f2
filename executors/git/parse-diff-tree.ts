/** Parses `git diff-tree -z --raw --numstat -p` with exact path bytes. Pure. */
import type { FileChange } from '#model/change';
import { displayPath, type RawPath } from './path-names.ts';

export type RawChange = {
  file: FileChange;
  rawPath: RawPath;
  rawOldPath: RawPath | null;
  oldOid: string;
  newOid: string;
};

const STATUS: Record<string, FileChange['status']> = {
  A: 'added',
  C: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
};

type Counts = { added: number; deleted: number; binary: boolean };
const toCounts = (added: string, deleted: string): Counts =>
  added === '-'
    ? { added: 0, deleted: 0, binary: true }
    : { added: Number(added), deleted: Number(deleted), binary: false };

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const NUM = /^(\d+|-)\t(\d+|-)\t([^]*)$/;

/** Throws on unexpected output, because a guess would hide files from the policies. */
export const parseDiffTree = (output: Buffer): { changes: RawChange[]; patchAt: number } => {
  const changes = new Map<RawPath, RawChange>();
  let at = 0;
  const readField = (): string => {
    const stop = output.indexOf(0, at);
    if (stop < 0) throw new Error('The list of changes from git is cut off.');
    const field = output.toString('latin1', at, stop);
    at = stop + 1;
    return field;
  };
  while (at < output.length) {
    const head = readField();
    if (head === '') break;
    const raw = RAW.exec(head);
    if (raw) {
      const [, oldMode = '', newMode = '', oldOid = '', newOid = '', letter = ''] = raw;
      const status = STATUS[letter];
      if (status === undefined)
        throw new Error(`Git named a kind of change that is not known here: ${letter}.`);
      const first = readField();
      const moved = letter === 'R' || letter === 'C';
      const rawPath = moved ? readField() : first;
      const rawOldPath = letter === 'R' ? first : null;
      const path = displayPath(rawPath);
      const oldPath = rawOldPath === null ? null : displayPath(rawOldPath);
      const file = { path, oldPath, status, oldMode, newMode, added: 0, deleted: 0, binary: false };
      changes.set(rawPath, { file, rawPath, rawOldPath, oldOid, newOid });
      continue;
    }
    const num = NUM.exec(head);
    if (!num) throw new Error('The list of changes from git cannot be read.');
    const [, added = '', deleted = '', name = ''] = num;
    const path = name === '' ? (readField(), readField()) : name;
    const change = changes.get(path);
    if (!change) throw new Error('Git counted lines of a file that it did not list.');
    change.file = { ...change.file, ...toCounts(added, deleted) };
  }
  return { changes: [...changes.values()], patchAt: at };
};
