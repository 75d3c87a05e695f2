/** Implements the Chat port on Telegram's Bot API. */
import { Api, GrammyError, HttpError, InputFile } from 'grammy/web';
import { ChatMoved, MaybeSent, type ChatButton, type ChatPort, type ChatPicture } from '#ports/chat';
import { failureWithDetail, OutsideFailure } from '#ports/forge';
import type { SentMessage } from '#ports/ledger';
import { networkFailureOf, wasNeverConnected } from '#network-faults';
import type { InputMediaDocument, InputMediaPhoto } from 'grammy/types';
import { rejectForeignAnswers } from './reject-foreign-answers.ts';
import { createClientOptions } from './telegram-client.ts';
import { parseTopicChat } from './chat-topics.ts';
import { stripMarkup } from './text/telegram-html.ts';
import { showInvisible, redactSecrets } from '../text-safety/index.ts';
import { failureDetail } from '#model/failure';
import { DAY, cutText } from '#model/values';

/** Bot API, sendDocument: captions up to 1024 characters. */
const CAPTION_LIMIT = 1_024;
const TIMEOUT_SECONDS = 15;
const FILE_TIMEOUT_SECONDS = 120;
/** Used when Telegram gives no `retry_after` (ms). */
const DEFAULT_WAIT = 5_000;
const MOST_WAIT = DAY;

type ChatParts = { token: string; apiRoot: string; clock: { now(): number } };

export const createTelegramChat = ({ token, apiRoot, clock }: ChatParts): ChatPort => {
  const api = new Api(token, createClientOptions(apiRoot, TIMEOUT_SECONDS));
  const files = new Api(token, createClientOptions(apiRoot, FILE_TIMEOUT_SECONDS));
  for (const one of [api, files]) one.config.use(rejectForeignAnswers);
  const text = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const;
  return {
    async send({ chat, html, buttons, silent, asks }) {
      const force = asks ? ({ reply_markup: { force_reply: true } } as const) : {};
      const keyboard = buttons.length > 0 ? { reply_markup: toReplyMarkup(buttons) } : force;
      const sent = await classifyErrors(clock, chat, () =>
        api.sendMessage(Number(parseTopicChat(chat).chat), html, {
          ...text,
          ...keyboard,
          ...topicOf(chat),
          disable_notification: silent,
        }),
      );
      return { chat, messageId: String(sent.message_id) };
    },
    async edit({ chat, messageId, html, buttons }): Promise<SentMessage | null> {
      const same = { chat, messageId };
      try {
        await api.editMessageText(Number(parseTopicChat(chat).chat), Number(messageId), html, {
          ...text,
          reply_markup: toReplyMarkup(buttons),
        });
        return same;
      } catch (error) {
        if (error instanceof GrammyError && /message is not modified/i.test(error.description)) return same;
        if (error instanceof GrammyError && GONE.test(error.description)) return null;
        throw telegramFailureOf(error, clock.now());
      }
    },
    async pin({ chat, messageId, on }) {
      const [id, message] = [Number(parseTopicChat(chat).chat), Number(messageId)];
      try {
        if (on) await api.pinChatMessage(id, message, { disable_notification: true });
        else await api.unpinChatMessage(id, message);
        return true;
      } catch (error) {
        const failure = telegramFailureOf(error, clock.now());
        if (failure instanceof OutsideFailure && failure.class === 'chat_refused') return false;
        throw failure;
      }
    },
    async document({ chat, name, content, caption, silent }) {
      const file = new InputFile(typeof content === 'string' ? Buffer.from(content, 'utf8') : content, name);
      const fits = caption.length <= CAPTION_LIMIT;
      const extra = {
        ...(fits
          ? ({ caption, parse_mode: 'HTML' } as const)
          : { caption: cutText(stripMarkup(caption), CAPTION_LIMIT) }),
        disable_notification: silent,
      };
      const sent = await classifyErrors(clock, chat, () =>
        files.sendDocument(Number(parseTopicChat(chat).chat), file, { ...extra, ...topicOf(chat) }),
      );
      return { chat, messageId: String(sent.message_id) };
    },
    async album({ chat, pictures, silent }) {
      const type = pictures.every(isPhoto) ? 'photo' : 'document';
      const media = pictures.map(({ name, content, caption }) => ({
        type,
        media: new InputFile(content, name),
        caption,
        parse_mode: 'HTML' as const,
      }));
      const [first] = await classifyErrors(clock, chat, () =>
        files.sendMediaGroup(
          Number(parseTopicChat(chat).chat),
          media as InputMediaPhoto[] | InputMediaDocument[],
          {
            ...topicOf(chat),
            disable_notification: silent,
          },
        ),
      );
      return { chat, messageId: String(first?.message_id) };
    },
  };
};

/** Bot API, sendPhoto: width plus height at most 10000, ratio at most 20. */
const isPhoto = ({ name, wide, high }: ChatPicture): boolean =>
  /\.(?:png|jpg)$/.test(name) && wide + high <= 10_000 && Math.max(wide, high) <= 20 * Math.min(wide, high);

const topicOf = (place: string): { message_thread_id?: number } => {
  const { topic } = parseTopicChat(place);
  return topic === null ? {} : { message_thread_id: topic };
};

const GONE = /message to edit not found|message can't be edited|message_id_invalid/i;

const toReplyMarkup = (buttons: ChatButton[][]) => ({
  inline_keyboard: buttons.map((line) =>
    line.map(({ text, token, style, opens, app, copies }) => {
      if (opens !== undefined) return { text, url: opens };
      if (app !== undefined) return { text, web_app: { url: app } };
      if (copies !== undefined) return { text, copy_text: { text: copies } };
      return { text, callback_data: token, ...(style ? { style } : {}) };
    }),
  ),
});

/** Messages for a topic that is deleted, closed or switched off go to the group. */
const TOPIC_GONE = /message thread not found|TOPIC_DELETED|TOPIC_CLOSED/i;

const classifyErrors = async <T>(
  clock: { now(): number },
  place: string,
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    const { chat, topic } = parseTopicChat(place);
    if (topic !== null && error instanceof GrammyError && TOPIC_GONE.test(error.description))
      throw new ChatMoved(chat);
    const failure = telegramFailureOf(error, clock.now());
    if (!(failure instanceof OutsideFailure) || failure.class !== 'chat_unavailable') throw failure;
    throw wasNeverConnected(error) ? failure : new MaybeSent(failure.class, failure.message);
  }
};

/** Bot API, "Making requests": `retry_after` is in seconds. */
export const telegramFailureOf = (error: unknown, now: number): unknown => {
  if (error instanceof HttpError) {
    const wayFailure = networkFailureOf('Telegram', error, 'chat');
    if (wayFailure) return wayFailure;
    return failureWithDetail(
      'chat_unavailable',
      'Telegram could not be reached. We try again by ourselves.',
      failureDetail({ kind: 'chat_unreached' }),
    );
  }
  if (!(error instanceof GrammyError)) return error;
  const { migrate_to_chat_id: movedTo, retry_after: asked } = error.parameters;
  if (movedTo !== undefined) return new ChatMoved(String(movedTo));
  const says = cutText(showInvisible(redactSecrets(error.description)).replace(/\s+/g, ' '), 200);
  const words = `Telegram refused the message: ${says}`;
  const detail = failureDetail({ kind: 'chat_refused', says });
  if (error.error_code === 429) {
    const wait = asked === undefined ? DEFAULT_WAIT : Math.min(MOST_WAIT, Math.max(1, asked) * 1_000);
    return new OutsideFailure('rate_limited', words, { retryAt: now + wait, detail });
  }
  if (error.error_code >= 500) return failureWithDetail('chat_unavailable', words, detail);
  if (error.error_code === 401 || error.error_code === 404) {
    return failureWithDetail(
      'auth_missing',
      'Telegram does not know our bot token. Check TELEGRAM_BOT_TOKEN.',
      failureDetail({ kind: 'chat_token_unknown' }),
    );
  }
  return failureWithDetail('chat_refused', words, detail);
};
