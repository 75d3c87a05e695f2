/** Reads `git diff-tree --raw -z --numstat -z`: exact paths, whatever bytes they have. Pure. */
import type { FileChange } from '../../orchestrator/core/facts.ts';
import { display, type RawPath } from './names.ts';

/** A change with its object ids and its exact path. */
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
const counts = (added: string, deleted: string): Counts =>
  added === '-'
    ? { added: 0, deleted: 0, binary: true }
    : { added: Number(added), deleted: Number(deleted), binary: false };

const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/;
const NUM = /^(\d+|-)\t(\d+|-)\t([^]*)$/;

/**
 * Throws when the output is not what it should be: a guess here would hide files from the policies.
 */
export const parseChanges = (output: Uint8Array): RawChange[] => {
  const fields = Buffer.from(output).toString('latin1').split('\0');
  if (fields.pop() !== '') throw new Error('The list of changes from git is cut off.');
  const changes = new Map<RawPath, RawChange>();
  fields.reverse();
  const pop = (): string => {
    const field = fields.pop();
    if (field === undefined) throw new Error('The list of changes from git is cut off.');
    return field;
  };
  while (fields.length > 0) {
    const head = pop();
    const raw = RAW.exec(head);
    if (raw) {
      const [, oldMode = '', newMode = '', oldOid = '', newOid = '', letter = ''] = raw;
      const status = STATUS[letter];
      if (status === undefined)
        throw new Error(`Git named a kind of change that is not known here: ${letter}.`);
      const first = pop();
      const moved = letter === 'R' || letter === 'C';
      const rawPath = moved ? pop() : first;
      const rawOldPath = letter === 'R' ? first : null;
      const path = display(rawPath);
      const oldPath = rawOldPath === null ? null : display(rawOldPath);
      const file = { path, oldPath, status, oldMode, newMode, added: 0, deleted: 0, binary: false };
      changes.set(rawPath, { file, rawPath, rawOldPath, oldOid, newOid });
      continue;
    }
    const num = NUM.exec(head);
    if (!num) throw new Error('The list of changes from git cannot be read.');
    const [, added = '', deleted = '', name = ''] = num;
    const path = name === '' ? (pop(), pop()) : name;
    const change = changes.get(path);
    if (!change) throw new Error('Git counted lines of a file that it did not list.');
    change.file = { ...change.file, ...counts(added, deleted) };
  }
  return [...changes.values()];
};
