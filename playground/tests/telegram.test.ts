/** Tests conversations, messages and taps of the local Telegram with the real grammY. */
import { Api, InlineKeyboard, InputFile } from 'grammy/web';
import { describe, expect, it } from 'vitest';
import { startTelegram } from '../telegram.ts';
import {
  bots,
  ana,
  api,
  card,
  refusalOf,
  runBot,
  telegram,
  token,
  useTelegram,
} from './support/telegram-client.ts';

useTelegram();

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
          chat: { id: -100, type: 'supergroup' },
          from: { id: 1001 },
          entities: [{ type: 'bot_command', offset: 0, length: 19 }],
        },
      },
    ]);
    await api.sendMessage(-100, 'Here');
    expect(group.messages().map((one) => one.from)).toEqual(['Ana', 'bot']);
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
    const many = (count: number): InlineKeyboard => {
      const keyboard = new InlineKeyboard();
      for (let n = 0; n < count; n += 1) keyboard.text('ok', 'data').row();
      return keyboard;
    };
    expect(await said('x', many(100))).toBe('no error');
    expect(await said('x', many(101))).toBe('400 Bad Request: reply markup is too long');
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
