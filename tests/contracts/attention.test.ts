/** C2, G3: a card that waits: its time while nobody can answer, its pin, and who is asked next. */
import { describe, expect, it } from 'vitest';
import { dueAttentionInboxItems, extendCardsAfterDowntime } from '../../bot/unanswered-cards.ts';
import { noticeHandler } from '../../orchestrator/notices/notice-handlers.ts';
import { DAY, HOUR, MINUTE } from '#model/values';
import { ANA, BO, createChatWorld, VIC } from '../support/chat-world.ts';
import { someAssessment } from '../support/ready-run.ts';

const CY = '10';

/** It is noon, a card waits for Ana, and whoever looks after cards looks when told to. */
const world = async (change: object = {}) => {
  const w = await createChatWorld();
  let awaySince: number | null = null;
  const parts = { ...w, awaySince: () => awaySince };
  const looks = async (): Promise<string[]> => {
    const before = w.messages.length;
    await w.ledger.receive(await dueAttentionInboxItems(parts, w.clock.now()), w.clock.now());
    for (const row of await w.ledger.inbox(100)) await noticeHandler(row.body)?.(w.ledger, row, w.clock);
    await w.deliver();
    return w.messages.slice(before).map(({ chat }) => chat);
  };
  const readyRun = (order: object = {}, more: Parameters<typeof w.readyRun>[0] = {}) =>
    w.readyRun({ ...more, order: { chat: ANA, ...change, ...order } });
  const expiresIn = async (id: string): Promise<number> =>
    ((await w.run(id)).gate.approval?.expiresAt ?? 0) - w.clock.now();
  return {
    ...w,
    parts,
    looks,
    readyRun,
    expiresIn,
    goesAway: () => void (awaySince = w.clock.now()),
    comesBack: () => void (awaySince = null),
  };
};

describe('the time of a card', () => {
  it('G3: stands still in quiet hours, and goes on when they are over', async () => {
    const w = await world();
    await w.says('/settings quiet 11:00-19:00');
    const { id } = await w.readyRun();
    const before = await w.expiresIn(id);
    for (const _ of [1, 2, 3]) await w.looks();
    const added = (await w.expiresIn(id)) - before;
    expect(added).toBeGreaterThan(7 * HOUR - 2 * MINUTE);
    expect(added).toBeLessThanOrEqual(7 * HOUR);
    const {
      lifecycle: { version },
    } = await w.run(id);
    w.passes(3 * HOUR);
    await w.looks();
    expect((await w.run(id)).lifecycle.version).toBe(version);
    const card = (await w.ledger.query.approvals({ runId: id, state: 'open' }))[0];
    expect(card?.expiresAt).toBe((await w.run(id)).gate.approval?.expiresAt);
    w.passes(25 * HOUR);
    expect(await w.expiresIn(id)).toBeGreaterThan(0);
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect((await w.run(id)).gate.consumedApproval).not.toBeNull();
  });

  it('G3: stands still on each of several nights, by the clock of their place', async () => {
    const w = await world();
    await w.says('/settings quiet 22:00-07:00 Asia/Shanghai');
    const { id } = await w.readyRun();
    const asked = w.clock.now();
    // Noon in UTC is 20:00 there.
    for (let hour = 0; hour < 48 && (await w.expiresIn(id)) > 0; hour += 1) {
      await w.looks();
      w.passes(HOUR);
    }
    const lasted = ((await w.run(id)).gate.approval?.expiresAt ?? 0) - asked;
    expect(lasted).toBeGreaterThan(DAY + 2 * 9 * HOUR - 10 * MINUTE);
    expect(lasted).toBeLessThanOrEqual(DAY + 2 * 9 * HOUR);
  });

  it('G3: goes on while somebody who was asked as well is awake', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(19 * HOUR);
    await w.looks();
    await w.says('/settings quiet 6:00-20:00');
    const {
      lifecycle: { version },
    } = await w.run(id);
    await w.looks();
    expect((await w.run(id)).lifecycle.version).toBe(version);
    await w.says('/settings quiet 6:00-20:00', { by: BO });
    await w.looks();
    expect((await w.run(id)).gate.approval?.frozenUntil).toBeGreaterThan(w.clock.now());
  });

  it('G3: stands still for two hours while Telegram cannot be reached, with few entries in the log', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(23 * HOUR + 30 * MINUTE);
    w.goesAway();
    await w.looks();
    const {
      lifecycle: { version },
    } = await w.run(id);
    for (let minute = 0; minute < 2 * 60; minute += 1) {
      w.passes(MINUTE);
      await dueAttentionInboxItems(w.parts, w.clock.now());
    }
    const run = await w.run(id);
    expect(run.lifecycle.version - version).toBeLessThan(40);
    const left = await w.expiresIn(id);
    expect(left).toBeGreaterThan(25 * MINUTE);
    expect(left).toBeLessThanOrEqual(30 * MINUTE);
    w.comesBack();
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect((await w.run(id)).gate.consumedApproval).not.toBeNull();
  });

  it('G3: a card is over in an outage of Telegram that lasts, by the clock of the tap', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(HOUR);
    w.goesAway();
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      await dueAttentionInboxItems(w.parts, w.clock.now());
      w.passes(HOUR);
    }
    w.comesBack();
    expect(await w.expiresIn(id)).toBeLessThan(-8 * DAY);
    expect(await w.taps('Open PR')).toContain('expired');
  });

  it('G3: an absence of a blink changes nothing', async () => {
    const w = await world();
    const {
      id,
      lifecycle: { version },
    } = await w.readyRun();
    w.goesAway();
    w.passes(MINUTE / 2);
    await w.looks();
    await extendCardsAfterDowntime(w, w.clock.now() - MINUTE / 2, w.clock.now());
    await extendCardsAfterDowntime(w, null, w.clock.now());
    expect((await w.run(id)).lifecycle.version).toBe(version);
  });

  it('G3: a restart expires no card: up to two hours in which we were down are added', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(23 * HOUR);
    const down = w.clock.now();
    const before = await w.expiresIn(id);
    w.passes(110 * MINUTE);
    await extendCardsAfterDowntime(w, down, w.clock.now());
    expect(await w.expiresIn(id)).toBe(before);
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect((await w.run(id)).gate.consumedApproval).not.toBeNull();
  });

  it('G3: a card of 24 hours cannot be signed after ten days in which we were down, even before its timer fires', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(HOUR);
    const down = w.clock.now();
    w.passes(10 * DAY);
    await extendCardsAfterDowntime(w, down, w.clock.now());
    expect(await w.taps('Open PR')).toContain('expired');
    await w.says(`/approve_open_pr ${id} --confirm`);
    const run = await w.run(id);
    expect(run.gate.consumedApproval).toBeNull();
    expect(run.gate.approval?.signatures ?? []).toEqual([]);
  });

  it('G3: goes on in a group, where somebody may be awake', async () => {
    const w = await world();
    const { id } = await w.readyRun({ chat: '-5' });
    await w.says('/settings quiet 11:00-19:00');
    const {
      lifecycle: { version },
    } = await w.run(id);
    await w.looks();
    expect((await w.run(id)).lifecycle.version).toBe(version);
  });
});

describe('a card that waits', () => {
  it('C2: is pinned once at half of its time, in place and without a sound, and unpinned when decided', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    const card = w.messages.findLast(({ text }) => text.startsWith('Open this'));
    w.passes(11 * HOUR);
    await w.looks();
    expect(w.pins).toEqual([]);
    w.passes(1 * HOUR + MINUTE);
    for (const _ of [1, 2]) expect(await w.looks()).toEqual([]);
    expect(w.pins).toEqual([{ chat: ANA, messageId: card?.messageId, on: true }]);
    await w.taps('Open PR');
    await w.taps('Confirm');
    expect(w.pins.at(-1)).toEqual({ chat: ANA, messageId: card?.messageId, on: false });
    expect(w.pins).toHaveLength(2);
    expect((await w.run(id)).gate.consumedApproval).not.toBeNull();
  });

  it('C2: in a chat that allows no pins it waits all the same', async () => {
    const w = await world();
    await w.readyRun();
    w.refusesPins();
    w.passes(13 * HOUR);
    await w.looks();
    expect(w.pins).toEqual([]);
    await w.taps('Open PR');
    expect(await w.taps('Confirm')).not.toBe('');
    expect(w.pins).toEqual([]);
  });

  it('C2: of many in one chat the three that wait longest are pinned, and the next when one is decided', async () => {
    const w = await world();
    for (const n of [1, 2, 3, 4, 5]) {
      await w.readyRun({ goal: `Do ${n}` });
      w.passes(MINUTE);
    }
    w.passes(12 * HOUR);
    for (const _ of [1, 2]) await w.looks();
    expect(w.pins.filter(({ on }) => on)).toHaveLength(3);
    const [first] = w.messages.filter(({ messageId }) => messageId === w.pins[0]?.messageId);
    const on = first ? { on: first } : {};
    await w.taps('Open PR', on);
    await w.taps('Confirm', on);
    await w.looks();
    expect(w.pins.filter((pin) => pin.on)).toHaveLength(4);
    expect(w.pins.filter((pin) => !pin.on)).toHaveLength(1);
  });

  it('C2: is shown to the next approver at three quarters of its time, and to nobody after them', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(17 * HOUR);
    expect(await w.looks()).not.toContain(BO);
    w.passes(1 * HOUR + MINUTE);
    const told = await w.looks();
    expect(told).toEqual([BO]);
    const copy = w.messages.at(-1);
    expect(copy).toMatchObject({ chat: BO, silent: false });
    expect(copy?.text).toContain('it is your turn');
    w.passes(HOUR);
    expect(await w.looks()).toEqual([]);
    expect(w.messages.filter(({ chat }) => chat === VIC)).toEqual([]);
    await w.taps('Open PR', { by: BO, ...(copy ? { on: copy } : {}) });
    await w.taps('Confirm', { by: BO, ...(copy ? { on: copy } : {}) });
    expect((await w.run(id)).gate.consumedApproval?.by).toBe('Bo');
    // A decision takes the buttons away everywhere.
    for (const one of w.messages.filter(({ text }) => text.includes(`run ${id}`)))
      expect(one.buttons.flat().map((b) => b.text)).not.toContain(expect.stringMatching(/^Open PR/));
  });

  it.each([
    [
      'whoever asked for it, where they may not sign',
      { bounds: { requesterMayApprove: false }, requester: { id: BO, name: 'Bo' } },
    ],
    ['whoever the order does not name', { approvers: [ANA] }],
    ['whoever has left the bot', {}],
    ['whoever has quiet hours now', {}],
  ])('C2: the next is not %s', async (who, order) => {
    const w = await world();
    if (who.includes('left')) await w.ledger.setSetting(`place:${BO}`, 'gone');
    if (who.includes('quiet')) await w.says('/settings quiet 5:00-9:00', { by: BO });
    await w.readyRun(order);
    w.passes(19 * HOUR);
    expect(await w.looks()).not.toContain(BO);
  });

  it('C2: the next is whoever the card still needs, and none whose signature would help no policy', async () => {
    const w = await world();
    const asks = { approvals: 2, approvers: [{ name: '@dba', ids: [ANA, CY] }] };
    await w.ledger.setUser({ id: CY, name: 'Cy', role: 'admin' }, { id: ANA, name: 'Ana' });
    await w.readyRun(
      {},
      {
        assessment: someAssessment({
          decision: 'escalate',
          reasons: [
            {
              policy: 'custom:db',
              verdict: 'escalate',
              reason: { kind: 'custom_policy', says: 'two of them', at: [], more: 0, asks },
            },
          ],
        }),
      },
    );
    w.passes(19 * HOUR);
    expect(await w.looks()).toEqual([CY]);
  });

  it('C2: nobody is asked of a card that was decided meanwhile, and nothing is ever approved by time', async () => {
    const w = await world();
    const { id } = await w.readyRun();
    w.passes(19 * HOUR);
    const due = await dueAttentionInboxItems(w.parts, w.clock.now());
    expect(due.map(({ key }) => key.split(':')[0])).toEqual(['pin', 'next']);
    await w.taps('Open PR');
    await w.taps('Confirm');
    const before = w.messages.length;
    await w.ledger.receive(due, w.clock.now());
    for (const row of await w.ledger.inbox(10)) await noticeHandler(row.body)?.(w.ledger, row, w.clock);
    await w.deliver();
    expect(w.messages).toHaveLength(before);
    expect(w.pins).toEqual([]);
    expect((await w.run(id)).gate.consumedApproval?.by).toBe('P7');
  });
});
