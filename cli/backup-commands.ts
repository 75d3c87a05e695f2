/** `agentpr backup` and `agentpr restore`: saves a ledger in one file, and restores it. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type BackupOpener,
  type BackupRecipients,
  makeBackup,
  openLedger,
  openReader,
  isAgeRecipient,
  restoreBackup,
} from '#db';
import { replayRuns, type ReplayResult } from '#audit';
import { MB } from '#model/values';
import { makeTemporaryDirectory } from '#process';
import { resolveDataDir, readRawEnvironment } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { readTextInput } from './read-input.ts';
import { CommandExit, EXIT_CODES } from './exit-codes.ts';
import { cliWords } from './language.ts';
import { createReplayThreads } from './replay-threads.ts';
import { packageVersion } from './package-version.ts';

type Common = { json?: boolean; data?: string };
type Opening = { identity?: string[]; passphraseFile?: string };

const passphraseIn = (file: string): string => {
  const [words = ''] = readTextInput(file).split(/\r?\n/);
  if (words === '') throw new CommandExit(EXIT_CODES.usage, { kind: 'no_passphrase', file });
  return words;
};

type Sealing = { recipient?: string[]; passphraseFile?: string; plain?: boolean };
const recipientsOf = async ({ recipient, passphraseFile, plain }: Sealing): Promise<BackupRecipients> => {
  const ways = [recipient, passphraseFile, plain].filter((way) => way !== undefined).length;
  if (ways !== 1) throw new CommandExit(EXIT_CODES.usage, { kind: 'no_backup_reader' });
  if (plain) return { kind: 'plain' };
  if (passphraseFile !== undefined) {
    const words = passphraseIn(passphraseFile);
    if (words.length < MIN_PASSPHRASE_LENGTH)
      throw new CommandExit(EXIT_CODES.usage, { kind: 'short_passphrase', min: MIN_PASSPHRASE_LENGTH });
    return { kind: 'passphrase', words };
  }
  for (const name of recipient ?? []) {
    if (!(await isAgeRecipient(name)))
      throw new CommandExit(EXIT_CODES.usage, { kind: 'no_recipient', name: name.slice(0, 80) });
  }
  return { kind: 'recipients', names: recipient ?? [] };
};
const MIN_PASSPHRASE_LENGTH = 12;

/** The format of `age-keygen`: one identity per line, and comments. */
const openerOf = ({ identity = [], passphraseFile }: Opening): BackupOpener => {
  const identities = identity.flatMap((file) =>
    readTextInput(file)
      .split(/\r?\n/)
      .filter((line) => /^AGE-SECRET-KEY-/.test(line)),
  );
  if (identity.length > 0 && identities.length === 0)
    throw new CommandExit(EXIT_CODES.usage, { kind: 'no_identity', files: identity });
  return { identities, passphrase: passphraseFile === undefined ? null : passphraseIn(passphraseFile) };
};

/** Postgres has its own backup tools, and a partial backup would be worse than none. */
const onlyOnSqlite = (): void => {
  if (!/^postgres/.test(readRawEnvironment()['DATABASE_URL'] ?? '')) return;
  throw new CommandExit(EXIT_CODES.usage, { kind: 'ledger_in_postgres' });
};

const writeBackup = async (file: string, options: Common & Sealing & { keys: boolean }): Promise<void> => {
  onlyOnSqlite();
  const to = await recipientsOf(options);
  const stopping = new AbortController();
  const stopBackup = (): void =>
    stopping.abort(new CommandExit(EXIT_CODES.failed, { kind: 'backup_stopped' }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopBackup);
  const made = await makeBackup({
    dataDir: resolveDataDir(options.data),
    file: resolve(file),
    to,
    keys: options.keys,
    version: packageVersion(),
    now: Date.now(),
    stopped: stopping.signal,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopBackup);
  if (options.json) return printJson({ ...made, sealed: to.kind });
  const formatSize = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
  const words = cliWords().commandLine.backup;
  const { file: written, runs, bytes, ledgerBytes } = made;
  printRedacted(
    words.made({
      file: written,
      ledger: formatSize(ledgerBytes),
      keys: options.keys,
      runs,
      size: formatSize(bytes),
    }),
  );
  if (to.kind === 'plain' && options.keys) printRedacted(words.plain());
};

const restoreFromFile = async (
  file: string,
  options: Common & Opening & { keys?: string },
): Promise<void> => {
  onlyOnSqlite();
  const dir = resolve(resolveDataDir(options.data));
  const label = await restoreBackup({
    file: resolve(file),
    dataDir: dir,
    opener: openerOf(options),
    ...(options.keys === undefined ? {} : { keys: resolve(options.keys) }),
  });
  const at = new Date(label.at).toISOString();
  if (options.json) return printJson({ ok: true, dataDir: dir, at, madeBy: label.madeBy });
  printRedacted(cliWords().commandLine.backup.restored({ path: dir, at }));
};

const newestAt = (path: string): string => {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  const files = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ file: join(path, name), at: statSync(join(path, name)).mtimeMs }));
  const [newest] = files.sort((a, b) => b.at - a.at);
  if (!newest) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_backup', path });
  return newest.file;
};

export type RestoreDrill = { file: string; at: string; replayed: ReplayResult };
/** Restores into a temporary folder and verifies the ledger like `agentpr replay --all`. */
export const drillRestore = async (
  path: string,
  options: Opening & { keys?: string },
): Promise<RestoreDrill> => {
  const file = newestAt(resolve(path));
  const dir = makeTemporaryDirectory('agentpr-drill-');
  try {
    const label = await restoreBackup({
      file,
      dataDir: dir,
      opener: openerOf(options),
      ...(options.keys === undefined ? {} : { keys: resolve(options.keys) }),
    });
    // A drill accepts an old ledger, because it is only about its content.
    const opened = await openLedger({ dataDir: dir, now: () => Date.now() });
    await opened.acceptRollback(null);
    await opened.close();
    const ledger = openReader(dir, { snapshot: true });
    try {
      return {
        file,
        at: new Date(label.at).toISOString(),
        replayed: await replayRuns(ledger, null, createReplayThreads(dir)),
      };
    } finally {
      await ledger.close();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

export const addDecryptionOptions = (command: Command): Command =>
  command
    .option('--identity <file...>', 'open it with these identities of age')
    .option(
      '--passphrase-file <file>',
      'open it with the passphrase on its first line (“-” is standard input)',
    )
    .option('--keys <dir>', 'where the keys are that the backup was made without');

export const addBackupCommands = (program: Command): void => {
  const addLedgerOptions = (command: Command): Command =>
    command
      .option('--json', 'print JSON')
      .option('--data <dir>', 'the data directory (default: AGENTPR_DATA_DIR or ./.agentpr)');
  addLedgerOptions(
    program
      .command('backup <file>')
      .option('--recipient <age1...>', 'encrypt it for these recipients of age')
      .option('--passphrase-file <file>', 'encrypt it with the passphrase on its first line')
      .option('--plain', 'do not encrypt it')
      .option('--no-keys', 'without the keys, which then must be kept elsewhere'),
  ).action(writeBackup);
  addDecryptionOptions(addLedgerOptions(program.command('restore <file>'))).action(restoreFromFile);
};
