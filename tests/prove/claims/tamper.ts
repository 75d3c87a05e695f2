/** L5: replay or `audit verify` finds any changed byte, and added, removed or swapped rows. */
import { execFileSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { finishRest, tellStory, TO_REVIEW } from '../../../bench/story.ts';
import { verifyAuditExport } from '../../../cli/audit-commands.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { createQueries } from '../../../db/ledger/ledger-queries.ts';
import { createRowMac } from '../../../db/integrity/row-mac.ts';
import { createSqliteStore } from '../../../db/sql/sqlite-store.ts';
import { replayRuns } from '../../../orchestrator/audit/replay.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { TOLD_KEY, writeLedger } from '../../support/told-ledger.ts';
import { timed, type Claim, type Play } from '../claim.ts';
import { BOOKKEEPING, createDeeds, rowsOf, UNSEEN, type Rows } from '../meddle.ts';
import { createRandom, type Random } from '../random.ts';
import { spread } from '../spread.ts';

const bar = { quick: 400, full: 20_000 };
const FROM = 1_700_000_000_000;
const UNNOTICED = 'of what nobody answers for';
/** Every n-th trial changes the export, which is slow to read. */
const EXPORT = 10;
const key = createSecretKey(TOLD_KEY);

/** A ledger with rows in every table that has changed since `before`. */
const fill = async (dir: string): Promise<Rows> => {
  await writeLedger(dir);
  const first = await openLedger({ dataDir: dir, now: () => FROM });
  const run = await tellStory({ ledger: first, from: FROM }, 'waits1', TO_REVIEW.slice(0, 7));
  await first.setUser({ id: '5', name: 'Eve', role: 'admin' }, null);
  await first.setSetting('language:5', 'en');
  await first.close();
  const file = new Database(join(dir, 'ledger.db'));
  const before = rowsOf(file);
  file.close();
  const ledger = await openLedger({ dataDir: dir, now: () => FROM });
  const gone = await tellStory({ ledger, from: FROM }, 'waits1', TO_REVIEW.slice(7), run);
  await finishRest(ledger, gone.lifecycle.updatedAt + 60_000);
  await ledger.setUser({ id: '5', name: 'Eve', role: 'viewer' }, null);
  await ledger.setSetting('language:5', 'zh');
  await ledger.close();
  return before;
};

/** True if the database refuses the change, replay names it, or replay fails. */
const isFound = async (
  db: Database.Database,
  apply: (db: Database.Database) => void,
  judge: () => Promise<{ findings: unknown[] }>,
): Promise<boolean> => {
  db.exec('begin');
  try {
    apply(db);
    return (await judge()).findings.length > 0;
  } catch {
    // Unreadable rows, and violations of the schema, count as found.
    return true;
  } finally {
    db.exec('rollback');
  }
};

const createExport = (dir: string) => {
  const [whole, changed] = [join(dir, 'whole.jsonl'), join(dir, 'changed.jsonl')];
  const command = [join(import.meta.dirname, '../../../cli/agentpr.js'), 'audit', 'export'];
  execFileSync(process.execPath, [...command, '--data', dir, '--output', whole]);
  const bytes = readFileSync(whole);
  const found = async (file: string): Promise<boolean> => {
    try {
      const audited = await verifyAuditExport(file, key);
      await audited.close();
      return audited.findings.length > 0;
    } catch {
      return true;
    }
  };
  return {
    clean: async () => !(await found(whole)),
    byte: async (random: Random): Promise<{ at: number; found: boolean }> => {
      // The final newline is left alone, because a file without it is equivalent.
      const at = random.int(bytes.length - 1);
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ (1 << random.int(7));
      writeFileSync(changed, other);
      return { at, found: await found(changed) };
    },
  };
};

export const play: Play = async ({ seed, from, count }, progress) => {
  const { dir, remove } = temporaryDirectory();
  try {
    const before = await fill(dir);
    const exported = createExport(dir);
    const copy = join(dir, 'tampered.db');
    copyFileSync(join(dir, 'ledger.db'), copy);
    const db = new Database(copy);
    for (const log of ['events', 'installation_events'])
      for (const verb of ['update', 'delete']) db.exec(`drop trigger ${log}_no_${verb}`);
    db.pragma('foreign_keys = OFF');
    const store = createSqliteStore(db);
    const query = createQueries(store.builder, store.read, createRowMac(key));
    const deed = createDeeds(before, rowsOf(db));
    const violations: string[] = [];
    const violate = (what: string): void => void violations.push(`--only tamper --seed ${seed}: ${what}`);
    const facts: Record<string, number> = {};
    const clean = await replayRuns({ query });
    for (const f of clean.findings) violate(`without any change: ${f.says}`);
    if (!(await exported.clean())) violate('an export that nobody changed is not taken for whole');
    for (let i = from; i < from + count; i += 1) {
      const random = createRandom(seed * 1_000_003 + i);
      if (i % EXPORT === 0) {
        const { at, found } = await exported.byte(random);
        facts['a byte of an export'] = (facts['a byte of an export'] ?? 0) + 1;
        if (!found) violate(`nobody noticed that byte ${at} of an export changed`);
        continue;
      }
      const { what, place, mayHide, apply } = deed(i, random);
      const found = await isFound(db, apply, () => replayRuns({ query }));
      if (!found && !mayHide) violate(`nobody noticed: ${what}`);
      const told = place.includes('.') ? 'a byte of a row' : place;
      const kind = found ? told : UNNOTICED;
      facts[kind] = (facts[kind] ?? 0) + 1;
      if (i % 50 === 0) progress(i - from);
    }
    db.close();
    return { trials: count, violations, facts };
  } finally {
    remove();
  }
};

export const tamper: Claim = {
  name: 'tamper',
  says: 'a byte of any cell, a row gone, put in, moved or put back, a byte of an export: it is found',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('tamper', { bar }, options);
      const list = Object.entries(facts)
        .map(([what, n]) => `${n} × ${what}`)
        .join(', ');
      const columns = Object.entries(UNSEEN).flatMap(([table, of]) => of.map((c) => `${table}.${c}`));
      const silent = [...BOOKKEEPING, ...columns].join(' ');
      return {
        trials,
        violations,
        note: `${list}; nobody answers for: ${silent}, past effects that reached nobody outside, and answers that went`,
      };
    }),
};
