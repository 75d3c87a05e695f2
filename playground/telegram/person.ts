/** People who write, tap and read, with the updates that Telegram would send. */
import type { Chat, Message, User } from 'grammy/types';
import type { News, WaitOptions } from '../news.ts';
import { wireOf, type ChatMessage, type Chats, type Query, type Room, type Stored } from './chats.ts';
import { typedEntities } from './entities.ts';
import { createRecording } from './recording.ts';
import type { Updates } from './updates.ts';

export type Tap = {
  callbackId: string;
  answer(): Query['answer'];
  answered(options?: WaitOptions): Promise<NonNullable<Query['answer']>>;
};
export const ATTACHMENTS = ['photo', 'voice', 'sticker'] as const;
export type Attachment = (typeof ATTACHMENTS)[number];

export type AttachOptions = {
  caption?: string;
  replyTo?: number;
  says?: string;
  seconds?: number;
  content?: Buffer;
};

const describe = (
  chats: Chats,
  what: Attachment,
  { says = '', seconds = 3, content }: AttachOptions,
): object => {
  const id = `${what}-${chats.files.size + 1}`;
  const file = { file_id: id, file_unique_id: id };
  switch (what) {
    case 'photo':
      return { photo: [{ ...file, width: 90, height: 90 }] };
    case 'voice': {
      const recording = content ?? createRecording({ says, seconds });
      chats.files.set(id, { name: 'voice.ogg', content: recording });
      return { voice: { ...file, duration: seconds, mime_type: 'audio/ogg', file_size: recording.length } };
    }
    case 'sticker':
      return {
        sticker: { ...file, type: 'regular', width: 512, height: 512, is_animated: false, is_video: false },
      };
  }
};

export type Person = {
  id: number;
  name: string;
  chatId: number;
  /** Returns the message's id. */
  sends(text: string, options?: { replyTo?: number }): number;
  /** Sends an attachment with an optional caption. Returns the id. */
  attaches(what: Attachment, options?: AttachOptions): number;
  edits(messageId: number, text: string): void;
  forwards(message: { chatId: number; messageId: number }): number;
  taps(button: string | RegExp | { message: number; text: string | RegExp }): Tap;
  /** Sends a tap with any data on any message, also where no button has it. */
  pressRaw(data: string, on?: { messageId?: number; chatId?: number }): Tap;
  /** Visible messages, oldest first. */
  messages(): ChatMessage[];
  lastMessage(): ChatMessage | null;
  waitFor<T>(look: (person: Person) => T | null | undefined | false, options?: WaitOptions): Promise<T>;
  /** Waits for a message of the bot, new or edited, that matches now. */
  waitForMessage(
    like: string | RegExp | ((message: ChatMessage) => boolean),
    options?: WaitOptions,
  ): Promise<ChatMessage>;
  blocks(): void;
  unblocks(): void;
  in(group: { chatId: number; topic?: number }): Person;
};

export type PersonDeps = { chats: Chats; updates: Updates; news: News };

export function createPerson(deps: PersonDeps, user: User, chat: Chat, topic: number | null = null): Person {
  const { chats, updates, news } = deps;
  const room: Room = chats.room(chat);
  const visible = (): Stored[] =>
    room.messages.filter((one) => !one.deleted && (topic === null || chats.seen(one).topic === topic));
  const byBot = (): Stored[] => visible().filter((one) => one.from.id === chats.bot.id);
  const show = (kind: 'message' | 'edited_message', stored: Stored): void => {
    updates.push({ [kind]: wireOf(stored) });
    news.tell();
  };
  const write = (text: string, extra: object): number => {
    const entities = typedEntities(text);
    const content = { text, ...(entities.length > 0 && { entities }) };
    const placed = topic === null ? extra : { message_thread_id: topic, is_topic_message: true, ...extra };
    const stored = chats.add(room, user, { source: text, content, extra: placed });
    show('message', stored);
    return stored.id;
  };

  function press(data: string, chatId: number, messageId: number): Tap {
    const id = `${user.id}${String(chats.queries.size + 1).padStart(9, '0')}`;
    const query: Query = { id, at: chats.now(), expired: false, answer: null };
    chats.queries.set(id, query);
    const stored = chats.find(chatId, messageId);
    const where = chats.rooms.get(chatId)?.chat ?? { ...chat, id: chatId };
    const message = stored ? wireOf(stored) : ({ chat: where, message_id: messageId, date: 0 } as Message);
    updates.push({ callback_query: { id, from: user, message, chat_instance: `${-chatId}`, data } });
    const answer = (): Query['answer'] => query.answer;
    return {
      callbackId: id,
      answer,
      answered: (options) => news.waitFor(answer, { what: `an answer to the tap ${data}`, ...options }),
    };
  }

  const person: Person = {
    id: user.id,
    name: user.first_name,
    chatId: chat.id,
    sends(text, { replyTo } = {}) {
      const original = replyTo === undefined ? null : chats.find(chat.id, replyTo);
      return write(text, original ? { reply_to_message: wireOf(original) } : {});
    },
    attaches(what, options = {}) {
      const { caption = '', replyTo } = options;
      const original = replyTo === undefined ? null : chats.find(chat.id, replyTo);
      const answers = original ? { reply_to_message: wireOf(original) } : {};
      const content = caption === '' || what === 'sticker' ? {} : { caption };
      const placed = topic === null ? {} : { message_thread_id: topic, is_topic_message: true };
      const extra = { ...placed, ...answers, ...describe(chats, what, options) };
      const stored = chats.add(room, user, { source: caption, content, extra });
      show('message', stored);
      return stored.id;
    },
    edits(messageId, text) {
      const stored = chats.find(chat.id, messageId);
      if (stored?.from.id !== user.id)
        throw new Error(`${user.first_name} has not written message ${messageId}`);
      const entities = typedEntities(text);
      show('edited_message', chats.edit(stored, text, { text, ...(entities.length > 0 && { entities }) }));
    },
    forwards({ chatId, messageId }) {
      const original = chats.find(chatId, messageId);
      if (!original) throw new Error(`There is no message ${messageId} in chat ${chatId} to forward`);
      const forward_origin = { type: 'user', date: original.date, sender_user: original.from };
      return write(original.content.text ?? '', { forward_origin });
    },
    taps(button) {
      const wish = typeof button === 'string' || button instanceof RegExp ? { text: button } : button;
      const { data, messageId } = findButton(person.messages(), wish);
      return press(data, chat.id, messageId);
    },
    pressRaw(data, on = {}) {
      return press(data, on.chatId ?? chat.id, on.messageId ?? byBot().at(-1)?.id ?? 0);
    },
    messages: () => visible().map((one) => chats.seen(one)),
    lastMessage() {
      const last = byBot().at(-1);
      return last ? chats.seen(last) : null;
    },
    waitFor: (look, options) => news.waitFor(() => look(person), options),
    waitForMessage(like, options) {
      const fits = (message: ChatMessage): boolean =>
        typeof like === 'function'
          ? like(message)
          : typeof like === 'string'
            ? message.text.includes(like)
            : like.test(message.text);
      const look = (): ChatMessage | undefined =>
        byBot()
          .map((one) => chats.seen(one))
          .findLast(fits);
      return news.waitFor(look, { what: `a message like ${String(like)} to ${user.first_name}`, ...options });
    },
    blocks() {
      room.blocked = true;
    },
    unblocks() {
      room.blocked = false;
    },
    in: (group) => createPerson(deps, user, chats.rooms.get(group.chatId)?.chat ?? chat, group.topic ?? null),
  };
  return person;
}

function findButton(
  messages: ChatMessage[],
  wish: { message?: number; text: string | RegExp },
): { data: string; messageId: number } {
  const all = messages
    .filter((message) => wish.message === undefined || message.messageId === wish.message)
    .toReversed()
    .flatMap(({ messageId, buttons }) => buttons.flat().map((button) => ({ messageId, ...button })));
  const { text } = wish;
  const fitting =
    typeof text === 'string'
      ? [all.filter((one) => one.text === text), all.filter((one) => one.text.includes(text))]
      : [all.filter((one) => text.test(one.text))];
  const found = fitting.find((some) => some.length > 0) ?? [];
  const [first] = found;
  if (!first?.data) {
    throw new Error(
      `No button ${String(text)}; there are: ${all.map((one) => one.text).join(' | ') || 'none'}`,
    );
  }
  const rivals = found.filter((one) => one.messageId === first.messageId);
  if (rivals.length > 1) {
    throw new Error(`${String(text)} could be any of: ${rivals.map((one) => one.text).join(' | ')}`);
  }
  return { data: first.data, messageId: first.messageId };
}
