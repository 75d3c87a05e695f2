/** Finds registry failures in package managers' output, with host and status (E15). */
import type { CommandFailure } from '#model/environment';
import { httpStatusLines } from '#tools/output';
import { knownRegistries } from '#tools/packages';

type Kind = Extract<
  CommandFailure['kind'],
  'registry_refused' | 'registry_down' | 'no_package' | 'bad_certificate' | 'proxy_refuses' | 'no_network'
>;
type RegistryFailure = { kind: Kind; line: string; host?: string; status?: number };

/** HTTP libraries print these for other hosts too. */
const STATUS_OF_ANY_HOST: readonly RegExp[] = [
  /^.*\b(\d{3}) (?:Client|Server) Error: .*\bfor url: .*$/m,
  /^.*\bResponse status code does not indicate success: (\d{3})\b.*$/m,
  /^.*\bRequest failed \((\d{3})\).*$/m,
  /^.*\bThe requested URL returned error: (\d{3})\b.*$/m,
  /^.*\bRequest failed \\?"(\d{3}) .*$/m,
  /^.*\bHTTP status (?:client|server) error \((\d{3})\b.*$/m,
];

const CERTIFICATE =
  /^.*(?:SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_HAS_EXPIRED|[Cc]ertificate verify failed|CERTIFICATE_VERIFY_FAILED|x509: certificate|PKIX path building failed|invalid peer certificate|SSL certificate problem|server certificate verification failed).*$/m;
const PROXY =
  /^.*(?:tunneling socket could not be established|Proxy Authentication Required|HTTP code \d{3} from proxy after CONNECT|Tunnel connection failed: \d{3}|proxyconnect tcp|Cannot connect to proxy).*$/m;
const UNREACHABLE =
  /^.*(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|Temporary failure in name resolution|Could not resolve host|Name or service not known|[Ff]ailed to establish a new connection|no such host|i\/o timeout|[Cc]onnection timed out|UnknownHostException|Unknown host|Could not transfer artifact|error sending request for url|dns error).*$/m;

const isPublicRegistry = (host: string | undefined): host is string =>
  host !== undefined && knownRegistries().hosts.has(host);

const hostOfPath = (path: string): string | undefined => {
  const places = [...knownRegistries().byName.values()].flatMap((row) => [row, ...(row.more ?? [])]);
  const base = places.find((place) => place.path === path)?.base;
  return base === undefined ? undefined : new URL(base).host;
};

/** Our registry proxy names the registry in the path. */
const hostIn = (text: string): string | undefined => {
  for (const [, host = '', door] of text.matchAll(
    /https?:\/\/([\w.:[\]-]{1,200})(?:\/registry\/([\w-]{1,40}))?/g,
  )) {
    const known = door === undefined ? undefined : hostOfPath(door);
    if (known !== undefined) return known;
    if (!/^(?:localhost|127\.|\[::1\])/.test(host)) return host.replace(/:443$/, '');
  }
  return undefined;
};

/** Managers print the address within this distance (characters). */
const MAX_NEARBY_LENGTH = 600;
const hostAround = (text: string, found: RegExpExecArray): string | undefined =>
  hostIn(found[0]) ??
  hostIn(text.slice(found.index, found.index + found[0].length + MAX_NEARBY_LENGTH)) ??
  hostIn(text.slice(Math.max(0, found.index - MAX_NEARBY_LENGTH), found.index));

const kindOf = (status: number): Kind | null => {
  if (status === 404 || status === 410) return 'no_package';
  if (status === 407) return 'proxy_refuses';
  if (status === 429 || status >= 500) return 'registry_down';
  return status >= 400 ? 'registry_refused' : null;
};

const hostFieldOf = (host: string | undefined): { host?: string } => (host === undefined ? {} : { host });

export const findRegistryFailure = (text: string): RegistryFailure | null => {
  const ofManagers = httpStatusLines();
  for (const pattern of [...ofManagers, ...STATUS_OF_ANY_HOST]) {
    const found = pattern.exec(text);
    const status = Number(found?.[1]);
    const kind = found ? kindOf(status) : null;
    if (!found || !kind) continue;
    const host = hostAround(text, found);
    const isSure = ofManagers.includes(pattern) || isPublicRegistry(host);
    if (isSure) return { kind, line: found[0], status, ...hostFieldOf(host) };
  }
  for (const [kind, pattern] of [
    ['proxy_refuses', PROXY],
    ['bad_certificate', CERTIFICATE],
  ] as const) {
    const found = pattern.exec(text);
    const host = found ? hostAround(text, found) : undefined;
    if (found && isPublicRegistry(host)) return { kind, line: found[0], host };
  }
  const found = UNREACHABLE.exec(text);
  const host = found ? hostAround(text, found) : undefined;
  return found && isPublicRegistry(host) ? { kind: 'no_network', line: found[0], host } : null;
};
