/** Chooses a request's proxy, for all clients alike: fetch, git and boxes. */
import { BlockList, isIP } from 'node:net';

export type ProxySettings = {
  readonly http: string | null;
  readonly https: string | null;
  readonly direct: readonly string[];
};
export const NO_PROXIES: ProxySettings = { http: null, https: null, direct: [] };

type Environment = Readonly<Record<string, string | undefined>>;

/** curl reads the lower-case name first and treats an empty value as unset. */
const valueOf = (env: Environment, ...names: readonly string[]): { name: string; value: string } | null => {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return null;
};

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

export const readProxies = (env: Environment): ProxySettings => ({
  http: proxyIn(env, 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'),
  https: proxyIn(env, 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'),
  direct: (valueOf(env, 'no_proxy', 'NO_PROXY')?.value ?? '').split(/[\s,]+/).filter((entry) => entry !== ''),
});

type Entry =
  | { kind: 'all' }
  | { kind: 'name'; name: string; port: string | null }
  | { kind: 'network'; network: string; bits: number; family: 'ipv4' | 'ipv6' };

/** One address can be written in many ways; URLs have the shortest. Null for a zone or no IPv6. */
const canonicalAddress = (text: string): string | null =>
  isIP(text) === 6 ? (URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? null) : null;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

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
  const plain = canonicalAddress(entry);
  if (plain !== null) return { kind: 'name', name: plain, port: null };
  const [, address, name = '', port = null] =
    /^(?:\[([\da-f:.]+)\]|\*?\.?([^*/:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const found = address === undefined ? name.replace(/\.$/, '') : (canonicalAddress(address) ?? '');
  return found === '' ? null : { kind: 'name', name: found, port };
};

export const invalidNoProxyEntries = ({ direct }: ProxySettings): string[] =>
  direct.filter((entry) => readEntry(entry) === null);

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? /^(.+\.)?localhost$/.test(host) : LOOPBACK.check(host, familyOf(host));

const matchesHost = (entry: Entry | null, host: string, port: string): boolean => {
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

/** Null means direct. A name in NO_PROXY covers its subdomains; this machine is direct. */
export const findProxyForUrl = (proxies: ProxySettings, url: URL): URL | null => {
  const proxy = url.protocol === 'http:' ? proxies.http : proxies.https;
  if (proxy === null) return null;
  const [host, port] = [hostOf(url), portOf(url)];
  if (isLoopback(host)) return null;
  if (proxies.direct.some((entry) => matchesHost(readEntry(entry), host, port))) return null;
  return new URL(proxy);
};

/** The name for messages, without the password. */
export const formatProxyAddress = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;

const rangeOf = (network: string, bits: number): string => {
  const value = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - bits);
  const first = Math.floor(value / size) * size;
  const formatAddress = (ipNumber: number): string =>
    [24, 16, 8, 0].map((shift) => Math.floor(ipNumber / 2 ** shift) % 256).join('.');
  return `${formatAddress(first)}-${formatAddress(first + size - 1)}`;
};

const forNode = (entry: Entry | null): string[] => {
  if (entry === null) return [];
  if (entry.kind === 'all') return ['*'];
  if (entry.kind === 'network') return entry.family === 'ipv4' ? [rangeOf(entry.network, entry.bits)] : [];
  const port = entry.port === null ? '' : `:${entry.port}`;
  if (isIP(entry.name) === 6) return [`[${entry.name}]${port}`, ...(port === '' ? [entry.name] : [])];
  return [`${entry.name}${port}`, ...(isIP(entry.name) === 0 ? [`.${entry.name}${port}`] : [])];
};

/** Node reads NO_PROXY differently, so exceptions are listed for each `known` address. */
export const nodeProxyEnvironment = (
  proxies: ProxySettings,
  known: readonly URL[] = [],
): { HTTP_PROXY?: string; HTTPS_PROXY?: string; NO_PROXY: string } => {
  const named = known
    .filter((url) => findProxyForUrl(proxies, url) === null)
    .map((url) => `${url.hostname}:${portOf(url)}`);
  const loopback = ['localhost', '.localhost', '127.0.0.1', '[::1]', '::1', '127.0.0.0-127.255.255.255'];
  const given = proxies.direct.flatMap((entry) => forNode(readEntry(entry)));
  // Alone `*` means all; among others, fetch takes it for a name.
  const entries = given.includes('*') ? ['*'] : [...loopback, ...named, ...given];
  return {
    ...(proxies.http === null ? {} : { HTTP_PROXY: proxies.http }),
    ...(proxies.https === null ? {} : { HTTPS_PROXY: proxies.https }),
    NO_PROXY: [...new Set(entries)].join(','),
  };
};
