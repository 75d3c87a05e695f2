/** Unpacks a backup and verifies names, lengths and sums, as its content is untrusted. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseFailure, isDatabaseFull } from '../sql/database-failures.ts';
import { quoteArchiveName, unpackTar } from './archive.ts';
import {
  BACKUP_KEY_FILES,
  BackupLabel,
  BACKUP_LABEL_FILE,
  BACKUP_LEDGER_FILE,
  BACKUP_SUMS_FILE,
} from './backup.ts';
import { decryptBackup, type BackupOpener } from './backup-encryption.ts';

/** Maximum size of label and sums (bytes). */
const MOST_TEXT = 64_000_000;

const RUN_FILE_PATTERN = /^runs\/[A-Za-z0-9][A-Za-z0-9_-]{0,63}\/(?:ready\.json|git\/.+)$/;
const isOurs = (name: string): boolean =>
  name === BACKUP_LEDGER_FILE ||
  BACKUP_KEY_FILES.some((key) => name === `keys/${key}`) ||
  // guard: S6-backup-names
  (RUN_FILE_PATTERN.test(name) && name.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part)));

/** The folder `into` must not exist. Throws a readable error. */
export const unpackBackup = async (
  file: string,
  into: string,
  opener: BackupOpener,
): Promise<BackupLabel> => {
  if (!existsSync(file)) throw new DatabaseFailure({ kind: 'backup_missing', file });
  try {
    return await extractBackup(file, into, opener);
  } catch (error) {
    if (error instanceof DatabaseFailure)
      throw new DatabaseFailure({ kind: 'not_restored', file, why: error.fault }, error);
    if (isDatabaseFull(error)) throw new DatabaseFailure({ kind: 'restore_disk_full' }, error);
    throw error;
  }
};

const extractBackup = async (file: string, into: string, opener: BackupOpener): Promise<BackupLabel> => {
  await mkdir(into, { mode: 0o700, recursive: true });
  const sums = new Map<string, string>();
  let label: BackupLabel | null = null;
  let listed: string | null = null;
  for await (const { name, size, content } of unpackTar(decryptBackup(file, opener))) {
    if (listed !== null) throw new DatabaseFailure({ kind: 'archive_goes_on' });
    const sum = createHash('sha256');
    const readContent = async function* (): AsyncGenerator<Uint8Array> {
      for await (const piece of content) {
        sum.update(piece);
        yield piece;
      }
    };
    if (name === BACKUP_LABEL_FILE || name === BACKUP_SUMS_FILE) {
      if (size > MOST_TEXT) throw new DatabaseFailure({ kind: 'archive_foreign' });
      const text = await textOf(readContent());
      if (name === BACKUP_SUMS_FILE) listed = text;
      else label = labelIn(text);
    } else {
      if (label === null) throw new DatabaseFailure({ kind: 'archive_foreign' });
      if (!isOurs(name) || sums.has(name))
        throw new DatabaseFailure({ kind: 'archive_file_foreign', name: quoteArchiveName(name) });
      await storeFile(join(into, name), readContent());
    }
    if (name !== BACKUP_SUMS_FILE) sums.set(name, sum.digest('hex'));
  }
  const said = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');
  // guard: S6-backup-sums
  if (listed !== said) throw new DatabaseFailure({ kind: 'archive_differs' });
  if (label === null || !sums.has(BACKUP_LEDGER_FILE))
    throw new DatabaseFailure({ kind: 'archive_without_ledger' });
  return label;
};

const textOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

const labelIn = (text: string): BackupLabel => {
  try {
    return BackupLabel.parse(JSON.parse(text));
  } catch (error) {
    throw new DatabaseFailure({ kind: 'archive_form_unknown' }, error);
  }
};

const storeFile = async (path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const out = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) await out.writeFile(piece);
    await out.sync();
  } finally {
    await out.close();
  }
};
