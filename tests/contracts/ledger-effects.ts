/** Effects: leases, lanes, order, fences and what a restart frees. */
import { expect, it } from 'vitest';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';
import type { Effect } from '#effects';
import type { WorkEffect } from '../../orchestrator/kernel/effects/effect-types.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { enter, observe, tell, wake, work, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';

const done = (result: unknown = null) => ({ kind: 'done' as const, result });
const later = (at: number, counts: boolean | 'anew') => ({
  kind: 'later' as const,
  at,
  reason: 'not now',
  counts,
});

export const effectContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const claim = (now: number, limit = 10, l: Ledger = ledger()): Promise<ClaimedEffect[]> =>
    l.claim({ now, leaseMs: 100, limit });
  const only = async (now: number): Promise<ClaimedEffect> => {
    const [first, ...more] = await claim(now);
    if (!first || more.length > 0) throw new Error(`${more.length + (first ? 1 : 0)} effects instead of one`);
    return first;
  };

  it('claims what is due, oldest due time first', async () => {
    await write(ledger(), 'r1', { effects: [wake(30), wake(10), wake(20), wake(99)] });
    expect((await claim(50)).map((c) => c.id)).toEqual(['r1:1:1', 'r1:1:2', 'r1:1:0']);
    expect(await ledger().nextDue()).toBe(99);
  });

  it('F8: keeps the newest look that waits for checks to settle, whose time is the latest', async () => {
    const settles = (dueAt: number): Effect => ({ do: { kind: 'expedite_poll' }, dueAt });
    await write(ledger(), 'r1', { effects: [settles(10), wake(11)] });
    await write(ledger(), 'r2', { effects: [settles(20)] });
    await write(ledger(), 'r1', { effects: [settles(30)] });
    expect((await claim(50)).map((c) => c.id)).toEqual(['r1:1:1', 'r2:1:0', 'r1:2:0']);
    expect(await ledger().query.effects({ runId: 'r1', state: 'void' })).toMatchObject([
      { id: 'r1:1:0', reason: 'replaced by a newer one' },
    ]);
  });

  it('O4: says how much there is to do, by kind: due, due later, and at work', async () => {
    await write(ledger(), 'r1', { effects: [wake(10), wake(20), wake(99), work('start_run')] });
    await ledger().claim({ now: 5, leaseMs: 100, limit: 1 });
    expect(await ledger().query.depths(20)).toEqual([
      { kind: 'offer_input', state: 'due', n: 2 },
      { kind: 'offer_input', state: 'later', n: 1 },
      { kind: 'start_run', state: 'at_work', n: 1 },
    ]);
  });

  it('L4: serves one at a time for a run, its watcher and a chat, and timers at any time', async () => {
    const effects = [
      work('start_run'),
      work('remove_workspace'),
      observe(),
      observe(),
      tell('a'),
      tell('b'),
      wake(0),
      wake(0),
    ];
    await write(ledger(), 'r1', { effects });
    await write(ledger(), 'r2', { effects: [work('start_run'), tell('c')] });
    const first = await claim(10);
    expect(first.map((c) => c.id).sort()).toEqual([
      'r1:1:0',
      'r1:1:2',
      'r1:1:4',
      'r1:1:6',
      'r1:1:7',
      'r2:1:0',
    ]);
    expect(await claim(11)).toEqual([]);
    expect(await ledger().nextDue()).toBeNull();
    for (const c of first) await ledger().finish(c, done(), 12);
    expect((await claim(13)).map((c) => c.id).sort()).toEqual(['r1:1:1', 'r1:1:3', 'r1:1:5']);
  });

  it('L4: whatever is done for a run is done one after the other', async () => {
    const round = ROUND_WITHOUT_FEEDBACK;
    const words = { title: 'a', description: null };
    const all: WorkEffect[] = [
      ...[
        { kind: 'start_run' } as const,
        { kind: 'discover' } as const,
        { kind: 'implement', round } as const,
      ],
      ...[
        { kind: 'check', commitSha: 'a' } as const,
        { kind: 'rerun_ci', sha: 'a' } as const,
        { kind: 'remove_workspace' } as const,
      ],
      { kind: 'push', commitSha: 'a', expectedHead: null, approvalId: null },
      { kind: 'open_pr', approvalId: 'a', digest: 'd' },
      { kind: 'modify_proposal', approvalId: 'a', pullText: words, by: 'Ana', reason: 'b' },
    ];
    await write(ledger(), 'r1', { effects: all.map((what) => ({ do: what, dueAt: 0 })) });
    for (let i = 0; i < all.length; i += 1) {
      const one = await only(i);
      expect(one.do.kind).toBe(all[i]?.kind);
      await ledger().finish(one, done(), i);
    }
  });

  it('looks behind a long line of one lane for others', async () => {
    await write(ledger(), 'r1', { effects: Array.from({ length: 40 }, (_, i) => tell(`${i}`)) });
    await write(ledger(), 'r2', { effects: [work('start_run')] });
    expect((await claim(10, 5)).map((c) => c.id)).toEqual(['r1:1:0', 'r2:1:0']);
  });

  it('keeps to the limit and to the kinds that were asked for', async () => {
    await write(ledger(), 'r1', { effects: [wake(0), wake(0), wake(0), work('start_run')] });
    expect(await claim(10, 2)).toHaveLength(2);
    const kinds = ['start_run', 'remove_workspace'] as const;
    const some = await ledger().claim({ now: 10, leaseMs: 100, limit: 9, kinds });
    expect(some.map((c) => c.do.kind)).toEqual(['start_run']);
  });

  it('L4: only the holder of the lease finishes', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run')] });
    const lost = await only(10);
    expect(await claim(110)).toEqual([]);
    const held = await only(111);
    expect(held).toMatchObject({ n: lost.n, tries: 2, leaseEpoch: lost.leaseEpoch + 1 });
    expect(await ledger().renew(lost, 500)).toBe(false);
    for (const outcome of [done(), later(5, true), { kind: 'dead' as const, reason: 'x' }]) {
      expect(await ledger().finish(lost, outcome, 112)).toBe(false);
    }
    expect(await ledger().finish(held, done({ ok: 1 }), 113)).toBe(true);
    expect(await ledger().finish(held, done(), 114)).toBe(false);
    expect(await ledger().query.effect(held.n)).toMatchObject({ state: 'done', result: { ok: 1 } });
  });

  it('a renewed lease does not run out', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run')] });
    const held = await only(10);
    expect(await ledger().renew(held, 1_000)).toBe(true);
    expect(await claim(500)).toEqual([]);
    expect(await claim(1_001)).toHaveLength(1);
  });

  it('is not renewed when the run has moved on, but may still tell what it did', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run'), tell('hello')] });
    const [message, job] = await claim(10);
    if (!job || !message) throw new Error('two effects were expected');
    await enter(ledger(), 'r1', 'PAUSED');
    expect(await ledger().renew(job, 500)).toBe(false);
    expect(await ledger().renew(message, 500)).toBe(true);
    expect(await ledger().finish(job, done(), 20)).toBe(true);
  });

  it('an effect of an earlier epoch is void when it comes back', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run')] });
    const held = await only(10);
    await enter(ledger(), 'r1', 'PAUSED');
    await ledger().finish(held, later(20, true), 15);
    expect(await claim(30)).toEqual([]);
    expect(await ledger().query.effect(held.n)).toMatchObject({
      state: 'void',
      reason: 'the run has moved on',
    });
  });

  it('counts a try that failed and not one that only waited its turn', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run')] });
    await ledger().finish(await only(10), later(20, false), 10);
    expect(await claim(19)).toEqual([]);
    expect(await ledger().nextDue()).toBe(20);
    const second = await only(20);
    expect(second.tries).toBe(1);
    await ledger().finish(second, later(30, true), 20);
    const third = await only(30);
    expect(third.tries).toBe(2);
    await ledger().finish(third, later(40, 'anew'), 30);
    expect((await only(40)).tries).toBe(1);
  });

  it.each([
    ['reply', true],
    ['open_pr', false],
  ] as const)('F7: %s that was put off for its turn outlives what its run does: %s', async (kind, stays) => {
    const publishing: Effect = { do: { kind, approvalId: 'a', digest: 'd' }, dueAt: 0 };
    await write(ledger(), 'r1', { effects: [publishing] });
    const put = await only(10);
    await ledger().finish(put, later(20, false), 15);
    await enter(ledger(), 'r1', 'PAUSED');
    expect((await claim(30)).map(({ n }) => n)).toEqual(stays ? [put.n] : []);
    await write(ledger(), 'r1', { effects: [publishing] });
    await enter(ledger(), 'r1', 'QUEUED');
    expect(await claim(30)).toEqual([]);
  });

  it('keeps what was given up, with the reason', async () => {
    await write(ledger(), 'r1', { effects: [work('start_run')] });
    await ledger().finish(await only(10), { kind: 'dead', reason: 'poison' }, 11);
    expect(await claim(1_000)).toEqual([]);
    expect(await ledger().query.effects({ state: 'dead' })).toMatchObject([
      { id: 'r1:1:0', reason: 'poison' },
    ]);
  });

  it('L6: a restart frees the leases of the boot before, and only those', async () => {
    await ledger().recover(5);
    await write(ledger(), 'r1', { effects: [work('start_run'), wake(0)], now: 5_000 });
    const [old] = await claim(7_000, 1);
    const next = await restart();
    expect(await next.recover(9_000)).toMatchObject({ freed: 1 });
    expect(await next.recover(9_001)).toMatchObject({ freed: 0 });
    const again = await claim(9_002, 10, next);
    expect(again).toHaveLength(2);
    expect(again.find((c) => c.n === old?.n)).toMatchObject({ tries: 2, leaseEpoch: 2 });
    expect(await next.recover(9_003)).toMatchObject({ freed: 0 });
    expect(await next.nextDue()).toBeNull();
  });

  it('L8: long work that is cut off again and again gives its place to what has not begun, and fails no try', async () => {
    let l = ledger();
    const at = async (now: number): Promise<string[]> =>
      (await claim(now, 2, l)).map((c) => `${c.runId} ${c.tries}`);
    const restarted = async (now: number): Promise<void> => {
      l = await restart();
      await l.recover(now);
    };
    for (const [i, run] of ['r1', 'r2', 'r3', 'r4', 'r5'].entries())
      await write(l, run, { effects: [work('discover', i)] });
    expect(await at(2_000)).toEqual(['r1 1', 'r2 1']);
    await restarted(3_000);
    // Once may happen to anybody: what has begun goes on.
    expect(await at(3_000)).toEqual(['r1 1', 'r2 1']);
    await restarted(4_000);
    expect(await at(4_000)).toEqual(['r3 1', 'r4 1']);
    await restarted(5_000);
    expect(await at(5_000)).toEqual(['r3 1', 'r4 1']);
    await restarted(6_000);
    expect(await at(6_000)).toEqual(['r5 1', 'r1 1']);
    await restarted(7_000);
    // The one that was cut off once, and of the others whoever waits longest.
    expect(await at(7_000)).toEqual(['r5 1', 'r2 1']);
  });

  it('L6: a restart hears when the boot before was last alive', async () => {
    expect(await ledger().recover(1_000)).toEqual({ freed: 0, lastSeenAt: null });
    await claim(60_000);
    await claim(60_500);
    const next = await restart();
    const { lastSeenAt } = await next.recover(90_000);
    // A store that is closed properly says goodbye by the fixture's clock, which stands at the
    // start.
    expect([1_000, 60_000]).toContain(lastSeenAt);
  });
};
