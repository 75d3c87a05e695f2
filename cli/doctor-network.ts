/** What `agentpr doctor` says of the ways out of this network, each of which it tries (O9). */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { failedLine, passedLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import type { WorkConfig } from '../app/config.ts';
import { credentialsOf } from '../app/github-credentials.ts';
import { systemClock } from '../app/clock.ts';
import { enginesOf } from '../app/engine-checks.ts';
import { AGENT_CLIS, credentialsFor, exposeCredentials, isAgent, modelAddress, NO_SETTINGS } from '#engines';
import { createGit, createRemote, gitNetworkTo, parseServerUrl } from '#git';
import { createHttpAgents, proxyFor, proxyName, unreadableEntries } from '#network';
import { makeTemporary } from '../executors/process/temporary-files.ts';
import { networkFaultOf, networkWords, OutsideFailure } from '../orchestrator/ports.ts';
import { failureWords } from './failure-words.ts';
import { joinNetwork } from './join-network.ts';

const PATIENCE_MS = 15_000;

/** Nothing where no proxy is set: then there is one way only. */
export const wayTo = ({ proxies }: Pick<WorkConfig, 'proxies'>, address: string): string => {
  if (proxies.http === null && proxies.https === null) return '';
  const url = new URL(address);
  const proxy = proxyFor(proxies, url);
  return ` (${url.host}, ${proxy === null ? 'directly' : `through the proxy ${proxyName(proxy)}`})`;
};

/** Whether what every request needs is there: readable certificates, and a Node that speaks to proxies. */
export const checkNetworkSetup = (): DoctorCheck[] => {
  try {
    joinNetwork();
    return [];
  } catch (error) {
    return [
      failedLine('network', failureWords(error), 'See docs/configuration.md, “Behind a company proxy”.'),
    ];
  }
};

/** Any answer at all is enough. */
const answers = async (config: WorkConfig, address: string): Promise<void> => {
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

const tried = async (
  config: WorkConfig,
  { name, party, address }: { name: string; party: string; address: string },
): Promise<DoctorCheck> => {
  try {
    await answers(config, address);
    return passedLine(name, `${party} answers${wayTo(config, address) || ` (${new URL(address).host})`}`);
  } catch (error) {
    const fault = networkFaultOf(error);
    return failedLine(
      name,
      fault === null
        ? `${party} (${new URL(address).host}) does not answer: ${failureWords(error)}`
        : networkWords(`${party} (${new URL(address).host})`, fault),
      'Look at its address, and at the network of this host.',
    );
  }
};

const modelsOf = (config: WorkConfig): { name: string; party: string; address: string }[] =>
  enginesOf(config).flatMap((name) => {
    if (!isAgent(name)) return [];
    const { lends } = AGENT_CLIS[name];
    const settings = config.file.engines[name] ?? NO_SETTINGS;
    const { env } = credentialsFor(name, settings, config.operator);
    const lent = exposeCredentials(lends, env, settings.args, []);
    const [host] = lends.hosts ?? [];
    const address = modelAddress(lends, lent) ?? (host === undefined ? null : `https://${host}`);
    if (address === null || URL.parse(address) === null) return [];
    return [{ name: `${name} model`, party: 'The provider of the model', address }];
  });

/** Git is another program, with a list of certificates of its own: it is asked by itself. */
const gitReaches = async (config: WorkConfig): Promise<DoctorCheck> => {
  const { serverUrl } = config.github;
  const scratch = makeTemporary('agentpr-doctor-');
  try {
    const { scheme } = parseServerUrl(serverUrl);
    const outside = gitNetworkTo(serverUrl, config, join(scratch, 'certificates.pem'));
    const credentials = credentialsOf(config, systemClock);
    const remote = createRemote({
      git: createGit(scheme, outside),
      serverUrl,
      askpass: join(scratch, 'askpass'),
      credential: (repo) => credentials.token(repo),
      told: () => Promise.resolve(null),
    });
    const nowhere = { name: 'agentpr/doctor', cloneUrl: `${serverUrl}/agentpr/doctor.git` };
    await remote.head(scratch, nowhere, 'main');
    return passedLine('git', `reaches ${serverUrl}${wayTo(config, serverUrl)}`);
  } catch (error) {
    // That this repository is not there was said by the code host.
    if (error instanceof OutsideFailure && error.class === 'repository_missing')
      return passedLine('git', `reaches ${serverUrl}${wayTo(config, serverUrl)}`);
    return failedLine(
      'git',
      failureWords(error),
      'Git must reach the code host as the API does: look at HTTPS_PROXY and certificates.',
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

const proxySettings = ({ proxies }: WorkConfig): DoctorCheck[] => {
  const names = [...new Set([proxies.https, proxies.http].filter((one) => one !== null))];
  if (names.length === 0) return [];
  const says = `left through ${names.map((one) => proxyName(new URL(one))).join(', ')}; directly: this machine${proxies.direct.map((entry) => `, ${entry}`).join('')}`;
  const odd = unreadableEntries(proxies);
  return [
    odd.length === 0
      ? passedLine('proxy', says)
      : warningLine(
          'proxy',
          says,
          `NO_PROXY: no host matches ${odd.join(', ')}. Write a name, an address, or a network like 10.0.0.0/8.`,
        ),
  ];
};

export const networkChecks = async (config: WorkConfig): Promise<DoctorCheck[]> => [
  ...proxySettings(config),
  await gitReaches(config),
  ...(await Promise.all(
    [
      ...modelsOf(config),
      ...(config.traces
        ? [{ name: 'traces', party: 'The receiver of traces', address: config.traces.url }]
        : []),
    ].map((one) => tried(config, one)),
  )),
];
