/** A local Telegram: a Bot API over HTTP, and people whose phones tests control. */
import { deserialize, serialize } from 'node:v8';
import type { Update, User } from 'grammy/types';
import { isRecord, readFields, type Fields } from './body.ts';
import { answer, type FaultAction, type Faults } from './faults.ts';
import type { Look, WaitOptions } from './news.ts';
import { createLock } from './pages/lock.ts';
import { amongNeighbours, type Neighbours } from './pages/framed-pages.ts';
import { createPhone, type Phone } from './pages/phone.ts';
import type { Holder } from './pages/phone-state.ts';
import { json, serve, type Answer, type Asked, type Call, type Served } from './server.ts';
import { createChats, wireOf, type ChatMessage, type Chats, type KeptChats } from './telegram/chats.ts';
import { createLimiter, TELEGRAM_LIMITS, type Limits } from './telegram/limits.ts';
import { commandsKey, createMethods, type Command, type Method } from './telegram/methods.ts';
import { createPerson, type Person } from './telegram/person.ts';
import { ApiRefusal } from './telegram/refusal.ts';
import { createUpdates, type KeptUpdates } from './telegram/updates.ts';

export type TelegramOptions = {
  port?: number;
  token: string;
  botName: string;
  /** Locks the phone page: programs that share the loopback cannot press its buttons. */
  phoneKey?: string;
  neighbours?: Neighbours;
  /** Time to answer a tap (ms); default: 15 s. */
  callbackExpiryMs?: number;
  /** Webhook retry interval (ms); default: 50, while Telegram waits seconds. */
  webhookRetryMs?: number;
  /** Time that a dead poller's slot stays occupied (409); Telegram: about 50 s, default: 0. */
  heldSlotMs?: number;
  /** Epoch ms. */
  now?: () => number;
  /** Rate limits; default: those of Telegram's FAQ; null for none. */
  limits?: Limits | null;
  /** Goes on where another one was when it was asked to `keep`. */
  kept?: Buffer;
};
export type Telegram = Pick<Served, 'calls' | 'onRequest' | 'down' | 'up' | 'stop'> & {
  url: string;
  phoneUrl: string;
  /** A `set-cookie` value that opens the phones. */
  phoneCookie: string;
  token: string;
  faults: Faults;
  /** Opens a private chat, as if the person had started the bot. */
  person(id: number, name: string, options?: { language?: string; username?: string }): Person;
  group(
    chatId: number,
    title: string,
  ): {
    chatId: number;
    messages(): ChatMessage[];
    /** Turns the group into a forum if needed. */
    opensTopic(name: string): { chatId: number; topic: number };
    deletesTopic(topic: number): void;
    /** Becomes a supergroup, which has another id. */
    moves(to: number): void;
  };
  /** Updates that the bot has not confirmed. */
  pendingUpdates(): number;
  commands(scope?: object, language?: string): Command[];
  expireCallbacks(): void;
  /** Its chats and updates, for another one to go on with. */
  keep(): Buffer;
  /** Resolves with the first truthy result, checked after each call, message or tap. */
  waitFor<T>(look: Look<T>, options?: WaitOptions): Promise<T>;
};

/** Telegram's 429; `seconds` is its retry_after. */
export const tooManyRequests = (seconds: number): FaultAction => answer(429, refusal(seconds));
const tooFast = (seconds: number): Answer => json(429, refusal(seconds));
const refusal = (seconds: number): object => ({
  ok: false,
  error_code: 429,
  description: `Too Many Requests: retry after ${seconds}`,
  parameters: { retry_after: seconds },
});

export async function startTelegram(options: TelegramOptions): Promise<Telegram> {
  const bot: User = {
    id: Number(options.token.split(':')[0]) || 1,
    is_bot: true,
    first_name: options.botName,
    username: options.botName,
  };
  const kept = options.kept && (deserialize(options.kept) as { chats: KeptChats; updates: KeptUpdates });
  const chats = createChats(bot, options.now ?? Date.now, kept?.chats);
  const { webhookRetryMs = 50, heldSlotMs = 0 } = options;
  const updates = createUpdates({
    webhookRetryMs,
    heldSlotMs,
    changed: () => news.tell(),
    ...(kept && { kept: kept.updates }),
  });
  const commands = new Map<string, Command[]>();
  const { callbackExpiryMs = 15_000 } = options;
  const methods = createMethods({ chats, updates, commands, callbackExpiryMs });
  const people = new Map<number, Holder>();
  const lock = createLock('phone', options.phoneKey ?? null);
  const phone = createPhone({ chats, people, commands, lock, news: () => news });
  const limiter = createLimiter(options.limits === undefined ? TELEGRAM_LIMITS : options.limits, chats.now);
  const served = await serve(site(options, methods, chats, phone, limiter), {
    ...(options.port !== undefined && { port: options.port }),
    picture: () => picture(chats),
  });
  const { news } = served;

  return {
    ...served,
    token: options.token,
    phoneUrl: lock.address(served.url),
    phoneCookie: lock.cookie(served.url),
    person(id, name, { language = 'en', username } = {}) {
      const user: User = { id, is_bot: false, first_name: name, language_code: language };
      const named = username === undefined ? {} : { username };
      const chat = { id, type: 'private' as const, first_name: name, ...named };
      const person = createPerson({ chats, updates, news }, { ...user, ...named }, chat);
      people.set(id, { person, language });
      news.tell();
      return person;
    },
    group(chatId, title) {
      const room = chats.room({ id: chatId, type: 'supergroup', title });
      const messages = (): ChatMessage[] =>
        room.messages.filter((one) => !one.deleted).map((one) => chats.seen(one));
      const opensTopic = (name: string): { chatId: number; topic: number } => {
        Object.assign(room.chat, { is_forum: true });
        const content = { source: name, content: {}, extra: { forum_topic_created: { name } } };
        const { id: topic } = chats.add(room, chats.bot, content);
        room.topics.set(topic, name);
        return { chatId, topic };
      };
      const deletesTopic = (topic: number): void => void room.topics.delete(topic);
      const moves = (to: number): void => {
        room.movedTo = to;
        const { chat } = chats.room({ id: to, type: 'supergroup', title });
        const admin = { id: 777_000, is_bot: false, first_name: 'Telegram' };
        const moved = chats.add(room, admin, {
          source: '',
          content: {},
          extra: { migrate_to_chat_id: chat.id },
        });
        updates.push({ message: wireOf(moved) as NonNullable<Update['message']> });
        news.tell();
      };
      return { chatId, messages, opensTopic, deletesTopic, moves };
    },
    pendingUpdates: () => updates.pending(),
    commands: (scope, language) => commands.get(commandsKey(scope, language)) ?? [],
    expireCallbacks() {
      for (const query of chats.queries.values()) query.expired = true;
    },
    keep: () => serialize({ chats: chats.keep(), updates: updates.keep() }),
    waitFor: (look, wait) => news.waitFor(look, wait),
    async stop() {
      updates.dropWebhook();
      await served.stop();
    },
  };
}

function site(
  { token, neighbours }: Pick<TelegramOptions, 'token' | 'neighbours'>,
  methods: Map<string, Method>,
  chats: Chats,
  phone: Phone,
  limiter: ReturnType<typeof createLimiter>,
) {
  const split = (asked: Asked): { key: string; method: string } | null => {
    const [, key, method] = /^\/bot([^/]+)\/([^/]+)$/.exec(decodeURI(asked.url.pathname)) ?? [];
    return key && method ? { key, method } : null;
  };
  const fieldsOf = (asked: Asked): Fields | null => {
    const fields = readFields(asked.headers['content-type'] ?? '', asked.body);
    const query = Object.fromEntries(asked.url.searchParams);
    return fields && { ...fields, params: { ...query, ...fields.params } };
  };
  const no = (code: number, description: string, extra: object = {}): Answer =>
    json(code, { ok: false, error_code: code, description, ...extra });

  async function handle(asked: Asked): Promise<Answer> {
    const page = await phone.handle(asked);
    if (page) return amongNeighbours(page, neighbours);
    const files = `/file/bot${token}/documents/`;
    const file = asked.url.pathname.startsWith(files) && asked.url.pathname.slice(files.length);
    const content = file && chats.files.get(file)?.content;
    if (content)
      return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: content };
    const wish = split(asked);
    if (!wish) return no(404, 'Not Found');
    if (wish.key !== token) return no(401, 'Unauthorized');
    const method = methods.get(wish.method.toLowerCase());
    if (!method) return no(404, 'Not Found: method not found');
    const fields = fieldsOf(asked);
    if (!fields) return no(400, "Bad Request: can't parse the request body");
    const seconds = limiter(wish.method, fields.params.chat_id);
    if (seconds > 0) return tooFast(seconds);
    try {
      return json(200, { ok: true, result: await method(fields, asked.gone) });
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      return no(error.code, error.message, error.parameters ? { parameters: error.parameters } : {});
    }
  }

  return {
    describe(asked: Asked): Pick<Call, 'route' | 'params'> {
      const fields = fieldsOf(asked);
      const params = isRecord(fields?.params) ? fields.params : {};
      return { route: split(asked)?.method ?? asked.url.pathname, params };
    },
    handle,
  };
}

function picture(chats: Chats): string {
  const lines = [...chats.rooms.values()].flatMap((room) =>
    room.messages.slice(-5).map((one) => {
      const { messageId, from, text, buttons } = chats.seen(one);
      const row = buttons.flat().map((button) => `[${button.text}]`);
      return `  ${room.chat.id}/${messageId} ${from}: ${text} ${row.join('')}`;
    }),
  );
  return `Messages:\n${lines.join('\n') || '  none'}`;
}
