/** Applies proxies and certificates to fetch and every other client of this process. */
import http from 'node:http';
import tls, { rootCertificates } from 'node:tls';
import { readAdditionalCertificates, type NamedCertificates } from './certificates.ts';
import { setKnownProxies } from '#network-faults';
import { nodeProxyEnvironment, formatProxyAddress, type ProxySettings } from './proxy-settings.ts';

const TOO_OLD = 'Start AgentPR with Node 24.14 or newer for that';

/** Throws if this Node cannot use the proxy, so that no request bypasses it. */
export const installNetwork = (input: {
  proxies: ProxySettings;
  certificates: readonly NamedCertificates[];
  known: readonly URL[];
}): void => {
  const { proxies, certificates, known } = input;
  const { version } = process;
  const more = readAdditionalCertificates(certificates);
  if (more.length > 0) {
    if ('setDefaultCACertificates' in tls) trustCertificates([...rootCertificates, ...more]);
    else if (certificates.length > 0)
      throw new Error(
        `${certificates[0]?.variable ?? ''} is set, and Node ${version} cannot add to its certificates. ${TOO_OLD}.`,
      );
  }
  const set = [proxies.https, proxies.http].filter((one) => one !== null);
  setKnownProxies([...new Set(set.map((one) => formatProxyAddress(new URL(one))))]);
  if (set.length === 0) return;
  // guard: O9-proxy-or-nothing
  if (!('setGlobalProxyFromEnv' in http))
    throw new Error(
      `A proxy is set (HTTPS_PROXY), and Node ${version} cannot use one. ${TOO_OLD}, or unset it.`,
    );
  http.setGlobalProxyFromEnv(nodeProxyEnvironment(proxies, known));
};

const trustCertificates = (all: readonly string[]): void => {
  try {
    tls.setDefaultCACertificates(all);
  } catch (error) {
    throw new Error(
      `A file of certificates (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, GIT_SSL_CAINFO, or the system's) holds one that cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      { cause: error },
    );
  }
};
