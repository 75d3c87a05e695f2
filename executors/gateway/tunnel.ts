/** Connects boxes to listed hosts, at checked public addresses, and for TLS to that name (E16). */
import { connect, isIP, type Socket } from 'node:net';
import { MINUTE } from '#model/values';
import { connectThroughProxy } from '#network';
import {
  isListedHost,
  isPublicAddress,
  parseHostPort,
  type ResolveHost,
  type HostPort,
} from './listed-hosts.ts';
import { MAX_CLIENT_HELLO_BYTES, parseClientHello, type ClientHello } from './client-hello.ts';

export type NoWay = 'not_listed' | 'inward' | 'unknown' | 'unreachable' | 'proxy' | 'other_name' | 'plain';
export type ListedHosts = {
  hosts: readonly string[];
  /** Names and addresses among `hosts` that may be in a private network. */
  privateHosts: readonly string[];
};

const HELLO_MS = 15_000;
const SILENT_MS = 10 * MINUTE;

const STATUS: Readonly<Record<NoWay, string>> = {
  not_listed: '403 Not Listed',
  inward: '403 Not Public',
  unknown: '502 Unknown Host',
  unreachable: '502 Unreachable',
  proxy: '502 Proxy',
  other_name: '403 Other Name',
  plain: '403 Not TLS',
};

/** Refuses a name if any of its addresses is not allowed. */
const addressesOf = async (
  { name, port }: HostPort,
  listed: ListedHosts,
  resolve: ResolveHost,
): Promise<readonly string[] | NoWay> => {
  const inward = isListedHost(listed.privateHosts, { name, port });
  if (isIP(name) !== 0) return inward || isPublicAddress(name) ? [name] : 'inward';
  const found = await resolve(name).catch(() => []);
  if (found.length === 0) return 'unknown';
  // guard: E16-no-inward
  if (!inward && found.some(({ address }) => !isPublicAddress(address))) return 'inward';
  return found.map(({ address }) => address);
};

const tryConnect = (address: string, port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port });
    socket.setTimeout(HELLO_MS, () => socket.destroy());
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(null));
    socket.once('close', () => resolve(null));
  });

const directWayTo = async (
  target: HostPort,
  listed: ListedHosts,
  resolve: ResolveHost,
): Promise<(() => Promise<Socket | null>) | NoWay> => {
  const addresses = await addressesOf(target, listed, resolve);
  if (typeof addresses === 'string') return addresses;
  return async () => {
    for (const address of addresses) {
      const socket = await tryConnect(address, target.port);
      if (socket !== null) return socket;
    }
    return null;
  };
};

const INCOMPLETE_HELLO: ClientHello = { kind: 'more' };

/** TLS to an IP address sends no name. */
const isFor = ({ name }: HostPort, hello: ClientHello): boolean =>
  isIP(name) === 0
    ? hello.kind === 'name' && hello.name === name
    : hello.kind === 'refused' && hello.why === 'no_name';

/** The result is `more` if the client left. */
const helloOf = (client: Socket, head: Buffer): Promise<{ bytes: Buffer; hello: ClientHello }> =>
  new Promise((resolve) => {
    let bytes = head;
    const endHello = (hello: ClientHello): void => {
      clearTimeout(clock);
      client.off('data', takeChunk);
      client.pause();
      resolve({ bytes, hello });
    };
    const inspectBytes = (): void => {
      const hello = parseClientHello(bytes);
      if (hello.kind !== 'more' || bytes.length > 2 * MAX_CLIENT_HELLO_BYTES) endHello(hello);
    };
    const takeChunk = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      inspectBytes();
    };
    const clock = setTimeout(() => endHello(INCOMPLETE_HELLO), HELLO_MS);
    client.on('data', takeChunk);
    client.once('close', () => endHello(INCOMPLETE_HELLO));
    inspectBytes();
  });

/** The proxy resolves names, so only literal addresses can be checked here. */
const throughProxy = (
  { name, port }: HostPort,
  listed: ListedHosts,
  proxy: URL,
): (() => Promise<Socket | null>) | NoWay => {
  // guard: E16-no-inward-address
  if (isIP(name) !== 0 && !isListedHost(listed.privateHosts, { name, port }) && !isPublicAddress(name))
    return 'inward';
  return async () => {
    const connected = await connectThroughProxy(proxy, `${name}:${port}`, HELLO_MS);
    return 'socket' in connected ? connected.socket : null;
  };
};

type TunnelParts = {
  resolve: ResolveHost;
  proxyFor: (url: URL) => URL | null;
  told: (host: string, why: NoWay) => void;
};

export const createTunnelHandler = (
  listed: ListedHosts,
  { resolve, proxyFor, told }: TunnelParts,
): ((asked: string, client: Socket, head: Buffer) => Promise<void>) => {
  const all = { ...listed, hosts: [...listed.hosts, ...listed.privateHosts] };
  return async (asked, client, head) => {
    client.on('error', () => client.destroy());
    const refuseTunnel = (why: NoWay): void => {
      told(asked, why);
      client.end(`HTTP/1.1 ${STATUS[why]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    };
    const target = parseHostPort(asked);
    // guard: E16-listed-first
    if (target === null || !isListedHost(all.hosts, target)) return refuseTunnel('not_listed');
    const proxy = proxyFor(new URL(`https://${target.name}:${target.port}`));
    const way = proxy === null ? await directWayTo(target, all, resolve) : throughProxy(target, all, proxy);
    if (typeof way === 'string') return refuseTunnel(way);
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    const { bytes, hello } = await helloOf(client, head);
    // guard: E16-same-name
    if (!isFor(target, hello)) {
      if (bytes.length > 0) told(asked, 'other_name');
      return void client.destroy();
    }
    const server = client.destroyed ? null : await way();
    if (server === null) {
      told(asked, proxy === null ? 'unreachable' : 'proxy');
      return void client.destroy();
    }
    server.setTimeout(SILENT_MS, () => server.destroy());
    server.on('error', () => client.destroy());
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
    if (client.destroyed) return void server.destroy();
    server.write(bytes);
    client.pipe(server);
    server.pipe(client);
  };
};
