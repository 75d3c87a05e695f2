/**
 * E16: opens doors for boxes. Each attempt has a socket of its own, behind which only what it was
 * granted is served; it is gone when the attempt has ended.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import type { ModelUsage } from '../../orchestrator/core/change-facts.ts';
import { MINUTE } from '../../orchestrator/core/units.ts';
import { plainLine } from '../process/plain-text.ts';
import { makeTemporary } from '../process/temporary-files.ts';
import { listenOnSocket } from '../process/unix-socket.ts';
import { type BoxReach, EGRESS_PORT } from '#sandbox';
import { NO_BUDGET, type ProviderBudget } from './provider-budget.ts';
import { createListedPrices } from './listed-prices.ts';
import { createModelRelay, type ModelRelay, type ModelGrant } from './relay-model-request.ts';
import { createRegistryProxy } from './registry-proxy.ts';
import { createRequestReader, createRequestThreads } from './request-reading.ts';
import { registriesFor, type ServedRegistries, type RegistryName } from './package-registries.ts';
import { createTunnels, type ListedHosts, type NoWay } from './tunnel.ts';
import { systemResolve, type ResolveHost } from './listed-hosts.ts';
import { createHttpAgents, NO_PROXIES, proxyFor, type ProxySettings } from '#network';

/** The network of a box; `none` leaves it its model, if it has one. */
export type BoxNetworkMode = 'listed' | 'shared' | 'none';
/** What `listed` means here. */
export type ListedNetwork = ListedHosts & {
  registries: readonly RegistryName[];
  /** What of the operator's environment boxes see: their own registries are in it. */
  pass: Readonly<Record<string, string>>;
};

export type GatewayGrant = {
  /** Whose box it is. */
  runId: string;
  network: BoxNetworkMode;
  models: ModelGrant | null;
  /** Hosts for this box beside those that are listed for all. */
  hosts?: readonly string[];
  onUsed?: () => void;
  onOver?: () => void;
  /** The provider takes nothing for so long (ms). */
  onClosed?: (ms: number) => void;
  /** Writes down what may have been billed by now; nothing is sent before it resolves. */
  reserve?: (most: ModelUsage) => Promise<void>;
};
export type OpenedGateway = {
  /** The network of the box. */
  reach: BoxReach;
  /** In the box: `<url>/v1/…` is the model. */
  url: string;
  models: ModelRelay | null;
  /** What programs of the box are told, in their environment and in files of HOME. */
  env: Readonly<Record<string, string>>;
  files: ServedRegistries['files'];
  /** Hosts that were asked for and not given, with the reason. */
  refused: () => readonly RefusedHost[];
  close: () => Promise<void>;
};
export type RefusedHost = { host: string; why: NoWay };
/** Of one box. */
const MOST_REFUSED = 50;
const LONGEST_NAME = 200;

const NOTHING_LISTED: ListedNetwork = { hosts: [], privateHosts: [], registries: [], pass: {} };
const NO_REGISTRIES: ServedRegistries = { served: new Map(), changes: [], env: {}, files: [], hosts: [] };

const NO_PROXY = 'localhost,127.0.0.1,0.0.0.0,::1,.localhost';
/** Programs that want another host ask for it here, and are told. Plain HTTP is always refused. */
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
  /** What `listed` lets every box reach: registries that are served, and hosts. */
  reachable: () => { registries: readonly RegistryName[]; hosts: readonly string[] };
  close: () => Promise<void>;
};

const MAX_CONNECTIONS = 128;

/** What is asked for, of us; null for anything but a plain path on this machine. */
const urlOf = ({ url = '', headers }: IncomingMessage, port: number): URL | null => {
  const isOurs = headers.host === `127.0.0.1:${port}` || headers.host === `localhost:${port}`;
  if (!isOurs || !/^\/(?!\/)[\x21-\x7e]*$/.test(url)) return null;
  const read = new URL(`http://127.0.0.1:${port}${url}`);
  // Dots, backslashes and fragments mean something else to the next reader.
  return read.pathname + read.search === url ? read : null;
};

/** The host of what is asked for as of a proxy, without TLS. */
const plainHost = ({ url = '' }: IncomingMessage, port: number): string | null => {
  const host = /^http:\/\/([^/?#]+)/i.exec(url)?.[1] ?? null;
  return host === `127.0.0.1:${port}` ? null : host;
};

const plainly = (response: ServerResponse, status: number, says: string): void => {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${says}\n`);
};

/** Gives the port, where `at` is none of the file system's. */
const listen = async (server: Server, at: string | null): Promise<number> => {
  if (at !== null) await listenOnSocket(server, at);
  else
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen({ port: 0, host: '127.0.0.1' }, resolve),
    );
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : EGRESS_PORT;
};

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export const createGateway = (deps: {
  /** By which the operator's network is left. */
  proxies?: ProxySettings;
  now?: () => number;
  hide?: (text: string) => string;
  onTrouble?: (error: unknown, runId: string) => void;
  /** A provider sent back what we put into a request. */
  onEcho?: (provider: string, runId: string) => void;
  /** One for all processes. */
  budget?: ProviderBudget;
  listed?: ListedNetwork;
  resolve?: ResolveHost;
}): ModelGateway => {
  const proxies = deps.proxies ?? NO_PROXIES;
  const agents = createHttpAgents(proxies);
  // Of its own: no connection is used again by whom it was not checked for.
  const readers = createHttpAgents(proxies);
  const threads = createRequestThreads();
  const readRequest = createRequestReader(threads);
  const listedPriceOf = createListedPrices(agents, deps.now ?? Date.now);
  const listed = deps.listed ?? NOTHING_LISTED;
  const resolve = deps.resolve ?? systemResolve;
  const open = new Set<() => Promise<void>>();
  let directory: string | null = null;

  const serve = async (
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
      return plainly(response, 403, 'Nothing is reached from this box without TLS.');
    }
    const url = urlOf(request, port);
    if (url === null) return plainly(response, 400, 'This is no address of this box’s way out.');
    // Who offers another protocol is content with this one (cargo), but for a WebSocket (codex).
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      return plainly(response, 426, 'Only HTTP/1.1 is spoken here.');
    if (url.pathname.startsWith('/v1/') && models !== null) return models.handle(request, response, url);
    if (url.pathname.startsWith('/registry/')) return registries(request, response, url);
    plainly(response, 404, 'Nothing is served there.');
  };

  return {
    open: async ({ runId, network, models: grant, hosts = [], ...hears }) => {
      directory ??= makeTemporary('agentpr-door-');
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
              reserve: hears.reserve ?? (async () => {}),
            });
      const isListed = network === 'listed';
      const registries = isListed ? registriesFor(listed.registries, listed.pass) : NO_REGISTRIES;
      const registryDoor = createRegistryProxy(registries, { agents: readers, resolve });
      const refused = new Map<string, RefusedHost>();
      const given: ListedHosts = isListed
        ? { hosts: [...listed.hosts, ...registries.hosts, ...hosts], privateHosts: listed.privateHosts }
        : { hosts: [], privateHosts: [] };
      const tunnels = new Set<Socket>();
      const refuse = (asked: string, why: NoWay): void => {
        const host = plainLine(asked, LONGEST_NAME);
        if (refused.size < MOST_REFUSED) refused.set(host, { host, why });
      };
      const tunnel = createTunnels(given, {
        resolve,
        told: refuse,
        proxyFor: (url) => proxyFor(proxies, url),
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
        serve(models, registryDoor, refuse, port, request, response).catch((error: unknown) => {
          // Who leaves in the middle of a request is no trouble of ours.
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
      port = await listen(server, socket);
      const close = async (): Promise<void> => {
        if (!open.delete(close)) return;
        for (const socket of tunnels) socket.destroy();
        await closed(server);
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
      registries: listed.registries.filter((name) => registriesFor([name], listed.pass).served.size > 0),
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
