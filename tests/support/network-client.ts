/** Requests each address with each HTTP client in use, and prints the results as JSON. */
import { Api } from 'grammy/web';
import { createBucket } from '../../app/s3-bucket.ts';
import { clientTo } from '../../bot/telegram-client.ts';
import { joinNetwork } from '../../cli/apply-proxy-settings.ts';
import { createHttpAgents } from '../../executors/network/http-agents.ts';
import { proxyFor, readProxies } from '../../executors/network/proxy-settings.ts';
import { askUpstream } from '../../executors/gateway/upstream-request.ts';
import { createOctokit } from '../../forge/octokit.ts';
import { networkFailureOf } from '../../orchestrator/network-faults/network-fault.ts';

joinNetwork();
const proxies = readProxies(process.env);
const agents = createHttpAgents(proxies);
const clock = { now: () => Date.now() };
const signal = (): AbortSignal => AbortSignal.timeout(10_000);

const CLIENTS: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
  fetch: (address) => fetch(address, { signal: signal() }),
  octokit: (address) => createOctokit(address).request('GET /user', { request: { signal: signal() } }),
  grammy: (address) => new Api('4242:token', clientTo(address, 10)).getMe(),
  gateway: (address) =>
    askUpstream(agents, new URL(address), { method: 'GET', headers: {}, body: null, signal: signal() }),
  bucket: (address) =>
    createBucket({ url: `${address}/bucket`, keyId: 'id', secret: 'secret', region: 'r' }, clock).check(),
};

const [names = '', ...addresses] = process.argv.slice(2);
const came: Record<string, Record<string, string>> = {};
for (const address of addresses) {
  const way = proxyFor(proxies, new URL(address)) === null ? 'direct' : 'proxy';
  const answers: Record<string, string> = { way };
  for (const name of names.split(',')) {
    process.stderr.write(`>${address} ${name}\n`);
    try {
      await CLIENTS[name]?.(address);
      answers[name] = 'answered';
    } catch (error) {
      const words = networkFailureOf('the host', error)?.message;
      answers[name] = words ?? (error instanceof Error ? error.message : String(error));
    }
  }
  came[address] = answers;
}
agents.close();
process.stdout.write(JSON.stringify(came), () => process.exit(0));
