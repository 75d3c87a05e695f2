/** The local Telegram with the real grammY. */
import { Api, Bot, GrammyError, InlineKeyboard } from 'grammy/web';
import { afterEach, beforeEach } from 'vitest';
import { startTelegram, type Telegram } from '../../telegram.ts';
import type { Person } from '../../telegram/person.ts';

export const token = '42:playground';
export let telegram: Telegram;
export let ana: Person;
export let api: Api;
export const bots: Bot[] = [];

export const useTelegram = (): void => {
  beforeEach(async () => {
    telegram = await startTelegram({ token, botName: 'agentpr_bot', limits: null });
    ana = telegram.person(1001, 'Ana');
    api = new Api(token, { apiRoot: telegram.url });
  });
  afterEach(async () => {
    await Promise.all(bots.splice(0).map((bot) => bot.stop()));
    await telegram.stop();
  });
};

export function runBot(prepare: (bot: Bot) => void, options?: Parameters<Bot['start']>[0]): Promise<void> {
  const bot = new Bot(token, { client: { apiRoot: telegram.url } });
  prepare(bot);
  bots.push(bot);
  return bot.start({ timeout: 5, ...options });
}
export const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  return error instanceof GrammyError ? `${error.error_code} ${error.description}` : String(error);
};
export const card = (text = 'Open PR', data = 'a1:ok'): InlineKeyboard =>
  new InlineKeyboard().text(text, data);
