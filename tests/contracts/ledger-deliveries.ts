/**
 * What the code host tells us of: rows that give up their body, looks that are hurried, runs found
 * by repository.
 */
import { expect, it } from 'vitest';
import { SET_ASIDE, type StepCause, type IncomingItem } from '#ports/steps';
import { anOrder, aRun, enter, observe, wake, work, write, type Open } from '../support/ledger.ts';
import { noteOf } from '../support/english.ts';
import { useLedger } from '../support/opened.ts';

const delivery = (key: string, body: unknown = { event: 'push' }): IncomingItem => ({
  source: 'forge',
  key,
  body,
});
const settled = (kind: 'done' | 'dead' | 'retry') => ({ kind, note: `it is ${kind}`, replies: [] });

export const deliveryContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const receive = async (...items: IncomingItem[]): Promise<number[]> =>
    (await ledger().receive(items, 1)).map((r) => r.id);
  const cause = (id: number | undefined): StepCause => ({ kind: 'inbox', id: id ?? -1 });

  it('says what became of something that came in', async () => {
    const [first, second, third, fourth] = await receive(...['a', 'b', 'c', 'd'].map((k) => delivery(k)));
    await ledger().settleInbox(first ?? 0, settled('done'), 2);
    await ledger().settleInbox(second ?? 0, settled('retry'), 2);
    await ledger().settleInbox(third ?? 0, settled('dead'), 2);
    await write(ledger(), 'r1', { cause: cause(fourth) });
    const { query } = ledger();
    expect(await query.incoming(first ?? 0)).toMatchObject({ state: 'done', note: 'it is done' });
    expect(await query.incoming(second ?? 0)).toEqual({
      source: 'forge',
      key: 'b',
      state: 'new',
      note: 'it is retry',
    });
    expect(await query.incoming(third ?? 0)).toMatchObject({ state: 'dead', note: 'it is dead' });
    expect(await query.incoming(fourth ?? 0)).toMatchObject({ state: 'done', note: null });
    expect(await query.incoming(99)).toBeNull();
  });

  it('S4: what an order said can be read after it was handled; a delivery gives that up', async () => {
    const order: IncomingItem = { source: 'cli', key: 'k', body: { do: 'start' } };
    const [first, second] = await receive(order, delivery('a'));
    for (const id of [first, second]) await ledger().settleInbox(id ?? 0, settled('done'), 2);
    const { query } = ledger();
    expect(await query.body(first ?? 0)).toEqual({ do: 'start' });
    expect(await query.body(second ?? 0)).toBeNull();
    expect(await query.body(99)).toBeNull();
  });

  it('S4: a delivery is known by its key after its body was dropped', async () => {
    const [first, second] = await receive(delivery('a'), delivery('b'));
    await ledger().settleInbox(first ?? 0, settled('done'), 2);
    await write(ledger(), 'r1', { cause: cause(second) });
    const next = await restart();
    const again = await next.receive([delivery('a'), delivery('b')], 3);
    expect(again).toEqual([
      { id: first, duplicate: true },
      { id: second, duplicate: true },
    ]);
    expect(await next.inbox(9)).toEqual([]);
    expect(await next.query.inboxCounts()).toEqual({ done: 2 });
  });

  it('S4: what many bring in one turn is stored once each, and each hears of its own', async () => {
    const done = { ...delivery('b'), done: 'no run of ours' };
    const brought = [[delivery('a'), done], [delivery('a')], [delivery('c'), delivery('c')]];
    const heard = await Promise.all(brought.map((items) => ledger().receive(items, 1)));
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(async (k) => (await receive(delivery(k)))[0]));
    expect(heard).toEqual([
      [
        { id: a, duplicate: false },
        { id: b, duplicate: false },
      ],
      [{ id: a, duplicate: true }],
      [
        { id: c, duplicate: false },
        { id: c, duplicate: true },
      ],
    ]);
    expect((await ledger().inbox(9)).map((row) => row.key)).toEqual(['a', 'c']);
    expect(await ledger().query.inboxCounts()).toEqual({ new: 2, done: 1 });
  });

  it('S4: what needs nothing done is known when it comes again, and is nobody’s work', async () => {
    const [first] = await receive({ ...delivery('a'), done: 'no run of ours' });
    await receive(delivery('b'));
    expect((await ledger().inbox(9)).map((row) => row.key)).toEqual(['b']);
    expect(await ledger().query.incoming(first ?? 0)).toMatchObject({
      source: 'forge',
      state: 'done',
      note: 'no run of ours',
    });
    const next = await restart();
    expect(await next.receive([delivery('a')], 3)).toEqual([{ id: first, duplicate: true }]);
    expect(await next.query.inboxCounts()).toEqual({ done: 1, new: 1 });
  });

  it('F4: says whether a repository has a live run: by its name until the run has seen it, then by its id', async () => {
    await write(ledger(), 'r1', {});
    const alive = (repo: { id: string; fullName: string }) => ledger().query.alive(repo);
    expect(await alive({ id: '7', fullName: 'ANA/widgets' })).toBe(true);
    expect(await alive({ id: '7', fullName: 'ana/widgets-else' })).toBe(false);
    await write(ledger(), 'r1', { run: { target: { base: { ref: 'main', sha: 'a', repoId: '7' } } } });
    expect(await alive({ id: '7', fullName: 'bea/gadgets' })).toBe(true);
    expect(await alive({ id: '8', fullName: 'ana/widgets' })).toBe(false);
  });

  it('settles many of one turn, each once', async () => {
    const ids = await receive(...Array.from({ length: 20 }, (_, i) => delivery(`k${i}`)));
    const twice = [...ids, ...ids].map((id) => ledger().settleInbox(id, settled('done'), 2));
    const late = receive(delivery('late'));
    await Promise.all([...twice, late]);
    expect(await ledger().query.inboxCounts()).toEqual({ done: 20, new: 1 });
  });

  it('L9: what was given up or set aside is kept as it was received, until it is retried or dropped, once', async () => {
    const said = { source: 'chat', key: '1', body: { text: 'hi' }, lane: 'chat:7' } as const;
    const [first, second, third] = await receive(said, delivery('a'), { ...said, key: '2' });
    const reply = { chat: '7', slot: null, urgent: true, sound: false, runId: null, show: noteOf('Sorry.') };
    const dead = { kind: 'dead', note: SET_ASIDE, replies: [reply] } as const;
    for (const id of [first, second]) await ledger().settleInbox(id ?? 0, dead, 2);
    const next = await restart();
    expect((await next.query.deadInbox(9)).map(({ id, body, why }) => [id, body, why])).toEqual([
      [second, { event: 'push' }, SET_ASIDE],
      [first, { text: 'hi' }, SET_ASIDE],
    ]);
    expect(await next.query.deadInbox(1)).toHaveLength(1);
    for (const id of [first, second]) expect(await next.reopenInbox(id ?? 0)).toBe(true);
    for (const id of [first, second, third]) expect(await next.reopenInbox(id ?? 0)).toBe(false);
    expect((await next.inbox(9)).map(({ key, tries, wasSetAside }) => [key, tries, wasSetAside])).toEqual([
      ['1', 0, true],
      ['a', 0, true],
      ['2', 0, false],
    ]);
    // It ends again, and its sender hears of that, too.
    await next.settleInbox(first ?? 0, { ...dead, kind: 'done' }, 3);
    await next.settleInbox(second ?? 0, dead, 4);
    expect(await next.query.effects({ kind: 'chat_message' })).toHaveLength(4);
    expect(await next.dropInbox(second ?? 0)).toBe(true);
    expect(await next.dropInbox(second ?? 0)).toBe(false);
    expect(await next.reopenInbox(second ?? 0)).toBe(false);
    expect(await next.query.deadInbox(9)).toEqual([]);
    expect(await next.query.inboxCounts()).toEqual({ done: 2, new: 1 });
  });

  it('F1: a hurried look is due at once, and only the look, and only of that run', async () => {
    const effects = [observe(9_000), wake(9_000), work('start_run', 9_000)];
    await write(ledger(), 'r1', { effects });
    await write(ledger(), 'r2', { effects });
    await ledger().hurry('r1', 50);
    await ledger().hurry('r3', 50);
    expect(await ledger().nextDue()).toBe(50);
    expect(await ledger().claim({ now: 49, leaseMs: 100, limit: 9 })).toEqual([]);
    expect((await ledger().claim({ now: 50, leaseMs: 100, limit: 9 })).map((c) => c.id)).toEqual(['r1:1:0']);
  });

  it('a look that is due earlier, under way or void is not hurried', async () => {
    await write(ledger(), 'r1', { effects: [observe(10)] });
    await ledger().hurry('r1', 50);
    const [early] = await ledger().claim({ now: 10, leaseMs: 100, limit: 9 });
    expect(early?.id).toBe('r1:1:0');
    await ledger().hurry('r1', 5);
    expect(await ledger().query.effects({ runId: 'r1' })).toMatchObject([{ state: 'claimed', dueAt: 10 }]);
    await write(ledger(), 'r2', { effects: [observe(90)] });
    await enter(ledger(), 'r2', 'PAUSED');
    await ledger().hurry('r2', 5);
    expect(await ledger().query.effects({ runId: 'r2' })).toMatchObject([{ state: 'void', dueAt: 90 }]);
  });

  it('F8: lists the runs of a repository that was renamed, and none of another that has its name now', async () => {
    const base = { ref: 'main', sha: 'a', repoId: '7' };
    await write(ledger(), 'r1', { now: 10, run: { target: { base } } });
    await write(ledger(), 'r2', { now: 20 });
    await write(ledger(), 'r3', { now: 30, run: { target: { base: { ...base, repoId: '8' } } } });
    const ids = async (id: number, fullName: string): Promise<string[]> =>
      (await ledger().query.runs({ live: true, limit: 9, repo: { id: String(id), fullName } })).map(
        (r) => r.id,
      );
    expect(await ids(7, 'bea/gadgets')).toEqual(['r1']);
    expect(await ids(7, 'ana/widgets')).toEqual(['r2', 'r1']);
    expect(await ids(9, 'ana/widgets')).toEqual(['r2']);
  });

  it('lists the runs of one repository, whatever the case of its name, newest first', async () => {
    const of = (id: string, repo: string, now: number) =>
      write(ledger(), id, { now, run: { order: { ...anOrder(), repo }, id: aRun(id).id } });
    await of('r1', 'Ana/Widgets', 10);
    await of('r2', 'ana/widgets', 30);
    await of('r3', 'ana/gadgets', 20);
    await enter(ledger(), 'r1', 'DONE', { now: 40 });
    const ids = async (repo: string, live: boolean, limit = 9): Promise<string[]> =>
      (await ledger().query.runs({ live, limit, repo: { id: '7', fullName: repo } })).map((r) => r.id);
    expect(await ids('ANA/widgets', true)).toEqual(['r2']);
    expect(await ids('ana/WIDGETS', false)).toEqual(['r1', 'r2']);
    expect(await ids('ana/widgets', false, 1)).toEqual(['r1']);
    expect(await ids('ana/gadgets', true)).toEqual(['r3']);
    expect(await ids('ana', true)).toEqual([]);
    expect(await ids('', false)).toEqual([]);
  });
};
