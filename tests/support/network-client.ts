/**
 * Joins the network of each case in turn, requests its addresses with its HTTP clients, and prints the
 * results as JSON.
 */
import { Api } from 'grammy/web';
import { createBucket } from '../../app/s3-bucket.ts';
import { createClientOptions } from '../../bot/telegram-client.ts';
import { applyProxySettings } from '../../cli/apply-proxy-settings.ts';
import { createHttpAgents, type HttpAgents } from '../../executors/network/http-agents.ts';
import { findProxyForUrl, readProxies } from '../../executors/network/proxy-settings.ts';
import { sendUpstreamRequest } from '../../executors/gateway/upstream-request.ts';
import { createOctokit } from '../../forge/octokit.ts';
import { networkFailureOf } from '../../orchestrator/network-faults/network-fault.ts';

const clock = { now: () => Date.now() };
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

type Ask = (address: string, agents: HttpAgents) => Promise<unknown>;
const CLIENTS: Readonly<Record<string, Ask>> = {
  fetch: (address) => fetch(address, { signal: signal() }),
  octokit: (address) => createOctokit(address).request('GET /user', { request: { signal: signal() } }),
  grammy: (address) => new Api('4242:token', createClientOptions(address, 10)).getMe(),
  gateway: (address, agents) =>
    sendUpstreamRequest(agents, new URL(address), {
      method: 'GET',
      headers: {},
      body: null,
      signal: signal(),
    }),
  bucket: (address) =>
    createBucket({ url: `${address}/bucket`, keyId: 'id', secret: 'secret', region: 'r' }, clock).check(),
};

export type NetworkCase = {
  /** Where its `.env` would lie. */
  directory: string;
  env: Readonly<Record<string, string>>;
  clients: readonly string[];
  addresses: readonly string[];
};
/** What each client heard of each address, and the way that was said; or why no network was joined. */
export type NetworkAnswers = { came: Record<string, Record<string, string>>; error: string };

const outer = { ...process.env };
const answersOf = async ({ directory, env, clients, addresses }: NetworkCase): Promise<NetworkAnswers> => {
  for (const name of Object.keys(process.env)) if (!(name in outer)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(directory);
  try {
    applyProxySettings();
  } catch (error) {
    return { came: {}, error: error instanceof Error ? error.message : String(error) };
  }
  const proxies = readProxies(process.env);
  const agents = createHttpAgents(proxies);
  const came: NetworkAnswers['came'] = {};
  for (const address of addresses) {
    const way = findProxyForUrl(proxies, new URL(address)) === null ? 'direct' : 'proxy';
    const answers: Record<string, string> = { way };
    for (const name of clients) {
      try {
        await CLIENTS[name]?.(address, agents);
        answers[name] = 'answered';
      } catch (error) {
        const words = networkFailureOf('the host', error)?.message;
        answers[name] = words ?? (error instanceof Error ? error.message : String(error));
      }
    }
    came[address] = answers;
  }
  agents.close();
  return { came, error: '' };
};

const said: NetworkAnswers[] = [];
for (const one of JSON.parse(process.argv[2] ?? '[]') as NetworkCase[]) said.push(await answersOf(one));
process.stdout.write(JSON.stringify(said), () => process.exit(0));
