/**
 * S9: sentences are for people alone: when every one of them is put otherwise, the same is decided,
 * stored and judged.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { replayRuns, type ReplayResult } from '../../orchestrator/audit/replay.ts';
import { reasonOf } from '../support/english.ts';
import { temporaryDirectory } from '../support/ledger.ts';
import { writeLedger } from '../support/told-ledger.ts';

const { dir: data, remove } = temporaryDirectory();
afterAll(remove);

/** What a ledger holds of its runs, and what replay says of it. */
const look = async (dir: string): Promise<{ rows: unknown; judged: ReplayResult; said: string[] }> => {
  const db = new Database(join(dir, 'ledger.db'), { readonly: true });
  const rows = ['events', 'run_states', 'run_records', 'approvals', 'approval_signatures'].map((table) =>
    db.prepare(`select * from ${table} order by 1, 2`).all(),
  );
  db.close();
  const ledger = await openLedger({ dataDir: dir, now: () => 1_800_000_000_000 });
  const judged = await replayRuns(ledger);
  const runs = await ledger.query.runs({ live: false, limit: 9 });
  await ledger.close();
  return { rows, judged, said: runs.map(reasonOf) };
};

/** Puts every sentence of a table otherwise, however deep it lies. */
const shown = { enumerable: true, configurable: true, writable: true };
const undo: (() => void)[] = [];
const reword = (table: Record<string, unknown>): void => {
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === 'object' && value !== null) reword(value as Record<string, unknown>);
    else {
      const before = Object.getOwnPropertyDescriptor(table, key) ?? {};
      undo.push(() => Object.defineProperty(table, key, before));
      const otherwise = typeof value === 'function' ? () => 'Put otherwise.' : 'Put otherwise.';
      Object.defineProperty(table, key, { ...shown, value: otherwise });
    }
  }
};
afterAll(() => {
  for (const back of undo.reverse()) back();
});

it('S9: rewording every sentence changes no verdict of replay, no state and no stored byte', async () => {
  const [before, after] = [join(data, 'before'), join(data, 'after')];
  await writeLedger(before);
  const told = await look(before);
  expect(told.judged).toMatchObject({ runs: 4, findings: [] });
  expect(told.said).toContain('Merged by maintainer.');

  for (const words of Object.values(LANGUAGE_TEXTS)) reword(words);
  const again = await look(before);
  expect(again.said.every((says) => says === 'Put otherwise.')).toBe(true);
  expect({ ...again, said: told.said }).toEqual(told);

  await writeLedger(after);
  expect((await look(after)).rows).toEqual(told.rows);
});
