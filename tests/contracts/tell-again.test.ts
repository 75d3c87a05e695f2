/**
 * The chat's last metre: a message that is there already is edited, and a decision closes every
 * copy of its card.
 */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { describe, expect, it } from 'vitest';
import type { MessageView } from '#effects';
import { OutsideFailure } from '#ports/forge';
import type { EffectRow } from '#ports/ledger';
import { at } from '../support/core.ts';
import { HERE, created, fails, says, type Sent, type World } from '../support/told-chat.ts';

const pinsIn = (calls: readonly Sent[]) =>
  calls.filter(({ how }) => /pin$/.test(how)).map((c) => [c.how, c.chat, c.messageId]);

describe('a message that may be there', () => {
  const there = { chat: HERE, messageId: '42' };

  it('C2: is edited in its slot, and sent anew when it is gone, is fresh, or went elsewhere', async () => {
    const { tell, calls } = created({ sent: { a: there, b: { chat: '6', messageId: '43' } } });
    expect(await tell(says('x'), { slot: 'a' })).toMatchObject({ result: { messageId: '42' } });
    await tell(says('x'), { slot: 'a', newMessage: true });
    await tell(says('x'), { slot: 'b' });
    await tell(says('x'), { slot: 'c' });
    expect(calls.map((c) => [c.how, c.messageId])).toEqual([
      ['edit', '42'],
      ['send', undefined],
      ['send', undefined],
      ['send', undefined],
    ]);
    const gone = created({ sent: { a: there }, answers: ({ how }) => (how === 'edit' ? null : undefined) });
    await gone.tell(says('x'), { slot: 'a' });
    await gone.tell(says('y'), { slot: 'a' });
    // It is asked for once only: a message that is gone does not come back.
    expect(gone.calls.map((c) => c.how)).toEqual(['edit', 'send', 'send']);
  });

  it('L8: remembers a thousand of those that are gone, and asks for an older one once more', async () => {
    const sent = Object.fromEntries(
      Array.from({ length: 1_001 }, (_, i) => [`s${i}`, { chat: HERE, messageId: `m${i}` }]),
    );
    const { tell, calls } = created({ sent, answers: ({ how }) => (how === 'edit' ? null : undefined) });
    const asked = async (slot: string): Promise<boolean> => {
      const before = calls.length;
      await tell(says('x'), { slot });
      return calls.slice(before).some(({ how }) => how === 'edit');
    };
    for (let i = 0; i < 1_000; i += 1) expect(await asked(`s${i}`)).toBe(true);
    expect([await asked('s0'), await asked('s999')]).toEqual([false, false]);
    expect(await asked('s1000')).toBe(true);
    expect([await asked('s1000'), await asked('s0')]).toEqual([false, true]);
  });

  it('L4: is marked as a repeat when it is sent again, and never when it is edited', async () => {
    const { tell, calls } = created({ sent: { a: there } });
    await tell(says('x'));
    await tell(says('x'), { tries: 2 });
    await tell(says('x'), { tries: 2, slot: 'a' });
    expect(calls.map((c) => c.html)).toEqual(['x', expect.stringMatching(/^<i>.+<\/i> x$/), 'x']);
  });
});

describe('a decision', () => {
  const card = (more: Partial<EffectRow>, approvalId = 'a'): Partial<EffectRow> => ({
    state: 'done',
    kind: 'chat_message',
    result: { chat: '6', messageId: '70' },
    do: {
      kind: 'chat_message',
      slot: null,
      urgent: true,
      sound: true,
      content: { view: 'gate', approvalId, armedBy: null, armedUntil: null },
    },
    ...more,
  });
  const rows = [
    card({}),
    card({ result: { chat: '6', messageId: '70' } }),
    card({ result: { chat: HERE, messageId: '42' } }),
    card({ result: { chat: '8', messageId: '71' } }),
    card({ result: { chat: '9', messageId: '72' } }, 'other'),
    card({ result: 'nothing' }),
    {
      ...card({ result: { chat: '9', messageId: '73' } }),
      do: { ...card({}).do, content: { view: 'progress' } },
    } as EffectRow,
    // Neither has the card of that id, whatever stands where its id would.
    {
      ...card({ result: { chat: '9', messageId: '74' } }),
      do: { ...card({}).do, content: { view: 'triage', approvalId: 'a' } },
    } as unknown as EffectRow,
    { ...card({ result: { chat: '9', messageId: '75' } }), do: { kind: 'push' } } as unknown as EffectRow,
  ];
  const sent = { 'gate:a': { chat: HERE, messageId: '42' } };
  const gate: MessageView = { view: 'gate', approvalId: 'a', armedBy: null, armedUntil: null };
  const closed = patchRun(at('PUSHED').run, { gate: { approval: null } });
  const edited = (calls: readonly Sent[]) => calls.map((c) => [c.how, c.chat, c.messageId]);

  it('C2: closes every copy of its card once, wherever it was shown, and no other message', async () => {
    const { tell, calls, asked } = created({ run: closed, sent, rows });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done', result: { messageId: '42' } });
    expect(edited(calls)).toEqual([
      ['edit', HERE, '42'],
      ['edit', '6', '70'],
      ['edit', '8', '71'],
    ]);
    expect(new Set(calls.map((c) => c.html)).size).toBe(1);
    expect(asked.slice(1)).toEqual([
      JSON.stringify({ runId: closed.id, kind: 'chat_message', state: 'done' }),
    ]);
    // A card that can still be signed closes nothing.
    const open = at('PUSHED').run;
    const row = {
      ...open.gate.approval,
      runId: 'r1',
      state: 'open',
      reason: null,
      consumedBy: null,
      closedAt: null,
    };
    const waits = created({ run: open, rows, approval: row });
    const live = open.gate.approval?.id ?? '';
    await waits.tell({ ...gate, approvalId: live }, { slot: `gate:${live}` });
    expect(waits.asked.filter((a) => a.includes('chat_message'))).toEqual([]);
    // A copy of its own in another slot closes nothing.
    const copy = created({ run: closed, sent, rows });
    await copy.tell(gate, { slot: 'copy' });
    expect(copy.calls).toHaveLength(1);
  });

  it('C2: goes on where it was stopped for being too fast, and repeats nothing of it', async () => {
    let slow = true;
    const { tell, calls, now } = created({
      run: closed,
      sent,
      rows,
      answers: ({ chat }) => {
        if (chat === '8' && slow)
          throw new OutsideFailure('rate_limited', 'slow', { retryAt: now() + 1_000 });
        return undefined;
      },
    });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'later' });
    slow = false;
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done', result: { messageId: '42' } });
    expect(edited(calls)).toEqual([
      ['edit', HERE, '42'],
      ['edit', '6', '70'],
      ['edit', '8', '71'],
      ['edit', '8', '71'],
    ]);
    await tell(gate, { slot: 'gate:a' });
    expect(calls).toHaveLength(7);
  });

  it('C2: is recorded although a chat with a copy takes nothing any more', async () => {
    const { tell } = created({
      run: closed,
      sent,
      rows,
      answers: ({ chat }) => (chat === '6' ? fails('chat_refused', 'kicked')() : undefined),
    });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done' });
  });

  it('C2: unpins what was pinned of it, once, however often it is tried', async () => {
    let slow = true;
    const pins = [
      card({ result: { chat: '6', messageId: '70', pinned: true } }),
      card({ result: { chat: '8', messageId: '71' } }),
    ];
    const { tell, calls } = created({
      run: closed,
      sent,
      rows: pins,
      answers: ({ chat }) => {
        if (chat === '8' && slow) throw new OutsideFailure('rate_limited', 'slow', { retryAt: 2_000_000 });
        return undefined;
      },
    });
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'later' });
    slow = false;
    expect(await tell(gate, { slot: 'gate:a' })).toMatchObject({ kind: 'done' });
    expect(pinsIn(calls)).toEqual([['unpin', '6', '70']]);
  });
});

describe('a card that is to be pinned', () => {
  const asked = (pins: World['answers'] = () => undefined) =>
    created({
      run: at('PUSHED').run,
      answers: (call, no) => (call.how === 'pin' ? pins(call, no) : undefined),
    });
  const progress: MessageView = { view: 'progress' };

  it('C2: is pinned where it was sent, as long as it can be answered, and remembered so', async () => {
    const { tell, calls } = asked();
    expect(await tell(progress, { pin: true })).toMatchObject({ kind: 'done', result: { pinned: true } });
    expect(calls[0]?.buttons?.length).toBeGreaterThan(0);
    expect(pinsIn(calls)).toEqual([['pin', HERE, '101']]);
    for (const [show, more] of [
      [says('x'), { pin: true }],
      [progress, {}],
    ] as const) {
      const done = await tell(show, more);
      expect(done).toMatchObject({ kind: 'done' });
      expect(done).not.toHaveProperty('result.pinned');
    }
    expect(pinsIn(calls)).toHaveLength(1);
  });

  it('C2: arrives all the same where it may not be pinned, or not now; a bug is a bug', async () => {
    for (const pins of [() => null, fails('chat_unavailable', 'away')]) {
      const done = await asked(pins).tell(progress, { pin: true });
      expect(done).toMatchObject({ kind: 'done', result: { messageId: '101' } });
      expect(done).not.toHaveProperty('result.pinned');
    }
    const bug = asked(() => {
      throw new TypeError('ours');
    });
    await expect(bug.tell(progress, { pin: true })).rejects.toThrow('ours');
  });
});
