/** The listener: health, readiness, and Telegram's webhook when a public address is set. */
import fastify, { type FastifyInstance } from 'fastify';
import type { createBot } from './bot/intake.ts';
import type { Config } from './config.ts';
import { mac } from './orchestrator/digest.ts';
import type { Ledger } from './orchestrator/ports.ts';

export type Listening = { address: string; webhook: boolean; close(): Promise<void> };

const LIMIT = 1_000_000;

/** Refuses requests that were meant for another host: a page in a browser must not reach us by a name it made up. */
const checkHost = (server: FastifyInstance, config: Config): void => {
  const own = new Set(['localhost', '127.0.0.1', '[::1]', config.http.host]);
  if (config.http.publicUrl) own.add(new URL(config.http.publicUrl).hostname);
  server.addHook('onRequest', async (request, reply) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (!own.has(host)) await reply.code(421).send({ error: 'This host is not served here.' });
  });
};

export const listen = async (parts: {
  config: Config;
  key: Uint8Array;
  bot: ReturnType<typeof createBot>;
  ledger: Ledger;
}): Promise<Listening> => {
  const { config, key, bot, ledger } = parts;
  const { host, port, publicUrl } = config.http;
  const server = fastify({ bodyLimit: LIMIT });
  checkHost(server, config);
  server.get('/healthz', () => ({ ok: true }));
  server.get('/readyz', async () => ({
    ok: true,
    runs: await ledger.query.counts(),
    inbox: await ledger.query.inboxCounts(),
  }));
  if (publicUrl) {
    // The path and the header are secrets that only Telegram is told.
    const path = `/telegram/${mac(key, 'path')}`;
    const secret = mac(key, 'secret');
    server.post(path, bot.webhook(secret));
    await bot.register(`${publicUrl.replace(/\/+$/, '')}${path}`, secret);
  }
  const address = await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} of ${host} is in use by another program. Stop it, or set AGENTPR_HTTP_PORT.`,
    );
  });
  return { address, webhook: publicUrl !== null, close: () => server.close() };
};
