/** Decides which hosts a box may reach, by name before and by address after resolving. */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { z } from 'zod';

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** `example.com`, `*.example.com` or `10.0.0.7`, with `:port` unless it is 443. */
export const HostPattern = z
  .string()
  .toLowerCase()
  .refine((text) => readPattern(text) !== null, 'a name like example.com, *.example.com or example.com:8443');

type Pattern = { name: string; port: number; below: boolean };
const readPattern = (text: string): Pattern | null => {
  const [, star, name = '', port = '443'] = /^(\*\.)?([^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isName = HOST_NAME.test(name) || (star === undefined && isIP(name) === 4);
  if (!isName || Number(port) < 1 || Number(port) > 65_535) return null;
  return { name, port: Number(port), below: star !== undefined };
};

export type HostPort = { name: string; port: number };

/** Returns null for anything but a plain name or address. */
export const parseHostPort = (text: string): HostPort | null => {
  const pattern = /:\d{1,5}$/.test(text) ? readPattern(text.toLowerCase()) : null;
  return pattern === null || pattern.below ? null : { name: pattern.name, port: pattern.port };
};

export const isListedHost = (patterns: readonly string[], { name, port }: HostPort): boolean =>
  patterns.some((text) => {
    const pattern = readPattern(text);
    if (pattern?.port !== port) return false;
    return pattern.below ? name.endsWith(`.${pattern.name}`) : name === pattern.name;
  });

const INWARD = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
] as const)
  INWARD.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ...([
    ['::', 96],
    ['64:ff9b::', 96],
    ['64:ff9b:1::', 48],
    ['100::', 64],
    ['2001:db8::', 32],
  ] as const),
  ...([
    ['2002::', 16],
    ['2001::', 32],
    ['fc00::', 7],
    ['fe80::', 10],
    ['fec0::', 10],
    ['ff00::', 8],
  ] as const),
] as const)
  INWARD.addSubnet(network, bits, 'ipv6');

export const isPublicAddress = (address: string): boolean => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  if (/^::ffff:/i.test(address)) return false;
  const family = isIP(address);
  return family !== 0 && !INWARD.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

export type ResolveHost = (name: string) => Promise<readonly { address: string; family: number }[]>;
export const resolveBySystem: ResolveHost = (name) =>
  new Promise((resolve, reject) =>
    lookup(name, { all: true, verbatim: true }, (error, found) => (error ? reject(error) : resolve(found))),
  );

export const NOT_PUBLIC = 'ENOTPUBLIC';
type Found = Awaited<ReturnType<ResolveHost>>;

/** Sockets use exactly the checked addresses. */
export const createPinnedLookup =
  (
    resolve: ResolveHost,
    refused: (name: string, found: Found) => Error | null = () => null,
  ): LookupFunction =>
  (name, options, done) => {
    const failLookup = (error: Error): void => (options.all === true ? done(error, []) : done(error, ''));
    const toLookupError = (error: unknown): Error =>
      error instanceof Error ? error : new Error(`${name} is not known`);
    resolve(name).then(
      (found) => {
        const [first] = found;
        const error = first === undefined ? toLookupError(null) : refused(name, found);
        if (first === undefined || error !== null) return failLookup(error ?? toLookupError(null));
        return options.all === true ? done(null, [...found]) : done(null, first.address, first.family);
      },
      (error: unknown) => failLookup(toLookupError(error)),
    );
  };

export const createPublicLookup = (resolve: ResolveHost): LookupFunction =>
  createPinnedLookup(resolve, (name, found) =>
    found.every(({ address }) => isPublicAddress(address))
      ? null
      : Object.assign(new Error(`${name} leads to no public address`), { code: NOT_PUBLIC }),
  );
