/**
 * Which proxy a request leaves through. One reading of the environment serves every client, so that
 * git, fetch and the tunnel of a box never go different ways to the same host.
 */
import { BlockList, isIP } from 'node:net';

export type ProxySettings = {
  /** Addresses of proxies, by the scheme of what is asked for; null: asked directly. */
  readonly http: string | null;
  readonly https: string | null;
  /** Entries of NO_PROXY. */
  readonly direct: readonly string[];
};
export const NO_PROXIES: ProxySettings = { http: null, https: null, direct: [] };

type Environment = Readonly<Record<string, string | undefined>>;

/** curl reads the lower-case name first; a name with an empty value is not set. */
const valueOf = (env: Environment, ...names: readonly string[]): { name: string; value: string } | null => {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return null;
};

/** `host:port` means an HTTP proxy, as curl takes it. */
const proxyIn = (env: Environment, ...names: readonly string[]): string | null => {
  const given = valueOf(env, ...names);
  if (given === null) return null;
  const { name, value } = given;
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url === null || url.hostname === '')
    throw new Error(`${name} is no address of a proxy. Write it like http://user:password@host:3128.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(
      `${name} names a proxy of the kind ${url.protocol}//, which AgentPR does not speak to. Give the address of an HTTP proxy (http://host:port).`,
    );
  return url.origin === 'null' ? null : `${url.protocol}//${credentialsIn(url)}${url.host}`;
};
const credentialsIn = ({ username, password }: URL): string =>
  username === '' && password === '' ? '' : `${username}:${password}@`;

/** Throws a sentence. */
export const readProxies = (env: Environment): ProxySettings => ({
  http: proxyIn(env, 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'),
  https: proxyIn(env, 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'),
  direct: (valueOf(env, 'no_proxy', 'NO_PROXY')?.value ?? '').split(/[\s,]+/).filter((entry) => entry !== ''),
});

type Entry =
  | { kind: 'all' }
  | { kind: 'name'; name: string; port: string | null }
  | { kind: 'network'; network: string; bits: number; family: 'ipv4' | 'ipv6' };

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Null for an entry that no host can match. */
const readEntry = (text: string): Entry | null => {
  const entry = text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/\/$/, '');
  if (entry === '*') return { kind: 'all' };
  const [, network = '', bits = ''] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network) !== 0) {
    const family = familyOf(network);
    return Number(bits) <= (family === 'ipv4' ? 32 : 128)
      ? { kind: 'network', network, bits: Number(bits), family }
      : null;
  }
  if (isIP(entry) === 6) return { kind: 'name', name: entry, port: null };
  const [, address, name = '', port = null] =
    /^(?:\[([\da-f:.]+)\]|\*?\.?([^*/:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const found = address ?? name.replace(/\.$/, '');
  return found === '' ? null : { kind: 'name', name: found, port };
};

/** Entries of NO_PROXY that no host can match, for example `10.*`. */
export const unreadableEntries = ({ direct }: ProxySettings): string[] =>
  direct.filter((entry) => readEntry(entry) === null);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? /^(.+\.)?localhost$/.test(host) : LOOPBACK.check(host, familyOf(host));

const matches = (entry: Entry | null, host: string, port: string): boolean => {
  if (entry === null) return false;
  if (entry.kind === 'all') return true;
  if (entry.kind === 'name') {
    const isPort = entry.port === null || entry.port === port;
    return isPort && (host === entry.name || (isIP(host) === 0 && host.endsWith(`.${entry.name}`)));
  }
  if (isIP(host) === 0) return false;
  const list = new BlockList();
  list.addSubnet(entry.network, entry.bits, entry.family);
  return list.check(host, familyOf(host));
};

/**
 * The proxy that an address is asked through; null: directly. A name in NO_PROXY holds for itself and
 * for all names below it, with or without a dot or `*.` before it; this machine is always direct.
 */
export const proxyFor = (proxies: ProxySettings, url: URL): URL | null => {
  const proxy = url.protocol === 'http:' ? proxies.http : proxies.https;
  if (proxy === null) return null;
  const [host, port] = [hostOf(url), portOf(url)];
  if (isLoopback(host)) return null;
  if (proxies.direct.some((entry) => matches(readEntry(entry), host, port))) return null;
  return new URL(proxy);
};

/** For people: never with its password. */
export const proxyName = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** The first address of a network and its last, which Node's own agents read as a range. */
const rangeOf = (network: string, bits: number): string => {
  const value = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const first = Math.floor(value / size) * size;
  const text = (n: number): string =>
    [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');
  return `${text(first)}-${text(first + size - 1)}`;
};

const forNode = (entry: Entry | null): string[] => {
  if (entry === null) return [];
  if (entry.kind === 'all') return ['*'];
  if (entry.kind === 'network') return entry.family === 'ipv4' ? [rangeOf(entry.network, entry.bits)] : [];
  const port = entry.port === null ? '' : `:${entry.port}`;
  if (isIP(entry.name) === 6) return [`[${entry.name}]${port}`, ...(port === '' ? [entry.name] : [])];
  return [`${entry.name}${port}`, ...(isIP(entry.name) === 0 ? [`.${entry.name}${port}`] : [])];
};

/**
 * The same as variables that Node's fetch and agents understand, each in its own way: neither knows
 * that a name holds for those below it, fetch knows no networks, and agents no ports below a name.
 * What they cannot be told in general they are told of each address in `known`.
 */
export const nodeProxyEnvironment = (
  proxies: ProxySettings,
  known: readonly URL[] = [],
): { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY: string } => {
  const named = known
    .filter((url) => proxyFor(proxies, url) === null)
    .map((url) => `${url.hostname}:${portOf(url)}`);
  const loopback = ['localhost', '.localhost', '127.0.0.1', '[::1]', '::1', '127.0.0.0-127.255.255.255'];
  const given = proxies.direct.flatMap((entry) => forNode(readEntry(entry)));
  // Alone it means all; among others, fetch takes it for a name.
  const entries = given.includes('*') ? ['*'] : [...loopback, ...named, ...given];
  return {
    ...(proxies.http === null ? {} : { HTTP_PROXY: proxies.http }),
    ...(proxies.https === null ? {} : { HTTPS_PROXY: proxies.https }),
    NO_PROXY: [...new Set(entries)].join(','),
  };
};
