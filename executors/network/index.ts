/** Proxies and certificates of the installation, for HTTP and for git. */
export { findGitCertificates, readCertificateVariables, type NamedCertificates } from './certificates.ts';
export { connectThroughProxy } from './connect-through-proxy.ts';
export { createHttpAgents, type HttpAgents } from './http-agents.ts';
export { installNetwork } from './install-network.ts';
export {
  NO_PROXIES,
  findProxyForUrl,
  formatProxyAddress,
  type ProxySettings,
  readProxies,
  invalidNoProxyEntries,
} from './proxy-settings.ts';
