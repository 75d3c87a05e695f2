/**
 * The listener: health, readiness, metrics, GitHub's webhooks, and Telegram's when a public address
 * is set.
 */
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { createBot } from '../bot/intake.ts';
import { isUpdate } from '../bot/commands/updates.ts';
import type { Config } from './config.ts';
import type { Connection } from './connections.ts';
import { createMetrics } from './metrics.ts';
import { mac } from '../orchestrator/engine/digest.ts';
import type { Inbox } from '../orchestrator/engine/inbox.ts';
import type { Ledger, Log } from '../orchestrator/ports.ts';
import { createReceiver } from '../webhooks/receiver.ts';

export type Listening = {
  address: string;
  /** Tells Telegram where to call; null when we ask it ourselves. Ends when it knows. */
  register: (() => Promise<void>) | null;
  close(): Promise<void>;
};

export type ListenerParts = {
  config: Pick<Config, 'http' | 'webhooks'>;
  key: Uint8Array;
  bot: Pick<ReturnType<typeof createBot>, 'webhook' | 'register'>;
  ledger: Pick<Ledger, 'hasRoom'> & { query: Pick<Ledger['query'], 'counts' | 'inboxCounts' | 'alive'> };
  /** Where what GitHub tells us of goes, and whether it concerns a run. */
  receive: Inbox['receive'];
  connections: () => readonly Connection[];
  log: Pick<Log, 'error'>;
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

export const listen = async (parts: ListenerParts): Promise<Listening> => {
  const { config, receive, log } = parts;
  const { host, port, publicUrl } = config.http;
  const server = fastify({
    bodyLimit: LIMIT,
    requestTimeout: PATIENCE,
    schemaController: { compilersFactory: NO_SCHEMAS },
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(400).send({ error: 'The address of the request is not valid.' });
    },
  });
  speakPlainly(server, log);
  // Not behind the check of the host: a delivery proves itself, under whatever name a proxy or a
  // tunnel hands it on.
  const { alive } = parts.ledger.query;
  await server.register(createReceiver({ secrets: config.webhooks?.secrets ?? null, receive, alive, log }));
  let register: Listening['register'] = null;
  await server.register(async (guarded) => {
    checkHost(guarded, config);
    addHealth(guarded, parts);
    if (publicUrl) register = addTelegram(guarded, publicUrl, parts);
  });
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
  return { address, register, close };
};

/**
 * Refuses requests that were meant for another host: a page in a browser must not reach us by a
 * name it made up.
 */
const checkHost = (server: FastifyInstance, config: Pick<Config, 'http'>): void => {
  const own = new Set(['localhost', '127.0.0.1', '[::1]', config.http.host.toLowerCase()]);
  if (config.http.publicUrl) own.add(new URL(config.http.publicUrl).hostname);
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

/**
 * Alive is one thing; ready means that the ledger answers, the disk has room, and everybody is there
 * whom the work needs. What is sent to us is taken in any case.
 */
const addHealth = (
  server: FastifyInstance,
  { ledger, connections, log }: Pick<ListenerParts, 'ledger' | 'connections' | 'log'>,
): void => {
  const { query } = ledger;
  const counts = async () => {
    try {
      return { runs: await query.counts(), inbox: await query.inboxCounts() };
    } catch (error) {
      log.error({ err: error }, 'the ledger could not be read');
      return null;
    }
  };
  server.get('/healthz', () => ({ ok: true }));
  server.get('/readyz', async (_request, reply) => {
    const all = connections().map(({ party, state, says, since }) => ({
      ...party,
      ...{ state, says, since: new Date(since).toISOString() },
    }));
    const counted = await counts();
    const [read, disk] = [counted !== null, ledger.hasRoom()];
    const ok = read && disk && all.every(({ state }) => state === 'reached');
    const says = { ledger: read ? 'read' : 'cannot be read', disk: disk ? 'has room' : 'is full' };
    return reply.code(ok ? 200 : 503).send({ ok, ...says, connections: all, ...counted });
  });
  const metrics = createMetrics({ ledger: { query }, connections });
  server.get('/metrics', async (_request, reply) => {
    const registry = await metrics();
    return reply.type(registry.contentType).send(await registry.metrics());
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
