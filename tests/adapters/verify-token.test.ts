/** G9: `agentpr verify` reads what others publish, and keeps the operator's token to the operator's API. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readPullOrEnvelope } from '../../cli/published-pull.ts';

const startHost = async (): Promise<{ address: string; seen: (string | undefined)[] }> => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

it('G9: a link to another host gets no token; the API that the operator names gets it', async () => {
  const { address, seen } = await startHost();
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('GITHUB_TOKEN', 'ghp_of_the_operator');
  const reads = (api?: string): Promise<unknown> =>
    readPullOrEnvelope(`${address}/acme/api/pull/1`, api).catch(() => undefined);
  vi.stubEnv('GITHUB_API_URL', undefined);
  await reads();
  vi.stubEnv('GITHUB_API_URL', 'https://github.example.com/api/v3');
  await reads();
  vi.stubEnv('GITHUB_API_URL', `${address}/api/v3`);
  await reads();
  vi.stubEnv('GITHUB_API_URL', undefined);
  await reads(`${address}/api/v3`);
  const sent = 'Bearer ghp_of_the_operator';
  expect(seen).toEqual([undefined, undefined, sent, sent]);
});
