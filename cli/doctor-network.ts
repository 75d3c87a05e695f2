/** O9: checks each configured route out of this network. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { failureLine, goodLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import type { WorkConfig } from '../app/config.ts';
import { forgeIn } from '../app/forges.ts';
import { systemClock } from '../app/clock.ts';
import { enginesOf } from '../app/engine-checks.ts';
import { AGENT_CLIS, credentialsFor, exposeCredentials, isAgent, modelAddress, NO_SETTINGS } from '#engines';
import { createGit, createRemote, gitNetworkTo, parseServerUrl } from '#git';
import { createHttpAgents, proxyFor, proxyName, unreadableEntries } from '#network';
import { makeTemporary } from '#process';
import { OutsideFailure } from '#ports/forge';
import { failureWords, wayFault } from './failure-words.ts';
import { joinNetwork } from './join-network.ts';

const PATIENCE_MS = 15_000;

export const wayTo = (
  { proxies }: Pick<WorkConfig, 'proxies'>,
  address: string,
): { host: string; proxy: string | null } | null => {
  if (proxies.http === null && proxies.https === null) return null;
  const url = new URL(address);
  const proxy = proxyFor(proxies, url);
  return { host: url.host, proxy: proxy === null ? null : proxyName(proxy) };
};

export const checkNetworkSetup = (): DoctorCheck[] => {
  try {
    joinNetwork();
    return [];
  } catch (error) {
    return [failureLine('network', { kind: 'network_broken', cause: failureWords(error) })];
  }
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
  config: WorkConfig,
  { name, party, address }: Receiver,
): Promise<DoctorCheck> => {
  const { host } = new URL(address);
  try {
    await requireAnswer(config, address);
    return goodLine(name, { kind: 'party_answers', party, host, way: wayTo(config, address) });
  } catch (error) {
    return failureLine(name, {
      kind: 'party_silent',
      party,
      host,
      cause: wayFault(host, error) ?? failureWords(error),
    });
  }
};

const modelsOf = (config: WorkConfig): Receiver[] =>
  enginesOf(config).flatMap((name) => {
    if (!isAgent(name)) return [];
    const { lends } = AGENT_CLIS[name];
    const settings = config.file.engines[name] ?? NO_SETTINGS;
    const { env } = credentialsFor(name, settings, config.operator);
    const lent = exposeCredentials(lends, env, settings.args, []);
    const [host] = lends.hosts ?? [];
    const address = modelAddress(lends, lent) ?? (host === undefined ? null : `https://${host}`);
    if (address === null || URL.parse(address) === null) return [];
    return [{ name: `${name} model`, party: 'model', address }];
  });

/** Git has its own certificates, so it is checked separately. */
const gitReaches = async (config: WorkConfig): Promise<DoctorCheck> => {
  const { serverUrl } = config.github;
  const scratch = makeTemporary('agentpr-doctor-');
  try {
    const { scheme } = parseServerUrl(serverUrl);
    const outside = gitNetworkTo(serverUrl, config, join(scratch, 'certificates.pem'));
    const { credentials } = forgeIn(config, systemClock);
    const remote = createRemote({
      git: createGit(scheme, outside),
      serverUrl,
      askpass: join(scratch, 'askpass'),
      credential: (repo) => credentials.token(repo),
      told: () => Promise.resolve(null),
    });
    const nowhere = { name: 'agentpr/doctor', cloneUrl: `${serverUrl}/agentpr/doctor.git` };
    await remote.head(scratch, nowhere, 'main');
    return goodLine('git', { kind: 'git_reaches', url: serverUrl, way: wayTo(config, serverUrl) });
  } catch (error) {
    // An error about the repository proves that the code host was reached.
    if (error instanceof OutsideFailure && error.class === 'repository_missing')
      return goodLine('git', { kind: 'git_reaches', url: serverUrl, way: wayTo(config, serverUrl) });
    return failureLine('git', { kind: 'git_away', cause: failureWords(error) });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const proxySettings = ({ proxies }: WorkConfig): DoctorCheck[] => {
  const names = [...new Set([proxies.https, proxies.http].filter((one) => one !== null))];
  if (names.length === 0) return [];
  const proxiesShown = names.map((one) => proxyName(new URL(one))).join(', ');
  const unreadable = unreadableEntries(proxies);
  const check = unreadable.length === 0 ? goodLine : warningLine;
  return [check('proxy', { kind: 'proxy', proxies: proxiesShown, direct: proxies.direct, unreadable })];
};

export const networkChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => [
  ...proxySettings(config),
  await gitReaches(config),
  ...(await Promise.all(
    [
      ...modelsOf(config),
      ...(config.traces ? [{ name: 'traces', party: 'traces' as const, address: config.traces.url }] : []),
    ].map((one) => checkReceiver(config, one)),
  )),
];
