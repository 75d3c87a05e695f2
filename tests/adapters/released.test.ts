/**
 * Ledgers as released versions wrote them, kept as backups in tests/fixtures/ledgers/<version>: this
 * version takes each over, finds it whole, and goes on with it. They are never made anew.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import { restoreBackup } from '../../db/directory/restore-backup.ts';
import { readFileSchemaStanding, tryMigrations } from '../../db/directory/prepare-upgrade.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { temporaryDirectory, write } from '../support/ledger.ts';

const KEPT = join(import.meta.dirname, '../fixtures/ledgers');
const versions = readdirSync(KEPT).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
const ledgers = versions.flatMap((version) =>
  readdirSync(join(KEPT, version)).map((name) => ({ version, name, file: join(KEPT, version, name) })),
);

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place.remove());

const judged = async (): Promise<{ runs: number; findings: string[] }> => {
  const reader = openReader(place.dir, { snapshot: true });
  try {
    const { runs, findings } = await replayRuns(reader);
    return { runs, findings: findings.map(({ says }) => says) };
  } finally {
    await reader.close();
  }
};

it.each(ledgers)(
  'S6: the ledger $name of $version is taken over, replays without a finding, and goes on',
  async ({ name, file }) => {
    const NOBODY = { identities: [], passphrase: null };
    const label = await restoreBackup({ file, dataDir: place.dir, opener: NOBODY });
    const taken = await tryMigrations(place.dir);
    // As every start does.
    const ledger = await openLedger({ dataDir: place.dir, now: () => label.at });
    await ledger.acceptRollback(null);
    const { lacks, foreign } = await readFileSchemaStanding(join(place.dir, 'ledger.db'));
    expect({ lacks, foreign }).toEqual({ lacks: [], foreign: null });
    const folder = readdirSync(place.dir).filter((one) => one === 'backups');
    expect(folder).toHaveLength(taken.length > 0 ? 1 : 0);
    expect(await judged()).toEqual({
      runs: name === 'demo.tar.gz' ? 1 : 4,
      findings: [],
    });
    expect(await write(ledger, 'r-new')).toMatchObject({ kind: 'written' });
    const broken = (await ledger.query.heads()).filter(({ macValid }) => !macValid);
    expect(broken).toEqual([]);
    await ledger.close();
  },
);

it('S6: of every version that was released there is a ledger, and of the one to come', () => {
  const changes = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const named = [...changes.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, version]) => version);
  expect(named.length).toBeGreaterThan(0);
  expect(versions.toSorted()).toEqual(named.toSorted());
});
