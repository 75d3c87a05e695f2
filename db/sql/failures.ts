/** What a person reads when the database cannot do its work: what happened and what to do. */
import { OutsideFailure } from '../../orchestrator/ports.ts';

export const DAMAGED =
  'The ledger file is damaged. Stop agentpr, keep a copy of the data directory, and restore ledger.db from a backup.';

const sentences: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(CORRUPT|NOTADB)/, DAMAGED],
  [
    /^(SQLITE_(READONLY|PERM)|EACCES|EPERM|EROFS)/,
    'The ledger cannot be written: its directory or file is read-only. Give this user the right to write the data directory.',
  ],
  [
    /^SQLITE_CANTOPEN/,
    'The ledger cannot be opened. Check that the data directory exists and that this user may read and write it.',
  ],
  [
    /^(EISDIR|ENOTDIR)/,
    'In the data directory there is a folder where a file belongs, or a file where a folder does. Move it away, or restore the directory from a backup.',
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'The ledger is in use by another program for too long. Close whatever has ledger.db open, then try again.',
  ],
  [
    /^SQLITE_IOERR/,
    'The disk gave an error while the ledger was read or written. Check the disk and its free space, then start again.',
  ],
];

const code = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG']);
export const isFull = (error: unknown): boolean => FULL.has(code(error));

export const noRoom = (): OutsideFailure =>
  new OutsideFailure(
    'disk_full',
    'The disk of the data directory is full: nothing new can be stored. Free some space; what was acknowledged is safe.',
  );

/** The same error when it is not about the database file: a bug of ours must keep its own words. */
export const explained = (error: unknown): unknown => {
  const about = code(error);
  if (isFull(error)) {
    return noRoom();
  }
  const known = sentences.find(([pattern]) => pattern.test(about));
  return known ? new Error(`${known[1]} (${about})`, { cause: error }) : error;
};
