/**
 * Backups of a ledger on a disk: made beside whoever writes to it, sealed, cut off, forged, and put
 * back.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { packTar as packWhole, type TarEntry } from 'modern-tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup, type BackupRequest } from '../../db/backup/backup.ts';
import type { BackupOpener } from '../../db/backup/backup-encryption.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { restoreBackup } from '../../db/directory/restore-backup.ts';
import { backUpBeforeUpgrade, tryMigrations } from '../../db/directory/prepare-upgrade.ts';
import { allMigrations } from '../../db/sql/migrations/all-migrations.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { temporaryDirectory, tell, write } from '../support/ledger.ts';
import { writeLedger } from '../support/told-ledger.ts';

const NEWEST = Object.keys(allMigrations('sqlite')).at(-1) ?? '';
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
  it('S6: comes back as it was, and says that it is an older copy until somebody accepts it', async () => {
    await told();
    await made();
    expect(statSync(at('backup')).mode & 0o777).toBe(0o600);
    expect(left(place.dir).sort()).toEqual(['backup', 'data']);
    expect(await restored()).toMatchObject({ at: 1_700_000_000_000, schema: NEWEST });
    expect(await findings(at('again'))).toEqual([
      expect.stringContaining('installation 1 is an older copy: what is anchored'),
    ]);
    const ledger = await openLedger({ dataDir: at('again'), now: () => 5 });
    expect(await ledger.rollback()).toBe('older');
    // However far it goes on.
    for (const name of ['a', 'b', 'c', 'd']) await ledger.setSetting(name, '1');
    expect(await ledger.rollback()).toBe('older');
    await ledger.close();
    expect(await accepted(at('again'))).toEqual([]);
  });

  it('L9: leaves out what stopped the process, since the machine that comes back may be another', async () => {
    await told();
    writeFileSync(at('data', 'stops.json'), '{"inbox 1 chat 7":1}');
    writeFileSync(at('data', 'stopped-at'), 'inbox 1 chat 7');
    await made();
    await restored();
    expect(readdirSync(at('again')).filter((name) => name.startsWith('stop'))).toEqual([]);
    // A directory with nothing but such counts takes a backup.
    mkdirSync(at('counted'));
    writeFileSync(at('counted', 'stops.json'), '{"inbox 1 chat 7":1}');
    await restored(NOBODY, { dataDir: at('counted') });
    expect(existsSync(at('counted', 'ledger.db'))).toBe(true);
  });

  it('S6: cut off, damaged or of something else puts nothing back, and says so', async () => {
    await told();
    const identity = await generateX25519Identity();
    await made();
    await made({
      file: at('sealed'),
      to: { kind: 'recipients', names: [await identityToRecipient(identity)] },
    });
    const opener = { identities: [identity], passphrase: null };
    for (const name of ['backup', 'sealed']) {
      const whole = readFileSync(at(name));
      const tries = [
        ...[0, 1, 20, 700, Math.floor(whole.length / 2), whole.length - 1].map((n) => whole.subarray(0, n)),
        ...[400, Math.floor(whole.length / 2), whole.length - 5].map((n) => {
          const changed = Buffer.from(whole);
          changed[n] = (changed[n] ?? 0) ^ 0x10;
          return changed;
        }),
      ];
      for (const bytes of tries) {
        writeFileSync(at('tried'), bytes);
        expect(await saysOf(restored(opener, { file: at('tried') }))).toMatch(/cannot be restored\. It /);
        expect(left(at('again'))).toEqual([]);
      }
    }
    expect(await saysOf(restored(NOBODY, { file: at('none') }))).toContain('There is no file');
    // What was refused before is in nobody's way.
    await restored();
  });

  it('S6: leads nowhere else, and holds nothing but what it says', async () => {
    await told();
    const label = JSON.stringify({
      agentprBackup: 1,
      madeBy: 'x',
      at: 1,
      schema: NEWEST,
      keys: false,
    });
    const file = (name: string, body: string, header: Partial<TarEntry['header']> = {}): TarEntry => ({
      header: { name, size: body.length, type: 'file', ...header },
      body,
    });
    const forged = async (entries: TarEntry[], after = ''): Promise<string> => {
      const bytes = await packWhole([file('agentpr-backup.json', label), ...entries]);
      writeFileSync(at('forged'), gzipSync(Buffer.concat([bytes, Buffer.from(after)])));
      return saysOf(restored(NOBODY, { file: at('forged') }));
    };
    for (const name of [
      '../out',
      '/tmp/out',
      'keys/../../out',
      'runs/r1/git/../../../out',
      'runs/r1/ws/out',
      'keys/ledger.anchor',
      'runs/r1/git/.config',
    ])
      for (const entry of [file(name, 'x'), file('ledger.db', 'x', { pax: { path: name } })])
        expect(await forged([entry])).toContain(`It holds "${name}", which is not ours`);
    for (const type of ['symlink', 'link', 'directory', 'fifo', 'character-device'] as const)
      expect(
        await forged([{ header: { name: 'ledger.db', size: 0, type, linkname: '/etc/passwd' } }]),
      ).toContain('It holds "ledger.db", which is not a plain file');
    const damaged = 'what it holds is not what was written';
    const ledger = file('ledger.db', 'x');
    expect(await forged([ledger])).toContain(damaged);
    expect(await forged([ledger, file('SHA256SUMS', `${'0'.repeat(64)}  ledger.db\n`)])).toContain(damaged);
    expect(await forged([ledger], 'more')).toContain('or was not copied whole');
    expect(await forged([file('x'.repeat(100_000), '')])).toMatch(/"x{200}", which is not ours/);
    expect(existsSync(at('out'))).toBe(false);
    expect(left(at('again'))).toEqual([]);
  });

  it('S6: goes into an empty directory only, and one that was left half restored does not start', async () => {
    await told();
    await made();
    const before = readFileSync(join(data(), 'ledger.db'));
    expect(await saysOf(restored(NOBODY, { dataDir: data() }))).toContain('is not empty (');
    expect(readFileSync(join(data(), 'ledger.db'))).toEqual(before);
    const live = await openLedger({ dataDir: data(), now: () => 1 });
    expect(await saysOf(restored(NOBODY, { dataDir: data() }))).toContain('Another agentpr');
    await live.close();

    await restored();
    mkdirSync(at('again', 'restoring'));
    expect(await saysOf(openLedger({ dataDir: at('again'), now: () => 1 }))).toContain('did not end');
    await restored();
    expect(await accepted(at('again'))).toEqual([]);
  });

  it('S6: without the keys needs them to be named, and only those fit', async () => {
    await told();
    await made({ keys: false });
    expect(await saysOf(restored())).toContain('It was made without the keys');
    const other = at('other');
    await (await openLedger({ dataDir: other, now: () => 1 })).close();
    expect(await saysOf(restored(NOBODY, { keys: join(other, 'keys') }))).toContain('does not fit the keys');
    await restored(NOBODY, { keys: join(data(), 'keys') });
    expect(await accepted(at('again'))).toEqual([]);
  });

  it('L5: what waited in it may have been done since, and counts as tried', async () => {
    const ledger = await openLedger({ dataDir: data(), now: () => 1 });
    await write(ledger, 'r1', { effects: [tell('hello')] });
    await made();
    await ledger.close();
    await restored();
    const again = await openLedger({ dataDir: at('again'), now: () => 2_000 });
    const [claim] = await again.claim({ now: 2_000, leaseMs: 1_000, limit: 1 });
    await again.close();
    // A second try: a message says that it may be a repeat, work looks whether it was done.
    expect(claim).toMatchObject({ tries: 2, do: { kind: 'chat_message' } });
  });

  it('S6: on a full disk leaves nothing behind, and says so', async (context) => {
    await told();
    mkdirSync(at('disk'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', at('disk')], { stdio: 'ignore' });
    } catch {
      return context.skip('no disk of our own can be mounted here');
    }
    try {
      expect(await saysOf(made({ file: at('disk', 'backup') }))).toContain('The disk is full: no backup');
      expect(readdirSync(at('disk'))).toEqual([]);
      expect(left(data()).filter((name) => name.includes('tmp'))).toEqual([]);
    } finally {
      execFileSync('umount', [at('disk')]);
    }
  });

  it('S6: never goes over another file, and one that is stopped is no backup', async () => {
    await told();
    writeFileSync(at('backup'), 'of yesterday');
    expect(await saysOf(made())).toContain('is there already');
    expect(readFileSync(at('backup'), 'utf8')).toBe('of yesterday');
    const stopped = AbortSignal.abort(new Error('told to stop'));
    expect(await saysOf(made({ file: at('stopped'), stopped }))).toBe('told to stop');
    expect(existsSync(at('stopped'))).toBe(false);
    expect(existsSync(at('stopped.part'))).toBe(false);
  });
});

describe('an upgrade', () => {
  const later = (column: string) => ({
    ...allMigrations('sqlite'),
    '9998-later': {
      up: (db: Kysely<unknown>) => db.schema.alterTable('runs').addColumn(column, 'text').execute(),
    },
  });

  it('S6: keeps the ledger as it was before its first migration', async () => {
    await told();
    expect(await backUpBeforeUpgrade(data())).toBeNull();
    const kept = await backUpBeforeUpgrade(data(), later('later'));
    expect(kept).toBe(join(data(), 'backups', 'before-9998-later.tar.gz'));
    // Tried again after a failure: the newest one stays.
    expect(await backUpBeforeUpgrade(data(), later('later'))).toBe(kept);
    expect(readdirSync(join(data(), 'backups'))).toEqual(['before-9998-later.tar.gz']);
    cpSync(kept ?? '', at('backup'));
    await restored(NOBODY, { keys: join(data(), 'keys') });
    expect(await accepted(at('again'))).toEqual([]);
  });

  it('S6: is tried on a copy, which says what would stop it and touches nothing', async () => {
    await told();
    const before = readFileSync(join(data(), 'ledger.db'));
    expect(await tryMigrations(data())).toEqual([]);
    expect(await tryMigrations(data(), later('later'))).toEqual(['9998-later']);
    expect(await saysOf(tryMigrations(data(), later('run_id')))).toContain(
      'could not be brought to the newest schema (migration 9998-later)',
    );
    expect(readFileSync(join(data(), 'ledger.db'))).toEqual(before);
    expect(left(data()).filter((name) => name.includes('tmp'))).toEqual([]);
    const db = new Database(join(data(), 'ledger.db'));
    db.exec("insert into kysely_migration values ('9999-later', '2030-01-01')");
    db.close();
    await made();
    expect(await saysOf(restored())).toContain('by a newer version of agentpr (migration 9999-later)');
  });
});
