/** Telegram as a chat of this host. */
import type { ChatAdapter } from './adapter/chat-adapter.ts';
import {
  isEarlierTelegramMessage,
  isTelegramUserId,
  isTelegramUpdate,
  readTelegramUpdate,
} from './commands/read-telegram-update.ts';
import { createTelegramIntake } from './telegram-intake.ts';
import { createTelegramFileReader } from './received-files.ts';
import { createTelegramChat } from './telegram-chat.ts';
import { telegramLimits } from './telegram-limits.ts';

export type TelegramSettings = { token: string; apiRoot: string };

/** Ids of groups are negative; a topic follows its group after a slash. */
const PLACE = /^-?\d{1,20}(?:\/\d{1,20})?$/;

export const createTelegramAdapter = ({ token, apiRoot }: TelegramSettings): ChatAdapter => ({
  name: 'Telegram',
  limits: telegramLimits,
  isLimitedAsOne: true,
  hasRecordings: true,
  isOurs: isTelegramUpdate,
  hasChat: (chat) => PLACE.test(chat),
  hasPerson: isTelegramUserId,
  read: readTelegramUpdate,
  isEarlier: isEarlierTelegramMessage,
  connect: (parts) => {
    const { clock } = parts;
    const bot = createTelegramIntake({ ...parts, token, apiRoot });
    return {
      out: createTelegramChat({ token, apiRoot, clock }),
      start: (onReceiving) => bot.start(onReceiving),
      stop: () => bot.stop(),
      whoAmI: (signal) => bot.whoAmI(signal),
      botName: bot.botName,
      invitationText: (code) => bot.startLink(code) ?? `/start ${code}`,
      startLink: bot.startLink,
      sentFile: createTelegramFileReader({ token, apiRoot, clock }),
      answerTap: (tap) => bot.answerCallback(tap),
      menus: { everybody: () => bot.setMenus(), of: (...person) => bot.menuOf(...person) },
      webhook: {
        folder: 'telegram',
        secretHeader: 'x-telegram-bot-api-secret-token',
        isUpdate: isTelegramUpdate,
        createTake: (secret) => bot.createWebhookTake(secret),
        register: (url, secret) => bot.register(url, secret),
      },
    };
  },
});
