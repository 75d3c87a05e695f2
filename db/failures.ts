/** What a person reads when the database cannot do its work: what happened and what to do. */
import { OutsideFailure } from '../orchestrator/ports.ts';

const sentences: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    'The ledger file is damaged. Stop agentpr, keep a copy of the data directory, and restore ledger.db from a backup.',
  ],
  [
    /^SQLITE_(READONLY|PERM)/,
    'The ledger cannot be written: its directory or file is read-only. Give this user the right to write the data directory.',
  ],
  [
    /^SQLITE_CANTOPEN/,
    'The ledger cannot be opened. Check that the data directory exists and that this user may read and write it.',
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

/** The same error when it is not about the database file: a bug of ours must keep its own words. */
export const explained = (error: unknown): unknown => {
  const about = code(error);
  if (about === 'SQLITE_FULL' || about === 'ENOSPC') {
    return new OutsideFailure(
      'disk_full',
      'The disk of the data directory is full: nothing new can be stored. Free some space; what was acknowledged is safe.',
    );
  }
  const known = sentences.find(([pattern]) => pattern.test(about));
  return known ? new Error(`${known[1]} (${about})`, { cause: error }) : error;
};
