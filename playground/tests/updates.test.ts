/** Tests the delivery of updates, and its faults. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Api, HttpError } from 'grammy/web';
import { describe, expect, it } from 'vitest';
import { badGateway, commitThenDrop, delay, drop, garbage } from '../faults.ts';
import { startTelegram, tooManyRequests } from '../telegram.ts';
import { ana, api, card, refusalOf, telegram, token, useTelegram } from './support/telegram-client.ts';

useTelegram();

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

  it('go to nobody while the slot of a poller that died is held, and are all there after that', async () => {
    const held = await startTelegram({ token, botName: 'agentpr_bot', limits: null, heldSlotMs: 150 });
    const other = new Api(token, { apiRoot: held.url });
    const died = new AbortController();
    const poll = other.getUpdates({ timeout: 30 }, died.signal as never);
    await held.waitFor(() => held.calls.length === 1);
    died.abort();
    await expect(poll).rejects.toThrow();
    await held.waitFor(() => held.calls[0]?.outcome === 'gone');
    held.person(1001, 'Ana').sends('meanwhile');
    expect(await refusalOf(other.getUpdates())).toMatch(/^409 Conflict: terminated by other getUpdates/);
    const texts = async (): Promise<unknown> =>
      (await other.getUpdates().catch(() => [])).map(({ message }) => message?.text);
    await expect.poll(texts).toEqual(['meanwhile']);
    await held.stop();
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
      chat_id: '1001',
      text: '123',
      disable_notification: 'true',
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
