/** The chats of one person as plain values for the phone page. */
import type { Message, MessageEntity, User } from 'grammy/types';
import type { ChatMessage, Chats, Room, Stored } from '../telegram/chats.ts';
import { commandsKey, type Command } from '../telegram/methods.ts';
import { ATTACHMENTS, type Attachment, type Person } from '../telegram/person.ts';

/** Maximum messages sent to the page. */
const KEEP = 400;
const QUOTED = 160;

export type Holder = { person: Person; language: string };
export type PhoneMessage = {
  id: number;
  from: string;
  bot: boolean;
  mine: boolean;
  /** Epoch seconds. */
  date: number;
  edited: boolean;
  text: string;
  entities: MessageEntity[];
  buttons: ChatMessage['buttons'];
  document: { name: string; size: number; mime: string; url: string } | null;
  photo: { name: string; url: string } | null;
  attached: Attachment | null;
  replyTo: { id: number; from: string; text: string } | null;
  forwardedFrom: string | null;
  silent: boolean;
  /** The bot expects a reply to this message. */
  asks: boolean;
  pinned: boolean;
};
export type PhoneRoom = {
  id: number | string;
  kind: 'private' | 'group';
  title: string;
  messages: PhoneMessage[];
  commands: Command[];
};
export type PhoneState = {
  me: { id: number; name: string; language: string } | null;
  people: { id: number; name: string }[];
  bot: { name: string; username: string };
  rooms: PhoneRoom[];
  /** Answers to this person's taps, oldest first. */
  answers: { id: string; text: string; alert: boolean }[];
  /** Server time (epoch ms). */
  now: number;
};
export type PhoneWorld = {
  chats: Chats;
  people: ReadonlyMap<number, Holder>;
  commands: ReadonlyMap<string, Command[]>;
};

/** Groups have no member lists, so everybody sees them. */
export const isOnPhone = (room: Room, person: number): boolean =>
  room.chat.type === 'private' ? room.chat.id === person : true;

export function phoneState(world: PhoneWorld, as: number | null): PhoneState {
  const { chats, people } = world;
  const holder = as === null ? people.values().next().value : people.get(as);
  const me = holder ? { id: holder.person.id, name: holder.person.name, language: holder.language } : null;
  const rooms = me ? [...chats.rooms.values()].filter((room) => isOnPhone(room, me.id)) : [];
  return {
    me,
    people: [...people.values()].map(({ person }) => ({ id: person.id, name: person.name })),
    bot: { name: chats.bot.first_name, username: chats.bot.username ?? '' },
    rooms: rooms.flatMap((room) =>
      [null, ...room.topics.keys()].map((topic) => showRoom(world, room, topic, holder)),
    ),
    answers: me ? answersTo(chats, me.id) : [],
    now: chats.now(),
  };
}

function showRoom(
  { chats, commands }: PhoneWorld,
  room: Room,
  topic: number | null,
  holder: Holder | undefined,
): PhoneRoom {
  const { chat } = room;
  const isPrivate = chat.type === 'private';
  const title = isPrivate ? chats.bot.first_name : (chat.title ?? '');
  return {
    id: topic === null ? chat.id : `${chat.id}/${topic}`,
    kind: isPrivate ? 'private' : 'group',
    title: topic === null ? title : `${room.topics.get(topic) ?? ''} · ${title}`,
    messages: room.messages
      .filter((one) => !one.deleted && (chats.seen(one).topic ?? null) === topic && !opensTopic(one))
      .slice(-KEEP)
      .map((one) => showMessage(chats, one, holder?.person.id ?? 0)),
    commands: menu(commands, chat.id, isPrivate, holder?.language ?? ''),
  };
}

const opensTopic = (stored: Stored): boolean => 'forum_topic_created' in stored.extra;

const fileUrl = (id: string): string => `/phone/file/${encodeURIComponent(id)}`;

function showMessage(chats: Chats, stored: Stored, me: number): PhoneMessage {
  const { text, entities, buttons, document: sent } = chats.seen(stored);
  const { reply_to_message: original, forward_origin: origin } = stored.extra as {
    reply_to_message?: Message;
    forward_origin?: { sender_user?: User };
  };
  const { document, photo } = stored.content;
  return {
    id: stored.id,
    from: stored.from.first_name,
    bot: stored.from.id === chats.bot.id,
    mine: stored.from.id === me,
    date: stored.date,
    edited: stored.editDate !== null,
    text,
    entities,
    buttons,
    silent: stored.silent,
    asks: stored.asks,
    pinned: stored.pinned,
    document: document
      ? {
          name: document.file_name,
          size: document.file_size,
          mime: document.mime_type,
          url: fileUrl(document.file_id),
        }
      : null,
    attached: ATTACHMENTS.find((what) => what in stored.extra) ?? null,
    photo: photo?.[0] ? { name: sent?.name ?? '', url: fileUrl(photo[0].file_id) } : null,
    replyTo: original
      ? {
          id: original.message_id,
          from: original.from?.first_name ?? '',
          text: (original.text ?? original.caption ?? original.document?.file_name ?? '').slice(0, QUOTED),
        }
      : null,
    forwardedFrom: origin ? (origin.sender_user?.first_name ?? 'somebody') : null,
  };
}

/** Bot API order: the narrowest scope wins, then the person's language. */
function menu(
  commands: PhoneWorld['commands'],
  chatId: number,
  isPrivate: boolean,
  language: string,
): Command[] {
  const scopes = [
    { type: 'chat', chat_id: chatId },
    { type: isPrivate ? 'all_private_chats' : 'all_group_chats' },
    { type: 'default' },
  ];
  for (const scope of scopes) {
    const found = commands.get(commandsKey(scope, language)) ?? commands.get(commandsKey(scope, undefined));
    if (found) return found;
  }
  return [];
}

const answersTo = (chats: Chats, person: number): PhoneState['answers'] =>
  [...chats.queries.values()]
    .slice(-KEEP)
    // The id of a tap is its person's id and nine digits.
    .filter((query) => query.id.slice(0, -9) === String(person) && query.answer !== null)
    .map(({ id, answer }) => ({ id, text: answer?.text ?? '', alert: answer?.alert ?? false }));

/** Changes with everything that the page shows, but not with other requests. */
export function fingerprint({ chats, people, commands }: PhoneWorld): string {
  let [messages, edits, flags] = [0, 0, 0];
  for (const room of chats.rooms.values()) {
    for (const one of room.messages) {
      messages += 1;
      edits += one.edits;
      // The order matters, so that a moved pin is noticed.
      flags = (flags * 31 + (one.pinned ? 1 : 0) + (one.deleted ? 2 : 0)) % 1_000_003;
    }
  }
  let answers = 0;
  for (const query of chats.queries.values()) if (query.answer) answers += 1;
  return [
    messages,
    edits,
    flags,
    answers,
    people.size,
    chats.rooms.size,
    JSON.stringify([...commands]),
  ].join();
}
