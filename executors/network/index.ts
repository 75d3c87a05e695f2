/** Proxies and certificates of the installation, for HTTP and for git. */
export { gitCertificates, readCertificateVariables, type NamedCertificates } from './certificates.ts';
export { connectThrough } from './connect-through.ts';
export { createHttpAgents, type HttpAgents } from './http-agents.ts';
export { installNetwork } from './install-network.ts';
export {
  NO_PROXIES,
  proxyFor,
  proxyName,
  type ProxySettings,
  readProxies,
  unreadableEntries,
} from './proxy-settings.ts';
