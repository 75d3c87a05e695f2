/** The phone page: a browser acts as a person's phone. */
import { z } from 'zod';
import { parseJson } from '../body.ts';
import type { News } from '../news.ts';
import type { Answer, Asked } from '../server.ts';
import { ATTACHMENTS, type Person } from '../telegram/person.ts';
import { readAsset } from './assets.ts';
import { live } from './live.ts';
import { isOwnHost, type Lock } from './lock.ts';
import { fingerprint, isOnPhone, phoneState, type PhoneWorld } from './phone-state.ts';

export type PhoneDeps = PhoneWorld & {
  news(): News;
  lock: Lock;
};

const PATIENCE_MS = 10_000;
const MODULES = [
  ...['phone.js', 'phone-chats.js', 'phone-composer.js', 'phone-log.js', 'phone-message.js'],
  ...['phone-sheets.js', 'phone-text.js', 'phone-viewer.js'],
];
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
};
/** Untrusted text must not run scripts, and other sites must not frame the page. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

const answer = (status: number, kind: string, body: string | Buffer, headers = {}): Answer => ({
  status,
  headers: { ...HEADERS, 'content-type': TYPES[kind] ?? 'application/octet-stream', ...headers },
  body,
});
/** Polls of the page are not recorded as calls, so there is no `value`. */
const say = (status: number, value: unknown): Answer => answer(status, 'json', JSON.stringify(value));
const no = (status: number, error: string): Answer => say(status, { error });

const whole = z.number().int();
const text = z.string().trim().min(1).max(4096);
const room = z.union([
  whole.transform((id) => ({ id, topic: null })),
  z
    .string()
    .regex(/^-\d{1,15}\/\d{1,9}$/)
    .transform((name) => {
      const [id, topic] = name.split('/');
      return { id: Number(id), topic: Number(topic) };
    }),
]);
type Place = z.infer<typeof room>;
const place = { as: whole, chat: room };
const wishes = {
  send: z.strictObject({ ...place, text, replyTo: whole.optional() }),
  attach: z.strictObject({
    ...place,
    what: z.enum(ATTACHMENTS),
    caption: z.string().trim().max(1024),
    replyTo: whole.optional(),
  }),
  edit: z.strictObject({ ...place, message: whole, text }),
  tap: z.strictObject({ ...place, message: whole, data: z.string().min(1).max(64) }),
  forward: z.strictObject({ ...place, message: whole, to: room }),
};

type Act = (given: unknown) => Answer | Promise<Answer>;
const doing =
  <T>(schema: z.ZodType<T>, act: (wish: T) => Answer | Promise<Answer>): Act =>
  (given) => {
    const read = schema.safeParse(given);
    if (read.success) return act(read.data);
    const [issue] = read.error.issues;
    return no(400, `"${issue?.path.join('.') ?? ''}" is missing or wrong: ${issue?.message ?? ''}`);
  };

export type Phone = { handle(asked: Asked): Promise<Answer | null> };

export function createPhone(deps: PhoneDeps): Phone {
  const { chats, people } = deps;

  const at = (as: number, { id, topic }: Place): Person | null => {
    const holder = people.get(as);
    const room = chats.rooms.get(id);
    if (!holder || !room || !isOnPhone(room, as) || (topic !== null && !room.topics.has(topic))) return null;
    if (room.chat.type === 'private') return holder.person;
    return holder.person.in({ chatId: id, ...(topic === null ? {} : { topic }) });
  };
  const notHere = (): Answer => no(404, 'That chat is not on this phone.');
  const gone = (): Answer => no(404, 'That message is gone.');

  const acts = new Map<string, Act>([
    [
      'send',
      doing(wishes.send, ({ as, chat, text, replyTo }) => {
        const person = at(as, chat);
        if (!person) return notHere();
        return say(200, { id: person.sends(text, replyTo === undefined ? {} : { replyTo }) });
      }),
    ],
    [
      'attach',
      doing(wishes.attach, ({ as, chat, what, caption, replyTo }) => {
        const person = at(as, chat);
        if (!person) return notHere();
        return say(200, {
          id: person.attaches(what, {
            ...(what === 'voice' ? { says: caption } : { caption }),
            ...(replyTo === undefined ? {} : { replyTo }),
          }),
        });
      }),
    ],
    [
      'edit',
      doing(wishes.edit, ({ as, chat, message, text }) => {
        const person = at(as, chat);
        if (!person) return notHere();
        const stored = chats.find(chat.id, message);
        if (!stored) return gone();
        if (stored.from.id !== as) return no(403, 'Only your own messages can be edited.');
        person.edits(message, text);
        return say(200, {});
      }),
    ],
    [
      'tap',
      doing(wishes.tap, async ({ as, chat, message, data }) => {
        const person = at(as, chat);
        if (!person) return notHere();
        const stored = chats.find(chat.id, message);
        if (!stored) return gone();
        const there = chats.seen(stored).buttons.flat();
        if (!there.some((button) => button.data === data)) return no(409, 'That button is gone.');
        const tap = person.pressRaw(data, { chatId: chat.id, messageId: message });
        const answered = await tap.answered({ deadlineMs: PATIENCE_MS }).catch(() => null);
        if (!answered) return no(504, 'The bot has not answered yet.');
        return say(200, { id: tap.callbackId, ...answered });
      }),
    ],
    [
      'forward',
      doing(wishes.forward, ({ as, chat, message, to }) => {
        const person = at(as, to);
        if (!person || !at(as, chat)) return notHere();
        const stored = chats.find(chat.id, message);
        if (!stored) return gone();
        if (stored.content.text === undefined) return no(409, 'Only text can be forwarded.');
        return say(200, { id: person.forwards({ chatId: chat.id, messageId: message }) });
      }),
    ],
  ]);

  function file(id: string): Answer {
    const found = chats.files.get(id);
    if (!found) return no(404, 'There is no such file.');
    // Always a download, because a bot's file must not open as a page.
    const name = `attachment; filename*=UTF-8''${encodeURIComponent(found.name).replace(/['()*]/g, '_')}`;
    return answer(200, 'file', found.content, { 'content-disposition': name });
  }

  function events(asked: Asked): Answer {
    const news = deps.news();
    // The page's own requests must not make it reload.
    const listen: News['listen'] = (listener) => {
      let last = fingerprint(deps);
      return news.listen(() => {
        const now = fingerprint(deps);
        if (now !== last) listener();
        last = now;
      });
    };
    const stream = live({ ...news, listen }, asked.gone);
    return { ...stream, headers: { ...HEADERS, ...stream.headers } };
  }

  function read(asked: Asked, path: string): Answer {
    if (path === '/phone/events') return events(asked);
    if (path.startsWith('/phone/file/')) return file(path.slice('/phone/file/'.length));
    if (path !== '/phone/state') return no(404, 'There is no such page.');
    const as = asked.url.searchParams.get('as');
    const id = as === null ? null : Number(as);
    if (id !== null && !people.has(id)) return no(404, 'Nobody here has that number.');
    return say(200, phoneState(deps, id));
  }

  /** This page holds nothing, so it is shown to everybody. */
  const front = (asked: Asked): Answer =>
    answer(200, 'html', readAsset('phone.html'), deps.lock.cookieFor(asked));

  return {
    async handle(asked) {
      const path = asked.url.pathname;
      if (path !== '/' && !path.startsWith('/pages/') && !path.startsWith('/phone/')) return null;
      const { host, origin } = asked.headers;
      if (!isOwnHost(host)) return no(403, 'Open this page by 127.0.0.1 or localhost.');
      if (path === '/') return asked.method === 'GET' ? front(asked) : no(405, 'Only GET.');
      if (path.startsWith('/pages/')) return part(path.slice('/pages/'.length));
      if (!deps.lock.isOpenTo(asked)) {
        return no(403, 'This phone is locked. Open the whole address that was printed, with its key.');
      }
      if (asked.method === 'GET') return read(asked, path);
      const act = acts.get(path.slice('/phone/'.length));
      if (asked.method !== 'POST' || !act) return no(404, 'There is no such page.');
      // Forms and scripts of other sites cannot send this type with this origin.
      if (origin?.toLowerCase() !== `http://${host.toLowerCase()}`)
        return no(403, 'Only the phone itself presses buttons.');
      const type = asked.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
      if (type !== 'application/json') return no(415, 'Send JSON.');
      return act(parseJson(asked.body.toString()));
    },
  };
}

const part = (name: string): Answer =>
  name === 'phone.css' || MODULES.includes(name)
    ? answer(200, name.split('.')[1] ?? '', readAsset(name))
    : no(404, 'There is no such page.');
