/**
 * A workspace as Slack's documentation describes it: the Web API with its limits and errors, and Socket Mode, where
 * an envelope that is not acknowledged within its time is delivered again.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNews, type Look, type WaitOptions } from '#playground';
import { judgeMessage, plainTextOf, type Blocks } from './judge-message.ts';
import { acceptWebSocket, type ServerSocket } from './web-socket.ts';

export const SLACK_TOKENS = {
  bot: 'xoxb-1111111111-local-bot-token',
  app: 'xapp-1-A0LOCAL01-1111-local-app-token',
};
export const SLACK_TEAM = 'T0LOCAL01';
export const SLACK_BOT = 'U0AGENTPR1';
const APP = 'A0LOCAL01';
const SCOPES = 'app_mentions:read,chat:write,commands,files:read,files:write,im:history,im:write,users:read';

export type SlackMessage = {
  channel: string;
  ts: string;
  thread: string | null;
  /** The user alone who sees it; null for everybody. */
  onlyFor: string | null;
  notice: string;
  text: string;
  buttons: { text: string; value: string | null; url: string | null; style: string | null }[];
  blocks: Blocks;
  edits: number;
  files: { name: string; content: Buffer }[];
};
export type SlackCall = { method: string; fields: Record<string, string>; error: string | null };
type Fault = {
  method: string;
  times: number;
  answer: 'lost' | 'unseen' | { status: number; body?: object; retryAfter?: number };
};
type Pending = {
  type: 'events_api' | 'interactive' | 'slash_commands';
  payload: Record<string, unknown>;
  attempt: number;
  acknowledged: (payload: unknown) => void;
  failed: () => void;
  timer: NodeJS.Timeout | null;
};

/** Slack delivers an event at most four times. */
const MAX_ATTEMPTS = 3;
const ACK_MS = 3_000;

type Options = { ackMs?: number; picture?: () => string };

export const startSlack = async ({ ackMs = ACK_MS, picture = () => '' }: Options = {}) => {
  const messages: SlackMessage[] = [];
  const calls: SlackCall[] = [];
  const people = new Map<string, { name: string; locale: string; team: string }>();
  const faults: Fault[] = [];
  const tickets = new Set<string>();
  const sockets = new Map<ServerSocket, Map<string, Pending>>();
  const waiting: Pending[] = [];
  const uploads = new Map<string, { name: string; length: number; content: Buffer | null }>();
  const listeners = new Set<() => void>();
  const acks: { type: string; payload: unknown }[] = [];
  const scopes = { now: SCOPES };

  /** Called when a call has had its effect and is not yet answered. */
  const unanswered: { call: (method: string, nth: number) => Promise<void> } = { call: async () => {} };
  let counter = 0;
  const news = createNews(
    () =>
      `${picture()}\nSlack:\n${messages
        .slice(-6)
        .map((m) => JSON.stringify(m.text))
        .join('\n')}`,
  );
  const changed = (): void => {
    news.tell();
    for (const one of listeners) one();
  };
  const nextTs = (): string => `${Math.floor(Date.now() / 1_000)}.${String((counter += 1)).padStart(6, '0')}`;
  const directOf = (user: string): string => `D${user.slice(1)}`;

  const post = (message: Omit<SlackMessage, 'ts' | 'edits'> & { ts?: string }): SlackMessage => {
    const made = { ts: nextTs(), edits: 0, ...message };
    messages.push(made);
    return made;
  };
  const contentOf = (fields: Record<string, string>) => {
    const judged = judgeMessage(
      fields.text ?? '',
      fields.blocks === undefined ? undefined : JSON.parse(fields.blocks),
    );
    if ('error' in judged) return judged;
    const { blocks } = judged;
    const buttons = blocks.flatMap((block) =>
      block.type === 'actions'
        ? block.elements.map(({ text, value = null, url = null, style = null }) => ({
            text: text.text,
            value,
            url,
            style,
          }))
        : [],
    );
    return { notice: fields.text ?? '', text: plainTextOf(blocks), buttons, blocks };
  };

  const methods: Record<string, (fields: Record<string, string>) => Record<string, unknown>> = {
    'auth.test': () => ({
      user_id: SLACK_BOT,
      user: 'agentpr',
      team_id: SLACK_TEAM,
      team: 'Acme',
      bot_id: 'B0AGENTPR1',
      url,
    }),
    'apps.connections.open': () => {
      const ticket = randomBytes(16).toString('hex');
      tickets.add(ticket);
      return { url: `${address.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${APP}` };
    },
    'conversations.open': ({ users = '' }) =>
      people.has(users) ? { channel: { id: directOf(users) } } : refuse('user_not_found'),
    'users.info': ({ user = '', include_locale }) => {
      const known = people.get(user);
      if (!known) return refuse('user_not_found');
      const { name, locale, team } = known;
      const profile = { display_name: name, real_name: `${name} Example` };
      return {
        user: {
          id: user,
          team_id: team,
          name: name.toLowerCase(),
          profile,
          ...(include_locale === 'true' ? { locale } : {}),
        },
      };
    },
    'chat.postMessage': (fields) => {
      const { channel = '', thread_ts: thread = null } = fields;
      if (!/^[CDG]/.test(channel)) return refuse('channel_not_found');
      if (channel === 'C0CLOSED1') return refuse('is_archived');
      const content = contentOf(fields);
      if ('error' in content) return refuse(content.error, content.messages);
      const { ts } = post({ channel, thread, onlyFor: null, files: [], ...content });
      return { channel, ts };
    },
    'chat.update': (fields) => {
      const found = messages.find(
        ({ channel, ts, onlyFor }) => channel === fields.channel && ts === fields.ts && onlyFor === null,
      );
      if (!found) return refuse('message_not_found');
      const content = contentOf(fields);
      if ('error' in content) return refuse(content.error, content.messages);
      Object.assign(found, content, { edits: found.edits + 1 });
      return { channel: found.channel, ts: found.ts, text: found.notice };
    },
    'chat.delete': ({ channel, ts }) => {
      const at = messages.findIndex((one) => one.channel === channel && one.ts === ts);
      if (at < 0) return refuse('message_not_found');
      messages.splice(at, 1);
      return { channel, ts };
    },
    'chat.postEphemeral': ({ channel = '', user = '', text = '', thread_ts: thread = null }) => {
      if (!people.has(user)) return refuse('user_not_in_channel');
      const { ts } = post({
        channel,
        thread,
        onlyFor: user,
        notice: text,
        text,
        buttons: [],
        blocks: [],
        files: [],
      });
      return { message_ts: ts };
    },
    'files.getUploadURLExternal': ({ filename = '', length = '0' }) => {
      if (!(Number(length) > 0)) return refuse('invalid_arguments');
      const id = `F0LOCAL${uploads.size + 1}`;
      uploads.set(id, { name: filename, length: Number(length), content: null });
      return { upload_url: `${address}/upload/${id}`, file_id: id };
    },
    'files.completeUploadExternal': ({
      files = '[]',
      channel_id: channel = '',
      thread_ts: thread = null,
      initial_comment: notice = '',
    }) => {
      const ids = JSON.parse(files) as { id: string; title?: string }[];
      const found = ids.map(({ id }) => uploads.get(id));
      if (found.some((one) => one?.content?.length !== one?.length)) return refuse('file_not_found');
      const sent = found.map((one) => ({ name: one?.name ?? '', content: one?.content ?? Buffer.alloc(0) }));
      post({ channel, thread, onlyFor: null, notice, text: notice, buttons: [], blocks: [], files: sent });
      return { files: ids };
    },
    'files.info': ({ file = '' }) => {
      const found = uploads.get(file);
      if (!found) return refuse('file_not_found');
      return {
        file: {
          id: file,
          size: found.length,
          name: found.name,
          url_private_download: `${address}/files/${file}`,
        },
      };
    },
  };
  const ALLOWED: Record<string, string[]> = {
    'chat.postMessage': ['channel', 'text', 'blocks', 'thread_ts', 'unfurl_links', 'unfurl_media'],
    'chat.update': ['channel', 'ts', 'text', 'blocks'],
    'chat.postEphemeral': ['channel', 'user', 'text', 'thread_ts', 'blocks'],
  };

  const answerMethod = (
    method: string,
    fields: Record<string, string>,
    token: string,
  ): Record<string, unknown> => {
    const act = methods[method];
    if (!act) return { ok: false, error: 'unknown_method' };
    const wants = method === 'apps.connections.open' ? SLACK_TOKENS.app : SLACK_TOKENS.bot;
    if (token === '') return { ok: false, error: 'not_authed' };
    if (token !== wants)
      return {
        ok: false,
        error: Object.values(SLACK_TOKENS).includes(token) ? 'not_allowed_token_type' : 'invalid_auth',
      };
    const odd = Object.keys(fields).find((name) => ALLOWED[method] && !ALLOWED[method]?.includes(name));
    if (odd !== undefined) return { ok: false, error: 'invalid_arg_name' };
    try {
      return { ok: true, ...act(fields) };
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { code, messages: more } = error;
      return { ok: false, error: code, ...(more ? { response_metadata: { messages: more } } : {}) };
    }
  };

  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const path = (request.url ?? '').split('?')[0] ?? '';
      const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
      const [, kind = '', name = ''] = path.split('/');
      if (kind === 'upload') {
        const upload = uploads.get(name);
        if (upload) upload.content = body;
        return response.end('OK');
      }
      if (kind === 'files') {
        if (token !== SLACK_TOKENS.bot) return response.writeHead(403).end();
        return response.end(uploads.get(name)?.content);
      }
      const fields = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
      const fault = faults.find((one) => one.method === name && one.times > 0);
      if (fault) fault.times -= 1;
      if (fault?.answer === 'unseen') return request.socket.destroy();
      if (fault && typeof fault.answer === 'object') {
        const { status, body: said, retryAfter } = fault.answer;
        calls.push({ method: name, fields, error: String(status) });
        response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
        return response.end(said === undefined ? '' : JSON.stringify(said));
      }
      const answer = answerMethod(name, fields, token);
      calls.push({ method: name, fields, error: answer.ok === true ? null : String(answer.error) });
      await unanswered.call(name, calls.filter(({ method }) => method === name).length);
      if (fault?.answer === 'lost') request.socket.destroy();
      else {
        response.writeHead(200, { 'content-type': 'application/json', 'x-oauth-scopes': scopes.now });
        response.end(JSON.stringify(answer));
      }
      changed();
    })();
  });

  const retry = (one: Pending): void => {
    if (one.timer) clearTimeout(one.timer);
    one.timer = null;
    // Only events are delivered again; of a tap or a command the person sees that it failed.
    if (one.type !== 'events_api' || one.attempt >= MAX_ATTEMPTS) return one.failed();
    one.attempt += 1;
    deliver(one);
  };
  const deliver = (one: Pending): void => {
    const [entry] = [...sockets].toReversed();
    if (!entry) return void waiting.push(one);
    const [socket, open] = entry;
    const id = randomBytes(8).toString('hex');
    open.set(id, one);
    one.timer = setTimeout(() => {
      open.delete(id);
      retry(one);
    }, ackMs);
    socket.send({
      type: one.type,
      envelope_id: id,
      payload: one.payload,
      accepts_response_payload: one.type !== 'events_api',
      ...(one.type === 'events_api'
        ? { retry_attempt: one.attempt, retry_reason: one.attempt > 0 ? 'timeout' : '' }
        : {}),
    });
  };
  server.on('upgrade', (request, stream) => {
    const ticket = new URL(request.url ?? '', 'http://x').searchParams.get('ticket') ?? '';
    // A ticket is used once.
    if (!tickets.delete(ticket)) return void stream.destroy();
    const open = new Map<string, Pending>();
    const socket = acceptWebSocket(request, stream, {
      message: (text) => {
        const { envelope_id: id, payload } = JSON.parse(text) as { envelope_id: string; payload?: unknown };
        const one = open.get(id);
        if (!one) return;
        open.delete(id);
        if (one.timer) clearTimeout(one.timer);
        acks.push({ type: one.type, payload: payload ?? null });
        one.acknowledged(payload ?? null);
        changed();
      },
      closed: () => {
        sockets.delete(socket);
        for (const one of open.values()) retry(one);
        open.clear();
        changed();
      },
    });
    sockets.set(socket, open);
    socket.send({
      type: 'hello',
      num_connections: sockets.size,
      connection_info: { app_id: APP },
      debug_info: { host: 'local' },
    });
    for (const one of waiting.splice(0)) deliver(one);
    changed();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${address}/api`;

  /** Resolves with what came back with the acknowledgement; rejects when it is not delivered. */
  const envelope = (type: Pending['type'], payload: Record<string, unknown>): Promise<unknown> => {
    const done = new Promise((acknowledged, reject) => {
      deliver({
        type,
        payload,
        attempt: 0,
        acknowledged,
        failed: () => reject(new Error('not acknowledged')),
        timer: null,
      });
    });
    done.catch(() => {});
    return done;
  };
  const callback = (event: object, over: object = {}): Record<string, unknown> => ({
    token: 'a-legacy-token',
    team_id: SLACK_TEAM,
    api_app_id: APP,
    type: 'event_callback',
    event_id: `Ev${randomBytes(5).toString('hex').toUpperCase()}`,
    event_time: Math.floor(Date.now() / 1_000),
    authorizations: [{ team_id: SLACK_TEAM, user_id: SLACK_BOT, is_bot: true }],
    event,
    ...over,
  });

  const person = (user: string, name: string, more: { locale?: string; team?: string } = {}) => {
    const known = { name, locale: 'en-US', team: SLACK_TEAM, ...more };
    people.set(user, known);
    const direct = directOf(user);
    const sees = (message: SlackMessage): boolean =>
      (message.channel === direct || message.channel.startsWith('C')) && (message.onlyFor ?? user) === user;
    const writes = (
      type: 'message' | 'app_mention',
      channel: string,
      text: string,
      over: object,
    ): { ts: string; done: Promise<unknown>; payload: Record<string, unknown> } => {
      const ts = nextTs();
      const payload = callback({
        type,
        user,
        text,
        ts,
        channel,
        event_ts: ts,
        team: known.team,
        client_msg_id: randomBytes(8).toString('hex'),
        ...(type === 'message' ? { channel_type: 'im' } : {}),
        ...over,
      });
      return { ts, payload, done: envelope('events_api', payload) };
    };
    const one = {
      user,
      direct,
      messages: (): SlackMessage[] => messages.filter(sees),
      /** In the conversation with the bot; `thread` answers a message there. */
      says: (text: string, over: object = {}) => writes('message', direct, text, over),
      mentions: (channel: string, text: string, over: object = {}) =>
        writes('app_mention', channel, `<@${SLACK_BOT}> ${text}`, over),
      commands: (text: string, channel = direct, over: object = {}): Promise<unknown> =>
        envelope('slash_commands', {
          token: 'a-legacy-token',
          team_id: SLACK_TEAM,
          team_domain: 'acme',
          channel_id: channel,
          channel_name: 'x',
          user_id: user,
          user_name: name.toLowerCase(),
          command: '/agentpr',
          text,
          api_app_id: APP,
          response_url: `${address}/response/secret`,
          trigger_id: randomBytes(8).toString('hex'),
          ...over,
        }),
      /** Taps the newest button that fits, as Slack reports it. */
      taps: (like: RegExp, over: { on?: SlackMessage; payload?: object } = {}) => {
        const on = over.on ?? one.messages().findLast((m) => m.buttons.some(({ text }) => like.test(text)));
        const button = on?.buttons.find(({ text }) => like.test(text));
        if (!on || !button) throw new Error(`${name} sees no button ${like}`);
        const payload = {
          type: 'block_actions',
          team: { id: SLACK_TEAM, domain: 'acme' },
          user: { id: user, username: name.toLowerCase(), name: name.toLowerCase(), team_id: known.team },
          api_app_id: APP,
          token: 'a-legacy-token',
          container: {
            type: 'message',
            message_ts: on.ts,
            channel_id: on.channel,
            is_ephemeral: false,
            ...(on.thread === null ? {} : { thread_ts: on.thread }),
          },
          trigger_id: randomBytes(8).toString('hex'),
          channel: { id: on.channel, name: 'x' },
          message: { type: 'message', ts: on.ts, ...(on.thread === null ? {} : { thread_ts: on.thread }) },
          response_url: `${address}/response/secret`,
          actions: [
            {
              type: 'button',
              block_id: 'b',
              action_id: '0-0',
              text: { type: 'plain_text', text: button.text },
              ...(button.value === null ? {} : { value: button.value }),
              action_ts: nextTs(),
            },
          ],
          ...over.payload,
        };
        return { payload, done: envelope('interactive', payload) };
      },
      waitFor: (what: (message: SlackMessage) => boolean, wait: WaitOptions = {}): Promise<SlackMessage> =>
        news.waitFor(() => one.messages().findLast(what) ?? null, { deadlineMs: 60_000, ...wait }),
    };
    return one;
  };

  return {
    url,
    person,
    messages,
    calls,
    acks,
    faults,
    scopes,
    uploads,
    unanswered,
    /** The time for every acknowledgement is over now. */
    overdue: (): void => {
      for (const open of sockets.values())
        for (const [id, one] of [...open]) {
          open.delete(id);
          retry(one);
        }
    },
    envelope,
    callback,
    /** As when the person's file stands in Slack already. */
    keepFile(name: string, content: Buffer): string {
      const id = `F0LOCAL${uploads.size + 1}`;
      uploads.set(id, { name, length: content.length, content });
      return id;
    },
    connections: (): number => sockets.size,
    /** Slack asks for new connections and lets the old ones finish. */
    refresh: (reason = 'refresh_requested'): void => {
      for (const socket of sockets.keys()) socket.send({ type: 'disconnect', reason, debug_info: {} });
    },
    ping: (): void => {
      for (const socket of sockets.keys()) socket.ping();
    },
    breakOff: (): void => {
      for (const socket of sockets.keys()) socket.destroy();
    },
    onRequest: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitFor: <T>(what: Look<T>, wait: WaitOptions = {}): Promise<T> =>
      news.waitFor(what, { deadlineMs: 60_000, ...wait }),
    async stop(): Promise<void> {
      news.end();
      for (const [socket, open] of sockets) {
        for (const one of open.values()) if (one.timer) clearTimeout(one.timer);
        socket.destroy();
      }
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
export type SlackWorkspace = Awaited<ReturnType<typeof startSlack>>;
export type SlackPerson = ReturnType<SlackWorkspace['person']>;

class ApiRefusal extends Error {
  readonly code: string;
  readonly messages: string[] | undefined;
  constructor(code: string, messages?: string[]) {
    super(code);
    this.code = code;
    this.messages = messages;
  }
}
const refuse = (code: string, messages?: string[]): never => {
  throw new ApiRefusal(code, messages);
};

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};
