/** Joins the chats of this host: a message goes to the service that has its chat. */
import { CALM_LIMITS, type ChatLimits, type ChatPort } from '#ports/chat';
import { OutsideFailure } from '#ports/forge';
import type { ChatHost, ConnectedChat, LoadedChat } from './chat-adapter.ts';

/** Each chat has the limits of its service; overall, the strictest service counts. */
export const combineChatLimits = (chats: readonly LoadedChat[]): ChatLimits => ({
  of: (chat) => findChat(chats, chat)?.adapter.limits.of(chat) ?? CALM_LIMITS.of(),
  overall: chats
    .map(({ adapter }) => adapter.limits.overall)
    .reduce((one, other) => (other.every > one.every ? other : one), CALM_LIMITS.overall),
});

const findChat = <Chat extends LoadedChat>(chats: readonly Chat[], chat: string): Chat | null =>
  chats.find(({ adapter }) => adapter.hasChat(chat)) ?? null;

export type JoinedChats = ReturnType<typeof joinChats>;

export const joinChats = (chats: readonly LoadedChat[], parts: ChatHost) => {
  const ownerOf = <Chat extends LoadedChat>(all: readonly Chat[], id: string): Chat | null =>
    all.find(({ adapter }) => adapter.hasPerson(id)) ?? null;
  const personOf = (id: string): string => ownerOf(chats, id)?.samePeople.get(id) ?? id;
  // A person has the same role with every account.
  const roles = { ...parts.roles, of: (id: string) => parts.roles.of(personOf(id)) };
  const connected = chats.map((chat): ConnectedChat => ({
    ...chat,
    connection: chat.adapter.connect({ ...parts, roles }),
  }));
  const portOf = (chat: string): ChatPort => {
    const found = findChat(connected, chat);
    if (found) return found.connection.out;
    throw new OutsideFailure('chat_refused', `No chat service of this host has the chat ${chat}.`);
  };
  const out: ChatPort = {
    send: async (message) => portOf(message.chat).send(message),
    edit: async (message) => portOf(message.chat).edit(message),
    pin: async (message) => portOf(message.chat).pin(message),
    document: async (message) => portOf(message.chat).document(message),
    album: async (message) => portOf(message.chat).album(message),
  };
  const menusOf = (person: string) => ownerOf(connected, person)?.connection.menus ?? null;
  return {
    all: connected,
    out,
    personOf,
    menusOf,
    hasPerson: (id: string): boolean => ownerOf(chats, id) !== null,
    accountsOf: (person: string): string[] =>
      chats.flatMap(({ samePeople }) =>
        [...samePeople].flatMap(([account, of]) => (of === person ? [account] : [])),
      ),
    isLimitedAsOne: (chat: string): boolean => findChat(chats, chat)?.adapter.isLimitedAsOne === true,
    startLink: (payload: string): string | null => {
      for (const { connection } of connected) {
        const link = connection.startLink?.(payload) ?? null;
        if (link !== null) return link;
      }
      return null;
    },
    showMenus: async (): Promise<void> => {
      for (const { connection } of connected) await connection.menus?.everybody();
    },
    stop: async (): Promise<void> => {
      for (const { connection } of connected) await connection.stop();
    },
  };
};
