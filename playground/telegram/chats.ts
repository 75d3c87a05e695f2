/** The state of the local Telegram: chats, messages and unanswered taps. */
import type { Chat, InlineKeyboardMarkup, Message, MessageEntity, PhotoSize, User } from 'grammy/types';

/** The editable part of a message, named as in the Bot API. */
export type Content = {
  text?: string;
  entities?: MessageEntity[];
  caption?: string;
  caption_entities?: MessageEntity[];
  document?: {
    file_id: string;
    file_unique_id: string;
    file_name: string;
    mime_type: string;
    file_size: number;
  };
  photo?: PhotoSize[];
  reply_markup?: InlineKeyboardMarkup;
};
export type Stored = {
  id: number;
  chat: Chat;
  from: User;
  /** Epoch seconds. */
  date: number;
  editDate: number | null;
  content: Content;
  extra: object;
  silent: boolean;
  /** True if it forces a reply to this message. */
  asks: boolean;
  pinned: boolean;
  deleted: boolean;
  edits: number;
  /** Text as sent, before parsing. */
  source: string;
  file: Buffer | null;
};
/** Topics of a forum, by the id of their first message. */
export type Room = {
  chat: Chat;
  messages: Stored[];
  blocked: boolean;
  topics: Map<number, string>;
  movedTo: number | null;
};
export type Query = {
  id: string;
  at: number;
  expired: boolean;
  answer: { text: string; alert: boolean } | null;
};

export type ChatMessage = {
  messageId: number;
  chatId: number;
  /** The sender's name; `bot` for the bot. */
  from: string;
  text: string;
  entities: MessageEntity[];
  source: string;
  buttons: {
    text: string;
    data: string | null;
    url: string | null;
    app: string | null;
    copy: string | null;
    style: string | null;
  }[][];
  silent: boolean;
  asks: boolean;
  pinned: boolean;
  edits: number;
  document: { name: string; content: Buffer } | null;
  replyTo: number | null;
  topic: number | null;
  /** Epoch seconds. */
  at: number;
};

export type Chats = ReturnType<typeof createChats>;

/** What chats hold, as `v8.serialize` writes it. */
export type KeptChats = {
  rooms: Map<number, Room>;
  queries: Map<string, Query>;
  files: Map<string, { name: string; content: Buffer }>;
  lastMessage: number;
};

const createEmptyChats = (): KeptChats => ({
  rooms: new Map(),
  queries: new Map(),
  files: new Map(),
  lastMessage: 0,
});

export function createChats(bot: User, now: () => number, kept?: KeptChats) {
  const { rooms, queries, files } = kept ?? createEmptyChats();
  const seconds = (): number => Math.floor(now() / 1000);
  let lastMessage = kept?.lastMessage ?? 0;
  /** Only the sender knows a photo's name. */
  const nameOf = ({ document, photo }: Content): string =>
    document?.file_name ?? files.get(photo?.[0]?.file_id ?? '')?.name ?? '';

  return {
    bot,
    rooms,
    queries,
    files,
    keep: (): KeptChats => ({ rooms, queries, files, lastMessage }),
    now,
    room(chat: Chat): Room {
      const room = rooms.get(chat.id) ?? {
        chat,
        messages: [],
        blocked: false,
        movedTo: null,
        topics: new Map<number, string>(),
      };
      rooms.set(chat.id, room);
      return room;
    },
    find(chatId: number, messageId: number): Stored | null {
      const found = rooms.get(chatId)?.messages.find((one) => one.id === messageId);
      return found && !found.deleted ? found : null;
    },
    add(
      room: Room,
      from: User,
      what: {
        source: string;
        content: Content;
        silent?: boolean;
        asks?: boolean;
        file?: Buffer;
        extra?: object;
      },
    ): Stored {
      lastMessage += 1;
      const stored: Stored = {
        id: lastMessage,
        chat: room.chat,
        from,
        date: seconds(),
        editDate: null,
        content: what.content,
        extra: what.extra ?? {},
        source: what.source,
        file: what.file ?? null,
        silent: what.silent ?? false,
        asks: what.asks ?? false,
        pinned: false,
        deleted: false,
        edits: 0,
      };
      room.messages.push(stored);
      return stored;
    },
    edit(stored: Stored, source: string, content: Content): Stored {
      stored.edits += 1;
      return Object.assign(stored, { source, content, editDate: seconds() });
    },
    seen(stored: Stored): ChatMessage {
      const { content, extra } = stored;
      return {
        messageId: stored.id,
        chatId: stored.chat.id,
        from: stored.from.id === bot.id ? 'bot' : stored.from.first_name,
        text: content.text ?? content.caption ?? '',
        entities: content.entities ?? content.caption_entities ?? [],
        source: stored.source,
        buttons: (content.reply_markup?.inline_keyboard ?? []).map((row) =>
          row.map((button) => ({
            text: button.text,
            data: 'callback_data' in button ? button.callback_data : null,
            url: 'url' in button ? button.url : null,
            app: 'web_app' in button ? button.web_app.url : null,
            copy: 'copy_text' in button ? button.copy_text.text : null,
            style: button.style ?? null,
          })),
        ),
        silent: stored.silent,
        asks: stored.asks,
        pinned: stored.pinned,
        edits: stored.edits,
        document: stored.file ? { name: nameOf(content), content: stored.file } : null,
        topic: (extra as { message_thread_id?: number }).message_thread_id ?? null,
        replyTo: (extra as { reply_to_message?: Message }).reply_to_message?.message_id ?? null,
        at: stored.date,
      };
    },
  };
}

export const wireOf = (stored: Stored): Message => ({
  message_id: stored.id,
  from: stored.from,
  chat: stored.chat,
  date: stored.date,
  ...(stored.editDate !== null && { edit_date: stored.editDate }),
  ...stored.extra,
  ...stored.content,
});
