/** S6: backups beside a busy writer, and for whom they are sealed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup, type BackupRequest } from '../../../db/backup/backup.ts';
import type { BackupOpener } from '../../../db/backup/backup-encryption.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { openReader } from '../../../db/directory/open-reader.ts';
import { restoreBackup } from '../../../db/directory/restore-backup.ts';
import { replayRuns } from '../../../orchestrator/audit/replay.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { writeLedger } from '../../support/told-ledger.ts';
const NOBODY: BackupOpener = { identities: [], passphrase: null };
let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place.remove());

const at = (...names: string[]): string => join(place.dir, ...names);
const data = (): string => at('data');
const made = (over: Partial<BackupRequest> = {}) =>
  makeBackup({
    dataDir: data(),
    file: at('backup'),
    to: { kind: 'plain' },
    keys: true,
    version: 'a test',
    now: 1_700_000_000_000,
    ...over,
  });
const restored = (
  opener: BackupOpener = NOBODY,
  over: { file?: string; keys?: string; dataDir?: string } = {},
) => restoreBackup({ file: at('backup'), dataDir: at('again'), opener, ...over });
const told = (): Promise<void> => {
  mkdirSync(data(), { mode: 0o700 });
  return writeLedger(data());
};
const saysOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'it was done',
    (error: Error) => error.message,
  );
const findings = async (dataDir: string): Promise<string[]> => {
  const ledger = openReader(dataDir, { snapshot: true });
  try {
    return (await replayRuns(ledger, null)).findings.map(({ says }) => says);
  } finally {
    await ledger.close();
  }
};
const accepted = async (dataDir: string): Promise<string[]> => {
  const ledger = await openLedger({ dataDir, now: () => 5 });
  await ledger.acceptRollback(null);
  await ledger.close();
  return findings(dataDir);
};
/** Nothing but what a lock leaves. */
const left = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => !name.startsWith('lock.'));

describe('a backup', () => {
  it('S6: is of one moment, however busy the process is that writes', async () => {
    const victim = join(import.meta.dirname, '../../support/ledger-victim.ts');
    const busy = spawn(process.execPath, [victim, data()], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      for (let heard = 0; heard < 20_000;) {
        const [chunk] = (await once(busy.stdout, 'data')) as [Buffer];
        heard += chunk.length;
      }
      busy.stdout.resume();
      await made();
      await restored();
      const reader = openReader(at('again'), { snapshot: true });
      const heads = await reader.query.heads();
      expect(heads.length).toBeGreaterThan(0);
      expect(heads.filter((head) => !head.macValid || head.chainBroken !== null)).toEqual([]);
      await reader.close();
      expect(busy.exitCode).toBeNull();
    } finally {
      busy.kill('SIGKILL');
      await once(busy, 'exit');
    }
  });

  it('S6: is read by those it was sealed for, and by nobody else', async () => {
    await told();
    const identity = await generateX25519Identity();
    const names = [await identityToRecipient(identity)];
    await made({ to: { kind: 'recipients', names } });
    expect(readFileSync(at('backup')).includes('ledger.db')).toBe(false);
    expect(await saysOf(restored())).toContain('It is encrypted. Say with which --identity');
    const other = await generateX25519Identity();
    expect(await saysOf(restored({ identities: [other], passphrase: null }))).toContain(
      'cannot be opened with that key or passphrase',
    );
    expect(left(at('again'))).toEqual([]);
    await restored({ identities: [other, identity], passphrase: null });
    expect(await accepted(at('again'))).toEqual([]);

    const words = 'a horse that is correct';
    await made({ file: at('words'), to: { kind: 'passphrase', words } });
    await restored({ identities: [], passphrase: words }, { file: at('words'), dataDir: at('third') });
    expect(await accepted(at('third'))).toEqual([]);
  });
});
