/** A company network on loopback: `.test` names that only its proxy resolves, own certificates. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

export type Authority = {
  /** PEM file of the authority. */
  file: string;
  /** A negative `days` makes an expired certificate. */
  certify(names: readonly string[], days?: number): { key: Buffer; cert: Buffer };
  close(): void;
};

const openssl = (cwd: string, ...args: string[]): void =>
  void execFileSync('openssl', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
const EC = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export const createAuthority = (): Authority => {
  const at = mkdtempSync(join(tmpdir(), 'agentpr-ca-'));
  const is = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ];
  openssl(
    at,
    'req',
    '-x509',
    ...EC,
    '-subj',
    '/CN=Acme Company CA',
    ...is,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );
  let made = 0;
  return {
    file: join(at, 'ca.pem'),
    certify: (names, days = 30) => {
      made += 1;
      const [key, request, cert, more] = ['key', 'csr', 'pem', 'ext'].map((end) => `${made}.${end}`) as [
        string,
        string,
        string,
        string,
      ];
      const alternatives = names.map((name) => `${/^[\d.]+$/.test(name) ? 'IP' : 'DNS'}:${name}`).join(',');
      writeFileSync(join(at, more), `subjectAltName=${alternatives}\n`);
      openssl(at, 'req', '-new', ...EC, '-subj', `/CN=${names[0]}`, '-keyout', key, '-out', request);
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', more];
      openssl(at, 'x509', '-req', '-in', request, ...by, '-days', String(days), '-out', cert);
      return { key: readFileSync(join(at, key)), cert: readFileSync(join(at, cert)) };
    },
    close: () => rmSync(at, { recursive: true, force: true }),
  };
};

export type CompanyProxy = {
  url: string;
  port: number;
  asked: string[];
  /** Fate of the next requests; null lets them pass. */
  fate: { status: number | null };
  close(): Promise<void>;
};

/** `hosts` maps names to `host:port`. */
export const startCompanyProxy = async (
  hosts: () => Readonly<Record<string, number>>,
  login: { user: string; password: string } | null = null,
): Promise<CompanyProxy> => {
  const asked: string[] = [];
  const fate: CompanyProxy['fate'] = { status: null };
  const sockets = new Set<Socket>();
  const refusal = (request: IncomingMessage): number | null => {
    const expected = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
    if (expected !== null && request.headers['proxy-authorization'] !== expected) return 407;
    return fate.status;
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status = refusal(request);
    if (status !== null) return void response.writeHead(status).end();
    const url = new URL(request.url ?? '');
    const port = hosts()[`${url.hostname}:${url.port || 80}`];
    if (port === undefined) return void response.writeHead(502).end();
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const on = { host: '127.0.0.1', port, path: url.pathname + url.search, method: request.method, headers };
    request.pipe(
      http.request(on, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.push(`CONNECT ${request.url}`);
    socket.on('error', () => socket.destroy());
    const status = refusal(request);
    const authenticate = status === 407 ? 'Proxy-Authenticate: Basic realm="acme"\r\n' : '';
    if (status !== null) return void socket.end(`HTTP/1.1 ${status} No\r\n${authenticate}\r\n`);
    const port = hosts()[request.url ?? ''];
    if (port === undefined) return void socket.end('HTTP/1.1 502 Unknown Host\r\n\r\n');
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.once('close', () => upstream.destroy());
  });
  const port = await listening(server);
  const user = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  return {
    url: `http://${user}127.0.0.1:${port}`,
    port,
    asked,
    fate,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

export type TlsFront = { port: number; asked: string[]; close(): Promise<void> };

/** Serves names over TLS in front of plain servers, and rewrites their addresses in answers. */
export const startTlsFront = async (
  certificate: { key: Buffer; cert: Buffer },
  served: () => Readonly<Record<string, string>>,
): Promise<TlsFront> => {
  const asked: string[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const host = request.headers.host ?? '';
    const target = served()[host];
    asked.push(`${request.method} https://${host}${request.url}`);
    if (target === undefined) return void response.writeHead(421).end();
    const body = await buffer(request);
    const outgoing = http.request(target + (request.url ?? ''), {
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      agent: false,
    });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const isText = /json/.test(answer.headers['content-type'] ?? '');
    const bytes = await buffer(answer);
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
    const link = headers.link;
    const here = (text: string): string => text.replaceAll(target, `https://${host}`);
    response.writeHead(answer.statusCode ?? 502, {
      ...headers,
      ...(typeof link === 'string' ? { link: here(link) } : {}),
    });
    response.end(isText ? here(bytes.toString('utf8')) : bytes);
  };
  const server = https.createServer(certificate, (request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.on('tlsClientError', () => {});
  const port = await listening(server);
  return {
    port,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
