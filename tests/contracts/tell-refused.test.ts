/** The chat's last metre: what becomes of a message that Telegram does not take. */
import { describe, expect, it } from 'vitest';
import { sendPlainerIfRefused } from '../../bot/plainer-message.ts';
import { ChatMoved, MaybeSent } from '#ports/chat';
import { OutsideFailure } from '#ports/forge';
import { ADMIN, HERE, created, fails, says, type Call, type World } from '../support/told-chat.ts';

describe('a message that Telegram does not take', () => {
  it('C5: goes out as plain text when its markup cannot be read', async () => {
    const markup = 'Bad Request: can’t PARSE ENTITIES in message text';
    for (const sent of [{}, { a: { chat: HERE, messageId: '42' } }]) {
      const { tell, calls } = created({
        sent,
        answers: (_, no) => (no === 1 ? fails('chat_refused', markup)() : undefined),
      });
      expect(await tell(says('<b>a</b> &lt; b'), { slot: 'a' })).toMatchObject({ kind: 'done' });
      expect(calls.map((c) => c.html)).toEqual(['<b>a</b> &lt; b', 'a &lt; b']);
    }
    const twice = created({ answers: fails('chat_refused', markup) });
    expect(await twice.tell(says('x'))).toEqual({ kind: 'dead', reason: markup });
    const away = created({ answers: fails('chat_unavailable', markup) });
    expect(await away.tell(says('x'))).toMatchObject({ kind: 'later' });
    expect([twice.calls.length, away.calls.length]).toEqual([2, 1]);
  });

  it.each([
    'Bad Request: BUTTON_URL_INVALID',
    'Bad Request: inline keyboard button URL ‘http://ghe/a’ is invalid: Wrong HTTP URL',
    'Bad Request: can’t parse reply keyboard markup JSON object',
  ])('C5: goes out with our own answers alone when a button is refused: %s', async (words) => {
    const message = {
      html: '<b>a</b>',
      asks: true as const,
      buttons: [
        [
          { text: 'Open PR', token: 't1', style: 'success' as const },
          { text: 'Compare', token: '', opens: 'http://ghe/a' },
        ],
        [{ text: 'Branch', token: '', copies: 'x' }],
      ],
    };
    const sent: unknown[] = [];
    const told = await sendPlainerIfRefused(message, async (m) => {
      sent.push(m);
      if (sent.length === 1) throw new OutsideFailure('chat_refused', words);
      return 'told';
    });
    expect(told).toBe('told');
    expect(sent).toEqual([
      message,
      { html: '<b>a</b>', asks: true, buttons: [[{ text: 'Open PR', token: 't1' }]] },
    ]);
  });

  it('S6: is given up, with the reason, when it can never be sent', async () => {
    const { tell, calls } = created({ answers: fails('chat_refused', 'message is too long') });
    expect(await tell(says('x'))).toEqual({ kind: 'dead', reason: 'message is too long' });
    expect(calls).toHaveLength(1);
  });

  it('S6: reaches an admin when somebody must hear of it, and says where it was meant to go', async () => {
    const answers = ({ chat }: Call) =>
      chat === HERE ? fails('chat_refused', 'bot was blocked')() : undefined;
    const { tell, calls } = created({ answers });
    expect(await tell(says('x'), { sound: true })).toMatchObject({ result: { chat: ADMIN } });
    expect(calls[1]).toMatchObject({
      chat: ADMIN,
      html: expect.stringMatching(/^<i>.*5.*<\/i>\nx$/) as string,
    });
    // What became of it goes where it went.
    const known = created({ answers, sent: { a: { chat: ADMIN, messageId: '44' } } });
    await known.tell(says('y'), { slot: 'a' });
    expect(known.calls.at(-1)).toMatchObject({ how: 'edit', chat: ADMIN, messageId: '44' });
    const quiet = created({ answers });
    expect(await quiet.tell(says('y'), { slot: 'a' })).toMatchObject({ kind: 'dead' });
    expect(quiet.calls).toHaveLength(1);
    const away = created({ answers: fails('chat_unavailable', 'away') });
    expect(await away.tell(says('x'), { sound: true })).toMatchObject({ kind: 'later' });
    expect(away.calls).toHaveLength(1);
    const alone = created({ answers, deciders: [HERE] });
    expect(await alone.tell(says('x'), { sound: true })).toMatchObject({ kind: 'dead' });
    expect(alone.calls).toHaveLength(1);
    const admin = created({
      chat: ADMIN,
      answers: ({ chat }) => (chat === ADMIN ? fails('chat_refused', 'no')() : undefined),
    });
    expect(await admin.tell(says('x'), { sound: true })).toMatchObject({ result: { chat: '901' } });
  });

  it('S6: reaches an admin without a try where we are known to be gone, and only if it must be heard', async () => {
    const { tell, calls, settings } = created({});
    settings.set(`place:${HERE}`, 'gone');
    await tell(says('x'), { sound: true });
    await tell(says('y'));
    settings.set(`place:${HERE}`, 'here');
    await tell(says('z'), { sound: true });
    expect(calls.map(({ chat }) => chat)).toEqual([ADMIN, HERE, HERE]);
  });

  it('L8: is tried again later and later, its chat silent until then, and at once after a success', async () => {
    let away = true;
    const { tell, now } = created({
      answers: () => (away ? fails('chat_unavailable', 'away')() : undefined),
    });
    const pauses: unknown[] = [];
    for (let i = 0; i < 8; i += 1) {
      const finish = await tell(says('x'));
      if (finish.kind !== 'later') throw new Error('it went through');
      expect(finish).toMatchObject({ counts: false, silence: { chat: finish.at, everybody: null } });
      pauses.push(finish.at - now());
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    away = false;
    await tell(says('x'));
    away = true;
    expect(await tell(says('x'))).toMatchObject({ kind: 'later', at: now() + 2_000, reason: 'away' });
  });

  it('L8: holds up no other chat of a service that limits each by itself, however many are refused', async () => {
    let chat = HERE;
    let until = Infinity;
    const world: World = {
      limitsApart: true,
      answers: () => fails('rate_limited', 'slow down', { retryAt: until })(),
    };
    Object.defineProperty(world, 'chat', { get: () => chat, enumerable: true });
    const { tell, now } = created(world);
    until = now() + 40_000;
    for (chat of ['5', '6', '7'])
      expect(await tell(says('x'))).toMatchObject({ silence: { chat: until, everybody: null } });
  });

  it('L8: waits as long as Telegram asks, and holds up others only when several are refused', async () => {
    const asked: { until: number } = { until: 0 };
    let chat = HERE;
    const world: World = {
      answers: () =>
        asked.until > 0 ? fails('rate_limited', 'slow down', { retryAt: asked.until })() : undefined,
    };
    Object.defineProperty(world, 'chat', { get: () => chat, enumerable: true });
    const { tell, now, wait } = created(world);
    const refusedUntil = async (until: number, where: string) => {
      asked.until = until;
      chat = where;
      return tell(says('x'));
    };
    const soon = now() + 3_000;
    expect(await refusedUntil(soon, '5')).toEqual({
      kind: 'later',
      at: soon,
      reason: 'slow down',
      counts: false,
      silence: { chat: soon, everybody: null },
    });
    const long = now() + 40_000;
    expect(await refusedUntil(long, '5')).toMatchObject({ at: long, silence: { everybody: null } });
    expect(await refusedUntil(long, '5')).toMatchObject({ silence: { everybody: null } });
    expect(await refusedUntil(long, '6')).toMatchObject({ silence: { everybody: now() + 1_000 } });
    // One of several that were under way at the same time is no news.
    expect(await refusedUntil(long, '7')).toMatchObject({ silence: { everybody: null } });
    wait(1_000);
    expect(await refusedUntil(long, '7')).toMatchObject({ silence: { everybody: now() + 2_000 } });
    asked.until = 0;
    await tell(says('x'));
    expect(await refusedUntil(now() + 40_000, '5')).toMatchObject({ silence: { everybody: null } });
    wait(2_000);
    expect(await refusedUntil(now() + 40_000, '6')).toMatchObject({ silence: { everybody: now() + 1_000 } });
  });

  it('L8: a wait that nobody asked for, or that is no refusal for being too fast, is our own', async () => {
    const { tell, now } = created({
      answers: (_, no) =>
        (no === 1
          ? fails('rate_limited', 'slow')
          : fails('chat_unavailable', 'away', { retryAt: 9_000_000 }))(),
    });
    expect(await tell(says('x'))).toMatchObject({ kind: 'later', at: now() + 2_000 });
    expect(await tell(says('x'))).toMatchObject({ kind: 'later', at: now() + 4_000 });
  });

  it('L8: only waits of ten seconds and more hold up others, and only a message that went ends that', async () => {
    let chat = '5';
    let wait = 0;
    const world: World = {
      answers: () => (wait > 0 ? fails('rate_limited', 'slow', { retryAt: 1_000_000 + wait })() : undefined),
    };
    Object.defineProperty(world, 'chat', { get: () => chat, enumerable: true });
    const { tell } = created(world);
    const held = async (where: string, ms: number) => {
      [chat, wait] = [where, ms];
      const finish = await tell(says('x'));
      return finish.kind === 'later' ? (finish.silence?.everybody ?? null) : finish.kind;
    };
    expect([await held('5', 9_999), await held('6', 9_999)]).toEqual([null, null]);
    expect(await held('5', 10_000)).toBeNull();
    wait = 0;
    await tell({ view: 'document', name: 'a', caption: 'b', artifact: 'gone' });
    expect(await held('6', 10_000)).toBe(1_001_000);
  });

  it('L8: after a message went, one chat alone holds up nobody', async () => {
    let chat = '5';
    let slow = true;
    const world: World = {
      answers: () => (slow ? fails('rate_limited', 'slow', { retryAt: 1_040_000 })() : undefined),
    };
    Object.defineProperty(world, 'chat', { get: () => chat, enumerable: true });
    const { tell } = created(world);
    await tell(says('x'));
    slow = false;
    await tell(says('x'));
    [slow, chat] = [true, '6'];
    expect(await tell(says('x'))).toMatchObject({ silence: { everybody: null } });
  });

  it('L4: counts as a try only when it may have arrived', async () => {
    const maybe = created({
      answers: () => {
        throw new MaybeSent('chat_unavailable', 'no answer');
      },
    });
    expect(await maybe.tell(says('x'))).toMatchObject({ kind: 'later', counts: true });
  });

  it('C2: goes to where its group has moved, then and later', async () => {
    const { tell, calls, settings, now } = created({
      chat: '-5',
      answers: ({ chat }) => {
        if (chat === '-5') throw new ChatMoved('-1005');
        return undefined;
      },
    });
    expect(await tell(says('x'))).toEqual({
      kind: 'later',
      at: now() + 1_000,
      counts: false,
      reason: 'The chat has another id now.',
    });
    expect(settings.get('moved:-5')).toBe('-1005');
    await tell(says('x'));
    expect(calls.map((c) => c.chat)).toEqual(['-5', '-1005']);
    // People do not move, whatever the settings say.
    const person = created();
    person.settings.set(`moved:${HERE}`, '77');
    await person.tell(says('x'));
    expect(person.calls[0]?.chat).toBe(HERE);
  });

  it('L6: a bug is nobody’s refusal', async () => {
    const { tell } = created({
      answers: () => {
        throw new TypeError('ours');
      },
    });
    await expect(tell(says('x'))).rejects.toThrow('ours');
  });
});
