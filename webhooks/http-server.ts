/** A small HTTP server with a few routes. Errors are one JSON sentence without internals. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { LogPort } from '#ports/processes';
import { refuseRequest } from './answer-request.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export type HttpRoute = {
  /** GET routes answer HEAD as well. */
  method: 'GET' | 'POST';
  /** A trailing `/` matches everything below, except for `/` itself; queries are ignored. */
  path: string;
  handle: HttpHandler;
};

const REQUEST_LIMIT_MS = 30_000;
/** Longer than the idle timeout of proxies in front of us (ms). */
const KEEP_ALIVE_MS = 72_000;
/** Time for open requests at a stop (ms). */
const CLOSE_LIMIT_MS = 1_000;

const NOT_FOUND = { status: 404, error: 'There is nothing here.' };
const INTERNAL_ERROR = { status: 500, error: 'Something went wrong here; the log of agentpr says what.' };

export const createHttpServer = (routes: readonly HttpRoute[], log: Pick<LogPort, 'error'>): Server => {
  const exact = new Map(routes.map((route) => [`${route.method} ${route.path}`, route.handle]));
  const below = routes.filter(({ path }) => path !== '/' && path.endsWith('/'));
  const findHandler = (asked: string | undefined, path: string): HttpHandler | undefined => {
    const method = asked === 'HEAD' ? 'GET' : (asked ?? '');
    return (
      exact.get(`${method} ${path}`) ??
      below.find((route) => route.method === method && path.startsWith(route.path))?.handle
    );
  };
  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const found = findHandler(request.method, path);
    if (!found) return refuseRequest(request, response, NOT_FOUND);
    try {
      await found(request, response);
    } catch (error) {
      log.error({ err: error }, 'a request could not be answered');
      if (response.headersSent) response.destroy();
      else refuseRequest(request, response, INTERNAL_ERROR);
    }
  };
  const options = { requestTimeout: REQUEST_LIMIT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  return createServer(options, (request, response) => void handleRequest(request, response));
};

/** Rejects with the system's error. */
export const listenOn = async (server: Server, host: string, port: number): Promise<string> => {
  server.listen(port, host);
  await once(server, 'listening');
  const { address, family, port: given } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${given}`;
};

export const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT_MS);
  server.close();
  await once(server, 'close');
  clearTimeout(cut);
};
