/** Creates a backup beside a running agentpr: ledger snapshot, keys, and commits of live runs. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statSync, statfsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { MB } from '#model/values';
import { DatabaseFailure, explainDatabaseError, isDatabaseFull } from '../sql/database-failures.ts';
import { packTar, type TarFile } from './archive.ts';
import { encryptBackup, type BackupRecipients } from './backup-encryption.ts';
import { assertLedgerExists, keysFolder, ledgerFile, scratchFile } from '../data-directory-paths.ts';
import { copyDatabase, syncParentFolder, removeDatabase, removeAbandonedCopies } from './snapshot.ts';

export const BackupLabel = z.object({
  agentprBackup: z.literal(1),
  madeBy: z.string(),
  at: z.number(),
  schema: z.string(),
  keys: z.boolean(),
});
export type BackupLabel = z.infer<typeof BackupLabel>;
export const BACKUP_LABEL_FILE = 'agentpr-backup.json';
export const BACKUP_LEDGER_FILE = 'ledger.db';
/** Format of `sha256sum`; the last file of a backup. */
export const BACKUP_SUMS_FILE = 'SHA256SUMS';
/** Needed to open the ledger and to confirm receipts. */
export const BACKUP_KEY_FILES = ['ledger.key', 'seal.key'] as const;

export type BackupRequest = {
  dataDir: string;
  file: string;
  to: BackupRecipients;
  keys: boolean;
  version: string;
  now: number;
  stopped?: AbortSignal;
};
type BackupResult = {
  file: string;
  bytes: number;
  ledgerBytes: number;
  runs: number;
  label: BackupLabel;
};

const MIN_DISK_LEFT_BYTES = 64 * MB;

export const makeBackup = async (request: BackupRequest): Promise<BackupResult> => {
  const { dataDir, file, now, keys } = request;
  const source = ledgerFile(dataDir);
  assertLedgerExists(dataDir);
  if (existsSync(file)) throw new DatabaseFailure({ kind: 'backup_name_taken', file });
  removeAbandonedCopies(dataDir);
  assertRoom(dataDir, statSync(source).size);
  const copy = scratchFile(dataDir, 'backup');
  const part = `${file}.part`;
  try {
    await copyDatabase(source, copy, request.stopped);
    const { schema, live } = lookInto(copy);
    const label: BackupLabel = { agentprBackup: 1, madeBy: request.version, at: now, schema, keys };
    const places = [...(keys ? keysOf(dataDir) : []), ...(await commitsOf(dataDir, live))];
    const content = packTar(filesOf(label, [...places, { name: BACKUP_LEDGER_FILE, path: copy }]), now);
    await writeArchive(await encryptBackup(content, request.to), part, request.stopped);
    renameSync(part, file);
    await syncParentFolder(file);
    const ledgerBytes = statSync(copy).size;
    return { file, bytes: statSync(file).size, ledgerBytes, runs: live.length, label };
  } catch (error) {
    rmSync(part, { force: true });
    throw isDatabaseFull(error)
      ? new DatabaseFailure({ kind: 'backup_disk_full', file }, error)
      : explainDatabaseError(error);
  } finally {
    removeDatabase(copy);
  }
};

const assertRoom = (dataDir: string, size: number): void => {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= size + MIN_DISK_LEFT_BYTES) return;
  const toMegabytes = (bytes: number): number => Math.ceil(bytes / MB);
  const [needed, free] = [
    String(toMegabytes(size + MIN_DISK_LEFT_BYTES)),
    String(toMegabytes(bavail * bsize)),
  ];
  throw new DatabaseFailure({ kind: 'backup_needs_room', directory: dataDir, needed, free });
};

/** Reads the copy, so that it is of the same moment. */
const lookInto = (copy: string): { schema: string; live: string[] } => {
  const db = new Database(copy, { fileMustExist: true });
  try {
    // Avoids a journal beside the file.
    db.pragma('journal_mode = DELETE');
    const last = db.prepare('select name from kysely_migration order by name desc limit 1').pluck().get();
    const live = db.prepare('select run_id from run_states where live = 1 order by run_id').pluck().all();
    return { schema: String(last), live: live.map(String) };
  } finally {
    db.close();
  }
};

type Place = { name: string; path: string };

const keysOf = (dataDir: string): Place[] =>
  BACKUP_KEY_FILES.map((name) => ({ name: `keys/${name}`, path: join(keysFolder(dataDir), name) })).filter(
    ({ path }) => existsSync(path),
  );

const PASSING = /(?:^|\/)tmp_|\.(?:lock|new)$/;

/** A run that awaits approval may have its commits nowhere else. */
const commitsOf = async (dataDir: string, live: readonly string[]): Promise<Place[]> => {
  const found: Place[] = [];
  for (const run of live) {
    const root = join(dataDir, 'runs', run);
    const ready = join(root, 'ready.json');
    if (!existsSync(ready)) continue;
    found.push({ name: `runs/${run}/ready.json`, path: ready });
    const git = join(root, 'git');
    for (const entry of await readdir(git, { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile() && !PASSING.test(entry.name)) {
        const path = join(entry.parentPath, entry.name);
        found.push({ name: `runs/${run}/git/${path.slice(git.length + 1)}`, path });
      }
  }
  return found;
};

async function* filesOf(label: BackupLabel, places: readonly Place[]): AsyncGenerator<TarFile> {
  const sums: string[] = [];
  const sumContent = async function* (name: string, size: number, content: TarFile['content']) {
    const sum = createHash('sha256');
    let read = 0;
    for await (const piece of content) {
      sum.update(piece);
      read += piece.length;
      yield piece;
    }
    if (read !== size) throw new DatabaseFailure({ kind: 'file_changed', file: name });
    sums.push(`${sum.digest('hex')}  ${name}\n`);
  };
  const toTextFile = (name: string, said: string): TarFile => {
    const bytes = Buffer.from(said);
    return { name, size: bytes.length, content: sumContent(name, bytes.length, [bytes]) };
  };
  yield toTextFile(BACKUP_LABEL_FILE, `${JSON.stringify(label)}\n`);
  for (const { name, path } of places) {
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) continue;
    const content = size === 0 ? [] : createReadStream(path, { end: size - 1 });
    yield { name, size, content: sumContent(name, size, content) };
  }
  yield toTextFile(BACKUP_SUMS_FILE, sums.join(''));
}

const writeArchive = async (
  content: AsyncIterable<Uint8Array>,
  path: string,
  stopped: AbortSignal | undefined,
): Promise<void> => {
  const out = await open(path, 'w', 0o600);
  try {
    for await (const piece of content) {
      stopped?.throwIfAborted();
      await out.writeFile(piece);
    }
    await out.sync();
  } finally {
    await out.close();
  }
};
