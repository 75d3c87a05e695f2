/** A consistent copy of a database that others may be writing to (SQLite's backup API). */
import { chmodSync, closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** Pages between two looks at the world: whoever wants to stop us is heard. */
const PAGES_PER_STEP = 2_000;

/**
 * Copies one moment, however long it takes and whatever is written meanwhile. What it began is
 * removed when it fails.
 */
export const copyDatabase = async (from: string, to: string, stopped?: AbortSignal): Promise<void> => {
  // Closed to others from its first byte.
  closeSync(openSync(to, 'wx', 0o600));
  const db = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    // A read that stays open pins the moment: without it, each write of another process would make
    // the copy begin anew.
    db.exec('begin');
    db.prepare('select count(*) from sqlite_schema').get();
    await db.backup(to, {
      progress: () => {
        stopped?.throwIfAborted();
        return PAGES_PER_STEP;
      },
    });
    chmodSync(to, 0o600);
  } catch (error) {
    removeDatabase(to);
    throw error;
  } finally {
    db.close();
  }
};

export const removeDatabase = (file: string): void => {
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) rmSync(one, { force: true });
};

/** What copies left whose process was killed. */
export const removeAbandonedCopies = (dataDir: string): void => {
  if (!existsSync(dataDir)) return;
  for (const name of readdirSync(dataDir)) {
    const pid = /^(?:backup|trial)-(\d+)\.tmp\.db(?:-\w+)?$/.exec(name)?.[1];
    if (pid !== undefined && !lives(Number(pid))) rmSync(join(dataDir, name), { force: true });
  }
};

const lives = (pid: number): boolean => {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The folder must know the new name, or a power cut takes the file with it. */
export const keepName = async (file: string): Promise<void> => {
  const { open } = await import('node:fs/promises');
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
