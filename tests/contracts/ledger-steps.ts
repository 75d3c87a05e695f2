/** The step: one cause, one transaction, one event; and the inbox that causes come from. */
import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StepCause, IncomingItem, ChatReply, StepPlan } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { enter, tell, wake, work, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';
import { noteOf } from '../support/english.ts';

const update = (key: string, body: unknown = { text: key }): IncomingItem => ({ source: 'chat', key, body });
const NOT_NOW = { kind: 'card_expired' } as const;
const reply = (text: string): ChatReply => ({
  chat: '7',
  slot: null,
  show: noteOf(text),
  urgent: false,
  sound: false,
  runId: null,
});

export const stepContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);

  const received = async (key: string): Promise<StepCause> => {
    const [row] = await ledger().receive([update(key)], 1);
    return { kind: 'inbox', id: row?.id ?? -1 };
  };
  const noteOf = async (l: Ledger): Promise<number> => (await l.inbox(100)).length;

  it('L1: keeps the order, the fold and the event of a new run', async () => {
    const outcome = await write(ledger(), 'r1', { effects: [work('start_run')] });
    const run = await ledger().query.run('r1');
    expect(outcome).toEqual({ kind: 'written', run, before: null });
    expect(run).toMatchObject({
      id: 'r1',
      lifecycle: { version: 1, state: 'QUEUED' },
      order: { repo: 'ana/widgets' },
    });
    const [event] = await ledger().query.events('r1');
    expect(event).toMatchObject({ runId: 'r1', seq: 1, type: 'test.created', at: 1_000 });
    expect(await ledger().query.effects({ runId: 'r1' })).toMatchObject([{ id: 'r1:1:0', state: 'pending' }]);
  });

  it('E6: a run that was queued again starts anew, and counts when it does', async () => {
    await write(ledger(), 'r1');
    await enter(ledger(), 'r1', 'DISCOVERY', { now: 5 });
    await enter(ledger(), 'r1', 'QUEUED', { now: 6 });
    await enter(ledger(), 'r1', 'DISCOVERY', { now: 7 });
    await enter(ledger(), 'r1', 'PLAN_READY', { now: 8 });
    const { started } = await ledger().query.queue({ since: 5, until: 100 });
    expect(started).toEqual([{ repo: 'ana/widgets', at: 7 }]);
  });

  it('L2: a plan that throws leaves no trace, its cause included', async () => {
    const cause = await received('u1');
    const step = ledger().step({
      runId: 'r1',
      key: 'k',
      cause,
      now: 1,
      plan: () => {
        throw new Error('a bug');
      },
    });
    await expect(step).rejects.toThrow('a bug');
    expect(await ledger().query.run('r1')).toBeNull();
    expect(await noteOf(ledger())).toBe(1);
    expect(await ledger().query.inboxCounts()).toEqual({ new: 1 });
  });

  it('L2: of steps that share a commit, one that throws takes back only itself', async () => {
    const causes = [await received('u1'), await received('u2'), await received('u3')];
    const [first, second, third] = await Promise.allSettled(
      causes.map((cause, i) =>
        ledger().step({
          runId: `r${i}`,
          key: 'k',
          cause,
          now: 1,
          shared: true,
          plan: () => {
            if (i === 1) throw new Error('a bug');
            return { kind: 'refused', reason: NOT_NOW, replies: [reply(`Not now, ${i}.`)] };
          },
        }),
      ),
    );
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ledger().query.inboxCounts()).toEqual({ new: 1, done: 2 });
    expect((await ledger().inbox(10)).map(({ key }) => key)).toEqual(['u2']);
    expect(await ledger().query.effects({ kind: 'chat_message' })).toHaveLength(2);
  });

  it('L2: steps of one run that share a commit build on each other', async () => {
    await write(ledger(), 'r1');
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((key) => write(ledger(), 'r1', { key, shared: true })),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'written', 'written']);
    expect(await ledger().query.events('r1')).toHaveLength(4);
    expect((await ledger().query.run('r1'))?.lifecycle.version).toBe(4);
  });

  it('L2: refuses a run that is not the next version of the one that is there', async () => {
    await write(ledger(), 'r1');
    await expect(write(ledger(), 'r1', { run: { lifecycle: { version: 3 } } })).rejects.toThrow(
      'its next is not 3',
    );
    await expect(write(ledger(), 'r1', { run: { id: 'r2' } })).rejects.toThrow('may not write run r2');
    expect(await ledger().query.events('r1')).toHaveLength(1);
  });

  it('L2: a cause that goes on is heard by several runs, each once, and ended by whoever told them', async () => {
    const [row] = await ledger().receive([update('u1')], 1);
    const id = row?.id ?? -1;
    const cause: StepCause = { kind: 'inbox', id, goesOn: true };
    for (const runId of ['r1', 'r2'])
      expect(await write(ledger(), runId, { key: 'tap', cause })).toMatchObject({ kind: 'written' });
    expect(await write(ledger(), 'r1', { key: 'tap', cause })).toEqual({ kind: 'duplicate' });
    expect(await noteOf(ledger())).toBe(1);
    await ledger().settleInbox(id, { kind: 'done', note: 'all told', replies: [] }, 2);
    expect(await write(ledger(), 'r3', { key: 'tap', cause })).toEqual({ kind: 'duplicate' });
    expect(await ledger().query.run('r3')).toBeNull();
  });

  it('S4: the same key twice has one effect, is told as duplicate, and still ends its cause', async () => {
    const [first, second] = [await received('u1'), await received('u2')];
    await write(ledger(), 'r1', { key: 'same', cause: first });
    const again = await write(ledger(), 'r1', { key: 'same', cause: second, effects: [work('start_run')] });
    expect(again).toEqual({ kind: 'duplicate' });
    expect(await ledger().query.events('r1')).toHaveLength(1);
    expect(await ledger().query.effects({ runId: 'r1' })).toEqual([]);
    expect(await ledger().inbox(10)).toEqual([]);
  });

  it('S4: the same inbox row twice has one effect', async () => {
    const cause = await received('u1');
    await write(ledger(), 'r1', { cause });
    expect(await write(ledger(), 'r1', { cause })).toEqual({ kind: 'duplicate' });
    expect((await ledger().query.run('r1'))?.lifecycle.version).toBe(1);
  });

  it('S4: the same key belongs to one run only', async () => {
    await write(ledger(), 'r1', { key: 'same' });
    expect(await write(ledger(), 'r2', { key: 'same' })).toMatchObject({ kind: 'written' });
  });

  it('S3: a refusal answers, changes nothing and leaves its key unused', async () => {
    await write(ledger(), 'r1');
    const cause = await received('u1');
    const plan = () => ({ kind: 'refused' as const, reason: NOT_NOW, replies: [reply('Not now.')] });
    const refused = await ledger().step({ runId: 'r1', key: 'k', cause, now: 5, plan });
    expect(refused).toEqual({ kind: 'refused', reason: NOT_NOW });
    expect(await ledger().query.events('r1')).toHaveLength(1);
    expect(await ledger().inbox(10)).toEqual([]);
    expect(await ledger().query.effects({ kind: 'chat_message' })).toMatchObject([
      { id: 'in:1:0', chat: '7' },
    ]);
    expect(await write(ledger(), 'r1', { key: 'k' })).toMatchObject({ kind: 'written' });
  });

  it('L2, C2: what a step brings is kept with it, and nothing of a step that is refused or came before', async () => {
    const artifacts = [{ type: 'picture', content: 'cGljdHVyZQ==' }];
    const digest = `sha256:${hash('sha256', 'cGljdHVyZQ==')}`;
    const asked = (runId: string, key: string, plan: StepPlan) =>
      ledger().step({ runId, key, cause: { kind: 'none' }, now: 5, artifacts, plan: () => plan });
    await write(ledger(), 'r1', { key: 'k' });
    const refusal: StepPlan = { kind: 'refused', reason: NOT_NOW, replies: [] };
    await asked('r1', 'other', refusal);
    expect(await asked('r1', 'k', refusal)).toEqual({ kind: 'duplicate' });
    expect(await ledger().query.artifact('r1', digest)).toBeNull();
    await write(ledger(), 'r1', { artifacts });
    expect(await ledger().query.artifact('r1', digest)).toMatchObject({ type: 'picture' });
  });

  it('L4: a step behind an effect needs its lease, and ends it in the same transaction', async () => {
    await write(ledger(), 'r1', { effects: [work('discover')] });
    const [claim] = await ledger().claim({ now: 10, leaseMs: 100, limit: 1 });
    if (!claim) throw new Error('nothing was claimed');
    const cause = { kind: 'effect' as const, n: claim.n, leaseEpoch: claim.leaseEpoch };
    expect(await write(ledger(), 'r1', { cause: { ...cause, leaseEpoch: 9 } })).toEqual({ kind: 'fenced' });
    expect(await write(ledger(), 'r1', { cause })).toMatchObject({ kind: 'written' });
    expect(await ledger().query.effect(claim.n)).toMatchObject({ state: 'done' });
    expect(await write(ledger(), 'r1', { cause })).toEqual({ kind: 'fenced' });
    expect((await ledger().query.run('r1'))?.lifecycle.version).toBe(2);
  });

  it('L4: an ignored result ends its effect as well, with the reason', async () => {
    await write(ledger(), 'r1', { effects: [work('discover')] });
    const [claim] = await ledger().claim({ now: 10, leaseMs: 100, limit: 1 });
    const { n, leaseEpoch } = claim ?? { n: -1, leaseEpoch: -1 };
    const plan = () => ({ kind: 'ignored' as const, reason: 'stale result' as const, replies: [] });
    const cause = { kind: 'effect' as const, n, leaseEpoch };
    const outcome = await ledger().step({ runId: 'r1', key: 'k', cause, now: 5, plan });
    expect(outcome).toEqual({ kind: 'ignored', reason: 'stale result' });
    expect(await ledger().query.effect(n)).toMatchObject({ state: 'done', reason: JSON.stringify(outcome) });
  });

  it('L6: a step of the boot before is fenced', async () => {
    await write(ledger(), 'r1', { effects: [work('discover')] });
    const [claim] = await ledger().claim({ now: 10, leaseMs: 100, limit: 1 });
    const { n, leaseEpoch } = claim ?? { n: -1, leaseEpoch: -1 };
    const next = await restart();
    expect(await write(next, 'r1', { cause: { kind: 'effect', n, leaseEpoch } })).toEqual({ kind: 'fenced' });
  });

  it('voids what an earlier epoch asked for and has not begun, but never a message', async () => {
    await write(ledger(), 'r1', { effects: [work('discover'), wake(9_000), tell('hello')] });
    await enter(ledger(), 'r1', 'PAUSED', { effects: [wake(8_000)] });
    const states = (await ledger().query.effects({ runId: 'r1' })).map((e) => [e.id, e.state, e.epoch]);
    expect(states).toEqual([
      ['r1:1:0', 'void', 1],
      ['r1:1:1', 'void', 1],
      ['r1:1:2', 'pending', null],
      ['r1:2:0', 'pending', 2],
    ]);
  });

  it('keeps what was asked for as long as the epoch stands', async () => {
    await write(ledger(), 'r1', { effects: [wake(9_000)] });
    await write(ledger(), 'r1');
    expect(await ledger().query.effects({ state: 'pending' })).toHaveLength(1);
  });

  it('L3: what was received is there after a restart, once, with its first body', async () => {
    const both = await ledger().receive([update('a', 'first'), update('b')], 5);
    const again = await ledger().receive([update('a', 'second'), { ...update('a'), source: 'forge' }], 6);
    expect(both.map((r) => r.duplicate)).toEqual([false, false]);
    expect(again.map((r) => r.duplicate)).toEqual([true, false]);
    expect(again[0]?.id).toBe(both[0]?.id);
    const next = await restart();
    expect(await next.inbox(2)).toMatchObject([
      { key: 'a', source: 'chat', body: 'first', tries: 0, receivedAt: 5 },
      { key: 'b', source: 'chat' },
    ]);
    expect(await next.query.inboxCounts()).toEqual({ new: 3 });
  });

  it('L3: deliveries of one turn are committed together and answered one by one', async () => {
    const many = Array.from({ length: 50 }, (_, i) => ledger().receive([update(`k${i % 25}`)], 1));
    const rows = (await Promise.all(many)).flat();
    expect(rows.filter((r) => r.duplicate)).toHaveLength(25);
    expect(new Set(rows.map((r) => r.id)).size).toBe(25);
  });

  it('L8: refuses a body over the cap with a sentence, and takes its neighbours', async () => {
    const [large, small] = await Promise.allSettled([
      ledger().receive([update('large', 'x'.repeat(1_048_576))], 1),
      ledger().receive([update('small')], 1),
    ]);
    expect(String(large.status === 'rejected' && large.reason)).toContain('Nothing was stored');
    expect(small.status).toBe('fulfilled');
    expect((await ledger().inbox(10)).map((r) => r.key)).toEqual(['small']);
  });

  it('settles an inbox row once, with its answers, and counts the tries of one that failed', async () => {
    await received('u1');
    const done = { kind: 'done' as const, note: 'help', replies: [reply('Help.')] };
    await ledger().settleInbox(1, { kind: 'retry', note: 'crashed', replies: [] }, 2);
    expect(await ledger().inbox(10)).toMatchObject([{ tries: 1 }]);
    await ledger().settleInbox(1, done, 3);
    await ledger().settleInbox(1, done, 4);
    await ledger().settleInbox(1, { kind: 'retry', note: 'late', replies: [] }, 5);
    expect(await ledger().inbox(10)).toEqual([]);
    expect(await ledger().query.effects({ kind: 'chat_message' })).toHaveLength(1);
    expect(await ledger().query.inboxCounts()).toEqual({ done: 1 });
  });

  it('counts runs by state as they move', async () => {
    await write(ledger(), 'r1');
    await write(ledger(), 'r2');
    await enter(ledger(), 'r2', 'DISCOVERY', { now: 50 });
    expect(await ledger().query.counts()).toEqual({ QUEUED: 1, DISCOVERY: 1 });
    const repo = 'ana/widgets';
    const busy = { busy: [repo], waiting: [] };
    const window = (since: number, until: number) => ledger().query.queue({ since, until });
    expect(await window(49, 50)).toEqual({ ...busy, started: [{ repo, at: 50 }] });
    expect(await window(50, 99)).toEqual({ ...busy, started: [] });
    expect(await window(40, 49)).toEqual({ ...busy, started: [] });
    await enter(ledger(), 'r2', 'DONE', { now: 60 });
    expect(await ledger().query.counts()).toEqual({ QUEUED: 1, DONE: 1 });
    expect((await ledger().query.runs({ live: true, limit: 9 })).map((r) => r.id)).toEqual(['r1']);
  });

  it('lists runs newest first', async () => {
    for (const [id, now] of [
      ['r1', 10],
      ['r2', 30],
      ['r3', 20],
    ] as const)
      await write(ledger(), id, { now });
    await enter(ledger(), 'r1', 'DONE', { now: 40 });
    const ids = async (live: boolean, limit: number): Promise<string[]> =>
      (await ledger().query.runs({ live, limit })).map((r) => r.id);
    expect(await ids(false, 9)).toEqual(['r1', 'r2', 'r3']);
    expect(await ids(false, 2)).toEqual(['r1', 'r2']);
    expect(await ids(true, 9)).toEqual(['r2', 'r3']);
  });
};
