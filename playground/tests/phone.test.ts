/** Tests the phone page over HTTP. */
import { request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Api, InlineKeyboard, InputFile } from 'grammy/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNews } from '../news.ts';
import { createLock } from '../pages/lock.ts';
import { createPhone } from '../pages/phone.ts';
import type { PhoneState } from '../pages/phone-state.ts';
import { startTelegram, type Telegram } from '../telegram.ts';
import { createChats } from '../telegram/chats.ts';
import type { Person } from '../telegram/person.ts';

const token = '42:phone';
let telegram: Telegram;
let ana: Person;
let api: Api;

const start = async (options: { phoneKey?: string } = {}): Promise<void> => {
  telegram = await startTelegram({ token, botName: 'agentpr_bot', limits: null, ...options });
  ana = telegram.person(1001, 'Ana');
  api = new Api(token, { apiRoot: telegram.url });
};
beforeEach(() => start());
afterEach(async () => {
  vi.useRealTimers();
  await telegram.stop();
});

type Got = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
/** fetch would set Host and Origin itself and normalise the path. */
const ask = (
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Got> => {
  const { promise, resolve, reject } = Promise.withResolvers<Got>();
  const { hostname, port } = new URL(telegram.url);
  const { method = 'GET', headers = {} } = options;
  const outgoing = request({ hostname, port, path, method, headers }, (response) => {
    const { statusCode: status = 0 } = response;
    text(response).then((body) => resolve({ status, headers: response.headers, body }), reject);
  });
  outgoing.once('error', reject);
  outgoing.end(options.body);
  return promise;
};
const same = (): Record<string, string> => ({ origin: telegram.url, 'content-type': 'application/json' });
const post = (what: string, wish: object, headers = same()): Promise<Got> =>
  ask(`/phone/${what}`, { method: 'POST', headers, body: JSON.stringify(wish) });
const parsed = ({ body }: Got): unknown => JSON.parse(body) as unknown;
const state = async (as = 1001): Promise<PhoneState> =>
  parsed(await ask(`/phone/state?as=${as}`)) as PhoneState;
const card = (): InlineKeyboard =>
  new InlineKeyboard().text('Open PR d4e5f6', 'a1:ok').success().row().text('Deny', 'a1:no');

describe('what is no text', () => {
  it('sends a photo with words below it, a voice message and a sticker, as the Bot API shows them', async () => {
    const question = ana.sends('first');
    for (const [what, caption] of [
      ['photo', 'make it smaller'],
      ['voice', ''],
      ['sticker', 'nothing is written below it'],
    ] as const)
      expect((await post('attach', { as: 1001, chat: 1001, what, caption, replyTo: question })).status).toBe(
        200,
      );
    const updates = (await api.getUpdates()).flatMap(({ message }) => message ?? []).slice(1);
    expect(updates).toMatchObject([
      { photo: [{ file_id: 'photo-1' }], caption: 'make it smaller', reply_to_message: { text: 'first' } },
      { voice: { duration: 3 } },
      { sticker: { type: 'regular' } },
    ]);
    expect(updates.map((one) => [one.text, one.caption])).toEqual([
      [undefined, 'make it smaller'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const { rooms } = await state();
    expect(rooms[0]?.messages.map(({ attached, text: words }) => [attached, words])).toEqual([
      [null, 'first'],
      ['photo', 'make it smaller'],
      ['voice', ''],
      ['sticker', ''],
    ]);
  });
});

describe('the state', () => {
  it('shows the chats of one person: text with entities, buttons, documents, answers to taps', async () => {
    await api.setMyCommands([{ command: 'status', description: 'the fleet' }]);
    const sent = await api.sendMessage(1001, '<b>READY</b> · acme/api', {
      parse_mode: 'HTML',
      reply_markup: card(),
      disable_notification: true,
    });
    await api.pinChatMessage(1001, sent.message_id);
    await api.editMessageText(1001, sent.message_id, 'Sealed', { reply_markup: card() });
    await api.sendDocument(1001, new InputFile(Buffer.from('+1\n'), 'run.patch'));
    const gone = await api.sendMessage(1001, 'Deleted');
    await api.deleteMessage(1001, gone.message_id);
    ana.sends('/status', { replyTo: sent.message_id });
    const tap = ana.taps('Deny');
    await api.answerCallbackQuery(tap.callbackId, { text: 'Moved', show_alert: true });
    const shown = await state();
    expect(shown).toMatchObject({
      me: { id: 1001, name: 'Ana', language: 'en' },
      people: [{ id: 1001, name: 'Ana' }],
      bot: { username: 'agentpr_bot' },
      answers: [{ id: tap.callbackId, text: 'Moved', alert: true }],
      rooms: [{ id: 1001, kind: 'private', commands: [{ command: 'status', description: 'the fleet' }] }],
    });
    expect(shown.rooms[0]?.messages).toMatchObject([
      {
        id: sent.message_id,
        bot: true,
        mine: false,
        text: 'Sealed',
        edited: true,
        pinned: true,
        silent: true,
        buttons: [
          [{ text: 'Open PR d4e5f6', data: 'a1:ok', style: 'success' }],
          [{ text: 'Deny', data: 'a1:no' }],
        ],
      },
      { document: { name: 'run.patch', size: 3, url: '/phone/file/document-1' }, edited: false },
      {
        mine: true,
        text: '/status',
        replyTo: { id: sent.message_id, text: 'Sealed' },
        entities: [{ type: 'bot_command', offset: 0, length: 7 }],
      },
    ]);
  });

  it('says which message asks for an answer, as its reader is then brought to write one', async () => {
    await api.sendMessage(1001, 'Why?', { reply_markup: { force_reply: true } });
    await api.sendMessage(1001, 'So.');
    expect((await state()).rooms[0]?.messages.map(({ text: said, asks }) => [said, asks])).toEqual([
      ['Why?', true],
      ['So.', false],
    ]);
  });

  it('never shows one person the private chat of another, and everybody the groups', async () => {
    const bob = telegram.person(1002, 'Bob');
    telegram.group(-100, 'Team');
    bob.sends('only mine');
    bob.in({ chatId: -100 }).sends('for all');
    const shown = await state(1001);
    expect(shown.rooms.map((room) => room.id)).toEqual([1001, -100]);
    expect(JSON.stringify(shown)).not.toContain('only mine');
    expect(shown.rooms[1]?.messages).toMatchObject([{ from: 'Bob', mine: false, text: 'for all' }]);
    expect((await post('send', { as: 1001, chat: 1002, text: 'hello' })).status).toBe(404);
    expect((await ask('/phone/state?as=7')).status).toBe(404);
  });

  it('is told to open pages when it changes, and not because a page asked', async () => {
    vi.useFakeTimers();
    const news = createNews(() => '');
    const bot = { id: 42, is_bot: true, first_name: 'bot' };
    const chats = createChats(bot, Date.now);
    const room = chats.room({ id: 1001, type: 'private', first_name: 'Ana' });
    const world = { chats, people: new Map(), commands: new Map() };
    const phone = createPhone({ ...world, lock: createLock('phone', null), news: () => news });
    const leave = new AbortController();
    const answer = await phone.handle({
      method: 'GET',
      url: new URL('http://127.0.0.1/phone/events'),
      headers: { host: '127.0.0.1:80' },
      body: Buffer.alloc(0),
      gone: leave.signal,
    });
    const lines = answer?.body as Readable;
    const told = (): string => {
      news.tell();
      vi.advanceTimersByTime(1_000);
      return String(lines.read() ?? '');
    };
    expect(told()).toBe('retry: 500\n\n');
    // A page that reloaded on every request would never stop.
    expect(told()).toBe('');
    const sent = chats.add(room, bot, { source: 'hello', content: { text: 'hello' } });
    expect(told()).toBe('data: change\n\n');
    sent.pinned = true;
    expect(told()).toBe('data: change\n\n');
    expect(told()).toBe('');
    leave.abort();
  });

  it('comes over the wire as events', async () => {
    const leave = new AbortController();
    const events = await fetch(`${telegram.url}/phone/events`, { signal: leave.signal });
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    const lines = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await lines?.read()).toMatchObject({ value: 'retry: 500\n\n' });
    ana.sends('hello');
    expect(await lines?.read()).toMatchObject({ value: 'data: change\n\n' });
    leave.abort();
  });
});

describe('what a person does', () => {
  it('reaches the bot as the updates that Telegram would send', async () => {
    const sent = await api.sendMessage(1001, 'Card', { reply_markup: card() });
    telegram.group(-100, 'Team');
    const wish = { as: 1001, chat: 1001 };
    const typed = parsed(await post('send', { ...wish, text: '/deny 1', replyTo: sent.message_id })) as {
      id: number;
    };
    await post('edit', { ...wish, message: typed.id, text: '/deny 2' });
    await post('forward', { ...wish, message: sent.message_id, to: -100 });
    expect(await api.getUpdates()).toMatchObject([
      { message: { text: '/deny 1', from: { id: 1001 }, reply_to_message: { message_id: sent.message_id } } },
      { edited_message: { text: '/deny 2' } },
      { message: { text: 'Card', chat: { id: -100 }, from: { id: 1001 }, forward_origin: { type: 'user' } } },
    ]);
  });

  it('taps a button that is there and gets the answer of the bot', async () => {
    const sent = await api.sendMessage(1001, 'Card', { reply_markup: card() });
    const wish = { as: 1001, chat: 1001, message: sent.message_id };
    const answer = post('tap', { ...wish, data: 'a1:ok' });
    const [update] = await api.getUpdates({ timeout: 5 });
    expect(update?.callback_query).toMatchObject({ from: { id: 1001 }, data: 'a1:ok' });
    const id = update?.callback_query?.id ?? '';
    await api.answerCallbackQuery(id, { text: 'Recorded' });
    expect(parsed(await answer)).toEqual({ id, text: 'Recorded', alert: false });

    const before = telegram.pendingUpdates();
    expect((await post('tap', { ...wish, data: 'a1:forged' })).status).toBe(409);
    expect((await post('tap', { ...wish, message: 999, data: 'a1:ok' })).status).toBe(404);
    expect((await post('edit', { ...wish, text: 'not mine' })).status).toBe(403);
    expect((await post('send', { as: 1001, chat: 1001, text: ' ' })).status).toBe(400);
    expect(telegram.pendingUpdates()).toBe(before);
  });
});

describe('a foreign page', () => {
  it.each<[string, () => Record<string, string>, number]>([
    ['another origin', () => ({ ...same(), origin: 'https://evil.example' }), 403],
    ['another port', () => ({ ...same(), origin: 'http://127.0.0.1:1' }), 403],
    ['no origin', () => ({ 'content-type': 'application/json' }), 403],
    ['the origin of a sandboxed frame', () => ({ ...same(), origin: 'null' }), 403],
    [
      'a name that points here',
      () => ({ ...same(), host: 'evil.example', origin: 'http://evil.example' }),
      403,
    ],
    ['a form', () => ({ ...same(), 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['a form of plain text', () => ({ ...same(), 'content-type': 'text/plain' }), 415],
  ])('presses no button with %s', async (_, headers, status) => {
    const sent = await api.sendMessage(1001, 'Card', { reply_markup: card() });
    const got = await post(
      'tap',
      { as: 1001, chat: 1001, message: sent.message_id, data: 'a1:ok' },
      headers(),
    );
    expect(got.status).toBe(status);
    expect(got.headers['access-control-allow-origin']).toBeUndefined();
    expect(telegram.pendingUpdates()).toBe(0);
  });

  it('reads nothing by a name that points here, and is never told that it may', async () => {
    for (const path of ['/', '/phone/state', '/pages/phone.js']) {
      expect(await ask(path, { headers: { host: 'evil.example:80' } })).toMatchObject({ status: 403 });
    }
    const { headers } = await ask('/phone/state', { headers: { origin: 'https://evil.example' } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });
});

describe('the files', () => {
  it('are a page that runs and loads only what is its own', async () => {
    const page = await ask('/');
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const rules = String(page.headers['content-security-policy']).split('; ');
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(rules).toContain(rule);
    expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
    const parts = [...page.body.matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(parts).toEqual(['/pages/phone.css', '/pages/phone.js']);
    const seen = new Set(parts);
    for (const path of seen) {
      const part = await ask(path);
      expect(part).toMatchObject({ status: 200, headers: { 'x-content-type-options': 'nosniff' } });
      expect(part.headers['content-type']).toMatch(/^text\/(css|javascript);/);
      expect(part.body, path).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
      for (const [, name] of part.body.matchAll(/from '\.\/([^']+)'/g)) seen.add(`/pages/${name}`);
    }
    expect(seen.size).toBeGreaterThan(5);
  });

  it('are nothing else of this machine', async () => {
    for (const path of [
      ...['/pages/phone.ts', '/pages/live.ts', '/pages/phone.html', '/pages/'],
      ...['/pages/../telegram.ts', '/pages/..%2ftelegram.ts', '/pages/%2e%2e/telegram.ts'],
      ...['/phone/file/../../package.json', '/phone/file/..%2f..%2fpackage.json', '/phone/file/constructor'],
      ...['/phone/', '/phone/nothing'],
    ]) {
      expect((await ask(path)).status, path).toBe(404);
    }
    expect((await ask('/phone/send', { headers: same() })).status).toBe(404);
  });

  it('that a bot sent are attachments of no type, whatever they are called', async () => {
    const page = '<script>alert(1)</script>';
    const name = 'run 42\u2028 "ü".html';
    await api.sendDocument(1001, new InputFile(Buffer.from(page), 'page.html'));
    const got = await ask('/phone/file/document-1');
    expect(got).toMatchObject({ status: 200, body: page });
    expect(got.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''page.html",
      'x-content-type-options': 'nosniff',
    });
    await api.sendDocument(1001, new InputFile(Buffer.from(page), name));
    const odd = await ask('/phone/file/document-2');
    expect(odd.headers['content-disposition']).toMatch(/^attachment; filename\*=UTF-8''[\w.%-]+$/);
  });
});

describe('a phone with a key', () => {
  it('is held only by the browser that opened the whole address', async () => {
    await telegram.stop();
    await start({ phoneKey: 'a-key' });
    expect(telegram.phoneUrl).toBe(`${telegram.url}/?key=a-key`);
    const send = { as: 1001, chat: 1001, text: '/approve_open_pr 1 --confirm' };
    expect((await ask('/phone/state')).status).toBe(403);
    expect((await post('send', send)).status).toBe(403);
    expect((await ask('/?key=another')).headers['set-cookie']).toBeUndefined();
    const [cookie = ''] = (await ask('/?key=a-key')).headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
    const held = { cookie: cookie.split(';')[0] ?? '' };
    expect((await ask('/phone/state', { headers: { cookie: `${held.cookie}x` } })).status).toBe(403);
    expect((await ask('/phone/state', { headers: held })).status).toBe(200);
    expect((await post('send', send, { ...same(), ...held })).status).toBe(200);
    expect(telegram.pendingUpdates()).toBe(1);
  });
});
