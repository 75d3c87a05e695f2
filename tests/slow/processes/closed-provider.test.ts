/**
 * E18: a program that sleeps because its provider will not answer for long is ended at once, with the
 * time that the gateway knows; a real process behind the real gateway.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createEngines } from '../../../executors/engines/engines.ts';
import { createGateway } from '../../../executors/gateway/gateway.ts';
import { GatewaySettings } from '../../../executors/gateway/gateway-settings.ts';
import { HOUR, MINUTE } from '#model/values';
import { createBench } from '../../support/agent-round.ts';
import { createProvider } from '../../support/gateway-world.ts';

/** As codex does: asks once, is refused, and sleeps as long as it was told. */
const SLEEPER = `#!${process.execPath}
const [, base] = /base_url="([^"]+)"/.exec(process.argv.join(' ')) ?? [];
console.log(JSON.stringify({ type: 'thread.started', thread_id: 't' }));
fetch(base + '/responses', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.CODEX_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', input: 'x' }),
}).then(() => setInterval(() => {}, 1000));
`;

it.each([
  [429, { 'retry-after': '3600' }],
  [529, { 'retry-after': '3600' }],
])(
  'E18: a provider that answers %d and asks for an hour ends the turn, until then',
  async (status, headers) => {
    const provider = await createProvider((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end('{"error":{"message":"slow down","code":"rate_limit_exceeded"}}');
    });
    const dir = mkdtempSync(join(tmpdir(), 'agentpr-sleeper-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const command = join(dir, 'codex');
    writeFileSync(command, SLEEPER);
    chmodSync(command, 0o755);
    const gateway = createGateway({});
    onTestFinished(() => gateway.close());
    const env = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${provider.url}/v1` };
    let asks: string | null | undefined;
    const bench = await createBench(
      ({ lent: _, ...deps }) => {
        const ways = { gateway, settings: GatewaySettings.parse({}), network: 'listed' as const };
        const { codex } = createEngines(
          { ...deps, ways },
          { env, home: '/nowhere' },
          {
            codex: { command, args: [], env: [] },
          },
        );
        asks = codex.provider?.([]);
        return codex;
      },
      () => ({}),
      'group',
    );
    const began = Date.now();
    const done = await bench.run();
    expect(asks).toBe(new URL(provider.url).host);
    expect(done.failure).toMatchObject({ class: 'rate_limited' });
    expect(done.failure?.retryAt).toBeGreaterThan(began + HOUR - MINUTE);
    expect(provider.heard).toHaveLength(1);
  },
);
