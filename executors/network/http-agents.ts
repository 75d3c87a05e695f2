/** Agents for node:http clients that follow the configured proxies. */
import http from 'node:http';
import https from 'node:https';
import { findProxyForUrl, type ProxySettings } from './proxy-settings.ts';

export type HttpAgents = {
  to(url: URL): http.Agent;
  proxied(url: URL): boolean;
  close(): void;
};

const KEEP_ALIVE_OPTIONS = { keepAlive: true, maxFreeSockets: 8 };

export const createHttpAgents = (proxies: ProxySettings): HttpAgents => {
  const agentsBy = (proxyEnv: Record<string, string>) => ({
    plain: new http.Agent({ ...KEEP_ALIVE_OPTIONS, proxyEnv }),
    secure: new https.Agent({ ...KEEP_ALIVE_OPTIONS, proxyEnv }),
  });
  const direct = agentsBy({});
  const through = agentsBy({
    ...(proxies.http === null ? {} : { HTTP_PROXY: proxies.http }),
    ...(proxies.https === null ? {} : { HTTPS_PROXY: proxies.https }),
  });
  return {
    to: (url) => {
      const { plain, secure } = findProxyForUrl(proxies, url) === null ? direct : through;
      return url.protocol === 'http:' ? plain : secure;
    },
    proxied: (url) => findProxyForUrl(proxies, url) !== null,
    close: () => {
      for (const agent of [direct.plain, direct.secure, through.plain, through.secure]) agent.destroy();
    },
  };
};
