/** Checks each configured route out of this network (O9). */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import type { LanguageTexts } from '#language';
import { OutsideFailure } from '#ports/forge';
import { createHttpAgents, findProxyForUrl, formatProxyAddress, invalidNoProxyEntries } from '#network';
import { createGit, createRemote, gitNetworkTo, parseServerUrl } from '#git';
import { makeTemporaryDirectory } from '#process';
import {
  AGENT_CLIS,
  credentialsFor,
  selectCredentials,
  isAgentEngine,
  findModelAddress,
  NO_SETTINGS,
} from '#engines';
import { systemClock } from '../clock.ts';
import type { WorkConfig } from '../config.ts';
import { describeFailure, findNetworkFault } from '../describe-failure.ts';
import { createConfiguredForge } from '../forges.ts';
import { listConfiguredEngines } from './engines.ts';
import { failedResult, goodResult, warningResult, type HostResult } from './host-result.ts';

const PATIENCE_MS = 15_000;

export const findProxyRoute = (
  { proxies }: Pick<WorkConfig, 'proxies'>,
  address: string,
): { host: string; proxy: string | null } | null => {
  if (proxies.http === null && proxies.https === null) return null;
  const url = new URL(address);
  const proxy = findProxyForUrl(proxies, url);
  return { host: url.host, proxy: proxy === null ? null : formatProxyAddress(proxy) };
};

/** Any answer proves the connection. */
const requireAnswer = async (config: WorkConfig, address: string): Promise<void> => {
  const url = new URL(address);
  const agents = createHttpAgents(config.proxies);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const request = (url.protocol === 'http:' ? http : https).get(url, { agent: agents.to(url), signal });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.destroy();
  } finally {
    agents.close();
  }
};

type Receiver = { name: string; party: 'model' | 'traces'; address: string };
const checkReceiver = async (
  { name, party, address }: Receiver,
  config: WorkConfig,
  texts: LanguageTexts,
): Promise<HostResult> => {
  const { host } = new URL(address);
  try {
    await requireAnswer(config, address);
    return goodResult(name, { kind: 'party_answers', party, host, way: findProxyRoute(config, address) });
  } catch (error) {
    return failedResult(name, {
      kind: 'party_silent',
      party,
      host,
      cause: findNetworkFault(texts, host, error) ?? describeFailure(texts, error),
    });
  }
};

const modelsOf = (config: WorkConfig): Receiver[] =>
  listConfiguredEngines(config).flatMap((name) => {
    if (!isAgentEngine(name)) return [];
    const { lends } = AGENT_CLIS[name];
    const settings = config.file.engines[name] ?? NO_SETTINGS;
    const { env } = credentialsFor(name, settings, config.operator);
    const lent = selectCredentials(lends, env, settings.args, []);
    const [host] = lends.hosts ?? [];
    const address = findModelAddress(lends, lent) ?? (host === undefined ? null : `https://${host}`);
    if (address === null || URL.parse(address) === null) return [];
    return [{ name: `${name} model`, party: 'model', address }];
  });

/** Git has its own certificates, so it is checked separately. */
const gitReaches = async (config: WorkConfig, texts: LanguageTexts): Promise<HostResult> => {
  const { serverUrl } = config.github;
  const scratch = makeTemporaryDirectory('agentpr-doctor-');
  try {
    const { scheme } = parseServerUrl(serverUrl);
    const outside = gitNetworkTo(serverUrl, config, join(scratch, 'certificates.pem'));
    const { credentials } = createConfiguredForge(config, systemClock);
    const remote = createRemote({
      git: createGit(scheme, outside),
      serverUrl,
      askpass: join(scratch, 'askpass'),
      credential: (repo) => credentials.token(repo),
      told: () => Promise.resolve(null),
    });
    const nowhere = { name: 'agentpr/doctor', cloneUrl: `${serverUrl}/agentpr/doctor.git` };
    await remote.head(scratch, nowhere, 'main');
    return goodResult('git', { kind: 'git_reaches', url: serverUrl, way: findProxyRoute(config, serverUrl) });
  } catch (error) {
    // An error about the repository proves that the code host was reached.
    if (error instanceof OutsideFailure && error.class === 'repository_missing')
      return goodResult('git', {
        kind: 'git_reaches',
        url: serverUrl,
        way: findProxyRoute(config, serverUrl),
      });
    return failedResult('git', { kind: 'git_away', cause: describeFailure(texts, error) });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const proxySettings = ({ proxies }: WorkConfig): HostResult[] => {
  const names = [...new Set([proxies.https, proxies.http].filter((one) => one !== null))];
  if (names.length === 0) return [];
  const proxiesShown = names.map((one) => formatProxyAddress(new URL(one))).join(', ');
  const unreadable = invalidNoProxyEntries(proxies);
  const check = unreadable.length === 0 ? goodResult : warningResult;
  return [check('proxy', { kind: 'proxy', proxies: proxiesShown, direct: proxies.direct, unreadable })];
};

export const checkNetwork = async (config: WorkConfig, texts: LanguageTexts): Promise<HostResult[]> => [
  ...proxySettings(config),
  await gitReaches(config, texts),
  ...(await Promise.all(
    [
      ...modelsOf(config),
      ...(config.traces ? [{ name: 'traces', party: 'traces' as const, address: config.traces.url }] : []),
    ].map((one) => checkReceiver(one, config, texts)),
  )),
];
