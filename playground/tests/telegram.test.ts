/** The local Telegram, as the real grammY sees it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Api, Bot, GrammyError, HttpError, InlineKeyboard, InputFile } from 'grammy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { badGateway, commitThenDrop, delay, drop, garbage } from '../faults.ts';
import { startTelegram, tooManyRequests, type Telegram } from '../telegram.ts';
import type { Person } from '../telegram/person.ts';

const token = '42:playground';
let telegram: Telegram;
let ana: Person;
let api: Api;
const bots: Bot[] = [];

beforeEach(async () => {
  telegram = await startTelegram({ token, botName: 'agentpr_bot', limits: null });
  ana = telegram.person(1001, 'Ana');
  api = new Api(token, { apiRoot: telegram.url });
});
afterEach(async () => {
  await Promise.all(bots.splice(0).map((bot) => bot.stop()));
  await telegram.stop();
});

function runBot(prepare: (bot: Bot) => void, options?: Parameters<Bot['start']>[0]): Promise<void> {
  const bot = new Bot(token, { client: { apiRoot: telegram.url } });
  prepare(bot);
  bots.push(bot);
  return bot.start({ timeout: 5, ...options });
}
const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error);
};
const card = (text = 'Open PR', data = 'a1:ok'): InlineKeyboard => new InlineKeyboard().text(text, data);

describe('a conversation', () => {
  it('carries a command to a real bot and its answer back', async () => {
    const running = runBot((bot) =>
      bot.command('status', (ctx) => ctx.reply(`Hello ${ctx.from?.first_name}`)),
    );
    ana.sends('/status now');
    const answer = await ana.waitForMessage('Hello Ana');
    expect(answer).toMatchObject({ from: 'bot', silent: false, edits: 0 });
    await bots[0]?.stop();
    await running;
    expect(telegram.pendingUpdates()).toBe(0);
  });

  it('carries a tap with the message it is on, and the answer to the tap', async () => {
    void runBot((bot) => {
      bot.command('new', (ctx) => ctx.reply('Ready', { reply_markup: card('Open PR d4e5f6', 'a1:ok:42') }));
      bot.callbackQuery('a1:ok:42', async (ctx) => {
        await ctx.answerCallbackQuery({ text: 'Recorded' });
        await ctx.editMessageText(`Opened on ${ctx.callbackQuery.message?.message_id}`);
      });
    });
    ana.sends('/new');
    const { messageId } = await ana.waitForMessage('Ready');
    const tap = ana.taps('Open PR');
    expect(await tap.answered()).toEqual({ text: 'Recorded', alert: false });
    const edited = await ana.waitForMessage(`Opened on ${messageId}`);
    expect(edited).toMatchObject({ messageId, edits: 1, buttons: [] });
    expect(() => ana.taps('Open PR')).toThrow('No button Open PR; there are: none');
  });

  it('tells the bot of edits, forwards, replies and forged presses', async () => {
    const sent = await api.sendMessage(ana.chatId, 'Card', { reply_markup: card() });
    const bob = telegram.person(1002, 'Bob');
    const typed = ana.sends('/deny 1', { replyTo: sent.message_id });
    ana.edits(typed, '/approve 1');
    bob.forwards(ana.messages()[0] ?? { chatId: 0, messageId: 0 });
    bob.pressRaw('a1:ok', { chatId: ana.chatId, messageId: sent.message_id });
    bob.pressRaw('a1:ok', { messageId: 999 });
    const updates = await api.getUpdates();
    expect(updates).toMatchObject([
      { message: { text: '/deny 1', reply_to_message: { message_id: sent.message_id } } },
      { edited_message: { text: '/approve 1', edit_date: expect.any(Number) as number } },
      { message: { text: 'Card', from: { id: 1002 }, forward_origin: { type: 'user' } } },
      { callback_query: { from: { id: 1002 }, message: { text: 'Card', chat: { id: 1001 } } } },
      { callback_query: { message: { message_id: 999, date: 0 } } },
    ]);
  });

  it('lets people write in a group', async () => {
    const group = telegram.group(-100, 'Team');
    ana.in(group).sends('/status@agentpr_bot');
    expect(await api.getUpdates()).toMatchObject([
      {
        message: {
          ...{ chat: { id: -100, type: 'supergroup' }, from: { id: 1001 } },
          entities: [{ type: 'bot_command', offset: 0, length: 19 }],
        },
      },
    ]);
    await api.sendMessage(-100, 'Here');
    expect(group.messages().map((one) => one.from)).toEqual(['Ana', 'bot']);
  });
});

describe('updates', () => {
  it('come again until the offset confirms them', async () => {
    for (const text of ['one', 'two', 'three']) ana.sends(text);
    const texts = async (offset?: number, limit = 100): Promise<(string | undefined)[]> =>
      (await api.getUpdates({ limit, ...(offset !== undefined && { offset }) })).map(
        (one) => one.message?.text,
      );
    expect(await texts()).toEqual(['one', 'two', 'three']);
    expect(await texts(undefined, 1)).toEqual(['one']);
    const [first] = await api.getUpdates();
    expect(await texts((first?.update_id ?? 0) + 1)).toEqual(['two', 'three']);
    expect(await texts()).toEqual(['two', 'three']);
    expect(await texts(-1)).toEqual(['three']);
    expect(telegram.pendingUpdates()).toBe(1);
  });

  it('wake a long poll, and an empty one ends by itself', async () => {
    const poll = api.getUpdates({ timeout: 30 });
    await telegram.waitFor(() => telegram.calls.some((call) => call.route === 'getUpdates'));
    ana.sends('wake up');
    expect(await poll).toMatchObject([{ message: { text: 'wake up' } }]);
    const call = telegram.calls.at(-1);
    expect(call).toMatchObject({ outcome: 'answered', status: 200, params: { timeout: 30 } });
    expect(await api.getUpdates({ offset: 2 ** 31 - 1, timeout: 1 })).toEqual([]);
  });

  it('go only to the newest of two polls', async () => {
    const older = refusalOf(api.getUpdates({ timeout: 30 }));
    await telegram.waitFor(() => telegram.calls.length === 1);
    const newer = api.getUpdates({ timeout: 30 });
    expect(await older).toMatch(/^409 Conflict: terminated by other getUpdates request/);
    ana.sends('hello');
    expect(await newer).toHaveLength(1);
  });

  it('forget a poll whose client has gone', async () => {
    const left = new AbortController();
    const poll = api.getUpdates({ timeout: 30 }, left.signal as never);
    await telegram.waitFor(() => telegram.calls.length === 1);
    left.abort();
    await expect(poll).rejects.toThrow();
    await telegram.waitFor(() => telegram.calls[0]?.outcome === 'gone');
    ana.sends('later');
    expect(await api.getUpdates({ timeout: 30 })).toHaveLength(1);
  });

  it('are only of the kinds that were asked for last', async () => {
    await api.getUpdates({ allowed_updates: ['callback_query'] });
    ana.sends('unheard');
    ana.pressRaw('x');
    expect(await api.getUpdates()).toMatchObject([{ callback_query: { data: 'x' } }]);
  });

  it('come by webhook with the secret, again and again until the bot says yes', async () => {
    const got: { headers: IncomingHttpHeaders; text: string }[] = [];
    const receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        got.push({ headers: request.headers, text: body.toString() });
        response.writeHead(got.length < 3 ? 503 : 200).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    try {
      ana.sends('by post');
      await api.setWebhook(`http://127.0.0.1:${port}/telegram/x`, { secret_token: 'quiet-1' });
      expect(await refusalOf(api.getUpdates())).toMatch(
        /^409 Conflict: can't use getUpdates method while webhook/,
      );
      await telegram.waitFor(() => telegram.pendingUpdates() === 0);
      expect(got).toHaveLength(3);
      expect(new Set(got.map((one) => one.text)).size).toBe(1);
      expect(got[2]?.headers['x-telegram-bot-api-secret-token']).toBe('quiet-1');
      expect(await api.getWebhookInfo()).toMatchObject({
        last_error_message: expect.stringContaining('503') as string,
      });
      await api.deleteWebhook();
      expect(await api.getUpdates()).toEqual([]);
    } finally {
      receiver.close();
      receiver.closeAllConnections();
    }
  });
});

describe('messages', () => {
  it('have their HTML parsed', async () => {
    const html =
      ' <b>Fix <i>it</i></b> &lt;now&gt; &amp; <code>a&#60;b</code> <tg-time unix="1647531900" format="r">soon</tg-time>' +
      '<blockquote expandable><pre><code class="language-ts">let x</code></pre></blockquote> ';
    const sent = await api.sendMessage(ana.chatId, html, { parse_mode: 'HTML', disable_notification: true });
    expect(sent.text).toBe('Fix it <now> & a<b soonlet x');
    expect(sent.entities).toEqual([
      { type: 'bold', offset: 0, length: 6 },
      { type: 'italic', offset: 4, length: 2 },
      { type: 'code', offset: 15, length: 3 },
      { type: 'date_time', offset: 19, length: 4, unix_time: 1647531900, date_time_format: 'r' },
      { type: 'expandable_blockquote', offset: 23, length: 5 },
      { type: 'pre', offset: 23, length: 5, language: 'ts' },
    ]);
    expect(ana.lastMessage()).toMatchObject({ silent: true, source: html });
  });

  it.each([
    ['<b>x', `Can't find end tag corresponding to start tag "b"`],
    ['<h1>x</h1>', 'Unsupported start tag "h1" at byte offset 0'],
    ['é <b>x</i>', 'Unmatched end tag at byte offset 7, expected "</b>", found "</i>"'],
    ['x</b>', 'Unexpected end tag at byte offset 1'],
    ['1 < 2', 'Unsupported start tag "" at byte offset 2'],
    ['<a href="x', 'Unclosed start tag "a" at byte offset 0'],
  ])('are refused for broken HTML: %s', async (html, complaint) => {
    expect(await refusalOf(api.sendMessage(ana.chatId, html, { parse_mode: 'HTML' }))).toBe(
      `400 Bad Request: can't parse entities: ${complaint}`,
    );
    expect(ana.messages()).toEqual([]);
  });

  it('keep to the limits on length, buttons and receivers', async () => {
    const fits = `<b>${'x'.repeat(4096)}</b>`;
    await api.sendMessage(ana.chatId, fits, { parse_mode: 'HTML' });
    const said = (text: string, keyboard?: InlineKeyboard, chat = ana.chatId): Promise<string> =>
      refusalOf(api.sendMessage(chat, text, keyboard && { reply_markup: keyboard }));
    expect(await said('x'.repeat(4097))).toBe('400 Bad Request: message is too long');
    expect(await said('  ')).toBe('400 Bad Request: message text is empty');
    expect(await said('x', card('ok', 'd'.repeat(64)))).toBe('no error');
    expect(await said('x', card('ok', 'é'.repeat(33)))).toBe('400 Bad Request: BUTTON_DATA_INVALID');
    expect(await said('x', undefined, 5)).toBe('400 Bad Request: chat not found');
    ana.blocks();
    expect(await said('x')).toBe('403 Forbidden: bot was blocked by the user');
  });

  it('are edited only when something changes, and only while they exist', async () => {
    const { message_id } = await api.sendMessage(ana.chatId, 'one', { reply_markup: card() });
    const edit = (text: string, markup?: InlineKeyboard, id = message_id): Promise<string> =>
      refusalOf(api.editMessageText(ana.chatId, id, text, markup && { reply_markup: markup }));
    expect(await edit('one', card())).toMatch(/^400 Bad Request: message is not modified: /);
    expect(await edit('one', card('Confirm'))).toBe('no error');
    expect(await edit('two')).toBe('no error');
    expect(ana.lastMessage()).toMatchObject({ text: 'two', buttons: [], edits: 2 });
    expect(await refusalOf(api.editMessageReplyMarkup(ana.chatId, message_id))).toMatch(/not modified/);
    await api.editMessageReplyMarkup(ana.chatId, message_id, { reply_markup: card() });
    expect(ana.lastMessage()).toMatchObject({ text: 'two', buttons: [[{ text: 'Open PR', data: 'a1:ok' }]] });
    expect(await edit('x', undefined, 999)).toBe('400 Bad Request: message to edit not found');
    expect(await edit('x', undefined, ana.sends('mine'))).toBe("400 Bad Request: message can't be edited");
    await api.deleteMessage(ana.chatId, message_id);
    expect(await edit('three')).toBe('400 Bad Request: message to edit not found');
  });

  it('may be documents, pinned, and announced by an action', async () => {
    const file = new InputFile(Buffer.from('--- a\n+++ b\n'), 'run-42.patch');
    const markup = card('Back');
    const options = { caption: '<b>patch</b>', parse_mode: 'HTML' as const, reply_markup: markup };
    const sent = await api.sendDocument(ana.chatId, file, { ...options, disable_notification: true });
    expect(ana.lastMessage()).toMatchObject({ text: 'patch', silent: true, buttons: [[{ text: 'Back' }]] });
    expect(ana.lastMessage()?.document?.name).toBe('run-42.patch');
    expect(ana.lastMessage()?.document?.content.toString()).toBe('--- a\n+++ b\n');
    await api.pinChatMessage(ana.chatId, sent.message_id);
    expect(ana.lastMessage()?.pinned).toBe(true);
    await api.unpinChatMessage(ana.chatId, sent.message_id);
    expect(ana.lastMessage()?.pinned).toBe(false);
    await api.sendChatAction(ana.chatId, 'typing');
    await api.setMyCommands([{ command: 'status', description: 'The fleet' }], { language_code: 'zh' });
    expect(telegram.commands(undefined, 'zh')).toEqual([{ command: 'status', description: 'The fleet' }]);
    expect(await refusalOf(api.setMyCommands([{ command: 'Bad!', description: 'x' }]))).toMatch(
      /BOT_COMMAND_INVALID/,
    );
  });
});

describe('a tap', () => {
  const tooOld = '400 Bad Request: query is too old and response timeout expired or query ID is invalid';

  it('is answered once, in time, and only if it exists', async () => {
    const first = ana.pressRaw('x');
    await api.answerCallbackQuery(first.callbackId, { text: 'Noted', show_alert: true });
    expect(first.answer()).toEqual({ text: 'Noted', alert: true });
    expect(await refusalOf(api.answerCallbackQuery(first.callbackId))).toBe(tooOld);
    const second = ana.pressRaw('x');
    telegram.expireCallbacks();
    expect(await refusalOf(api.answerCallbackQuery(second.callbackId))).toBe(tooOld);
    expect(second.answer()).toBeNull();
    expect(await refusalOf(api.answerCallbackQuery('1'))).toBe(tooOld);
  });

  it('takes no more than one message a second in a chat, unless told otherwise', async () => {
    let now = Date.now();
    const strict = await startTelegram({ token, botName: 'b', now: () => now });
    strict.person(1, 'Eve');
    const bot = new Api(token, { apiRoot: strict.url });
    const sent = await bot.sendMessage(1, 'one');
    expect(await refusalOf(bot.sendMessage(1, 'two'))).toMatch(/^429 .*retry after 1/);
    expect(await refusalOf(bot.editMessageText(1, sent.message_id, 'two'))).toMatch(/^429/);
    now += 1_000;
    expect((await bot.sendMessage(1, 'two')).text).toBe('two');
    await strict.stop();
  });

  it('expires by the clock', async () => {
    let now = Date.now();
    const other = await startTelegram({ token, botName: 'b', callbackExpiryMs: 15_000, now: () => now });
    const tap = other.person(1, 'Eve').pressRaw('x');
    now += 15_001;
    const late = new Api(token, { apiRoot: other.url }).answerCallbackQuery(tap.callbackId);
    expect(await refusalOf(late)).toBe(tooOld);
    await other.stop();
  });
});

describe('trouble', () => {
  it('refuses a wrong token and an unknown method', async () => {
    const stranger = new Api('42:wrong', { apiRoot: telegram.url });
    expect(await refusalOf(stranger.getMe())).toBe('401 Unauthorized');
    expect(
      await refusalOf(
        (api.raw as unknown as Record<string, () => Promise<unknown>>)['fly']?.() ?? api.getMe(),
      ),
    ).toMatch(/^404/);
  });

  it('takes forms and odd bodies as the Bot API does', async () => {
    const send = (body: string, type: string): Promise<Response> =>
      fetch(`${telegram.url}/bot${token}/sendMessage`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
    const form = new URLSearchParams({
      ...{ chat_id: '1001', text: '123', disable_notification: 'true' },
      reply_markup: JSON.stringify(card()),
    });
    const answer = await send(form.toString(), 'application/x-www-form-urlencoded');
    expect(answer.status).toBe(200);
    expect(ana.lastMessage()).toMatchObject({ text: '123', silent: true, buttons: [[{ text: 'Open PR' }]] });
    expect((await send('{"chat_id":', 'application/json')).status).toBe(400);
    expect((await send('{"chat_id":1001}', 'application/json')).status).toBe(400);
  });

  it('is made on purpose: 429, 502, a cut line, garbage, and a lie about what was done', async () => {
    const said = (): Promise<string> => refusalOf(api.sendMessage(ana.chatId, 'x'));
    telegram.faults.next('sendMessage', tooManyRequests(7));
    const error = await api.sendMessage(ana.chatId, 'x').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
    for (const fault of [badGateway(), drop(), garbage()]) {
      telegram.faults.next('sendMessage', fault);
      expect(await said()).toContain(HttpError.name);
    }
    expect(ana.messages()).toHaveLength(0);
    telegram.faults.next('sendMessage', commitThenDrop());
    expect(await said()).toContain(HttpError.name);
    expect(ana.messages()).toHaveLength(1);
    expect(telegram.calls.map((call) => call.fault ?? call.outcome)).toEqual(
      'answer answer drop answer drop'.split(' '),
    );
    expect(await said()).toBe('no error');
  });

  it('hits only what it names, as often as it says', async () => {
    const toAna = {
      route: 'sendMessage',
      when: (call: { params: Record<string, unknown> }) => call.params['chat_id'] === 1001,
    };
    const fault = telegram.faults.next(toAna, tooManyRequests(1), 2);
    const slow = telegram.faults.always('sendMessage', delay(1));
    const bob = telegram.person(1002, 'Bob');
    const said = (chat: number): Promise<string> => refusalOf(api.sendMessage(chat, 'x'));
    expect(await said(bob.chatId)).toBe('no error');
    expect(await said(ana.chatId)).toMatch(/^429/);
    expect(await said(ana.chatId)).toMatch(/^429/);
    expect(await said(ana.chatId)).toBe('no error');
    expect([fault.used(), slow.used()]).toEqual([2, 2]);
    telegram.faults.clear();
    await said(ana.chatId);
    expect(slow.used()).toBe(2);
  });

  it('tells its listeners before and after each request, and can lose one', async () => {
    const seen: string[] = [];
    const off = telegram.onRequest(async ({ phase, call }) => {
      seen.push(`${phase} ${call.route} ${ana.messages().length}`);
      await Promise.resolve();
      return phase === 'before' && seen.length === 1 ? 'lose' : undefined;
    });
    expect(await refusalOf(api.sendMessage(ana.chatId, 'lost'))).toContain(HttpError.name);
    await api.sendMessage(ana.chatId, 'found');
    off();
    await api.sendMessage(ana.chatId, 'unseen');
    expect(seen).toEqual(['before sendMessage 0', 'before sendMessage 0', 'after sendMessage 1']);
  });

  it('may be the whole server: it comes back at its address and remembers everything', async () => {
    ana.sends('before');
    await telegram.down();
    expect(await refusalOf(api.getUpdates())).toContain(HttpError.name);
    ana.sends('meanwhile');
    await telegram.up();
    expect(await api.getUpdates()).toMatchObject([
      { message: { text: 'before' } },
      { message: { text: 'meanwhile' } },
    ]);
  });

  it('is told when what a test waits for does not come', async () => {
    await api.sendMessage(ana.chatId, 'Something else', { reply_markup: card() });
    const wait = ana.waitForMessage('the card', { deadlineMs: 20 });
    await expect(wait).rejects.toThrow(
      /Nothing came in 20 ms .* the card to Ana[^]*Something else \[Open PR\][^]*sendMessage → 200/,
    );
  });
});
