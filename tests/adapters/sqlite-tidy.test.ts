/** L8: what nobody needs any more goes in small steps, and nothing that counts goes with it. */
import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger, openStore } from '../../db/directory/open-ledger.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { createStatementDefiner } from '../../db/sql/statements.ts';
import { createRowMac } from '../../db/integrity/row-mac.ts';
import { createTableWriters } from '../../db/ledger/row-tables.ts';
import { createRetention, MAX_ROOMY_LEDGER_BYTES } from '../../db/ledger/retention.ts';
import type { Ledger } from '#ports/ledger';
import { removeExpired } from '../../app/background-jobs.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { enter, temporaryDirectory, write } from '../support/ledger.ts';

const DAY = 86_400_000;
const T = 1_800_000_000_000;
let ledger: Ledger;
let place: ReturnType<typeof temporaryDirectory>;
beforeEach(async () => {
  place = temporaryDirectory();
  ledger = await openLedger({ dataDir: place.dir, now: () => T });
});
afterEach(async () => {
  await ledger.close();
  place.remove();
});

const ended = {
  exitCode: 0,
  outcome: 'passed',
  ms: 1,
  stdout: 'out',
  stderr: 'err',
  containment: null,
  model: null,
};
const ran = async (runId: string, at: number): Promise<void> => {
  await write(ledger, runId, { now: at });
  const asked = {
    engine: null,
    model: null,
    promptHash: null,
    baseSha: null,
    containment: null,
    pid: null,
    pidStart: null,
  };
  const id = await ledger.attempt.start({ runId, step: 'agent', command: 'x', startedAt: at, ...asked });
  await ledger.attempt.end(id, ended);
  await ledger.artifact({ runId, type: 'diff', content: `diff of ${runId}`, at });
  await ledger.turn({ runId, seq: 1, attempt: id, at, ended: true, facts: '{}', texts: '{"a":"b"}' });
};
const kept = async (runId: string): Promise<unknown[]> => {
  const [attempt] = await ledger.query.attempts(runId);
  const diff = await ledger.query.artifact(runId, `sha256:${hash('sha256', `diff of ${runId}`)}`);
  const [turn] = await ledger.query.turns(runId);
  expect(turn?.fault).toBeNull();
  return [attempt?.stdout, attempt?.stderr, diff?.content, turn?.texts];
};

describe('housekeeping', () => {
  it('L8: forgets what was handled a week ago, a little at a time, and keeps what waits', async () => {
    const keys = Array.from({ length: 450 }, (_, i) => ({
      source: 'forge' as const,
      key: `g${i}`,
      body: 1,
    }));
    const rows = await ledger.receive([...keys, { source: 'chat', key: 'waits', body: 1 }], T);
    const done = { kind: 'done', note: 'so', replies: [] } as const;
    await Promise.all(rows.slice(0, 440).map((r) => ledger.settleInbox(r.id, done, T)));
    await Promise.all(rows.slice(440, 450).map((r) => ledger.settleInbox(r.id, done, T + DAY)));
    expect(await ledger.tidy(T + 7 * DAY)).toBe(false);
    expect(await ledger.query.inboxCounts()).toEqual({ done: 450, new: 1 });
    expect(await ledger.tidy(T + 7 * DAY + 1)).toBe(true);
    expect(await ledger.query.inboxCounts()).toEqual({ done: 250, new: 1 });
    await removeExpired(ledger, { now: () => T + 7 * DAY + 1 });
    expect(await ledger.query.inboxCounts()).toEqual({ done: 10, new: 1 });
    expect(await ledger.inbox(9)).toMatchObject([{ key: 'waits' }]);
  });

  it('L8: drops the logs and artifacts of runs that ended a month ago, and their rows stay', async () => {
    await ran('old', T);
    await enter(ledger, 'old', 'DONE', { now: T });
    await ran('young', T);
    await enter(ledger, 'young', 'DONE', { now: T + 20 * DAY });
    await ran('live', T);
    await removeExpired(ledger, { now: () => T + 31 * DAY });
    expect(await kept('old')).toEqual([null, null, undefined, '']);
    expect(await kept('young')).toEqual(['out', 'err', 'diff of young', '{"a":"b"}']);
    expect(await kept('live')).toEqual(['out', 'err', 'diff of live', '{"a":"b"}']);
    await removeExpired(ledger, { now: () => T + 51 * DAY });
    expect(await kept('young')).toEqual([null, null, undefined, '']);
    // What went, went by us: nothing is found but that these tests’ events are no inputs.
    const { findings } = await replayRuns(ledger);
    const theirs = findings.filter((f) => f.says !== 'turn 1 is no record of a turn');
    expect(theirs.filter((f) => f.verdict === 'signatures')).toEqual([]);
  });

  it('L8: keeps them for a day only when the database is very large', async () => {
    const { store, key } = await openStore({ dataDir: ':memory:' });
    const disk = ledger;
    ledger = createLedger({ store, key, boot: 'b', now: () => T });
    await ran('old', T);
    await enter(ledger, 'old', 'DONE', { now: T });
    const [define, seal] = [createStatementDefiner(store.builder), createRowMac(key)];
    let size = MAX_ROOMY_LEDGER_BYTES;
    const tidying = createRetention(define, createTableWriters(define, seal));
    const some = (now: number) => store.transact(tidying.removeSome(now, size));
    await some(T + 2 * DAY);
    expect(await kept('old')).toEqual(['out', 'err', 'diff of old', '{"a":"b"}']);
    size += 1;
    await some(T + 2 * DAY);
    expect(await kept('old')).toEqual([null, null, undefined, '']);
    await ledger.close();
    ledger = disk;
  });
});
