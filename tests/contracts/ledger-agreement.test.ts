/**
 * The ledger of plain values against SQLite: the same acts, the same answers, down to hashes and
 * signatures.
 */
import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { telegramLimits as limits } from '../../bot/telegram-limits.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import type { ClaimedEffect, StepPlan } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { createRandom } from '../prove/random.ts';
import { randomAct, type Past } from '../support/ledger-acts.ts';
import { aRun, enter, wake, work, write } from '../support/ledger.ts';
import { createMemoryLedger, createMemoryStore, forkStore } from '../support/memory-ledger.ts';

const KEY = new Uint8Array(32).fill(7);
const key = createSecretKey(KEY);
const now = () => 0;

/** What a ledger answers; of a bug or a broken constraint, only that it was refused. */
const answer = async (asked: Promise<unknown>): Promise<unknown> => {
  try {
    return { is: await asked };
  } catch (error) {
    return { failed: error instanceof Error };
  }
};

const readings = ({ query, ...ledger }: Ledger, since: number): Promise<unknown[]> =>
  Promise.all([
    ledger.nextDue(),
    ledger.inbox(3),
    ledger.attempt.orphans(),
    query.run('r1'),
    query.runs({ live: false, limit: 2 }),
    query.runs({ live: true, limit: 1 }),
    query.runs({ live: true, limit: 2, repo: { id: '1', fullName: 'Ana/Widgets' } }),
    query.runs({ live: false, limit: 1, repo: { id: '99', fullName: 'ana/widgets' } }),
    query.runs({ live: false, limit: 9, repo: { id: '1', fullName: 'ana/other' } }),
    query.incoming(1),
    query.body(1),
    query.incoming(2),
    query.queue({ since, until: since + 1_000 }),
    query.counts(),
    query.inboxCounts(),
    query.events('r1'),
    query.effects({}),
    query.effects({ state: 'pending' }),
    query.effects({ runId: 'r2', kind: 'chat_message' }),
    query.effect(3),
    query.sent('s'),
    query.answersWaiting('7').then((slots) => slots.sort()),
    query.approvals({}),
    query.approvals({ runId: 'r1', state: 'open' }),
    query.attempts('r1'),
    query.users(),
    query.setting('language'),
    query.heads(),
    query.heads('r2'),
  ]);

describe('the ledger of plain values', () => {
  it.each(Array.from({ length: 20 }, (_, i) => i + 1))('answers as SQLite does (seed %i)', async (seed) => {
    const random = createRandom(seed);
    const past: Past = { now: 1_000, keys: 0, claims: [], inbox: [] };
    const { store } = await openStore({ dataDir: ':memory:', key: KEY });
    let values = createMemoryStore();
    const boots = (n: number): [Ledger, Ledger] => [
      createLedger({ store, key, boot: `boot ${n}`, now, limits }),
      createMemoryLedger({ store: values, key, boot: `boot ${n}`, now }),
    ];
    let [sqlite, plain] = boots(0);
    for (let i = 1; i <= 100; i += 1) {
      past.now += random.pick([0, 1, 10, 50, 500, 1_100]);
      if (random.chance(0.03)) {
        values = forkStore(values);
        [sqlite, plain] = boots(i);
        expect(await plain.recover(past.now)).toEqual(await sqlite.recover(past.now));
      }
      const act = randomAct(random, past);
      const said = await answer(act.on(sqlite));
      expect(await answer(act.on(plain)), `${i}: ${act.name}`).toEqual(said);
      const { is } = said as { is?: unknown };
      if (act.name === 'claim') past.claims.push(...((is ?? []) as ClaimedEffect[]));
      if (act.name === 'receive') past.inbox.push(...((is ?? []) as { id: number }[]).map((r) => r.id));
      if (act.name === 'artifact' && typeof is === 'string') {
        for (const run of ['r1', 'r2'])
          expect(await plain.query.artifact(run, is)).toEqual(await sqlite.query.artifact(run, is));
      }
      if (i % 4 > 0) continue;
      const since = past.now - 100;
      expect(await readings(plain, since), `after ${i}: ${act.name}`).toEqual(await readings(sqlite, since));
    }
    // What no query shows: a delivery that was handled gives up its body, and nothing else does.
    const bodies = await store.read(store.builder.selectFrom('inbox').select(['id', 'state', 'body']));
    expect([...values.inbox.values()].map(({ id, state, body }) => ({ id, state, body }))).toEqual(bodies);
    await store.close();
  });

  it('goes its own way after a fork, on both sides', async () => {
    const store = createMemoryStore();
    const open = (of: typeof store): Ledger => createMemoryLedger({ store: of, key, boot: 'b', now });
    const one = open(store);
    await write(one, 'r1', { effects: [work('start_run'), wake(9)] });
    const two = open(forkStore(store));
    const before = await readings(two, 0);
    await enter(one, 'r1', 'DISCOVERY', { effects: [work('discover')], key: 'same' });
    await one.claim({ now: 10, leaseMs: 100, limit: 9 });
    await one.receive([{ source: 'cli', key: 'a', body: null }], 1);
    expect(await readings(two, 0)).toEqual(before);
    const after = await readings(one, 0);
    expect(await enter(two, 'r1', 'PAUSED', { key: 'same' })).toMatchObject({ kind: 'written' });
    await two.claim({ now: 10, leaseMs: 100, limit: 9 });
    expect(await readings(one, 0)).toEqual(after);
    expect((await one.query.heads())[0]?.hash).not.toBe((await two.query.heads())[0]?.hash);
  });

  it('L2: refuses a plan that wrote by itself', async () => {
    const ledger = createMemoryLedger({ store: createMemoryStore(), key, boot: 'b', now });
    const first = aRun('r1');
    const step = { runId: 'r1', key: 'k', cause: { kind: 'none' as const }, now: 1 };
    const plan = (): StepPlan => {
      void write(ledger, 'r1');
      const event = { type: 'test', body: null, at: 1 };
      return { kind: 'write', run: first, event, effects: [], approvals: [], replies: [] };
    };
    await expect(ledger.step({ ...step, plan })).rejects.toThrow('changed by somebody else');
  });

  it('shares what it keeps and lets nobody change it', async () => {
    const ledger = createMemoryLedger({ store: createMemoryStore(), key, boot: 'b', now });
    await write(ledger, 'r1', { effects: [work('start_run')] });
    const run = await ledger.query.run('r1');
    const [effect] = await ledger.query.effects({});
    expect(() => Object.assign(run?.order.bounds ?? {}, { maxRetries: 9 })).toThrow(TypeError);
    expect(() => Object.assign(effect?.do ?? {}, { kind: 'clean' })).toThrow(TypeError);
  });
});
