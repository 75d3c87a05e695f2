/** The key of the ledger's MACs: created once, kept outside the database, private to its owner. */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseFailure } from '../sql/database-failures.ts';

const LEDGER_KEY_BYTES = 32;

/** `mayMake` must be false once something was signed, as a new key would invalidate it. */
export const loadOrCreateKey = (file: string, { mayMake }: { mayMake: boolean }): KeyObject => {
  if (!existsSync(file)) {
    if (!mayMake) {
      throw new DatabaseFailure({ kind: 'ledger_key_lost', file });
    }
    createKeyFile(file);
  }
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new DatabaseFailure({ kind: 'ledger_key_open', file });
  }
  return readLedgerKey(file);
};

export const readLedgerKey = (file: string): KeyObject => {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  if (key.length !== LEDGER_KEY_BYTES) {
    throw new DatabaseFailure({ kind: 'ledger_key_damaged', file });
  }
  return createSecretKey(key);
};

export const randomLedgerKey = (): KeyObject => createSecretKey(randomBytes(LEDGER_KEY_BYTES));

const createKeyFile = (file: string): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  const fd = openSync(fresh, 'w', 0o600);
  try {
    writeSync(fd, `${randomBytes(LEDGER_KEY_BYTES).toString('hex')}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, file);
};
