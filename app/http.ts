/**
 * The listener: the health pages, GitHub's webhooks, and Telegram's when a public address is set; of
 * a worker the pages alone.
 */
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { createBot } from '../bot/intake.ts';
import { isUpdate } from '../bot/commands/updates.ts';
import type { Config, WorkConfig } from './config.ts';
import { addHealth, healthOf, workerHealthOf, type ControlHealth, type WorkerHealth } from './health.ts';
import { mac } from '../orchestrator/engine/digest.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import type { Ledger, Log, RepoName } from '../orchestrator/ports.ts';
import { createHooks, type HookParts } from '../webhooks/hooks.ts';
import { createReceiver } from '../webhooks/receiver.ts';

export type OpenPages = { address: string; close(): Promise<void> };
export type Listening = OpenPages & {
  /** Tells Telegram where to call; null when we ask it ourselves. Ends when it knows. */
  register: (() => Promise<void>) | null;
};

export type ListenerParts = ControlHealth & {
  config: Pick<Config, 'http' | 'webhooks' | 'hooks'>;
  key: Uint8Array;
  bot: Pick<ReturnType<typeof createBot>, 'webhook' | 'register'>;
  ledger: { query: Pick<Ledger['query'], 'alive'> };
  /** Where what GitHub tells us of goes, and whether it concerns a run. */
  receive: Inbox['receive'];
  /** Whether issues of a repository may ask for something. */
  isWatched: (repo: string) => boolean;
  /** Whether pull requests that others opened there are followed. */
  isFollowed: (repo: string) => boolean;
  /** What a call of a webhook of the host's own asks for. */
  readCall: HookParts['read'];
};

/** Of one body, in bytes; GitHub's webhooks have a limit of their own. */
const LIMIT = 1_000_000;
/** For a whole request to arrive (ms). */
const PATIENCE = 30_000;
/**
 * For requests in hand when we stop (ms); who only holds a connection must not keep us from
 * stopping.
 */
const GRACE = 1_000;

/** Bodies are read by zod: fastify need not load its own compilers of schemas (6 MB). */
const NO_SCHEMAS = {
  buildValidator: () => () => {
    throw new Error('No route has a schema of fastify.');
  },
  buildSerializer: () => () => JSON.stringify,
};

const serve = async (
  { host, port }: WorkConfig['http'],
  log: Pick<Log, 'error'>,
  add: (server: FastifyInstance) => Promise<void>,
): Promise<OpenPages> => {
  const server = fastify({
    bodyLimit: LIMIT,
    requestTimeout: PATIENCE,
    schemaController: { compilersFactory: NO_SCHEMAS },
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(400).send({ error: 'The address of the request is not valid.' });
    },
  });
  speakPlainly(server, log);
  await add(server);
  const address = await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      throw new Error(
        `${host} is no address of this machine. Set AGENTPR_HTTP_HOST to one, or leave it empty.`,
      );
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} of ${host} is in use by another program. Stop it, or set AGENTPR_HTTP_PORT.`,
    );
  });
  const close = async (): Promise<void> => {
    const cut = setTimeout(() => server.server.closeAllConnections(), GRACE);
    await server.close();
    clearTimeout(cut);
  };
  return { address, close };
};

export const listen = async (parts: ListenerParts): Promise<Listening> => {
  const { config, receive, log } = parts;
  const { http } = config;
  const alive = async (repo: RepoName, event: string): Promise<boolean> =>
    event === 'issues'
      ? parts.isWatched(repo.fullName)
      : parts.isFollowed(repo.fullName) || parts.ledger.query.alive(repo);
  let register: Listening['register'] = null;
  const served = await serve(http, log, async (server) => {
    // Not behind the check of the host: a delivery proves itself, under whatever name a proxy or a
    // tunnel hands it on.
    await server.register(createReceiver({ secrets: config.webhooks?.secrets ?? null, receive, alive, log }));
    const hooks = new Map([...config.hooks].map(([name, { keys }]) => [name, keys]));
    await server.register(createHooks({ hooks, read: parts.readCall, receive, clock: parts.clock, log }));
    await server.register(async (guarded) => {
      checkHost(guarded, http, http.publicUrl);
      addHealth(guarded, healthOf(parts));
      if (http.publicUrl) register = addTelegram(guarded, http.publicUrl, parts);
    });
  });
  return { ...served, register };
};

/** Of a worker: nobody calls it but who looks after it. */
export const listenForHealth = (http: WorkConfig['http'], parts: WorkerHealth): Promise<OpenPages> =>
  serve(http, parts.log, async (server) => {
    checkHost(server, http, null);
    addHealth(server, workerHealthOf(parts));
  });

/** Of a process that waits for its ledger, or for its turn: alive, and not ready. */
export const listenWhileWaiting = (
  http: WorkConfig['http'],
  { log, why }: { log: Pick<Log, 'error'>; why: () => string },
): Promise<OpenPages> =>
  serve(http, log, async (server) => {
    checkHost(server, http, null);
    server.get('/healthz', () => ({ ok: true }));
    server.get('/readyz', (_request, reply) => reply.code(503).send({ ok: false, ledger: why() }));
  });

/**
 * Refuses requests that were meant for another host: a page in a browser must not reach us by a
 * name it made up.
 */
const checkHost = (
  server: FastifyInstance,
  { host: named }: WorkConfig['http'],
  publicUrl: string | null,
): void => {
  const own = new Set(['localhost', '127.0.0.1', '[::1]', named.toLowerCase()]);
  if (publicUrl) own.add(new URL(publicUrl).hostname);
  server.addHook('onRequest', async (request, reply) => {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
    if (!own.has(host)) await reply.code(421).send({ error: 'This host is not served here.' });
  });
};

/** Whatever goes wrong, the answer is one sentence, and no answer tells of what is inside. */
const speakPlainly = (server: FastifyInstance, log: ListenerParts['log']): void => {
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'There is nothing here.' }));
  server.setErrorHandler((error: { statusCode?: number; message?: string }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send({ error: error.message ?? 'The request is not valid.' });
    log.error({ err: error }, 'a request could not be answered');
    return reply.code(status).send({ error: 'Something went wrong here; the log of agentpr says what.' });
  });
};

/** The path and the header are secrets that only Telegram is told. */
const addTelegram = (
  server: FastifyInstance,
  publicUrl: string,
  { key, bot }: Pick<ListenerParts, 'key' | 'bot'>,
): (() => Promise<void>) => {
  const path = `/telegram/${mac(key, 'path')}`;
  const secret = mac(key, 'secret');
  server.post(path, {
    preHandler: async (request, reply) => {
      if (!isUpdate(request.body)) await reply.code(400).send({ error: 'The body is not an update.' });
    },
    handler: bot.webhook(secret),
  });
  return () => bot.register(`${publicUrl.replace(/\/+$/, '')}${path}`, secret);
};
