/** Compresses a backup with gzip and encrypts it with age, compatible with the `age` command. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { DatabaseFailure } from '../sql/database-failures.ts';

export type BackupRecipients =
  | { kind: 'plain' }
  | { kind: 'recipients'; names: readonly string[] }
  | { kind: 'passphrase'; words: string };
export type BackupOpener = { identities: readonly string[]; passphrase: string | null };

const AGE = 'age-encryption.org/v1';
const GZIP = Buffer.from([0x1f, 0x8b]);

export const encryptBackup = async (
  content: AsyncIterable<Uint8Array>,
  to: BackupRecipients,
): Promise<Readable> => {
  const gzip = createGzip({ level: 4 });
  const squeezed = Readable.from(content, { objectMode: false });
  squeezed.on('error', (error) => gzip.destroy(error));
  squeezed.pipe(gzip);
  if (to.kind === 'plain') return gzip;
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  if (to.kind === 'passphrase') encrypter.setPassphrase(to.words);
  else for (const name of to.names) encrypter.addRecipient(name);
  return Readable.fromWeb(await encrypter.encrypt(Readable.toWeb(gzip)));
};

export const isAgeRecipient = async (name: string): Promise<boolean> => {
  const { Encrypter } = await import('age-encryption');
  try {
    new Encrypter().addRecipient(name);
    return true;
  } catch {
    return false;
  }
};

const decryptStream = async (
  sealed: Readable,
  { identities, passphrase }: BackupOpener,
): Promise<Readable> => {
  if (identities.length === 0 && passphrase === null) throw new DatabaseFailure({ kind: 'archive_sealed' });
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  if (passphrase !== null) decrypter.addPassphrase(passphrase);
  try {
    return Readable.fromWeb(await decrypter.decrypt(Readable.toWeb(sealed)));
  } catch (error) {
    throw new DatabaseFailure({ kind: 'archive_not_opened' }, error);
  }
};

const firstBytes = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(AGE.length), 0, AGE.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

/** Throws a readable error when the file is no backup or cannot be decrypted. */
export async function* decryptBackup(path: string, opener: BackupOpener): AsyncGenerator<Uint8Array> {
  const first = await firstBytes(path);
  const isSealed = first.toString('latin1') === AGE;
  if (!isSealed && !first.subarray(0, GZIP.length).equals(GZIP))
    throw new DatabaseFailure({ kind: 'archive_foreign' });
  const file = createReadStream(path);
  const gunzip = createGunzip();
  try {
    const inner: Readable = isSealed ? await decryptStream(file, opener) : file;
    inner.on('error', (error) => gunzip.destroy(error));
    yield* inner.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw error;
    throw new DatabaseFailure({ kind: 'archive_damaged' }, error);
  } finally {
    gunzip.destroy();
    file.destroy();
  }
}
