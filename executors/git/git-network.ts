/** Proxy and certificates that git uses to reach the code host. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  findGitCertificates,
  type NamedCertificates,
  NO_PROXIES,
  findProxyForUrl,
  type ProxySettings,
} from '#network';

/** The proxy may contain a password, so it stays in git's environment. */
export type GitNetwork = { proxy: URL | null; certificates: string | null };

export type OwnNetwork = { proxies: ProxySettings; certificates: readonly NamedCertificates[] };
export const PLAIN_NETWORK: OwnNetwork = { proxies: NO_PROXIES, certificates: [] };

/** Writes `file` if certificates are configured; throws if they are unusable. */
export const gitNetworkTo = (
  origin: string,
  { proxies, certificates }: OwnNetwork,
  file: string,
): GitNetwork => {
  const proxy = findProxyForUrl(proxies, new URL(origin));
  const all = findGitCertificates(certificates);
  if (all === null) {
    rmSync(file, { force: true });
    return { proxy, certificates: null };
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}.new`;
  writeFileSync(made, all, { mode: 0o600 });
  renameSync(made, file);
  return { proxy, certificates: file };
};

export const toNetworkGitConfig = ({ proxy, certificates }: GitNetwork): [string, string][] => [
  ['http.proxy', proxy?.href.replace(/\/$/, '') ?? ''],
  // Some proxies hang up after git's first attempt without credentials.
  ...(proxy === null || proxy.username === '' ? [] : [['http.proxyAuthMethod', 'basic'] as [string, string]]),
  ...(certificates === null ? [] : [['http.sslCAInfo', certificates] as [string, string]]),
];
