/** Bot API methods that send, edit, delete and pin messages. */
import type { Message } from 'grammy/types';
import type { Fields } from '../body.ts';
import { wireOf, type Chats, type Content, type Room, type Stored } from './chats.ts';
import { captionContent, readKeyboard, textContent } from './validate-content.ts';
import { params, read } from './params.ts';
import { ApiRefusal, badRequest } from './refusal.ts';

const notModified =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';
const actions = new Set([
  ...['typing', 'upload_photo', 'record_video', 'upload_video', 'record_voice', 'upload_voice'],
  ...['upload_document', 'choose_sticker', 'find_location', 'record_video_note', 'upload_video_note'],
]);

export function createMessageMethods(chats: Chats) {
  function room(chatId: number): Room {
    const found = chats.rooms.get(chatId);
    if (!found) throw badRequest('chat not found');
    if (found.movedTo !== null)
      throw new ApiRefusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: found.movedTo,
      });
    if (found.blocked) throw new ApiRefusal(403, 'Forbidden: bot was blocked by the user');
    return found;
  }
  function target(chatId: number, messageId: number, doing: 'edit' | 'delete' | 'pin'): Stored {
    const found = chats.find(room(chatId).chat.id, messageId);
    if (!found) throw badRequest(`message to ${doing} not found`);
    if (doing === 'edit' && found.from.id !== chats.bot.id) throw badRequest("message can't be edited");
    return found;
  }
  function reply(
    to: Room,
    wish: { message_id: number; allow_sending_without_reply?: boolean | undefined } | undefined,
  ) {
    const found = wish && chats.find(to.chat.id, wish.message_id);
    if (wish && !found && !wish.allow_sending_without_reply)
      throw badRequest('message to be replied not found');
    return found ? { reply_to_message: wireOf(found) } : {};
  }
  /** Bot API, sendMessage: only existing topics of forums are valid. */
  function topic(to: Room, id: number | undefined): object {
    if (id === undefined) return {};
    if (!to.topics.has(id)) throw badRequest('message thread not found');
    return { message_thread_id: id, is_topic_message: true };
  }
  function kept(as: 'photo' | 'document', file: { name: string; mime: string; content: Buffer }): Content {
    const file_id = `${as}-${chats.files.size + 1}`;
    chats.files.set(file_id, file);
    const named = { file_id, file_unique_id: `unique-${file_id}`, file_size: file.content.length };
    return as === 'photo'
      ? { photo: [{ ...named, ...sizeOf(file.content) }] }
      : { document: { ...named, file_name: file.name, mime_type: file.mime } };
  }
  function edit(stored: Stored, source: string, content: Stored['content']): Message {
    if (JSON.stringify(content) === JSON.stringify(stored.content)) throw badRequest(notModified);
    return wireOf(chats.edit(stored, source, content));
  }

  return {
    room,
    sendmessage({ params: given }: Fields): Message {
      const wish = read(params.sendMessage, given);
      const to = room(wish.chat_id);
      const content = textContent(wish.text, wish, wish.reply_markup);
      const extra = { ...reply(to, wish.reply_parameters), ...topic(to, wish.message_thread_id) };
      const silent = wish.disable_notification ?? false;
      const asks = wish.reply_markup?.force_reply ?? false;
      return wireOf(chats.add(to, chats.bot, { source: wish.text, content, extra, silent, asks }));
    },
    senddocument({ params: given, files }: Fields): Message {
      const wish = read(params.sendDocument, given);
      const to = room(wish.chat_id);
      const file = files[wish.document?.replace(/^attach:\/\//, '') ?? 'document'];
      if (!file) throw badRequest('there is no document in the request');
      if (file.content.length === 0) throw badRequest('file must be non-empty');
      const formatting = {
        chat_id: wish.chat_id,
        parse_mode: wish.parse_mode,
        entities: wish.caption_entities,
      };
      const caption = captionContent(wish.caption ?? '', formatting, wish.reply_markup);
      const extra = { ...reply(to, wish.reply_parameters), ...topic(to, wish.message_thread_id) };
      return wireOf(
        chats.add(to, chats.bot, {
          source: wish.caption ?? '',
          content: { ...kept('document', file), ...caption },
          file: file.content,
          extra,
          silent: wish.disable_notification ?? false,
        }),
      );
    },
    sendmediagroup({ params: given, files }: Fields): Message[] {
      const wish = read(params.sendMediaGroup, given);
      const to = room(wish.chat_id);
      const { media } = wish;
      if (media.length < 2 || media.length > 10) throw badRequest('an album takes 2 to 10 media');
      if (new Set(media.map(({ type }) => type)).size > 1)
        throw badRequest("documents can't be mixed with other media types");
      const album = { ...topic(to, wish.message_thread_id), media_group_id: `album-${chats.files.size + 1}` };
      const all = media.map((one) => {
        const file = files[one.media.replace(/^attach:\/\//, '')];
        if (!file?.content.length) throw badRequest('there is no such file in the request');
        return { one, file, caption: captionContent(one.caption ?? '', one, undefined) };
      });
      return all.map(({ one, file, caption }) => {
        const content = { ...kept(one.type, file), ...caption };
        const silent = wish.disable_notification ?? false;
        const source = one.caption ?? '';
        return wireOf(
          chats.add(to, chats.bot, { source, content, file: file.content, extra: album, silent }),
        );
      });
    },
    editmessagetext({ params: given }: Fields): Message {
      const wish = read(params.editMessageText, given);
      const stored = target(wish.chat_id, wish.message_id, 'edit');
      if (stored.content.text === undefined) throw badRequest('there is no text in the message to edit');
      return edit(stored, wish.text, textContent(wish.text, wish, wish.reply_markup));
    },
    editmessagereplymarkup({ params: given }: Fields): Message {
      const wish = read(params.editMessageReplyMarkup, given);
      const stored = target(wish.chat_id, wish.message_id, 'edit');
      const { reply_markup: _old, ...content } = stored.content;
      return edit(stored, stored.source, { ...content, ...readKeyboard(wish.reply_markup, wish.chat_id) });
    },
    deletemessage({ params: given }: Fields): true {
      const wish = read(params.deleteMessage, given);
      target(wish.chat_id, wish.message_id, 'delete').deleted = true;
      return true;
    },
    pinchatmessage({ params: given }: Fields): true {
      const wish = read(params.pinChatMessage, given);
      target(wish.chat_id, wish.message_id, 'pin').pinned = true;
      return true;
    },
    unpinchatmessage({ params: given }: Fields): true {
      const { chat_id, message_id } = read(params.unpinChatMessage, given);
      const found =
        message_id === undefined
          ? room(chat_id).messages.findLast((one) => one.pinned && !one.deleted)
          : chats.find(room(chat_id).chat.id, message_id);
      if (!found?.pinned) throw badRequest('message to unpin not found');
      found.pinned = false;
      return true;
    },
    sendchataction({ params: given }: Fields): true {
      const { chat_id, action } = read(params.sendChatAction, given);
      room(chat_id);
      if (!actions.has(action)) throw badRequest('wrong parameter action in request');
      return true;
    },
  };
}

const sizeOf = (bytes: Buffer): { width: number; height: number } =>
  bytes.subarray(12, 16).toString('latin1') === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : { width: 0, height: 0 };
