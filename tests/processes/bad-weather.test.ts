/**
 * Bad weather for real: broken pages and rows, killed migrations, clocks that jump, full and
 * read-only disks, other users.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, openSync, closeSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedger, checkStoredLedger } from '../../db/directory/open-ledger.ts';
import { createWitnessFile } from '../../db/directory/open-anchor.ts';
import { openReader } from '../../db/directory/open-reader.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { removeExpired } from '../../app/background-jobs.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { observe, temporaryDirectory, tell, wake, work, write } from '../support/ledger.ts';
import { writeLedger } from '../support/told-ledger.ts';

const VICTIM = join(import.meta.dirname, '../support/weather-victim.ts');
const DAY = 86_400_000;

type Said = { opened?: boolean; refused?: string; ddl?: number };
/** Opens a ledger in another process; it is held until `release`. */
const opens = (dir: string, { dieAt, uid }: { dieAt?: number; uid?: number } = {}) => {
  const argv = [VICTIM, dir, ...(dieAt === undefined ? [] : [String(dieAt)])];
  const child = spawn(process.execPath, argv, {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close');
  return {
    opened: async (): Promise<Said> => {
      if (out === '') await Promise.race([once(child.stdout, 'data'), ended]);
      return said(out, err);
    },
    release: () => void child.stdin.end(),
    ended: async (): Promise<Said & { signal: NodeJS.Signals | null }> => {
      child.stdin.end();
      await ended;
      return { ...said(out, child.signalCode ? '' : err), signal: child.signalCode };
    },
  };
};
const said = (out: string, err: string): Said => {
  if (out === '' && err !== '') throw new Error(err);
  return out === '' ? {} : (JSON.parse(out) as Said);
};

let place: ReturnType<typeof temporaryDirectory>;
let opened: Ledger[] = [];
const open = async (dataDir = place.dir, now: () => number = () => 0): Promise<Ledger> => {
  const ledger = await openLedger({ dataDir, now });
  opened.push(ledger);
  return ledger;
};
const close = async (): Promise<void> => {
  for (const ledger of opened.splice(0)) await ledger.close();
};
beforeEach(() => {
  place = temporaryDirectory();
  opened = [];
});
afterEach(async () => {
  try {
    await close();
  } finally {
    place.remove();
  }
});
const findings = async (dir = place.dir): Promise<string[]> => {
  const reader = openReader(dir);
  try {
    return (await replayRuns(reader)).findings.map((f) => f.says);
  } finally {
    await reader.close();
  }
};

describe('damage', () => {
  it.each([
    ['is empty', (file: string) => truncateSync(file)],
    ['is gone', (file: string) => rmSync(file)],
  ])('L6: a ledger that %s is not taken for a new one until a person agrees', async (_, lose) => {
    await writeLedger(place.dir);
    lose(join(place.dir, 'ledger.db'));
    const sentence = 'is gone or empty, and there was one here. Restore it from a backup';
    await expect(open()).rejects.toThrow(sentence);
    expect(checkStoredLedger(place.dir)?.message).toContain(sentence);
    rmSync(join(place.dir, 'keys/ledger.anchor'));
    expect(checkStoredLedger(place.dir)).toBeNull();
    expect((await write(await open(), 'r1')).kind).toBe('written');
  });

  it('L5: a broken row stops its run with a sentence, and no other', async () => {
    await writeLedger(place.dir);
    const db = new Database(join(place.dir, 'ledger.db'));
    db.exec(
      "update run_records set body_json = substr(body_json, 1, 50) where run_id = 'fixed' and record = 'gate'",
    );
    db.close();
    const ledger = await open();
    const step = (runId: string) =>
      ledger.step({
        runId,
        key: 'k',
        cause: { kind: 'none' },
        now: 1,
        plan: () => ({ kind: 'ignored', reason: 'nothing new', replies: [] }),
      });
    await expect(step('fixed')).rejects.toThrow('The stored state of run fixed was changed');
    expect(await step('merged')).toMatchObject({ kind: 'ignored' });
    await expect(ledger.query.run('fixed')).rejects.toThrow('The stored state of run fixed was changed');
    const listed = (await ledger.query.runs({ live: false, limit: 9 })).map(({ id }) => id);
    expect(listed).toHaveLength(3);
    expect(listed).not.toContain('fixed');
    expect(await findings()).toContain('the signature of the head is wrong');
  });
});

it('L3: a delivery that is no JSON any more keeps nothing else from being handled', async () => {
  const ledger = await open();
  await ledger.receive([{ source: 'forge', key: 'd1', body: { a: 1 } }], 1);
  await ledger.receive([{ source: 'chat', key: 'u1', body: { b: 2 } }], 1);
  await close();
  const db = new Database(join(place.dir, 'ledger.db'));
  db.exec("update inbox set body = substr(body, 2) where key = 'd1'");
  db.close();
  const again = await open();
  expect((await again.inbox(9)).map(({ key }) => key)).toEqual(['u1']);
  expect(await again.query.incoming(1)).toMatchObject({ state: 'dead' });
});

describe('a clock', () => {
  const T = 1_800_000_000_000;
  const claimAt = (ledger: Ledger, now: number): Promise<ClaimedEffect[]> =>
    ledger.claim({ now, leaseMs: 60_000, limit: 9 });

  it('L4, L6: that jumps forward by days fences what was under way, and gives it out once more', async () => {
    const ledger = await open(place.dir, () => T);
    await write(ledger, 'r1', { now: T, effects: [work('remove_workspace', T), observe(T + 1_000)] });
    const [first] = await claimAt(ledger, T);
    const later = await claimAt(ledger, T + 3 * DAY);
    expect(later.map((c) => [c.do.kind, c.tries])).toEqual([
      ['remove_workspace', 2],
      ['poll', 1],
    ]);
    expect(first && (await ledger.finish(first, { kind: 'done', result: null }, T + 3 * DAY))).toBe(false);
    for (const claim of later)
      expect(await ledger.finish(claim, { kind: 'done', result: null }, T + 3 * DAY)).toBe(true);
    expect(await claimAt(ledger, T + 4 * DAY)).toEqual([]);
    expect((await ledger.query.effects({ state: 'done' })).length).toBe(2);
  });

  it('S6: that is put back by days lets nothing wait for days, and does nothing twice', async () => {
    const ledger = await open(place.dir, () => T);
    await write(ledger, 'r1', {
      now: T,
      effects: [work('remove_workspace', T), wake(T + 60_000), tell('hello', { dueAt: T + 5_000 })],
    });
    const [held] = await claimAt(ledger, T);
    expect(held?.do.kind).toBe('remove_workspace');
    const back = T - 3 * DAY;
    expect(await claimAt(ledger, back)).toEqual([]);
    expect(await ledger.nextDue()).toBe(back + 5_000);
    expect((await claimAt(ledger, back + 5_000)).map((c) => c.do.kind)).toEqual(['chat_message']);
    expect((await claimAt(ledger, back + 60_000)).map((c) => c.do.kind)).toEqual(['offer_input']);
    expect(held && (await ledger.finish(held, { kind: 'done', result: null }, back + 60_000))).toBe(true);
    // A correction by seconds moves nothing.
    await write(ledger, 'r2', { now: back + 70_000, effects: [wake(back + 90_000)] });
    await claimAt(ledger, back + 71_500);
    expect(await claimAt(ledger, back + 40_000)).toEqual([]);
    expect(await ledger.nextDue()).toBe(back + 90_000);
  });

  it('S6, L6: that was put back while agentpr was stopped is noticed at the start', async () => {
    const before = await open(place.dir, () => T);
    await before.recover(T);
    await write(before, 'r1', { now: T, effects: [wake(T + 60_000)] });
    await close();
    const ledger = await open(place.dir, () => T - DAY);
    await ledger.recover(T - DAY);
    expect(await ledger.nextDue()).toBe(T - DAY + 60_000);
    await close();
    expect((await findings()).filter((says) => !says.includes('test.created'))).toEqual([]);
  });
});

/** A disk of its own that a test may fill. */
const smallDisk = (dir: string, megabytes: number): { remove(): void } | null => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', dir], {
      stdio: 'ignore',
    });
    return { remove: () => void execFileSync('umount', [dir]) };
  } catch {
    return null;
  }
};

describe('a full disk', () => {
  it('L3, L8: acknowledges nothing that it did not store, keeps room for people, and recovers', async (context) => {
    const disk = smallDisk(place.dir, 40);
    if (!disk) return context.skip('no disk of our own can be mounted here');
    try {
      const clock = { now: () => 1_000 };
      const ledger = await open();
      await removeExpired(ledger, clock);
      expect(statSync(join(place.dir, 'reserve')).size).toBe(8 * 2 ** 20);
      const filler = openSync(join(place.dir, 'filler'), 'w');
      const stuff = Buffer.alloc(4_096, 1);
      const fill = (): void => {
        try {
          for (;;) writeSync(filler, stuff);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      };
      fill();
      const acknowledged: string[] = [];
      const gives = (source: 'chat' | 'forge', key: string): Promise<string> =>
        ledger.receive([{ source, key, body: 'x'.repeat(20_000) }], 1).then(
          () => {
            acknowledged.push(key);
            return 'stored';
          },
          (error: Error) => error.message,
        );
      let refused = 'stored';
      for (let i = 0; refused === 'stored'; i += 1) refused = await gives('chat', `u${i}`);
      expect(refused).toContain('The disk of the data directory is full');
      // The reserve was given up for what people send, and for nothing else.
      expect(existsSync(join(place.dir, 'reserve'))).toBe(false);
      expect(await gives('chat', 'a tap')).toBe('stored');
      expect(await gives('forge', 'a delivery')).toContain('is full');
      expect(await write(ledger, 'r1', { effects: [tell('done')] })).toMatchObject({ kind: 'written' });
      await expect(ledger.artifact({ runId: 'r1', type: 'diff', content: 'x', at: 1 })).rejects.toThrow(
        'is full',
      );
      await removeExpired(ledger, clock);
      expect(existsSync(join(place.dir, 'reserve')), 'no room for it yet').toBe(false);
      closeSync(filler);
      rmSync(join(place.dir, 'filler'));
      await removeExpired(ledger, clock);
      expect(statSync(join(place.dir, 'reserve')).size).toBe(8 * 2 ** 20);
      expect(await gives('forge', 'a delivery')).toBe('stored');
      await close();
      const again = await open();
      expect((await again.inbox(9_999)).map((row) => row.key).sort()).toEqual(acknowledged.sort());
      await close();
      expect(checkStoredLedger(place.dir)).toBeNull();
    } finally {
      await close();
      disk.remove();
    }
  });
});

describe('a data directory', () => {
  it('L6: is held by one process at a time, and free again when that one was killed', async () => {
    const first = opens(place.dir);
    expect(await first.opened()).toMatchObject({ opened: true });
    const second = await opens(place.dir).ended();
    expect(second.refused).toMatch(/^Another agentpr \(pid \d+\) is using .* Stop it first/);
    expect(await first.ended()).toMatchObject({ opened: true });
    expect((await opens(place.dir).ended()).opened).toBe(true);
  });

  it('L5: that was put back whole, with its keys, is known by what lies beside it', async () => {
    const [dir, copy] = [join(place.dir, 'data'), join(place.dir, 'copy')];
    const now = async (act: (ledger: Ledger) => Promise<unknown>): Promise<void> => {
      const ledger = await open(dir);
      createWitnessFile(dir);
      await act(ledger);
      await close();
    };
    await now((ledger) => ledger.setSetting('a', '1'));
    cpSync(dir, copy, { recursive: true });
    await now((ledger) => ledger.setSetting('b', '1'));
    expect(await findings(dir)).toEqual([]);
    rmSync(dir, { recursive: true });
    cpSync(copy, dir, { recursive: true });
    expect(await findings(dir)).toMatchObject([expect.stringContaining('installation 1 is an older copy')]);
    await now(async (ledger) => {
      expect(await ledger.rollback()).toBe('older');
      await ledger.acceptRollback({ id: '7', name: 'Ana' });
      expect(await ledger.rollback()).toBeNull();
    });
    expect(await findings(dir)).toEqual([]);
  });

  it('L5: that got an older copy of its ledger back says so until somebody accepts it, and that is an event', async () => {
    await writeLedger(place.dir);
    const [file, copy] = [join(place.dir, 'ledger.db'), join(place.dir, 'copy')];
    cpSync(file, copy);
    const ledger = await open();
    for (const name of ['a', 'b', 'c']) await ledger.setSetting(name, '1');
    await close();
    expect(await findings()).toEqual([]);
    cpSync(copy, file);
    expect(await findings()).toMatchObject([expect.stringContaining('installation 1 is an older copy')]);
    const again = await open();
    expect(await again.rollback()).toBe('older');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await again.setSetting(name, '1');
    await removeExpired(again, { now: () => 1 });
    await close();
    // It has come further than the one that was lost, and is still not that one.
    expect(await findings()).toMatchObject([expect.stringContaining('installation 1 is an older copy')]);
    rmSync(join(place.dir, 'keys/ledger.anchor'));
    expect(await findings()).toMatchObject([
      expect.stringContaining('installation 1 has no anchor beside its key'),
    ]);
    const accepted = await open();
    await accepted.acceptRollback({ id: '7', name: 'Ana' });
    expect(await accepted.rollback()).toBeNull();
    await close();
    expect(await findings()).toEqual([]);
    const db = new Database(file, { readonly: true });
    const body = db
      .prepare("select body_json from installation_events where type = 'checkpoint.accepted'")
      .pluck();
    expect(JSON.parse(String(body.get()))).toEqual({ rollback: 'missing', by: { id: '7', name: 'Ana' } });
    db.close();
  });
});
