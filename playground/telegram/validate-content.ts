/** Validates texts, entities and buttons by the Bot API's limits. */
import type { InlineKeyboardMarkup, MessageEntity } from 'grammy/types';
import type { Content } from './chats.ts';
import { parseHtml, trim } from './entities.ts';
import type { Markup } from './params.ts';
import { badRequest } from './refusal.ts';

type Wish = { chat_id?: number; parse_mode?: string | undefined; entities?: unknown };

/** Limits count UTF-16 units after parsing: 4096 for a text, 1024 for a caption. */
function formatted(source: string, wish: Wish, limit: number) {
  const mode = wish.parse_mode?.toLowerCase() ?? '';
  if (mode !== '' && mode !== 'html') throw badRequest('unsupported parse_mode');
  const given = (wish.entities as MessageEntity[] | undefined) ?? [];
  const content = mode === 'html' ? parseHtml(source) : trim({ text: source, entities: given });
  if ('complaint' in content) throw badRequest(`can't parse entities: ${content.complaint}`);
  if (content.text.length > limit) {
    throw badRequest(limit === 4096 ? 'message is too long' : 'message caption is too long');
  }
  return content;
}

export function textContent(source: string, wish: Wish, markup: Markup | undefined): Content {
  const { text, entities } = formatted(source, wish, 4096);
  if (text === '') throw badRequest('message text is empty');
  return { text, ...(entities.length > 0 && { entities }), ...readKeyboard(markup, wish.chat_id) };
}

export function captionContent(source: string, wish: Wish, markup: Markup | undefined): Content {
  const { text, entities } = formatted(source, wish, 1024);
  return {
    ...(text && { caption: text }),
    ...(entities.length > 0 && { caption_entities: entities }),
    ...readKeyboard(markup, wish.chat_id),
  };
}

const MOST_BUTTONS = 100;

/** Other keyboards than inline ones are accepted and ignored. */
export function readKeyboard(markup: Markup | undefined, chatId = 0): Pick<Content, 'reply_markup'> {
  const rows = markup?.inline_keyboard?.filter((row) => row.length > 0) ?? [];
  if (rows.length === 0) return {};
  if (rows.flat().length > MOST_BUTTONS) throw badRequest('reply markup is too long');
  for (const button of rows.flat()) {
    if (button.text === '')
      throw badRequest('can\'t parse inline keyboard button: Field "text" must be non-empty');
    const kinds = Object.keys(button).filter((key) => key !== 'text' && key !== 'style');
    if (kinds.length === 0) {
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      );
    }
    if (kinds.length > 1) throw badRequest('inline keyboard button must have exactly one type');
    const { callback_data: data, copy_text: copied, url, web_app: app } = button;
    if (app !== undefined && chatId < 0) throw badRequest('BUTTON_TYPE_INVALID');
    if (app !== undefined && !app.url.startsWith('https://'))
      throw badRequest(
        `inline keyboard button Web App URL '${app.url}' is invalid: Only HTTPS links are allowed`,
      );
    if (copied !== undefined && (copied.text === '' || copied.text.length > 256))
      throw badRequest('BUTTON_COPY_TEXT_INVALID');
    if (url !== undefined && !/^(?:https?|tg):\/\/[^/]*\./.test(url))
      throw badRequest(`inline keyboard button URL '${url}' is invalid: Wrong HTTP URL`);
    if (data !== undefined && (data === '' || Buffer.byteLength(data) > 64))
      throw badRequest('BUTTON_DATA_INVALID');
  }
  return { reply_markup: { inline_keyboard: rows } as InlineKeyboardMarkup };
}
