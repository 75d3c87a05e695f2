/** What earlier versions recorded is taken over, still replays, and goes on; see docs/decisions/0006. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger, openReader } from '../../db/open.ts';
import { replay } from '../../orchestrator/replay.ts';
import { createSubmit } from '../../orchestrator/submit.ts';
import { temporaryDirectory } from '../support/ledger.ts';
import { writeLedger, writeOldLedger } from '../support/old-ledger.ts';

let place: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  place = temporaryDirectory();
});
afterEach(() => place.remove());
const raw = (sql: string): void => {
  const db = new Database(join(place.dir, 'ledger.db'));
  db.exec(sql);
  db.close();
};
const judged = async () => {
  const reader = openReader(place.dir);
  const said = await replay(reader);
  await reader.close();
  return said;
};

it('L5: the ledger of the first schema is taken over whole, and every run of it replays', async () => {
  await writeLedger(place.dir);
  expect(await judged()).toEqual({ runs: 4, events: 44, findings: [] });
});

it.each([
  ['v2-1', { runs: 3, events: 75, findings: [] }],
  ['v2-2', { runs: 1, events: 29, findings: [] }],
  ['v2-3', { runs: 1, events: 19, findings: [] }],
] as const)(
  'L5: every run of a ledger with marks (%s) replays as it was recorded',
  async (version, whole) => {
    writeOldLedger(place.dir, version);
    expect(await judged()).toEqual(whole);
    const ledger = await openLedger({ dataDir: place.dir, now: () => 0 });
    await ledger.close();
    expect(await judged()).toEqual(whole);
  },
);

it('L5: a run that an earlier version began goes on, and replays', async () => {
  await writeLedger(place.dir);
  const ledger = await openLedger({ dataDir: place.dir, now: () => 0 });
  let now = 1_800_000_000_000;
  const ids = { runId: () => 'r', nonce: () => `nonce${now}` };
  const submit = createSubmit({ ledger, clock: { now: () => (now += 1) }, ids });
  const by = { id: 1, name: 'Ana' };
  for (const input of [
    { type: 'command.pause' as const, by },
    { type: 'command.resume' as const, by, target: null },
    { type: 'command.cancel' as const, by, reason: 'enough' },
  ]) {
    const said = await submit({ runId: 'fixed', input, key: `cli:${now}`, cause: { kind: 'none' } });
    expect(said).toMatchObject({ kind: 'written' });
  }
  await ledger.close();
  expect((await judged()).findings).toEqual([]);
});

it('L5: a head that was forged before the take-over is found after it', async () => {
  writeOldLedger(place.dir, 'v1');
  raw(
    "update run_states set fold_json = replace(fold_json, 'CI_WAIT', 'REVIEW_WAIT') where run_id = 'fixed'",
  );
  await openLedger({ dataDir: place.dir, now: () => 0 }).then((l) => l.close());
  expect((await judged()).findings.map((f) => f.says)).toContain('the signature of the head is wrong');
});

it('L5: books that were taken away are not made anew', async () => {
  await writeLedger(place.dir);
  raw('delete from books');
  await expect(openLedger({ dataDir: place.dir, now: () => 0 })).rejects.toThrow(
    'The ledger’s books are gone',
  );
  raw('drop table books');
  await expect(openLedger({ dataDir: place.dir, now: () => 0 })).rejects.toThrow();
});

it('S4: a message that was handled before the take-over cannot be put back after it', async () => {
  writeOldLedger(place.dir, 'v1');
  const told = (key: string, state: string): string =>
    `insert into inbox (source, key, body, state, tries, received_at) values ('telegram', '${key}', '{}', '${state}', 0, 1);`;
  raw(told('100', 'done') + told('101', 'new'));
  const ledger = await openLedger({ dataDir: place.dir, now: () => 0 });
  expect((await ledger.inbox(9)).map((row) => row.key)).toEqual(['101']);
  await ledger.close();
  raw("update inbox set state = 'new' where key = '100'");
  const after = await openLedger({ dataDir: place.dir, now: () => 0 });
  expect((await after.inbox(9)).map((row) => row.key)).toEqual(['101']);
  await after.close();
});
