/** A reverse proxy before a local server that records requests and credentials. */
import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Front = {
  url: string;
  leadTo(url: string): void;
  /** Method and path per request. */
  requests: string[];
  /** Bearer tokens, and passwords of git. */
  tokens: Set<string>;
  close(): Promise<void>;
};

const tokenIn = ({ authorization = '' }: IncomingMessage['headers']): string | null => {
  const [, kind = '', value = ''] = /^(\w+) (\S+)$/.exec(authorization) ?? [];
  if (kind.toLowerCase() !== 'basic') return value || null;
  return Buffer.from(value, 'base64').toString().split(':').slice(1).join(':');
};

/** Rejects without such an address on this machine. `path` and `api` are stripped. */
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
