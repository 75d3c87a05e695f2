/** The chat's last metre: where a message goes, and whether it rings there. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import { createMovedChats, isBotInChat, moveChat, recordBotPresence } from '../../bot/moved-chats.ts';
import { quietHoursKey } from '../../bot/quiet-hours.ts';
import { renderDigest } from '../../bot/views/waiting-list.ts';
import { at } from '../support/core.ts';
import { HERE, created, fails, says } from '../support/told-chat.ts';

const installation = () => {
  const settings = new Map<string, string>();
  const writes: string[] = [];
  return {
    writes,
    query: { setting: async (key: string) => settings.get(key) ?? null },
    setSetting: async (key: string, value: string) => {
      writes.push(key);
      settings.set(key, value);
    },
  };
};

describe('where a message goes', () => {
  it('S6: that we were let in, or thrown out, is news once, and of the chat whatever its topic', async () => {
    const ledger = installation();
    const places = createMovedChats(ledger, []);
    expect(await isBotInChat(ledger.query, '-7')).toBeNull();
    expect(await places.isGone('-7')).toBe(false);
    for (const [here, news] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
      [true, true],
    ] as const) {
      const before = ledger.writes.length;
      expect(await recordBotPresence(ledger, '-7/3', { here })).toBe(news);
      expect(ledger.writes.length - before).toBe(news ? 1 : 0);
      expect(await isBotInChat(ledger.query, '-7/9')).toBe(here);
      expect(await places.isGone('-7')).toBe(!here);
    }
    expect(await isBotInChat(ledger.query, '-8')).toBeNull();
  });

  it('C3: a group that moved takes its topics along, and no person moves', async () => {
    const ledger = installation();
    const places = createMovedChats(ledger, []);
    await moveChat(ledger, '-7', '-1007');
    expect(
      await Promise.all(['-7', '-7/3', '-8', '-8/3', '7'].map((one) => places.currentPlaceOf(one))),
    ).toEqual(['-1007', '-1007/3', '-8', '-8/3', '7']);
    await moveChat(ledger, '-1007/3', '-1007');
    expect(await Promise.all(['-7/3', '-1007/3', '-7/4'].map((one) => places.currentPlaceOf(one)))).toEqual([
      '-1007',
      '-1007',
      '-1007/4',
    ]);
    await moveChat(ledger, '7', '-9');
    expect(await places.currentPlaceOf('7')).toBe('7');
  });

  it('S6: is nowhere else where nobody answers for the bot, even when it is known to be gone', async () => {
    const alone = created({ deciders: [], answers: fails('chat_refused', 'bot was blocked') });
    await recordBotPresence(
      {
        query: { setting: async () => null },
        setSetting: async (key, value) => void alone.settings.set(key, value),
      },
      HERE,
      { here: false },
    );
    expect(await alone.tell(says('x'), { sound: true })).toEqual({ kind: 'dead', reason: 'bot was blocked' });
    expect(alone.calls.map((c) => c.chat)).toEqual([HERE]);
  });
});

describe('whether a message rings', () => {
  it('C3: not in somebody’s quiet hours, and again after them', async () => {
    const { tell, calls, settings, now } = created();
    const minute = (by: number): string => new Date(now() + by * 60_000).toISOString().slice(11, 16);
    const rings = async (hours: string, more: object = { sound: true }): Promise<boolean | undefined> => {
      settings.set(quietHoursKey(HERE), hours);
      await tell(says('x'), more);
      return !calls.at(-1)?.silent;
    };
    expect(await rings(`${minute(-5)}-${minute(5)} UTC`)).toBe(false);
    expect(await rings(`${minute(5)}-${minute(10)} UTC`)).toBe(true);
    expect(await rings('whenever')).toBe(true);
    expect(await rings('')).toBe(true);
    expect(await rings(`${minute(5)}-${minute(10)} UTC`, { sound: false })).toBe(false);
  });

  it('C3: the digest after them tells of the live runs that this chat hears of, and of no other', async () => {
    const { run } = at('PUSHED');
    const of = (id: string, chat: string, decider?: string): Run => ({
      ...run,
      id,
      order: { ...run.order, chat, ...(decider ? { decider } : {}) },
    });
    const live = [of('r1', HERE), of('r2', '77'), of('r3', '77', HERE)];
    const { tell, calls, asked, now } = created({ run: null, live });
    await tell({ view: 'morning_summary', chat: HERE }, { runId: null as never });
    expect(asked).toEqual(['{"live":true,"limit":1000}']);
    const mine = live.filter(({ id }) => id !== 'r2');
    expect(calls[0]?.html).toBe(renderDigest(mine, now(), LANGUAGE_TEXTS.en).html);
    expect(calls[0]?.html).not.toBe(renderDigest(live, now(), LANGUAGE_TEXTS.en).html);
  });
});
