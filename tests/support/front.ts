/**
 * An address that stands before a local server, as a proxy or another host name does: another port,
 * another family of addresses, a path that it strips. It notes what came by, and with which
 * credentials.
 */
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = {
  url: string;
  /** Where requests go on to: the base URL of a local server. */
  leadTo(url: string): void;
  /** One line a request: method and path, as they came. */
  requests: string[];
  /** Every token that was seen, whether as a bearer's or as a password of git's. */
  tokens: Set<string>;
  close(): Promise<void>;
};

const tokenIn = ({ authorization = '' }: IncomingMessage['headers']): string | null => {
  const [, kind = '', value = ''] = /^(\w+) (\S+)$/.exec(authorization) ?? [];
  if (kind.toLowerCase() !== 'basic') return value || null;
  return Buffer.from(value, 'base64').toString().split(':').slice(1).join(':');
};

/**
 * Rejects where this machine has no such address. `api` lies below `path`, and is stripped as well;
 * whatever lies outside is not found.
 */
export const openFront = async ({ host = '127.0.0.1', path = '', api = '' } = {}): Promise<Front> => {
  let target: URL | null = null;
  const [requests, tokens] = [[] as string[], new Set<string>()];
  const server = createServer((from, to) => {
    const { method = 'GET', url = '/', headers } = from;
    requests.push(`${method} ${url}`);
    const token = tokenIn(headers);
    if (token !== null) tokens.add(token);
    const below = [api || path, path].find((one) => url.startsWith(`${one}/`));
    if (target === null || below === undefined) return void to.writeHead(404).end();
    const { hostname, port } = target;
    const on = ask({ host: hostname, port, method, path: url.slice(below.length), headers }, (found) => {
      to.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(to);
    });
    on.on('error', () => to.destroy());
    from.pipe(on);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`,
    leadTo: (url) => void (target = new URL(url)),
    requests,
    tokens,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
