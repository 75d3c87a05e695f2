/** How git reaches the code host: through the same proxy as all else, trusting the same certificates. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gitCertificates, type NamedCertificates, NO_PROXIES, proxyFor, type ProxySettings } from '#network';

/** The proxy may hold a password, which stays in git's environment; `certificates` is a file. */
export type GitNetwork = { proxy: URL | null; certificates: string | null };

export type OwnNetwork = { proxies: ProxySettings; certificates: readonly NamedCertificates[] };
export const PLAIN_NETWORK: OwnNetwork = { proxies: NO_PROXIES, certificates: [] };

/** `file` is written where certificates were named, because git reads one list only. Throws a sentence. */
export const gitNetworkTo = (
  origin: string,
  { proxies, certificates }: OwnNetwork,
  file: string,
): GitNetwork => {
  const proxy = proxyFor(proxies, new URL(origin));
  const all = gitCertificates(certificates);
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

/** Through the environment, where no argument and no file of a repository shows it. */
export const networkConfig = ({ proxy, certificates }: GitNetwork): [string, string][] => [
  ['http.proxy', proxy?.href.replace(/\/$/, '') ?? ''],
  // Sent at once: git asks without it first, and some proxies hang up then.
  ...(proxy === null || proxy.username === '' ? [] : [['http.proxyAuthMethod', 'basic'] as [string, string]]),
  ...(certificates === null ? [] : [['http.sslCAInfo', certificates] as [string, string]]),
];
