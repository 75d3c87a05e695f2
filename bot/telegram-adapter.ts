/** Telegram as a chat of this host. */
import type { ChatAdapter } from './adapter/chat-adapter.ts';
import { isEarlier, isPerson, isUpdate, readUpdate } from './commands/read-update.ts';
import { createTelegramIntake } from './telegram-intake.ts';
import { createReadFile } from './received-files.ts';
import { createChat } from './telegram-chat.ts';
import { telegramLimits } from './telegram-limits.ts';

export type TelegramSettings = { token: string; apiRoot: string };

/** Ids of groups are negative; a topic follows its group after a slash. */
const PLACE = /^-?\d{1,20}(?:\/\d{1,20})?$/;

export const telegramAdapter = ({ token, apiRoot }: TelegramSettings): ChatAdapter => ({
  name: 'Telegram',
  limits: telegramLimits,
  isLimitedAsOne: true,
  hasRecordings: true,
  isOurs: isUpdate,
  hasChat: (chat) => PLACE.test(chat),
  hasPerson: isPerson,
  read: readUpdate,
  isEarlier,
  connect: (parts) => {
    const { clock } = parts;
    const bot = createTelegramIntake({ ...parts, token, apiRoot });
    return {
      out: createChat({ token, apiRoot, clock }),
      start: () => bot.start(),
      stop: () => bot.stop(),
      whoAmI: (signal) => bot.whoAmI(signal),
      botName: bot.botName,
      invitationText: (code) => bot.startLink(code) ?? `/start ${code}`,
      startLink: bot.startLink,
      sentFile: createReadFile({ token, apiRoot, clock }),
      answerTap: (tap) => bot.answerCallback(tap),
      menus: { everybody: () => bot.setMenus(), of: (...person) => bot.menuOf(...person) },
      webhook: {
        folder: 'telegram',
        secretHeader: 'x-telegram-bot-api-secret-token',
        isUpdate,
        createTake: (secret) => bot.createWebhookTake(secret),
        register: (url, secret) => bot.register(url, secret),
      },
    };
  },
});
