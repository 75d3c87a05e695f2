/**
 * Fairness: chats are spoken to at the pace Telegram allows, and what one of them sends is in
 * nobody else's way.
 */
import { describe, expect, it } from 'vitest';
import type { Effect } from '#effects';
import type { ClaimedEffect, EffectFinish, IncomingItem, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { tell, work, write, type Open } from '../support/ledger.ts';
import { useLedger } from '../support/opened.ts';
import { noteOf, textOf as noted } from '../support/english.ts';

const reply = (chat: string, text: string, more: Partial<ChatReply> = {}): ChatReply => ({
  chat,
  slot: null,
  show: noteOf(text),
  urgent: true,
  sound: false,
  runId: null,
  ...more,
});
const progress = (slot: string): Effect => ({
  do: { kind: 'chat_message', slot, content: { view: 'progress' }, urgent: false, sound: false },
  dueAt: 0,
});
const textOf = ({ do: what }: ClaimedEffect): string =>
  what.kind !== 'chat_message'
    ? what.kind
    : what.content.view === 'note'
      ? noted(what.content)
      : what.content.view;
const SENT: EffectFinish = { kind: 'done', result: { chat: '7', messageId: '1', epoch: null } };

export const fairnessContract = (open: Open): void => {
  const { ledger, restart } = useLedger(open);
  const asks = async (replies: readonly ChatReply[], now: number, l: Ledger = ledger()): Promise<void> => {
    for (const [i, one] of replies.entries()) {
      const key = `${now}-${i}-${one.chat}-${Math.random()}`;
      const [row] = await l.receive([{ source: 'chat', key, body: 1 }], now);
      await l.settleInbox(row?.id ?? -1, { kind: 'done', note: '', replies: [one] }, now);
    }
  };
  /** Sends what may be sent, as the dispatcher does, until a time; says what went out and when. */
  const sending = async (
    from: number,
    until: number,
    l: Ledger = ledger(),
    outcome: EffectFinish = SENT,
  ): Promise<[number, string][]> => {
    const sent: [number, string][] = [];
    for (let now = from; now <= until;) {
      const claims = await l.claim({ now, leaseMs: 1_000, limit: 32 });
      for (const claim of claims) {
        sent.push([now, textOf(claim)]);
        await l.finish(claim, outcome, now);
      }
      const due = await l.nextDue();
      if (due === null) break;
      if (claims.length === 0) expect(due).toBeGreaterThan(now);
      now = Math.max(now, due);
    }
    return sent;
  };
  const within = (sent: [number, string][], ms: number): number =>
    Math.max(0, ...sent.map(([at]) => sent.filter(([t]) => t >= at && t < at + ms).length));

  describe('what goes out', () => {
    it('C3: a private chat hears about one message a second, after a few at once', async () => {
      await asks(
        Array.from({ length: 30 }, (_, i) => reply('7', `${i}`)),
        1_000,
      );
      const sent = await sending(1_000, 90_000);
      expect(sent.map(([, text]) => text)).toEqual(Array.from({ length: 30 }, (_, i) => `${i}`));
      expect(within(sent, 1_000)).toBeLessThanOrEqual(4);
      expect(sent.at(-1)?.[0]).toBe(1_000 + 27_000);
    });

    it('C3: what is done without a message, as on the card of many, takes nothing of the pace', async () => {
      await asks(
        Array.from({ length: 60 }, (_, i) => reply('7', `${i}`)),
        1_000,
      );
      const last = await sending(1_000, 90_000, ledger(), { kind: 'done', result: null });
      expect(last).toHaveLength(60);
      // All of them are counted for all chats together: twenty a second.
      expect(last.at(-1)?.[0]).toBeLessThan(1_000 + 3_000);
    });

    it('C3: a group hears no more than 20 messages in any minute, edits counted', async () => {
      await asks(
        Array.from({ length: 60 }, (_, i) => reply('-7', `${i}`, { slot: `s${i}` })),
        1_000,
      );
      const sent = await sending(1_000, 400_000);
      expect(sent).toHaveLength(60);
      expect(within(sent, 60_000)).toBeLessThanOrEqual(20);
    });

    it('C3: all chats together hear no more than 30 messages in any second', async () => {
      await asks(
        Array.from({ length: 120 }, (_, i) => reply(String(100 + i), `${i}`)),
        1_000,
      );
      const sent = await sending(1_000, 60_000);
      expect(sent).toHaveLength(120);
      expect(within(sent, 1_000)).toBeLessThanOrEqual(30);
    });

    it('C3: edits of progress leave room for a card, and are not claimed before their time', async () => {
      await write(ledger(), 'r1', { effects: Array.from({ length: 200 }, (_, i) => progress(`p${i}`)) });
      const sent = await sending(1_000, 20_000);
      expect(sent).toHaveLength(8);
      const at = sent.at(-1)?.[0] ?? 0;
      await write(ledger(), 'r1', { effects: [tell('card', { urgent: true, dueAt: at + 10 })] });
      expect((await sending(at + 10, at + 10)).map(([, text]) => text)).toEqual(['card']);
      const tries = (await ledger().query.effects({ kind: 'chat_message' })).map((e) => e.tries);
      expect(tries.filter((n) => n > 0)).toHaveLength(9);
    });

    it('L8: a card goes before the answers that somebody waits for in the same chat, and before their backlog elsewhere', async () => {
      await asks(
        Array.from({ length: 20 }, (_, i) => reply('7', `a${i}`)),
        1_000,
      );
      await sending(1_000, 1_100);
      await write(ledger(), 'r1', { now: 1_200, effects: [tell('card', { urgent: true, dueAt: 1_200 })] });
      expect(await sending(1_200, 1_200)).toEqual([[1_200, 'card']]);
    });

    it('L8: what confirms an order goes before the card that answers it', async () => {
      await asks([reply('7', 'a'), { ...reply('7', 'sent to the agent'), beforeCards: true }], 1_000);
      await write(ledger(), 'r1', { now: 1_100, effects: [tell('card', { urgent: true, dueAt: 1_100 })] });
      expect((await sending(1_200, 20_000)).map(([, text]) => text)).toEqual([
        'sent to the agent',
        'card',
        'a',
      ]);
    });

    it('L8: a backlog of one chat costs another nothing', async () => {
      await asks(
        Array.from({ length: 300 }, (_, i) => reply('7', `a${i}`)),
        1_000,
      );
      await sending(1_000, 3_000);
      await asks([reply('8', 'b')], 3_100);
      expect(await sending(3_100, 3_100)).toEqual([[3_100, 'b']]);
    });

    it('C3: a chat that Telegram silences is not claimed for until then, also after a restart; others go on', async () => {
      await asks([reply('7', 'a'), reply('7', 'b')], 1_000);
      const [first] = await ledger().claim({ now: 1_000, leaseMs: 100, limit: 9 });
      if (!first) throw new Error('nothing was claimed');
      const silence = { chat: 1_001_000, everybody: null };
      await ledger().finish(
        first,
        { kind: 'later', at: 1_001_000, reason: 'slow down', counts: false, silence },
        1_000,
      );
      const next = await restart();
      await next.recover(2_000);
      expect(await next.nextDue()).toBe(1_001_000);
      await asks([reply('8', 'c')], 3_000, next);
      expect(await sending(3_000, 3_000, next)).toEqual([[3_000, 'c']]);
      expect(await next.claim({ now: 1_000_999, leaseMs: 100, limit: 9 })).toEqual([]);
      const then = await sending(1_001_000, 1_010_000, next);
      expect(then).toEqual([
        [1_001_000, 'a'],
        [1_003_000, 'b'],
      ]);
    });

    it('C3: when everybody is silenced no message is claimed, and work goes on', async () => {
      await asks([reply('7', 'a')], 1_000);
      const [first] = await ledger().claim({ now: 1_000, leaseMs: 100, limit: 9 });
      if (!first) throw new Error('nothing was claimed');
      const silence = { chat: 9_000, everybody: 5_000 };
      await ledger().finish(first, { kind: 'later', at: 9_000, reason: '', counts: false, silence }, 1_000);
      await asks([reply('8', 'b')], 2_000);
      await write(ledger(), 'r1', { now: 2_000, effects: [work('start_run')] });
      expect((await ledger().claim({ now: 2_000, leaseMs: 9_999, limit: 9 })).map(textOf)).toEqual([
        'start_run',
      ]);
      expect(await ledger().nextDue()).toBe(5_000);
      expect(await sending(2_000, 20_000)).toEqual([
        [5_000, 'b'],
        [9_000, 'a'],
      ]);
    });

    it('L8: says which answers wait in a chat, by their slots', async () => {
      await asks([reply('7', 'a', { slot: 'x' }), reply('7', 'b'), reply('8', 'c', { slot: 'y' })], 1_000);
      await write(ledger(), 'r1', { effects: [progress('p')] });
      expect((await ledger().query.answersWaiting('7')).sort()).toEqual([null, 'x'].sort());
      await sending(1_000, 9_000);
      expect(await ledger().query.answersWaiting('7')).toEqual([]);
    });
  });

  describe('what comes in', () => {
    const say = (key: string, lane?: string, urgent = false): IncomingItem => ({
      source: 'chat',
      key,
      body: 1,
      urgent,
      ...(lane === undefined ? {} : { lane }),
    });
    const keys = async (limit = 99): Promise<string[]> => (await ledger().inbox(limit)).map((row) => row.key);

    it('L8: lanes take turns, whoever sent first and however much', async () => {
      await ledger().receive(
        [1, 2, 3, 4].map((n) => say(`a${n}`, 'chat:1')),
        1,
      );
      await ledger().receive([say('b1', 'chat:2'), say('b2', 'chat:2')], 2);
      await ledger().receive([say('c1', 'chat:3')], 3);
      expect(await keys()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
      expect(await keys(3)).toEqual(['a1', 'b1', 'c1']);
    });

    it('L8: the urgent of a lane goes first, and keeps its own order', async () => {
      await ledger().receive([say('a1', 'chat:1'), say('a2', 'chat:1')], 1);
      await ledger().receive([say('t1', 'chat:1', true), say('t2', 'chat:1', true)], 2);
      expect(await keys()).toEqual(['t1', 'a1', 't2', 'a2']);
      expect((await ledger().inbox(2)).map(({ lane, urgent }) => [lane, urgent])).toEqual([
        ['chat:1', true],
        ['chat:1', false],
      ]);
    });

    it('S4: what comes after the first of its lane was handled stays behind the rest of it', async () => {
      const [first] = await ledger().receive(
        [1, 2, 3].map((n) => say(`a${n}`, 'chat:1')),
        1,
      );
      await ledger().settleInbox(first?.id ?? -1, { kind: 'done', note: '', replies: [] }, 2);
      await ledger().receive([say('a4', 'chat:1')], 3);
      expect(await keys()).toEqual(['a2', 'a3', 'a4']);
    });
  });
};
