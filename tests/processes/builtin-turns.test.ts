/** E9, L5, P4, S7: the turns of the builtin engine as rows: recorded, altered, resumed, asked again. */

import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { createLedger } from '../../db/ledger/ledger.ts';
import { createSqliteStore } from '../../db/sql/sqlite-store.ts';
import { createHidingExecutor } from '../../executors/sandbox/hide-exposed-secrets.ts';
import { foldTurns } from '../../orchestrator/audit/replay-turns.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import type { TurnRecorder } from '#ports/records';
import { call, edit, REPORT } from '../support/builtin-round.ts';
import { createTurnWorld } from '../support/turn-world.ts';

const FIXES = edit('sum.js', 'export const sum = (a, b) => a - b;', 'export const sum = (a, b) => a + b;');
type World = Awaited<ReturnType<typeof createTurnWorld>>;
const STORY = [
  call('read', { path: 'sum.js' }),
  FIXES,
  call('run', { command: 'printf "made\\n" > made.txt' }),
  edit('made.txt', 'made', 'made again'),
  REPORT,
];

describe('L5: a turn that was altered is named', () => {
  const told = async (): Promise<World> => {
    const world = await createTurnWorld();
    world.model.plays(...STORY);
    await world.run();
    return world;
  };

  test('every cell of it, a row that is gone, put in, or put elsewhere', async () => {
    const world = await told();
    const missed: unknown[] = [];
    const store = new Database(world.file);
    store.pragma('wal_checkpoint(TRUNCATE)');
    const rows = store.prepare('select * from turns').all() as Record<string, string | number>[];
    const columns = Object.keys(rows[0] ?? {});
    const key = createSecretKey(readKeyOf(world.file));
    store.pragma('foreign_keys = OFF');
    const judged = async (): Promise<string[]> => {
      const ledger = createLedger({ store: createSqliteStore(store), key, boot: 'x', now: () => 1 });
      const { findings } = await replayRuns({ query: ledger.query });
      return findings.map(({ says }) => says).filter((says) => says.startsWith('turn'));
    };
    expect(await judged()).toEqual([]);
    const nudged = (value: string | number): string | number => {
      if (typeof value === 'number') return value + 1;
      const at = value.length >> 1;
      return value.slice(0, at) + (value[at] === '1' ? '2' : '1') + value.slice(at + 1);
    };
    for (const row of rows)
      for (const column of columns) {
        if (column === 'run_id' || column === 'seq') continue;
        store.prepare(`update turns set ${column} = ? where seq = ?`).run(nudged(row[column] ?? ''), row.seq);
        const says = await judged();
        if (!says.some((one) => new RegExp(`^turn ${row.seq} `).test(one)))
          missed.push([column, row.seq, says]);
        store.prepare(`update turns set ${column} = ? where seq = ?`).run(row[column], row.seq);
      }
    expect(missed).toEqual([]);
    store.exec('begin');
    store.exec('delete from turns where seq = 3');
    expect((await judged()).join()).toContain('turn 4 stands where turn 3 belongs');
    store.exec('rollback');
    store.exec('begin');
    store.exec(
      'update turns set seq = 30 where seq = 3; update turns set seq = 3 where seq = 4; update turns set seq = 4 where seq = 30',
    );
    expect((await judged()).join()).toMatch(/turn 3 is not what was written.*turn 4 is not what was written/);
    store.exec('rollback');
    store.close();
  });

  test('the last turn that is gone is missed by the run’s log', async () => {
    const world = await told();
    const rows = await world.ledger().query.turns('r1');
    const [head] = rows.slice(-1);
    const body = JSON.stringify({
      input: { type: 'worker.implementation.completed', turns: { seq: 5, hash: head?.hash } },
    });
    const events = [{ seq: 9, body }] as unknown as Parameters<typeof foldTurns>[1];
    expect(foldTurns(rows, events).findings).toEqual([]);
    expect(foldTurns(rows.slice(0, -1), events).findings).toMatchObject([
      { verdict: 'record', turn: 5, says: 'turn 5 is not the one that event 9 names, or is gone' },
    ]);
  });

  test('and what a turn with the right signature tells that cannot be', async () => {
    const world = await told();
    const rows = await world.ledger().query.turns('r1');
    const says = (seq: number, change: (facts: Facts) => void): string[] => {
      const changed = rows.map((row) => {
        const facts = JSON.parse(row.facts) as Facts;
        if (row.seq === seq) change(facts);
        return { ...row, facts: JSON.stringify(facts) };
      });
      return foldTurns(changed, []).findings.map((one) => one.says);
    };
    expect(says(2, ({ actions: [one] }) => void (one && (one.decision = null)))[0]).toBe(
      'action 2.1 ran without a decision',
    );
    expect(
      says(2, ({ actions: [one] }) => void (one?.decision && (one.decision.policyVersion = ''))),
    ).toEqual(['action 2.1 was decided under no version of the policies']);
    expect(
      says(2, ({ actions: [one] }) => void (one?.decision && (one.decision.verdict = 'rejected'))),
    ).toEqual(['action 2.1 ran, although it was decided: rejected']);
    expect(
      says(2, ({ actions: [one] }) => void (one?.decision && (one.decision.verdict = 'modified'))),
    ).toEqual(['action 2.1 was modified, and does not name what it was']);
    expect(says(2, ({ actions: [one] }) => void (one && (one.after = '7.1')))).toEqual([
      'action 2.1 names 7.1 as the decision before it, which was 1.1',
    ]);
    expect(says(2, ({ actions: [one] }) => void (one && (one.replaces = '1.1')))).toEqual([
      'action 2.1 takes the place of 1.1, which was not rejected',
    ]);
    expect(says(2, ({ tools }) => void (tools.names = ['read']))).toEqual([
      'turn 2 used patch in 2.1, which it did not have',
    ]);
    expect(says(2, ({ states }) => void states.splice(2, 1))[0]).toContain('went a way that no turn goes');
    expect(says(5, ({ thought }) => void (thought.kind = 'actions'))).toEqual([
      'turn 5 was done without a report',
    ]);
  });
  type Facts = ReturnType<typeof foldTurns>['turns'][number]['facts'];
});

const readKeyOf = (file: string): Buffer =>
  Buffer.from(readFileSync(path.join(path.dirname(file), 'keys/ledger.key'), 'utf8').trim(), 'hex');

describe('S7: what was killed goes on by its rows alone', () => {
  test('an action that was cut off is told as such, and the session goes on in another process', async () => {
    const { run, model, restart, recorder, fold, base } = await createTurnWorld();
    expect(base).toHaveLength(40);
    model.plays(call('read', { path: 'sum.js' }), FIXES, REPORT);
    const dying = await recorder();
    let writes = 0;
    // The process dies between the decision and the end of the second turn.
    const turns: TurnRecorder = {
      ...dying,
      write: async (seq, draft) => {
        const facts = await dying.write(seq, draft);
        writes += 1;
        if (writes === 3) throw new Error('killed');
        return facts;
      },
    };
    await expect(run({ turns })).rejects.toThrow('killed');
    await restart();
    const [, cut] = (await fold()).turns;
    expect(cut?.facts).toMatchObject({ evaluation: null, actions: [{ outcome: null }] });
    expect((await fold()).findings).toEqual([]);
    const session = { id: cut?.facts.session ?? '', usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 } };
    const before = model.requests.length;
    model.plays(call('read', { path: 'sum.js' }), FIXES, REPORT);
    expect(await run({ session, prompt: 'Go on.\n' })).toMatchObject({ outcome: 'completed' });
    const asked = JSON.stringify(model.requests[before]?.body);
    expect(asked).toContain('Mend the test.');
    expect(asked).toContain('export const sum = (a, b) => a - b;');
    expect(asked).toContain('It was cut off, and may have been done in part');
    const { turns: all, findings } = await fold();
    expect(findings).toEqual([]);
    expect(all.map(({ facts }) => facts.evaluation?.kind)).toEqual([
      'goes_on',
      'interrupted',
      'goes_on',
      'goes_on',
      'done',
    ]);
    // A process that was thought dead writes nothing more.
    await expect(dying.write(2, {} as never)).rejects.toThrow();
  });

  test('a session whose texts are gone goes on with the facts of its turns', async () => {
    const { run, model, file, restart, fold } = await createTurnWorld();
    model.plays(...STORY);
    const first = await run();
    await restart();
    const db = new Database(file);
    db.exec("update turns set texts_json = ''");
    db.close();
    const before = model.requests.length;
    model.plays(edit('sum.js', '=> a + b', '=> b + a'), REPORT);
    expect(await run({ session: first.session, prompt: 'Once more.\n' })).toMatchObject({
      outcome: 'completed',
    });
    expect(JSON.stringify(model.requests[before]?.body)).toContain('Once more.');
    const { findings, withoutTexts } = await fold();
    expect({ findings, withoutTexts }).toEqual({ findings: [], withoutTexts: 5 });
  });

  test('a session of altered rows is lost, and nothing is built on them', async () => {
    const { run, model, file, restart } = await createTurnWorld();
    model.plays(FIXES, REPORT);
    const { session } = await run();
    await restart();
    const db = new Database(file);
    db.exec("update turns set facts_json = replace(facts_json, 'approved', 'rejected') where seq = 1");
    db.close();
    expect(await run({ session })).toMatchObject({ failure: { class: 'session_lost' } });
  });
});

test('E16: no text of a turn holds a secret that was lent, and digests are of what is stored', async () => {
  const { run, model, recorder, fold } = await createTurnWorld();
  const secret = 'lent-7f3a9c';
  model.plays(call('run', { command: `echo ${secret}` }), FIXES, REPORT);
  const kept = await recorder();
  const asDraft: { seq: number; draft: unknown }[] = [];
  const inner = { ...kept };
  const hides = {
    hide: (text: string) => text.replaceAll(secret, '…'),
    hideLong: async (text: string) => text,
  };
  const fake = {
    run: async (input: { turns?: TurnRecorder }) => {
      await run({
        turns: {
          ...inner,
          write: (seq, draft) => {
            asDraft.push({ seq, draft });
            return (input.turns as TurnRecorder).write(seq, draft);
          },
        },
      });
      throw new Error('over');
    },
  } as unknown as Parameters<typeof createHidingExecutor>[1];
  const input = { turns: inner, onEvent: () => {} } as unknown as Parameters<typeof fake.run>[0];
  await expect(createHidingExecutor(hides, fake).run(input)).rejects.toThrow('over');
  expect(JSON.stringify(asDraft)).toContain(secret);
  const { turns, findings } = await fold();
  expect(findings).toEqual([]);
  expect(JSON.stringify(turns.map(({ row }) => row))).not.toContain(secret);
});
