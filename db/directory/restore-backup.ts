/** Restores a backup into an empty data directory, atomically, and marks it as an older copy. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { createAnchor } from '../integrity/anchor.ts';
import { createRowMac } from '../integrity/row-mac.ts';
import { BACKUP_KEY_FILES, type BackupLabel } from '../backup/backup.ts';
import type { BackupOpener } from '../backup/backup-encryption.ts';
import {
  anchorFile,
  ledgerKeyFile,
  keysFolder,
  ledgerFile,
  restoringFolder,
} from '../data-directory-paths.ts';
import { syncParentFolder, removeDatabase } from '../backup/snapshot.ts';
import { unpackBackup } from '../backup/unpack-backup.ts';
import { DatabaseFailure } from '../sql/database-failures.ts';
import type { DatabaseFault } from '#model/failure';
import { loadOrCreateKey } from './ledger-key.ts';
import { lockDirectory } from './directory-lock.ts';
import { makeDirectory } from './make-directory.ts';
import { checkStoredLedger } from './open-ledger.ts';
import { openReader } from './open-reader.ts';
import { readFileSchemaStanding } from './prepare-upgrade.ts';

type RestoreRequest = {
  file: string;
  dataDir: string;
  opener: BackupOpener;
  keys?: string;
};

const OF_NO_LEDGER = new Set([
  'lock.db',
  'lock.db-journal',
  'lock.pid',
  'stopped-at',
  'stops.json',
  'lost+found',
]);

export const restoreBackup = async ({
  file,
  dataDir,
  opener,
  keys,
}: RestoreRequest): Promise<BackupLabel> => {
  makeDirectory(dataDir);
  const lock = lockDirectory(dataDir);
  const stage = restoringFolder(dataDir);
  let moving = false;
  try {
    clearStage(dataDir, stage);
    const label = await unpackBackup(file, stage, opener);
    if (keys !== undefined) takeKeys(keys, stage);
    await checkStagedBackup(file, stage);
    asOlderCopy(stage);
    moving = true;
    for (const name of ['keys', 'runs', 'ledger.db'])
      if (existsSync(join(stage, name))) renameSync(join(stage, name), join(dataDir, name));
    await syncParentFolder(ledgerFile(dataDir));
    rmSync(stage, { recursive: true });
    return label;
  } catch (error) {
    // Nothing starts while the stage exists, and the next restore begins anew.
    if (!moving) rmSync(stage, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
};

/** Anything other than an interrupted restore stays untouched. */
const clearStage = (dataDir: string, stage: string): void => {
  const there = readdirSync(dataDir).filter((name) => !OF_NO_LEDGER.has(name));
  if (there.includes('restoring')) {
    for (const name of ['keys', 'runs']) rmSync(join(dataDir, name), { recursive: true, force: true });
    removeDatabase(ledgerFile(dataDir));
    rmSync(stage, { recursive: true, force: true });
    return;
  }
  // guard: S6-restore-empty
  if (there.length > 0)
    throw new DatabaseFailure({
      kind: 'restore_not_empty',
      directory: dataDir,
      names: `${there.slice(0, 3).join(', ')}${there.length > 3 ? ', …' : ''}`,
    });
};

const takeKeys = (from: string, stage: string): void => {
  mkdirSync(keysFolder(stage), { recursive: true, mode: 0o700 });
  for (const name of BACKUP_KEY_FILES)
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(keysFolder(stage), name));
};

const checkStagedBackup = async (file: string, stage: string): Promise<void> => {
  const createFailure = (why: string | DatabaseFault, cause?: unknown): DatabaseFailure =>
    new DatabaseFailure({ kind: 'not_restored', file, why }, cause);
  if (!existsSync(ledgerKeyFile(stage))) throw createFailure({ kind: 'archive_without_keys' });
  const broken = checkStoredLedger(stage);
  if (broken !== null) throw createFailure(broken instanceof DatabaseFailure ? broken.fault : broken.message);
  const { foreign } = await readFileSchemaStanding(ledgerFile(stage));
  if (foreign !== null) throw createFailure({ kind: 'archive_newer', migration: foreign });
  const reader = openReader(stage);
  try {
    await reader.query.users();
  } catch (error) {
    throw createFailure({ kind: 'archive_of_other_keys' }, error);
  } finally {
    await reader.close();
  }
};

/** L5: puts the anchor out of reach, so the rollback is reported; pending effects count as tried. */
const asOlderCopy = (stage: string): void => {
  const db = new Database(ledgerFile(stage), { fileMustExist: true });
  let seq: number;
  try {
    // guard: L5-restored-tries
    db.exec(`update effects set tries = tries + 1 where state = 'pending' and tries = 0`);
    seq = Number(db.prepare('select seq from installation').pluck().get() ?? 0);
  } finally {
    db.close();
  }
  const anchor = createAnchor(
    anchorFile(stage),
    createRowMac(loadOrCreateKey(ledgerKeyFile(stage), { mayMake: false })),
  );
  const hash = createHash('sha256').update(`restored after ${seq}`).digest('hex');
  // guard: L5-restored-older
  anchor.set({ seq: seq + 1, hash });
};
