/**
 * L6: a real process is killed at moments that nobody chose; whatever it had promised is there
 * afterwards.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBrokenLink } from '../../../db/integrity/hash-chain.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { temporaryDirectory, tell, wake, write } from '../../support/ledger.ts';

type Said = { received?: number; runId?: string; version?: number; key?: string; done?: number };
const VICTIM = join(import.meta.dirname, '../../support/ledger-victim.ts');

/** Runs the victim until it has kept `promises`, kills it, and gives everything it said. */
const runAndKill = async (dir: string, promises: number): Promise<Said[]> => {
  const child = spawn(process.execPath, [VICTIM, dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const said: Said[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut off by the kill: then nobody heard the promise.
    if (line.endsWith('}')) said.push(JSON.parse(line) as Said);
    if (said.length === promises) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.signalCode !== 'SIGKILL') throw new Error(`the victim ended by itself: ${stderr}`);
  return said;
};

type Logged = { run_id: string; seq: number; state_after: string; idempotency_key: string };

/** The whole database, read without any code of ours. */
const readAll = (dir: string) => {
  const db = new Database(join(dir, 'ledger.db'), { readonly: true });
  try {
    const events = db
      .prepare(
        `select run_id, seq, idempotency_key, state_after, run_id as runId, event_type as type, idempotency_key as key,
          payload_json as payload, state_after as stateAfter, created_at as at, hash
         from events order by run_id, seq`,
      )
      .all() as (Logged & Parameters<typeof findBrokenLink>[0][number])[];
    const ids = (sql: string): Set<number> => new Set(db.prepare(sql).pluck().all() as number[]);
    return {
      events,
      effects: ids('select n from effects'),
      done: ids("select n from effects where state = 'done'"),
      inbox: ids('select id from inbox'),
      counted: db.prepare("select sum(n) from state_counts where scope = 'inbox'").pluck().get(),
      intact: db.pragma('integrity_check', { simple: true }),
    };
  } finally {
    db.close();
  }
};

const check = async (dir: string): Promise<ReturnType<typeof readAll>> => {
  const ledger = await openLedger({ dataDir: dir, now: () => 0 });
  const heads = await ledger.query.heads();
  await ledger.close();
  const found = readAll(dir);
  expect(found.intact).toBe('ok');
  expect(found.counted ?? 0).toBe(found.inbox.size);
  for (const head of heads) {
    const events = found.events.filter((e) => e.runId === head.run.id);
    expect(head.macValid).toBe(true);
    expect(head.run.lifecycle.version).toBe(head.seq);
    expect(findBrokenLink(events, head)).toBeNull();
  }
  expect(found.events.length).toBe(heads.reduce((sum, h) => sum + h.seq, 0));
  return found;
};

describe('a killed ledger', () => {
  let place: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    place = temporaryDirectory();
  });
  afterEach(() => place.remove());

  it('L3, L6: SIGKILL at random moments loses nothing that was acknowledged', async () => {
    const promised: Said[] = [];
    for (let trial = 0; trial < 12; trial += 1) {
      const promises = 2 + Math.floor(Math.random() * 120);
      promised.push(...(await runAndKill(place.dir, promises)));
      const found = await check(place.dir);
      const steps = new Set(found.events.map((e) => `${e.run_id} ${e.seq} ${e.idempotency_key}`));
      for (const { received, runId, version, key, done } of promised) {
        if (received !== undefined) expect(found.inbox).toContain(received);
        if (runId !== undefined) expect(steps).toContain(`${runId} ${version} ${key}`);
        if (done !== undefined) expect(found.done).toContain(done);
      }
    }
    expect(promised.length).toBeGreaterThan(50);
  });

  it('L2, L6: whatever frame the journal is cut at, every run is whole', async () => {
    const source = join(place.dir, 'source');
    // Closing moves the schema out of the journal, which then holds nothing but what follows.
    await openLedger({ dataDir: source, now: () => 0 }).then((l) => l.close());
    const ledger = await openLedger({ dataDir: source, now: () => 0 });
    const [row] = await ledger.receive([{ source: 'cli', key: 'k', body: 'b' }], 1);
    const cause = { kind: 'inbox' as const, id: row?.id ?? -1 };
    for (let i = 0; i < 4; i += 1) {
      const effects = [tell('hello', { slot: 's' }), wake(i)];
      await write(ledger, i % 2 ? 'r1' : 'r2', { effects, ...(i === 2 ? { cause } : {}) });
    }
    const [page, walHeader, frameHeader] = [8_192, 32, 24];
    const wal = readFileSync(join(source, 'ledger.db-wal'));
    const frames = Math.floor((wal.length - walHeader) / (page + frameHeader));
    expect(frames).toBeGreaterThan(10);
    let versions = -1;
    for (let n = 0; n <= frames; n += 1) {
      const dir = join(place.dir, `cut${n}`);
      const copy = await openLedger({ dataDir: dir, now: () => 0 });
      await copy.close();
      for (const name of ['ledger.db', 'keys/ledger.key']) copyFileSync(join(source, name), join(dir, name));
      writeFileSync(join(dir, 'ledger.db-wal'), wal.subarray(0, walHeader + n * (page + frameHeader)));
      const found = await check(dir);
      expect(found.events.length).toBeGreaterThanOrEqual(versions);
      expect(found.effects.size).toBe(found.events.length * 2);
      versions = found.events.length;
    }
    expect(versions).toBe(4);
    await ledger.close();
  });
});
