/**
 * The bot's two ends on a local Telegram: updates become durable before they are confirmed;
 * messages arrive or say why not.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTelegramIntake } from '../../bot/telegram-intake.ts';
import { createWordsFor, LANGUAGE_TEXTS } from '#language';
import { createMovedChats } from '../../bot/moved-chats.ts';
import { createChatRoles } from '../../bot/commands/user-roles.ts';
import { createTelegramChat } from '../../bot/telegram-chat.ts';
import { formatTopicChat } from '../../bot/chat-topics.ts';
import { createMessageHandler } from '../../bot/deliver-message.ts';
import { createButtonTokens } from '../../bot/commands/button-tokens.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import type { Ledger } from '#ports/ledger';
import type { ChatReply } from '#ports/steps';
import {
  answer,
  commitThenDrop,
  drop,
  serverError,
  startTelegram,
  type Telegram,
  tooManyRequests,
} from '#playground';
import { aRun, tell, write } from '../support/ledger.ts';

const TOKEN = '123456:local';
let telegram: Telegram;
let ledger: Ledger;
let time = 1_000;
const now = (): number => time;
beforeEach(async () => {
  time = 1_000;
  telegram = await startTelegram({ token: TOKEN, botName: 'agentpr_bot', limits: null });
  ledger = await openLedger({ dataDir: ':memory:', now });
});
afterEach(async () => {
  await telegram.stop();
  await ledger.close();
});

const refusal = (code: number, description: string, parameters: object = {}) =>
  answer(code, { ok: false, error_code: code, description, parameters });
const upgradedTo = (id: number) =>
  refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', { migrate_to_chat_id: id });
const kicked = refusal(403, 'Forbidden: bot was kicked from the supergroup chat');

/** What stands between us and Telegram may speak JSON too. */
const strange: [string, unknown][] = [
  ['an empty object', {}],
  ['a proxy that has no connection', { message: 'no healthy upstream' }],
  ['a refusal without a reason', { ok: false }],
  ['a refusal with a word for its code', { ok: false, error_code: 'busy', description: 'busy' }],
  ['nothing', null],
  ['a list', []],
  ['a word', '"hello"'],
  ['a success with nothing in it', { ok: true }],
];

const createTestBot = (
  receive: Ledger['receive'] = (items, at) => ledger.receive(items, at),
  onStored = (): void => undefined,
  more: { pause?: (ms: number) => Promise<void>; onlyPoller?: boolean } = { pause: () => Promise.resolve() },
) =>
  createTelegramIntake({
    token: TOKEN,
    apiRoot: telegram.url,
    clock: { now },
    log: { warn: () => undefined },
    onStored,
    ledger: { receive, query: ledger.query },
    roles: createChatRoles({ users: ledger.query, adminIds: ['7'] }),
    ...more,
  });
/** A poll whose offset passes an update over is what confirms it. */
const confirmed = (): Promise<unknown> =>
  telegram.waitFor(() =>
    telegram.calls.some((c) => c.route === 'getUpdates' && Number(c.params['offset']) > 1),
  );
const bodies = async (): Promise<unknown[]> => (await ledger.inbox(100)).map((row) => row.body);

describe('intake', () => {
  it('L3: stores each update under its id before Telegram is told that it has arrived', async () => {
    const ana = telegram.person(7, 'Ana');
    for (let i = 0; i < 5; i += 1) ana.sends(`/status ${i}`);
    const stored = Promise.withResolvers<number>();
    telegram.onRequest(async ({ phase, call }) => {
      const confirms = phase === 'before' && call.route === 'getUpdates' && Number(call.params['offset']) > 1;
      if (confirms) stored.resolve((await ledger.inbox(100)).length);
      return undefined;
    });
    const bot = createTestBot();
    const done = bot.start();
    expect(await stored.promise).toBe(5);
    expect(new Set((await ledger.inbox(100)).map((r) => r.key)).size).toBe(5);
    await bot.stop();
    await done;
  });

  it('L3: confirms nothing that could not be stored, however long that takes, and stores it then', async () => {
    telegram.person(7, 'Ana').sends('/status');
    let tries = 0;
    const pending: number[] = [];
    const bot = createTestBot((items, at) => {
      tries += 1;
      pending.push(telegram.pendingUpdates());
      return tries < 20 ? Promise.reject(new Error('no connection')) : ledger.receive(items, at);
    });
    const done = bot.start();
    await confirmed();
    expect(pending).toEqual(Array.from({ length: 20 }, () => 1));
    expect(await bodies()).toMatchObject([{ message: { text: '/status' } }]);
    await bot.stop();
    await done;
  });

  it('L3: a stop while nothing can be stored confirms nothing; the next start stores it', async () => {
    telegram.person(7, 'Ana').sends('/status');
    const tried = Promise.withResolvers<void>();
    const broken = createTestBot(() => {
      tried.resolve();
      return Promise.reject(new Error('no connection'));
    });
    const stopped = broken.start();
    await tried.promise;
    await broken.stop();
    await stopped;
    expect(telegram.pendingUpdates()).toBe(1);
    const bot = createTestBot();
    const done = bot.start();
    await confirmed();
    expect(await bodies()).toHaveLength(1);
    await bot.stop();
    await done;
  });

  it('L6: a stop in the middle of storing confirms nothing; the redelivery is known by its key', async () => {
    telegram.person(7, 'Ana').sends('/status');
    const stored = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const bot = createTestBot(async (items, at) => {
      const rows = await ledger.receive(items, at);
      reached.resolve();
      await stored.promise;
      return rows;
    });
    const done = bot.start();
    await reached.promise;
    await bot.stop();
    expect(telegram.pendingUpdates()).toBe(1);
    stored.resolve();
    await done;
    const again = createTestBot();
    const doneAgain = again.start();
    await confirmed();
    expect(await bodies()).toHaveLength(1);
    await again.stop();
    await doneAgain;
  });

  it.each([
    ['no list', answer(200, { ok: true, result: null })],
    ['a list of nothing', answer(200, { ok: true, result: [null] })],
    ['a conflict that passes', refusal(409, 'Conflict: terminated by other getUpdates request; make sure …')],
    ['too many requests', refusal(429, 'Too Many Requests', { retry_after: 0 })],
  ])('L3: goes on after %s', async (_, fault) => {
    telegram.faults.next('getUpdates', fault);
    telegram.person(7, 'Ana').sends('/status');
    const bot = createTestBot();
    const done = bot.start();
    await confirmed();
    expect(await bodies()).toHaveLength(1);
    await bot.stop();
    await done;
  });

  it.each(strange)('S6: starts where first something else answers than Telegram (%s)', async (_, body) => {
    telegram.faults.next(/getMe|deleteWebhook|getUpdates/, answer(200, body), 2);
    telegram.person(7, 'Ana').sends('/status');
    const bot = createTestBot();
    await expect(bot.whoAmI(AbortSignal.timeout(60_000))).rejects.toMatchObject({
      class: 'chat_unavailable',
    });
    const done = bot.start();
    await confirmed();
    await bot.stop();
    await done;
  });

  it('ends when another bot fetches its updates again and again', async () => {
    telegram.faults.always('getUpdates', refusal(409, 'Conflict: terminated by other getUpdates request'));
    await expect(createTestBot().start()).rejects.toThrow('409');
    expect(telegram.calls.filter((c) => c.route === 'getUpdates')).toHaveLength(6);
  });

  it('L7: who takes over hears within 75 s, although Telegram holds the slot of the killed one for 50 s, and hears all of it', async () => {
    const HELD = 50_000;
    const ana = telegram.person(7, 'Ana');
    ana.sends('/status stored');
    // The first one stores what it got and is gone before it can say so.
    const stored = Promise.withResolvers<void>();
    const killed = createTestBot(async (items, at) => {
      await ledger.receive(items, at);
      stored.resolve();
      throw new Error('killed');
    });
    const ended = killed.start();
    await stored.promise;
    await killed.stop();
    await ended;
    ana.sends('/status waits');
    const killedAt = time;
    const slot = telegram.faults.always(
      'getUpdates',
      refusal(409, 'Conflict: terminated by other getUpdates request'),
    );
    const waited = {
      pause: async (ms: number) => {
        time += ms;
        if (time >= killedAt + HELD) slot.stop();
      },
    };
    await expect(createTestBot(undefined, undefined, waited).start()).rejects.toThrow('409');
    time = killedAt;
    const heir = createTestBot(undefined, undefined, { ...waited, onlyPoller: true });
    const done = heir.start();
    await confirmed();
    expect(time - killedAt).toBeGreaterThanOrEqual(HELD);
    expect(time - killedAt).toBeLessThanOrEqual(75_000);
    const texts = (await bodies()).map((body) => (body as { message: { text: string } }).message.text);
    expect(texts.sort()).toEqual(['/status stored', '/status waits']);
    await heir.stop();
    await done;
  });

  it('stops at once while Telegram wants to be left alone for hours', async () => {
    telegram.faults.always('getUpdates', refusal(429, 'Too Many Requests', { retry_after: 7_200 }));
    const bot = createTestBot(undefined, undefined, {});
    const done = bot.start();
    await telegram.waitFor(() => telegram.calls.some((c) => c.route === 'getUpdates' && c.status === 429));
    await bot.stop();
    await done;
  });

  it('L8: keeps only the ids of somebody unknown', async () => {
    telegram.person(666, 'Eve').sends('secret words');
    const bot = createTestBot();
    const done = bot.start();
    await confirmed();
    expect(await bodies()).toEqual([
      { update_id: expect.any(Number) as number, stranger: { user: '666', chat: '666', callback: null } },
    ]);
    await bot.stop();
    await done;
  });

  it('L3: in webhook mode says 200 only after the commit, and nothing to somebody without the secret', async () => {
    let broken = true;
    const bot = createTestBot((items, at) =>
      broken ? Promise.reject(new Error('disk full')) : ledger.receive(items, at),
    );
    const take = bot.createWebhookTake('a-secret-of-16-chars');
    const update = {
      update_id: 77,
      message: {
        message_id: 1,
        date: 1,
        from: { id: 7, first_name: 'Ana', is_bot: false },
        chat: { id: 7, type: 'private', first_name: 'Ana' },
        text: '/status',
      },
    };
    expect(await take(update, 'wrong')).toBe(false);
    await expect(take(update, 'a-secret-of-16-chars')).rejects.toThrow('disk full');
    expect(await bodies()).toEqual([]);
    broken = false;
    expect(await take(update, 'a-secret-of-16-chars')).toBe(true);
    expect(await bodies()).toHaveLength(1);
    expect(() => bot.createWebhookTake('short')).toThrow('webhook secret');
  });

  it('in webhook mode tells Telegram where to call however often that fails, until it is told that it may not', async () => {
    for (const fault of [drop(), serverError(), tooManyRequests(60)])
      telegram.faults.next('setWebhook', fault);
    const bot = createTestBot();
    const said = (url: string): Promise<void> => bot.register(url, 'a-secret-of-16-chars');
    await said('https://bot.example.com/telegram/x');
    expect(telegram.calls.filter((c) => c.route === 'setWebhook')).toHaveLength(4);
    await expect(said('http://bot.example.com/telegram/x')).rejects.toThrow('An HTTPS URL must be provided');
    telegram.faults.next('setWebhook', serverError());
    const stopping = said('https://bot.example.com/telegram/x');
    await bot.stop();
    await expect(stopping).resolves.toBeUndefined();
  });

  it('answers a tap, and does not mind when it is too old', async () => {
    const ana = telegram.person(7, 'Ana');
    const tap = ana.pressRaw('a1.x', { messageId: 1 });
    const bot = createTestBot();
    await bot.answerCallback({ callbackId: tap.callbackId, text: 'Recorded.', alert: true });
    expect(tap.answer()).toEqual({ text: 'Recorded.', alert: true });
    const old = ana.pressRaw('a1.x', { messageId: 1 });
    telegram.expireCallbacks();
    await bot.answerCallback({ callbackId: old.callbackId, text: 'Recorded.', alert: false });
  });

  it('C1: offers its commands by who reads the menu, in both languages', async () => {
    const bot = createTestBot();
    await bot.setMenus();
    const names = (scope?: object, language?: string): string[] =>
      telegram.commands(scope, language).map((c) => c.command);
    const groups = { type: 'all_group_chats' };
    for (const language of [undefined, 'zh']) {
      expect(names(undefined, language)).toEqual(['start']);
      expect(names(groups, language)).toContain('status');
      expect(names(groups, language)).not.toContain('users');
    }
    const own = { type: 'chat', chat_id: 7 };
    await bot.menuOf('7', 'approver', LANGUAGE_TEXTS.zh);
    expect(telegram.commands(own).find((c) => c.command === 'approve_open_pr')?.description).toContain(
      '拉取请求',
    );
    expect(names(own)).not.toContain('users');
    await bot.menuOf('7', null, LANGUAGE_TEXTS.zh);
    expect(names(own)).toEqual([]);
    telegram.faults.next('setMyCommands', serverError());
    await bot.setMenus();
  });
});

describe('the chat port', () => {
  const chatTo = () => createTelegramChat({ token: TOKEN, apiRoot: telegram.url, clock: { now } });
  const message = {
    chat: '7',
    html: '<b>hi</b>',
    buttons: [[{ text: 'Open', token: 'a1.x', style: 'danger' as const }]],
    silent: true,
  };

  it('sends, edits in place, takes "not modified" as done, and says when a message is gone', async () => {
    const ana = telegram.person(7, 'Ana');
    const chat = chatTo();
    const sent = await chat.send(message);
    expect(ana.lastMessage()).toMatchObject({ text: 'hi', messageId: Number(sent.messageId) });
    const next = { ...sent, html: 'bye', buttons: [] };
    expect(await chat.edit(next)).toEqual(sent);
    expect(await chat.edit(next)).toEqual(sent);
    expect(ana.messages().filter((m) => m.text === 'bye')).toHaveLength(1);
    expect(await chat.edit({ ...next, messageId: '4000', html: 'x' })).toBeNull();
  });

  it('P5: shows a caption as it was marked up, and one that is too long as plain text', async () => {
    const ana = telegram.person(7, 'Ana');
    const chat = chatTo();
    const file = { chat: '7', name: 'run-1.log', content: '+a\n', silent: true };
    await chat.document({ ...file, caption: 'log <code>@you &lt;b&gt;</code>' });
    expect(ana.lastMessage()).toMatchObject({
      text: 'log @you <b>',
      entities: [{ type: 'code', offset: 4, length: 8 }],
    });
    await chat.document({ ...file, caption: `<code>${'x'.repeat(2_000)}</code>` });
    expect(ana.lastMessage()?.text).toHaveLength(1_024);
  });

  it('C2: sends pictures as one album, and what no photo may be as files', async () => {
    const ana = telegram.person(7, 'Ana');
    const chat = chatTo();
    const picture = (name: string, wide: number, high: number) => ({
      name,
      wide,
      high,
      content: Buffer.from(name),
      caption: `<b>${name}</b>`,
    });
    const small = picture('one.png', 640, 480);
    const sent = await chat.album({ chat: '7', silent: true, pictures: [small, picture('two.png', 10, 10)] });
    const album = ana.messages().slice(-2);
    expect(album.map(({ text, silent }) => [text, silent])).toEqual([
      ['one.png', true],
      ['two.png', true],
    ]);
    expect(album.map(({ document }) => document?.content.toString())).toEqual(['one.png', 'two.png']);
    expect(sent.messageId).toBe(String(album[0]?.messageId));
    await chat.album({ chat: '7', silent: true, pictures: [small, picture('long.png', 100, 9_000)] });
    const types = telegram.calls
      .filter(({ route }) => route === 'sendMediaGroup')
      .map(({ params }) => (JSON.parse(String(params.media)) as { type: string }[]).map(({ type }) => type));
    expect(types.slice(-2)).toEqual([
      ['photo', 'photo'],
      ['document', 'document'],
    ]);
  });

  it('C2: pins and unpins without a sound, and says where a chat does not let it', async () => {
    const ana = telegram.person(7, 'Ana');
    const chat = chatTo();
    const sent = await chat.send(message);
    expect(await chat.pin({ ...sent, on: true })).toBe(true);
    expect(ana.messages().at(-1)).toMatchObject({ pinned: true });
    expect(telegram.calls.at(-1)?.params).toMatchObject({ disable_notification: true });
    expect(await chat.pin({ ...sent, on: false })).toBe(true);
    expect(ana.messages().at(-1)).toMatchObject({ pinned: false });
    // Unpinned by hand, or gone meanwhile.
    expect(await chat.pin({ ...sent, on: false })).toBe(false);
    expect(await chat.pin({ ...sent, messageId: '4000', on: true })).toBe(false);
    const rights = refusal(400, 'Bad Request: not enough rights to manage pinned messages in the chat');
    telegram.faults.next('pinChatMessage', rights);
    expect(await chat.pin({ ...sent, on: true })).toBe(false);
    telegram.faults.next('pinChatMessage', tooManyRequests(3));
    await expect(chat.pin({ ...sent, on: true })).rejects.toMatchObject({ class: 'rate_limited' });
  });

  it('classifies what Telegram refuses', async () => {
    const ana = telegram.person(7, 'Ana');
    const chat = chatTo();
    telegram.faults.next('sendMessage', tooManyRequests(30));
    await expect(chat.send(message)).rejects.toMatchObject({ class: 'rate_limited', retryAt: 31_000 });
    telegram.faults.next('sendMessage', tooManyRequests(10 ** 10));
    await expect(chat.send(message)).rejects.toMatchObject({ retryAt: 86_401_000 });
    telegram.faults.next('sendMessage', serverError());
    await expect(chat.send(message)).rejects.toMatchObject({ class: 'chat_unavailable' });
    telegram.faults.next('sendMessage', drop());
    await expect(chat.send(message)).rejects.toMatchObject({ class: 'chat_unavailable' });
    await expect(chat.send({ ...message, html: '<b>' })).rejects.toMatchObject({ class: 'chat_refused' });
    ana.blocks();
    await expect(chat.send(message)).rejects.toMatchObject({ class: 'chat_refused' });
    telegram.faults.next(
      'sendMessage',
      answer(401, { ok: false, error_code: 401, description: 'Unauthorized' }),
    );
    await expect(chat.send(message)).rejects.toMatchObject({ class: 'auth_missing' });
  });
});

describe('the chat lane', () => {
  const lane = (apiRoot = telegram.url) => {
    const chat = createTelegramChat({ token: TOKEN, apiRoot, clock: { now } });
    const patch = () => Promise.resolve(null);
    return createMessageHandler({
      chat,
      ledger,
      tokens: createButtonTokens([Buffer.alloc(32)]),
      clock: { now },
      wordsFor: createWordsFor(ledger.query),
      patch,
      shownPatch: async (patch) => patch,
      readPages: async () => {},
      places: createMovedChats(ledger, ['7']),
    });
  };
  const reply = (html: string, more: Partial<ChatReply> = {}): ChatReply => ({
    chat: '7',
    slot: null,
    show: { view: 'reply', html, buttons: [] },
    urgent: false,
    sound: false,
    runId: null,
    ...more,
  });
  const claimOne = async () => {
    const [claim] = await ledger.claim({ now: now(), leaseMs: 1_000, limit: 1, kinds: ['chat_message'] });
    if (!claim) throw new Error('nothing to tell');
    return claim;
  };

  it.each(strange)('S6: no message is lost on what is not Telegram’s answer: %s', async (_, body) => {
    const ana = telegram.person(7, 'Ana');
    await write(ledger, 'r1', { effects: [tell('hello')] });
    const handle = lane();
    telegram.faults.next('sendMessage', answer(200, body), 5);
    for (let i = 0; i < 5; i += 1) {
      const claim = await claimOne();
      const end = await handle(claim);
      expect(end).toMatchObject({ kind: 'later', counts: true });
      await ledger.finish(claim, end, now());
      time += 120_000;
    }
    expect(await handle(await claimOne())).toMatchObject({ kind: 'done' });
    expect(ana.lastMessage()?.text).toContain('hello');
  });

  it('L4: marks a message that may have been sent before as a repeat', async () => {
    const ana = telegram.person(7, 'Ana');
    await write(ledger, 'r1', { effects: [tell('hello')] });
    const handle = lane();
    telegram.faults.next('sendMessage', commitThenDrop());
    const claim = await claimOne();
    const first = await handle(claim);
    expect(first).toMatchObject({ kind: 'later', counts: true });
    expect(await handle({ ...claim, tries: 2 })).toMatchObject({ kind: 'done' });
    const texts = ana.messages().map((m) => m.text);
    expect(texts).toHaveLength(2);
    expect(texts[0]).not.toContain('(repeat)');
    expect(texts[1]).toContain('(repeat)');
  });

  it('C18: marks no message that cannot have arrived, however often it was tried', async () => {
    const ana = telegram.person(7, 'Ana');
    await write(ledger, 'r1', { effects: [tell('hello')] });
    const refused = [
      tooManyRequests(1),
      answer(401, { ok: false, error_code: 401, description: 'Unauthorized' }),
    ];
    for (const fault of refused) telegram.faults.next('sendMessage', fault);
    const later = [lane('http://127.0.0.1:2'), lane('http://nowhere.invalid'), lane(), lane()];
    for (const handle of later) {
      const claim = await claimOne();
      expect(claim.tries).toBe(1);
      const end = await handle(claim);
      expect(end).toMatchObject({ kind: 'later', counts: false });
      await ledger.finish(claim, end, now());
      time += 120_000;
    }
    const claim = await claimOne();
    expect(await lane()(claim)).toMatchObject({ kind: 'done' });
    expect(ana.messages().map((m) => m.text)).toEqual([expect.stringContaining('hello')]);
    expect(ana.lastMessage()?.text).not.toContain('(repeat)');
  });

  it('C18: marks no message whose edit failed before it had to be sent anew', async () => {
    const ana = telegram.person(7, 'Ana');
    const handle = lane();
    await write(ledger, 'r1', { run: aRun('r1'), effects: [tell('one', { slot: 's' })] });
    const first = await claimOne();
    await ledger.finish(first, await handle(first), now());
    await write(ledger, 'r1', { effects: [tell('two', { slot: 's' })] });
    telegram.faults.next('editMessageText', commitThenDrop());
    const edit = await claimOne();
    const end = await handle(edit);
    expect(end).toMatchObject({ kind: 'later', counts: false });
    await ledger.finish(edit, end, now());
    expect(
      ana
        .messages()
        .map((m) => m.text)
        .join(),
    ).not.toContain('(repeat)');
  });

  it('C18: tries a chat that cannot be reached ever less often', async () => {
    await write(ledger, 'r1', { effects: [tell('hello')] });
    const handle = lane('http://127.0.0.1:2');
    const claim = await claimOne();
    const waits: number[] = [];
    for (let i = 0; i < 4; i += 1) {
      const end = await handle(claim);
      if (end.kind === 'later') waits.push(end.at - now());
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  it('C3: obeys retry_after without counting a try, and does not ask again before it', async () => {
    telegram.person(7, 'Ana');
    await write(ledger, 'r1', { effects: [tell('hello')] });
    const handle = lane();
    const claim = await claimOne();
    telegram.faults.next('sendMessage', tooManyRequests(30));
    const outcome = await handle(claim);
    expect(outcome).toEqual({
      kind: 'later',
      at: 31_000,
      reason: expect.any(String) as string,
      counts: false,
      silence: { chat: 31_000, everybody: null },
    });
    await ledger.finish(claim, outcome, now());
    const [waits] = await ledger.query.effects({ kind: 'chat_message' });
    expect(waits).toMatchObject({ state: 'pending', tries: 0 });
    expect(await ledger.claim({ now: 30_999, leaseMs: 1_000, limit: 9 })).toEqual([]);
    expect(await ledger.claim({ now: 31_000, leaseMs: 1_000, limit: 9 })).toHaveLength(1);
  });

  it('C3: a refusal of one chat silences that chat; of several, with none that hears anything, all of them for a while', async () => {
    const handle = lane();
    const replies = ['7', '8', '9'].map((chat) => reply('hello', { chat }));
    for (const chat of [7, 8, 9]) telegram.person(chat, 'Ana');
    await write(ledger, 'r1', { replies: [...replies, ...replies] });
    const claims = await ledger.claim({ now: now(), leaseMs: 9_000, limit: 9 });
    const refused = telegram.faults.always('sendMessage', tooManyRequests(1_000));
    const silences = [];
    for (const claim of claims) {
      const end = await handle(claim);
      silences.push(end.kind === 'later' ? end.silence : end.kind);
      await ledger.finish(claim, end, now());
    }
    const until = now() + 1_000_000;
    expect(silences).toEqual([
      { chat: until, everybody: null },
      { chat: until, everybody: now() + 1_000 },
      // Was under way already.
      { chat: until, everybody: null },
    ]);
    refused.stop();
    const heard = telegram.person(10, 'Bo');
    await write(ledger, 'r1', { replies: [reply('hello', { chat: '10' })] });
    expect(await ledger.claim({ now: now() + 999, leaseMs: 9_000, limit: 9 })).toEqual([]);
    const [next] = await ledger.claim({ now: now() + 1_000, leaseMs: 9_000, limit: 9 });
    if (!next) throw new Error('nothing was claimed');
    expect(await handle(next)).toMatchObject({ kind: 'done' });
    expect(heard.messages()).toHaveLength(1);
  });

  it('C3: edits the message of a slot, sends a new one when it is gone, and rings only when asked', async () => {
    const ana = telegram.person(7, 'Ana');
    const handle = lane();
    await write(ledger, 'r1', { run: aRun('r1'), effects: [tell('one', { slot: 's', sound: true })] });
    const first = await claimOne();
    await ledger.finish(first, await handle(first), now());
    await write(ledger, 'r1', { effects: [tell('two', { slot: 's' })] });
    const second = await claimOne();
    await ledger.finish(second, await handle(second), now());
    expect(ana.messages().map((m) => m.text)).toEqual([expect.stringContaining('two')]);
    const sends = telegram.calls.filter((c) => c.route === 'sendMessage');
    expect(sends.map((c) => c.params['disable_notification'] ?? false)).toEqual([false]);
    expect(telegram.calls.some((c) => c.route === 'editMessageText')).toBe(true);
  });

  it('S6: a group that became a supergroup gets its messages under its new id, in its language', async () => {
    await ledger.setSetting('language:-500', 'zh');
    await write(ledger, 'r1', { replies: [reply('hello', { chat: '-500' })] });
    const handle = lane();
    const claim = await claimOne();
    telegram.faults.next('sendMessage', upgradedTo(-100_900));
    const group = telegram.group(-100_900, 'team');
    expect(await handle(claim)).toMatchObject({ kind: 'later', counts: false });
    expect(await handle(claim)).toMatchObject({ kind: 'done', result: { chat: '-100900' } });
    expect(group.messages()).toHaveLength(1);
    expect(await createWordsFor(ledger.query)('-100900')).toBe(LANGUAGE_TEXTS.zh);
  });

  it('S6: what somebody must hear of and their chat refuses reaches an admin, and so does what becomes of it', async () => {
    const ana = telegram.person(7, 'Ana');
    const handle = lane();
    const deliver = async (text: string, sound: boolean): Promise<unknown> => {
      await write(ledger, 'r1', { replies: [reply(text, { chat: '-500', slot: 'card', sound })] });
      const claim = await claimOne();
      const end = await handle(claim);
      await ledger.finish(claim, end, now());
      return end;
    };
    telegram.faults.always(
      { route: 'sendMessage', when: (r) => Number(r.params['chat_id']) === -500 },
      kicked,
    );
    expect(await deliver('progress', false)).toMatchObject({ kind: 'dead' });
    expect(await deliver('decide', true)).toMatchObject({ kind: 'done', result: { chat: '7' } });
    expect(ana.messages().map((m) => m.text)).toEqual([
      expect.stringMatching(/^I cannot write to the chat -500.*\n[^]*decide/),
    ]);
    await deliver('decided', false);
    expect(ana.messages().map((m) => m.text)).toEqual([expect.stringContaining('decided')]);
  });

  it('C5: hides secrets in documents and in what is said of them', async () => {
    const ana = telegram.person(7, 'Ana');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await write(ledger, 'r1', { run: aRun('r1') });
    const artifact = await ledger.artifact({
      runId: 'r1',
      type: 'log',
      content: `one\ntoken ${secret}\ntwo`,
      at: now(),
    });
    const show = { view: 'document', name: 'log.txt', caption: `the log with ${secret}`, artifact } as const;
    await write(ledger, 'r1', { replies: [reply('', { show, runId: 'r1' })] });
    expect(await lane()(await claimOne())).toMatchObject({ kind: 'done' });
    const sent = ana.lastMessage();
    expect(sent?.document?.name).toBe('log.txt');
    expect(sent?.document?.content.toString()).toMatch(/^one\ntoken .*\ntwo$/);
    expect(`${sent?.text} ${sent?.document?.content.toString()}`).not.toContain(secret.slice(4));
  });

  it('C2: lets no markup keep a message from arriving', async () => {
    const ana = telegram.person(7, 'Ana');
    const handle = lane();
    await write(ledger, 'r1', {
      replies: [reply('a <b>broken')],
    });
    expect(await handle(await claimOne())).toMatchObject({ kind: 'done' });
    expect(ana.lastMessage()?.text).toBe('a broken');
  });
});

it('C3: a message to a topic of a forum stands in it, a file as well, and it is edited there', async () => {
  const forum = telegram.group(-100_500, 'acme');
  const ana = telegram.person(7, 'Ana').in(forum.opensTopic('api'));
  const { topic } = forum.opensTopic('web');
  const chat = createTelegramChat({ token: TOKEN, apiRoot: telegram.url, clock: { now } });
  ana.sends('/status');
  const wrote = ana.messages().at(-1);
  const place = formatTopicChat(String(ana.chatId), wrote?.topic ?? 0);
  const sent = await chat.send({ chat: place, html: 'one', buttons: [], silent: true });
  expect(sent.chat).toBe(place);
  await chat.edit({ ...sent, html: 'two', buttons: [] });
  await chat.document({ chat: place, name: 'a.txt', content: 'x', caption: 'three', silent: true });
  expect(ana.messages().map(({ text }) => text)).toEqual(['/status', 'two', 'three']);
  expect(
    telegram
      .person(7, 'Ana')
      .in({ ...forum, topic })
      .messages(),
  ).toEqual([]);
  const nowhere = { chat: formatTopicChat('-100500', 99), html: 'x', buttons: [], silent: true };
  // A topic that is gone has left its group.
  await expect(chat.send(nowhere)).rejects.toMatchObject({ to: '-100500' });
  telegram.faults.next('sendMessage', refusal(400, 'Bad Request: TOPIC_CLOSED'), 2);
  const closed = { chat: place, html: 'x', buttons: [], silent: true };
  await expect(chat.send(closed)).rejects.toMatchObject({ to: '-100500' });
  // The group itself may refuse, too, and has nowhere else to go.
  await expect(chat.send({ ...closed, chat: '-100500' })).rejects.toMatchObject({ class: 'chat_refused' });
});
