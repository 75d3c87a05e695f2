/** A second chat in memory: rooms such as `!den:example.org`, people such as `@ann:example.org`. */
import { z } from 'zod';
import type { ChatAdapter, InboundUpdate } from '#chat';
import { stripMarkup } from '#chat-text';
import { OutsideFailure } from '#ports/forge';
import { CALM_LIMITS, type ChatButton, type ChatPort } from '#ports/chat';
import type { IncomingItem } from '#ports/steps';
import type { SentMessage } from '#ports/ledger';

const Said = z.object({ event_id: z.string(), sender: z.string(), room_id: z.string() });
const Event = z.union([
  Said.extend({ body: z.string(), in_reply_to: z.string().nullable() }),
  Said.extend({ pressed: z.string(), on: z.string() }),
]);
type Event = z.infer<typeof Event>;
type Told = { [K in 'room_id' | 'sender']: string } & (
  | { body: string; in_reply_to: string | null }
  | { pressed: string; on: string }
);

export type Posted = { room: string; id: string; text: string; buttons: ChatButton[] };

/** A person's own room; all others are shared. */
export const denOf = (person: string): string => person.replace('@', '!den-of-');
/** Events are numbered across rooms. */
const numberOf = (id: string): number => Number(/^\$(\d+):/.exec(id)?.[1]);
export const isEarlierSecond = (id: string, than: string): boolean => numberOf(id) < numberOf(than);
export const isSecondPerson = (id: string): boolean => /^@[a-z0-9._=/-]+:[a-z0-9.-]+$/.test(id);

export const createSecondChat = (rooms: readonly string[]) => {
  const posted: Posted[] = [];
  let events = 0;
  const nextId = (): string => `$${(events += 1)}:example.org`;

  const post = (message: Omit<Posted, 'id'>): SentMessage => {
    if (!rooms.includes(message.room))
      throw new OutsideFailure('chat_refused', `${message.room} is no room of mine`);
    const id = nextId();
    posted.push({ ...message, id });
    return { chat: message.room, messageId: id };
  };
  const port: ChatPort = {
    send: async ({ chat: room, html, buttons }) =>
      post({ room, text: stripMarkup(html), buttons: buttons.flat() }),
    edit: async ({ chat, messageId, html, buttons }) => {
      const old = posted.find(({ room, id }) => room === chat && id === messageId);
      if (!old) return null;
      Object.assign(old, { text: stripMarkup(html), buttons: buttons.flat() });
      return { chat, messageId };
    },
    pin: async () => false,
    document: async ({ chat: room, name, content }) =>
      post({ room, text: `${name}\n${content}`, buttons: [] }),
    album: async ({ chat: room, pictures }) =>
      post({ room, text: pictures.map(({ name }) => name).join('\n'), buttons: [] }),
  };
  const event = (told: Told): IncomingItem => {
    const event_id = nextId();
    const lane = { lane: `chat:${told.room_id}`, urgent: 'pressed' in told };
    return { source: 'chat', key: event_id, body: { ...told, event_id }, ...lane };
  };
  const holds = (name: string) => (button: ChatButton) => button.text.includes(name);

  const showing = (name: string, room_id: string): Posted | undefined =>
    posted.findLast(({ room, buttons }) => room === room_id && buttons.some(holds(name)));

  const read = (body: unknown): InboundUpdate => {
    const said: Event = Event.parse(body);
    const { sender: user, room_id: chat } = said;
    const who = { user, name: user.slice(1).split(':')[0] ?? '', language: null };
    const from = { ...who, chat, private: chat === denOf(user) };
    return 'pressed' in said
      ? { kind: 'tap', ...from, callbackId: said.event_id, messageId: said.on, data: said.pressed }
      : { kind: 'message', ...from, messageId: said.event_id, replyTo: said.in_reply_to, text: said.body };
  };
  const adapter: ChatAdapter = {
    name: 'Rooms',
    limits: CALM_LIMITS,
    isLimitedAsOne: false,
    hasRecordings: false,
    isOurs: (stored) => Event.safeParse(stored).success,
    hasChat: (chat) => chat.startsWith('!'),
    hasPerson: isSecondPerson,
    read,
    isEarlier: isEarlierSecond,
    connect: () => ({
      out: port,
      start: async () => {},
      stop: async () => {},
      whoAmI: async () => 'agentpr',
      botName: () => 'agentpr',
      invitationText: (code) => `/start ${code}`,
      sentFile: async () => null,
      answerTap: async () => {},
    }),
  };

  return {
    port,
    posted,
    shows: (name: string, room_id: string): boolean => showing(name, room_id) !== undefined,
    says: (
      sender: string,
      body: string,
      room_id = denOf(sender),
      in_reply_to: string | null = null,
    ): IncomingItem => event({ sender, room_id, body, in_reply_to }),
    /** Presses the button on the room's newest message that has it. */
    presses(sender: string, name: string, room_id = denOf(sender)): IncomingItem {
      const on = showing(name, room_id);
      const button = on?.buttons.find(holds(name));
      if (!on || !button) throw new Error(`${room_id} shows no button ${name}`);
      return event({ sender, room_id, pressed: button.token, on: on.id });
    },
    read,
    adapter,
  };
};
export type SecondChat = ReturnType<typeof createSecondChat>;
