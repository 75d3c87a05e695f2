/** Gives each box its own socket with exactly the access it was granted (E16). */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { ModelUsage } from '#model/reports';
import { MINUTE } from '#model/values';
import type { SpendingRequest, SpendingStop } from '#model/spending';
import { toPlainLine } from '../process/plain-text.ts';
import { makeTemporaryDirectory } from '../process/temporary-directories.ts';
import { listenOnSocket } from '../process/unix-socket.ts';
import { type BoxReach, EGRESS_PORT } from '#sandbox';
import { NO_BUDGET, type ProviderBudget } from './provider-rate-limit.ts';
import { createListedPrices } from './listed-prices.ts';
import { createModelRelay, type ModelRelay, type ModelGrant } from './relay-model-request.ts';
import { isModelPath } from './read-incoming-request.ts';
import { createRegistryProxy } from './registry-proxy.ts';
import { createRequestReader, createRequestThreads } from './read-request-in-thread.ts';
import { resolveServedRegistries, type ServedRegistries } from './package-registries.ts';
import { createTunnelHandler, type ListedHosts, type NoWay } from './tunnel.ts';
import { resolveBySystem, type ResolveHost } from './listed-hosts.ts';
import { createHttpAgents, NO_PROXIES, findProxyForUrl, type ProxySettings } from '#network';

/** A box with `none` still reaches its model, if any. */
export type BoxNetworkMode = 'listed' | 'shared' | 'none';
export type ListedNetwork = ListedHosts & {
  registries: readonly string[];
  pass: Readonly<Record<string, string>>;
};

type GatewayGrant = {
  runId: string;
  network: BoxNetworkMode;
  models: ModelGrant | null;
  hosts?: readonly string[];
  onUsed?: () => void;
  onOver?: () => void;
  /** The provider refuses requests for this time (ms). */
  onClosed?: (ms: number) => void;
  /** Stores the maximum that may be billed; nothing is sent before it resolves. */
  reserve?: (asks: SpendingRequest) => Promise<SpendingStop | null>;
  /** Stores what was used once a request has its answer. */
  settled?: (most: ModelUsage, used: ModelUsage) => Promise<void>;
};
export type OpenedGateway = {
  reach: BoxReach;
  /** The model is at `<url>/v1/…`, or at `<url>/v1beta/…`. */
  url: string;
  models: ModelRelay | null;
  env: Readonly<Record<string, string>>;
  files: ServedRegistries['files'];
  refused: () => readonly RefusedHost[];
  close: () => Promise<void>;
};
export type RefusedHost = { host: string; why: NoWay };
const MOST_REFUSED = 50;
const LONGEST_NAME = 200;

const NOTHING_LISTED: ListedNetwork = { hosts: [], privateHosts: [], registries: [], pass: {} };
const NO_REGISTRIES: ServedRegistries = { served: new Map(), changes: [], env: {}, files: [], hosts: [] };

const NO_PROXY = 'localhost,127.0.0.1,0.0.0.0,::1,.localhost';
/** Programs use this proxy for other hosts, so that they get our refusal. */
const proxyOf = (url: string): Record<string, string> => ({
  HTTPS_PROXY: url,
  https_proxy: url,
  HTTP_PROXY: url,
  http_proxy: url,
  NO_PROXY,
  no_proxy: NO_PROXY,
});
export type ModelGateway = {
  open: (grant: GatewayGrant) => Promise<OpenedGateway>;
  reachable: () => { registries: readonly string[]; hosts: readonly string[] };
  close: () => Promise<void>;
};

const MAX_CONNECTIONS = 128;

/** Returns null for anything but a plain path on this machine. */
const urlOf = ({ url = '', headers }: IncomingMessage, port: number): URL | null => {
  const isOurs = headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
  if (!isOurs || !/^\/(?!\/)[\x21-\x7e]*$/.test(url)) return null;
  const read = new URL(`http://127.0.0.1:${port}${url}`);
  // Dots, backslashes and fragments may be read differently later.
  return read.pathname + read.search === url ? read : null;
};

const plainHost = ({ url = '' }: IncomingMessage, port: number): string | null => {
  const host = /^http:\/\/([^/?#]+)/i.exec(url)?.[1] ?? null;
  return host === `127.0.0.1:${port}` ? null : host;
};

const sendPlainText = (response: ServerResponse, status: number, says: string): void => {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${says}\n`);
};

const listenAt = async (server: Server, at: string | null): Promise<number> => {
  if (at !== null) await listenOnSocket(server, at);
  else
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen({ port: 0, host: '127.0.0.1' }, resolve),
    );
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : EGRESS_PORT;
};

const stopServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const createGateway = (deps: {
  proxies?: ProxySettings;
  now?: () => number;
  hide?: (text: string) => string;
  onTrouble?: (error: unknown, runId: string) => void;
  onEcho?: (provider: string, runId: string) => void;
  budget?: ProviderBudget;
  listed?: ListedNetwork;
  resolve?: ResolveHost;
}): ModelGateway => {
  const proxies = deps.proxies ?? NO_PROXIES;
  const agents = createHttpAgents(proxies);
  // A reused connection would skip the address check.
  const readers = createHttpAgents(proxies);
  const threads = createRequestThreads();
  const readRequest = createRequestReader(threads);
  const listedPriceOf = createListedPrices(agents, deps.now ?? Date.now);
  const listed = deps.listed ?? NOTHING_LISTED;
  const resolve = deps.resolve ?? resolveBySystem;
  const open = new Set<() => Promise<void>>();
  let directory: string | null = null;

  const serveRequest = async (
    models: ModelRelay | null,
    registries: ReturnType<typeof createRegistryProxy>,
    refuse: (host: string, why: NoWay) => void,
    port: number,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const plain = plainHost(request, port);
    if (plain !== null) {
      refuse(plain, 'plain');
      return sendPlainText(response, 403, 'Nothing is reached from this box without TLS.');
    }
    const url = urlOf(request, port);
    if (url === null) return sendPlainText(response, 400, 'This is no address of this box’s way out.');
    // Only a WebSocket is refused (codex); clients that offer HTTP/2 accept HTTP/1.1.
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      return sendPlainText(response, 426, 'Only HTTP/1.1 is spoken here.');
    if (isModelPath(url.pathname) && models !== null) return models.handle(request, response, url);
    if (url.pathname.startsWith('/registry/')) return registries(request, response, url);
    sendPlainText(response, 404, 'Nothing is served there.');
  };

  return {
    open: async ({ runId, network, models: grant, hosts = [], ...hears }) => {
      directory ??= makeTemporaryDirectory('agentpr-door-');
      const token = `agentpr-${randomBytes(24).toString('base64url')}`;
      const models =
        grant === null
          ? null
          : createModelRelay(grant, token, {
              agents,
              readRequest,
              budget: deps.budget ?? NO_BUDGET,
              now: deps.now ?? Date.now,
              hide: deps.hide ?? ((text) => text),
              onUsed: hears.onUsed ?? (() => {}),
              onOver: hears.onOver ?? (() => {}),
              onEcho: (provider) => deps.onEcho?.(provider, runId),
              onClosed: hears.onClosed ?? (() => {}),
              listedPriceOf,
              reserve: hears.reserve ?? (async () => null),
              settled: hears.settled ?? (async () => {}),
            });
      const isListed = network === 'listed';
      const registries = isListed ? resolveServedRegistries(listed.registries, listed.pass) : NO_REGISTRIES;
      const registryDoor = createRegistryProxy(registries, { agents: readers, resolve });
      const refused = new Map<string, RefusedHost>();
      const given: ListedHosts = isListed
        ? { hosts: [...listed.hosts, ...registries.hosts, ...hosts], privateHosts: listed.privateHosts }
        : { hosts: [], privateHosts: [] };
      const tunnels = new Set<Socket>();
      const noteRefusal = (asked: string, why: NoWay): void => {
        const host = toPlainLine(asked, LONGEST_NAME);
        if (refused.size < MOST_REFUSED) refused.set(host, { host, why });
      };
      const tunnel = createTunnelHandler(given, {
        resolve,
        told: noteRefusal,
        proxyFor: (url) => findProxyForUrl(proxies, url),
      });
      let port = 0;
      const server = createServer({
        maxHeaderSize: 32_768,
        headersTimeout: MINUTE,
        requestTimeout: 5 * MINUTE,
      });
      server.maxConnections = MAX_CONNECTIONS;
      server.on('request', (request: IncomingMessage, response: ServerResponse) => {
        response.on('error', () => response.destroy());
        serveRequest(models, registryDoor, noteRefusal, port, request, response).catch((error: unknown) => {
          if (!request.socket.destroyed) deps.onTrouble?.(error, runId);
          response.destroy();
        });
      });
      server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        tunnels.add(socket);
        socket.once('close', () => tunnels.delete(socket));
        tunnel(request.url ?? '', socket, head).catch((error: unknown) => {
          socket.destroy();
          deps.onTrouble?.(error, runId);
        });
      });
      const socket = network === 'shared' ? null : path.join(directory, randomBytes(8).toString('hex'));
      port = await listenAt(server, socket);
      const close = async (): Promise<void> => {
        if (!open.delete(close)) return;
        for (const socket of tunnels) socket.destroy();
        await stopServer(server);
        if (socket !== null) rmSync(socket, { force: true });
      };
      open.add(close);
      return {
        reach: socket === null ? 'shared' : { socket, port },
        url: `http://127.0.0.1:${port}`,
        models,
        env: isListed ? { ...registries.env, ...proxyOf(`http://127.0.0.1:${port}`) } : {},
        files: registries.files,
        refused: () => [...refused.values()],
        close,
      };
    },
    reachable: () => ({
      registries: listed.registries.filter(
        (name) => resolveServedRegistries([name], listed.pass).served.size > 0,
      ),
      hosts: [...listed.hosts, ...listed.privateHosts],
    }),
    close: async () => {
      for (const one of [...open]) await one();
      await threads.end();
      agents.close();
      readers.close();
      if (directory !== null) rmSync(directory, { recursive: true, force: true });
    },
  };
};
