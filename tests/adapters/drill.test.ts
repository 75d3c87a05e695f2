/** A restore drill with the newest backup of a folder. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drillRestore } from '../../cli/backup-commands.ts';
import { makeBackup } from '../../db/backup/backup.ts';
import { temporaryDirectory } from '../support/ledger.ts';
import { writeLedger } from '../support/told-ledger.ts';

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => void (place = temporaryDirectory()));
afterEach(() => place.remove());

it('S6: tries the newest file of a folder, and says of a folder without one that there is none', async () => {
  const [dataDir, folder] = [join(place.dir, 'data'), join(place.dir, 'backups')];
  for (const dir of [dataDir, folder]) mkdirSync(dir, { mode: 0o700 });
  await expect(drillRestore(folder, {})).rejects.toThrow('There is no backup in');
  await writeLedger(dataDir);
  const file = join(folder, 'monday');
  const parts = { dataDir, file, to: { kind: 'plain' }, keys: true, version: 'a test' } as const;
  await makeBackup({ ...parts, now: 1_700_000_000_000 });
  const older = join(folder, 'sunday');
  writeFileSync(older, 'no backup at all');
  utimesSync(older, 1, 1);
  const tried = await drillRestore(folder, {});
  expect(tried).toMatchObject({ file, at: '2023-11-14T22:13:20.000Z', replayed: { findings: [] } });
  expect(tried.replayed.runs).toBeGreaterThan(0);
  // The newest one counts, also when it is the bad one.
  utimesSync(older, 4_000_000_000, 4_000_000_000);
  await expect(drillRestore(folder, {})).rejects.toThrow();
});
