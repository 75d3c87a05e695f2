/** Finds the proxy or certificate behind a client's error, so that no other party is blamed. */
import { canCaListHelp, type HostRefusal } from '#model/failure';
import { OutsideFailure } from '#ports/forge';

const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is signed by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'it is signed by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is signed by an authority that this machine does not know',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority signed itself, and this machine does not know it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed itself',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet; look at the clock of this machine',
  CERT_REVOKED: 'it was revoked',
  CERT_UNTRUSTED: 'its authority is not trusted',
  CERT_REJECTED: 'its authority is not trusted',
  INVALID_CA: 'its authority may sign none',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
  HOSTNAME_MISMATCH: 'it is for another name',
};

/** Messages of git's libcurl with OpenSSL or GnuTLS. */
const GIT_CERTIFICATE: readonly (readonly [RegExp, string])[] = [
  [/certificate has expired|certificate expired/i, 'CERT_HAS_EXPIRED'],
  [/not yet valid|not activated/i, 'CERT_NOT_YET_VALID'],
  [/no alternative certificate subject name|does not match target host/i, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  [
    /SSL certificate problem|certificate verification failed|SSL certificate verification/i,
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ],
  [/error setting certificate (verify locations|file)/i, 'UNABLE_TO_GET_ISSUER_CERT'],
];
const PROXY_STATUS =
  /Proxy response \((\d{3})\)|Failed to establish tunnel[^]{0,400}HTTP\/1\.\d (\d{3})|CONNECT tunnel failed, response (\d{3})|HTTP code (\d{3}) from proxy|The requested URL returned error: (407)\b/;
const NOT_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Proxies of this process (`host:port`); a connection error contains an address only. */
let proxies: readonly string[] = [];
export const setKnownProxies = (names: readonly string[]): void => void (proxies = names);

type Read = { code: string; message: string; address: string; port: number | null; host: string | null };
/** Some clients attach the request to the error; git puts the address into the message. */
const hostOf = (error: Error & Record<string, unknown>): string | null => {
  const { request } = error;
  const asked =
    typeof request === 'object' && request !== null && 'url' in request ? String(request.url) : '';
  return /https?:\/\/(?:[^\s/@]*@)?([^\s/'"@]+)/.exec(`${asked} ${error.message}`)?.[1] ?? null;
};
const readError = (error: Error): Read => {
  const known = error as Error & Record<string, unknown>;
  const { code, address, hostname, port } = known;
  return {
    host: hostOf(known),
    code: typeof code === 'string' ? code : '',
    message: error.message,
    address: typeof hostname === 'string' ? hostname : typeof address === 'string' ? address : '',
    port: typeof port === 'number' ? port : null,
  };
};

const chainOf = (error: unknown): Read[] => {
  const chain: Read[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && chain.length < 20) {
    const one = open.shift();
    if (!(one instanceof Error)) continue;
    chain.push(readError(one));
    open.push(one.cause, 'error' in one ? one.error : null);
    if (one instanceof AggregateError) open.push(...(one.errors as unknown[]));
  }
  return chain;
};

/** The error may hold the proxy's resolved address, so a matching port is enough then. */
const proxyAt = ({ address, port, message }: Read): string | null =>
  proxies.find((name) => {
    const at = name.lastIndexOf(':');
    const [host, proxyPort] = [name.slice(0, at), name.slice(at + 1)];
    if (address === host || message.includes(name) || message.includes(`${host} port ${proxyPort} `))
      return true;
    if (/ENOTFOUND|EAI_AGAIN/.test(message)) return message.endsWith(` ${host}`);
    return (port !== null && proxyPort === String(port)) || message.endsWith(`:${proxyPort}`);
  }) ?? null;

const proxyFault = (status: number | null, proxy: string | null): HostRefusal => ({
  kind: proxyKind(status),
  ...(proxy === null ? {} : { proxy: proxy.slice(0, 200) }),
  ...(status === null ? {} : { status }),
});

const faultIn = (one: Read): HostRefusal | null => {
  const { code, message } = one;
  const status = PROXY_STATUS.exec(message)?.slice(1).find(Boolean);
  if (status !== undefined || code === 'ERR_PROXY_TUNNEL')
    return proxyFault(status === undefined ? null : Number(status), proxies[0] ?? null);
  if (/could not resolve proxy|proxy connect aborted/i.test(message))
    return proxyFault(null, proxies[0] ?? null);
  const known = code in CERTIFICATE_PROBLEMS ? code : null;
  const said = known ?? GIT_CERTIFICATE.find(([pattern]) => pattern.test(message))?.[1];
  if (said !== undefined) return { kind: 'certificate_untrusted', code: said.slice(0, 60) };
  const isConnection =
    NOT_REACHED.includes(code) || /failed to connect to|couldn't connect to/i.test(message);
  const proxy = isConnection ? proxyAt(one) : null;
  return proxy === null ? null : proxyFault(null, proxy);
};

const UNCONNECTED = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  'UND_ERR_CONNECT_TIMEOUT',
];

/** True when no connection was made, so the request cannot have arrived. */
export const wasNeverConnected = (error: unknown): boolean =>
  networkFaultOf(error) !== null || chainOf(error).some(({ code }) => UNCONNECTED.includes(code));

/** Returns null when neither a proxy nor a certificate is to blame. */
export const networkFaultOf = (error: unknown): HostRefusal | null => {
  const chain = chainOf(error);
  const host = chain.find((one) => one.host !== null)?.host ?? null;
  for (const one of chain) {
    const fault = faultIn(one);
    if (fault === null) continue;
    const isNamed = fault.kind === 'certificate_untrusted' && host !== null;
    return isNamed ? { ...fault, host: host.slice(0, 200) } : fault;
  }
  return null;
};

/** Codes of Node and the system; messages of git and libcurl. First match wins. */
const LOST: readonly (readonly [RegExp, HostRefusal['kind']])[] = [
  [/ENOTFOUND|EAI_AGAIN|could not resolve host/i, 'name_not_found'],
  [/ECONNREFUSED|connection refused/i, 'connection_refused'],
  [/ETIMEDOUT|_TIMEOUT\b|TimeoutError|timed? ?out/i, 'no_answer'],
  [
    /ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|socket hang up|other side closed|terminated|connection reset|empty reply|early eof|hung up unexpectedly|unexpected disconnect/i,
    'connection_lost',
  ],
];
const findLostWay = (error: unknown): HostRefusal | null => {
  const said = chainOf(error).map(({ code, message }) => `${code} ${message}`);
  if (error instanceof Error) said.push(error.name);
  const [, kind] = LOST.find(([pattern]) => said.some((one) => pattern.test(one))) ?? [];
  return kind === undefined ? null : { kind };
};

const proxyKind = (status: number | null): HostRefusal['kind'] =>
  status === null
    ? 'proxy_unreached'
    : status === 407
      ? 'proxy_wants_sign_in'
      : status >= 500
        ? 'proxy_gets_no_answer'
        : 'proxy_forbids';

export const findNetworkRefusal = (error: unknown): HostRefusal | null =>
  networkFaultOf(error) ?? findLostWay(error);

const certificateWords = (party: string, { code = '', host }: HostRefusal): string => {
  const todo = canCaListHelp(code)
    ? 'If your company has an authority of its own, or a proxy that opens TLS, let NODE_EXTRA_CA_CERTS name a file with its certificate (PEM), and start AgentPR again.'
    : 'Ask the people who run that host, or the proxy in front of it, to fix it.';
  return `The certificate of ${party}${host === undefined ? '' : ` (${host})`} is not accepted: ${CERTIFICATE_PROBLEMS[code] ?? 'unknown'} (${code}). ${todo}`;
};

const proxyWords = (party: string, { status, proxy }: HostRefusal): string => {
  const name = `The proxy${proxy === undefined ? '' : ` ${proxy}`} (HTTPS_PROXY)`;
  if (status === undefined)
    return `${name} cannot be reached, so neither can ${party}. Look at its address and port; hosts that need no proxy belong into NO_PROXY.`;
  if (status === 407)
    return `${name} wants a user and a password that it accepts (407). Write them into its address: http://user:password@host:port, with %40 for an @.`;
  if (status >= 500)
    return `${name} could not connect to ${party} (${status}). If it needs no proxy, add it to NO_PROXY.`;
  return `${name} does not let us through to ${party} (${status}). Ask for it to be allowed there, or add it to NO_PROXY.`;
};

export const networkWords = (party: string, fault: HostRefusal): string =>
  fault.kind === 'certificate_untrusted' ? certificateWords(party, fault) : proxyWords(party, fault);

/**
 * A certificate or a refusing proxy needs a person; an unreachable proxy may come back. Null when
 * neither is to blame. `party` is left out for the code host.
 */
export const networkFailureOf = (name: string, error: unknown, party?: 'chat'): OutsideFailure | null => {
  const fault = networkFaultOf(error);
  if (fault === null) return null;
  const detail = { ...fault, ...(party && { party }) };
  const stays = fault.kind === 'proxy_wants_sign_in' || fault.kind === 'proxy_forbids';
  const unreached = party === 'chat' ? 'chat_unavailable' : 'forge_unavailable';
  return new OutsideFailure(
    fault.kind === 'certificate_untrusted' ? fault.kind : stays ? 'proxy_refused' : unreached,
    networkWords(name, fault),
    { detail },
  );
};
