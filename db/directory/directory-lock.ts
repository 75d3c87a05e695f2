/** One process per data directory, by a lock that the operating system releases (L6). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DatabaseFailure } from '../sql/database-failures.ts';

export type DirectoryLock = { release(): void };

export const lockDirectory = (dataDir: string): DirectoryLock => {
  const lock = tryLockDirectory(dataDir);
  if (lock) return lock;
  const holder = pidIn(join(dataDir, 'lock.pid'));
  throw new DatabaseFailure({ kind: 'directory_taken', holder, directory: dataDir });
};

export const tryLockDirectory = (dataDir: string): DirectoryLock | null => {
  // An exclusively locked SQLite file works on every system and leaves nothing after a crash.
  const db = new Database(join(dataDir, 'lock.db'), { timeout: 0 });
  // A separate file: closing any other handle of a locked file would drop the lock.
  const holder = join(dataDir, 'lock.pid');
  try {
    // guard: L6-one-process
    db.exec('begin exclusive');
    writeFileSync(holder, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    db.close();
    if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
    return null;
  }
  return { release: () => void db.close() };
};

/** The pid is written after locking, so it may be missing or old for a moment. */
const pidIn = (file: string): string => {
  try {
    const pid = readFileSync(file, 'utf8').trim();
    return /^\d+$/.test(pid) ? ` (pid ${pid})` : '';
  } catch {
    return '';
  }
};
