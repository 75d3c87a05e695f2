/** Copies a live database consistently, with SQLite's backup API. */
import { chmodSync, closeSync, existsSync, openSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** Pages between two checks for a stop. */
const PAGES_PER_STEP = 2_000;

export const copyDatabase = async (from: string, to: string, stopped?: AbortSignal): Promise<void> => {
  closeSync(openSync(to, 'wx', 0o600));
  const db = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    // An open read transaction pins the snapshot; otherwise writes of others restart the copy.
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

export const removeAbandonedCopies = (dataDir: string): void => {
  if (!existsSync(dataDir)) return;
  for (const name of readdirSync(dataDir)) {
    const pid = /^(?:backup|trial)-(\d+)\.tmp\.db(?:-\w+)?$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(dataDir, name), { force: true });
  }
};

const isAlive = (pid: number): boolean => {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Syncs the folder, so that a power cut does not lose the file. */
export const syncParentFolder = async (file: string): Promise<void> => {
  const { open } = await import('node:fs/promises');
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
