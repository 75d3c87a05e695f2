/**
 * Messages: urgent first, the newest of a slot in the place of the older ones, and what they were
 * last sent as.
 */
import { expect, it } from 'vitest';
import type { ClaimedEffect } from '#ports/steps';
import { aRun, enter, tell, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';
import { noteOf, textOf } from '../support/english.ts';

export const messageContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const next = async (now = 10_000): Promise<ClaimedEffect | null> =>
    (await ledger().claim({ now, leaseMs: 100, limit: 1 }))[0] ?? null;
  const texts = async (): Promise<string[]> => {
    const said: string[] = [];
    for (let c = await next(); c; c = await next()) {
      said.push(c.do.kind === 'chat_message' && c.do.content.view === 'note' ? textOf(c.do.content) : '?');
      await ledger().finish(c, { kind: 'done', result: { chat: '7', messageId: String(c.n) } }, 10_000);
    }
    return said;
  };

  it('sends what is urgent before everything else in its chat', async () => {
    const effects = [
      tell('1', { dueAt: 1 }),
      tell('2', { dueAt: 2 }),
      tell('now', { dueAt: 3, urgent: true }),
    ];
    await write(ledger(), 'r1', { effects });
    expect(await texts()).toEqual(['now', '1', '2']);
  });

  it('sends only the newest of a slot, in the place of the oldest', async () => {
    await write(ledger(), 'r1', {
      effects: [tell('old', { slot: 's', dueAt: 1 }), tell('other', { dueAt: 2 })],
    });
    await write(ledger(), 'r1', { effects: [tell('new', { slot: 's', dueAt: 3 })] });
    // Already before anybody claims: a queue does not grow while nothing can be sent.
    expect(await ledger().query.effects({ state: 'pending' })).toHaveLength(2);
    expect(await texts()).toEqual(['new', 'other']);
    expect(await ledger().query.effects({ state: 'void' })).toMatchObject([
      { id: 'r1:1:0', reason: 'replaced by a newer one' },
    ]);
  });

  it('knows the slots that begin so', async () => {
    const slots = ['cluster:c-1:x', 'cluster:c-2:y', 'clusters', 'gate:1'];
    await write(ledger(), 'r1', { effects: slots.map((slot, i) => tell(slot, { slot, dueAt: i })) });
    expect(await ledger().query.slots('cluster:')).toEqual(['cluster:c-1:x', 'cluster:c-2:y']);
    await texts();
    expect(await ledger().query.slots('cluster:c-2')).toEqual(['cluster:c-2:y']);
    // A sign of a pattern is a sign of the text.
    expect(await ledger().query.slots('cluster_c')).toEqual([]);
    expect(await ledger().query.slots('%')).toEqual([]);
  });

  it('says what a slot was last asked to show, while it waits and once it was sent', async () => {
    const told = async (): Promise<unknown> => {
      const row = await ledger().query.told('s');
      return row?.do.kind === 'chat_message' ? row.do.content : null;
    };
    expect(await told()).toBeNull();
    await write(ledger(), 'r1', { effects: [tell('old', { slot: 's' }), tell('other', { slot: 't' })] });
    expect(await told()).toEqual(noteOf('old'));
    await write(ledger(), 'r1', { effects: [tell('new', { slot: 's' })] });
    expect(await told()).toEqual(noteOf('new'));
    await texts();
    expect(await told()).toEqual(noteOf('new'));
  });

  it('an urgent or sounding message stays so when a quiet one replaces it', async () => {
    await write(ledger(), 'r1', {
      effects: [tell('a', { slot: 's', urgent: true }), tell('b', { urgent: true, dueAt: 1 })],
    });
    await write(ledger(), 'r1', { effects: [tell('c', { slot: 's', sound: true, dueAt: 2 })] });
    await write(ledger(), 'r1', { effects: [tell('d', { slot: 's', dueAt: 3 })] });
    const first = await next();
    expect(first?.do).toMatchObject({ content: noteOf('d'), urgent: true, sound: true });
  });

  it('a message that has to wait gives way to a newer one, which inherits its sound', async () => {
    await write(ledger(), 'r1', { effects: [tell('old', { slot: 's', sound: true })] });
    const old = await next();
    await write(ledger(), 'r1', { effects: [tell('new', { slot: 's' })] });
    if (old) await ledger().finish(old, { kind: 'later', at: 20, reason: 'slow down', counts: false }, 10);
    const sent = await next();
    expect(sent?.do).toMatchObject({ content: noteOf('new'), sound: true });
    expect(await ledger().query.effect(old?.n ?? -1)).toMatchObject({ state: 'void' });
  });

  it('L6: a message cut off by a restart gives way to a newer one, which inherits its sound', async () => {
    await write(ledger(), 'r1', { effects: [tell('old', { slot: 's', sound: true })] });
    await next();
    await write(ledger(), 'r1', { effects: [tell('new', { slot: 's', dueAt: 5 })] });
    const after = await restart();
    expect(await after.recover(10_010)).toMatchObject({ freed: 1 });
    const claims = await after.claim({ now: 10_020, leaseMs: 100, limit: 9 });
    expect(claims.map((c) => c.do)).toMatchObject([{ content: noteOf('new'), sound: true }]);
  });

  it('does not send an old one after the new one was sent', async () => {
    await write(ledger(), 'r1', { effects: [tell('old', { slot: 's' })] });
    const old = await next();
    await write(ledger(), 'r1', { effects: [tell('new', { slot: 's' })] });
    if (old)
      await ledger().finish(old, { kind: 'later', at: 50_000, reason: 'slow down', counts: false }, 10);
    expect(await texts()).toEqual(['new']);
    expect(await next(60_000)).toBeNull();
  });

  it('knows the message that a slot was last sent as', async () => {
    expect(await ledger().query.sent('s')).toBeNull();
    await write(ledger(), 'r1', { effects: [tell('a', { slot: 's' })] });
    await texts();
    const first = await ledger().query.sent('s');
    await write(ledger(), 'r1', { effects: [tell('b', { slot: 's' })] });
    expect(await ledger().query.sent('s')).toEqual(first);
    const [claim] = await ledger().claim({ now: 10_000, leaseMs: 100, limit: 1 });
    if (claim) await ledger().finish(claim, { kind: 'done', result: { note: 'it was gone' } }, 10_000);
    expect(await ledger().query.sent('s')).toEqual(first);
    await write(ledger(), 'r1', { effects: [tell('c', { slot: 's' })] });
    await texts();
    expect(await ledger().query.sent('s')).not.toEqual(first);
  });

  it('keeps a message that nobody is paired to hear, and never claims it', async () => {
    const run = aRun('r1', 1, { chat: null });
    await write(ledger(), 'r1', {
      run: { ...run, lifecycle: { ...run.lifecycle, version: 1 } },
      effects: [tell('a')],
    });
    expect(await next()).toBeNull();
    expect(await ledger().query.effects({ state: 'void' })).toMatchObject([{ reason: 'nobody is paired' }]);
  });

  it('a message outlives the state it was about', async () => {
    await write(ledger(), 'r1', { effects: [tell('a')] });
    await enter(ledger(), 'r1', 'PAUSED');
    expect(await texts()).toEqual(['a']);
  });
};
