/**
 * E18: a real process behind the real gateway asks for a model without a price while its cost is
 * limited; and what is known of that before any process begins.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findCostCaution, type CostSettings } from '../../../executors/engines/cost-cautions.ts';
import { AGENT_CLIS, createEngines } from '../../../executors/engines/engines.ts';
import type { ConfiguredEngineName } from '../../../executors/engines/engine-settings.ts';
import { createGateway } from '../../../executors/gateway/gateway.ts';
import { priceListVersion } from '../../../executors/gateway/model-prices.ts';
import { GatewaySettings } from '../../../executors/gateway/gateway-settings.ts';
import { toProbeLine } from '../../../app/probes/host-result.ts';
import { LANGUAGE_TEXTS } from '#language';
import { checkPriceSettings } from '../../../app/probes/engines.ts';
import { readConfig } from '../../../app/config.ts';
import { createBench } from '../../support/agent-round.ts';
import { createProvider } from '../../support/gateway-world.ts';

const directory = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-prices-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};

/** As codex does: asks by the model that it was given, and fails with what it is told. */
const PROGRAM = `#!${process.execPath}
const line = process.argv.join(' ');
const [, base] = /base_url="([^"]+)"/.exec(line) ?? [];
const [, model = 'gpt-6.1-sol'] = /-m (\\S+)/.exec(line) ?? [];
const say = (event) => console.log(JSON.stringify(event));
say({ type: 'thread.started', thread_id: 't' });
fetch(base + '/responses', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.CODEX_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model, input: 'x' }),
}).then(async (answer) => {
  say({ type: 'turn.failed', error: { message: await answer.text() } });
  process.exitCode = 1;
});
`;

const roundOf = async (prices: object, costUsd: number | null, engineArgs: string[] = []) => {
  const provider = await createProvider((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"wrong key"}}');
  });
  const command = join(directory(), 'codex');
  writeFileSync(command, PROGRAM);
  chmodSync(command, 0o755);
  const gateway = createGateway({});
  onTestFinished(() => gateway.close());
  const env = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${provider.url}/v1` };
  const settings = GatewaySettings.parse({ prices });
  const bench = await createBench(
    ({ lent: _, ...deps }) =>
      createEngines(
        { ...deps, ways: { gateway, settings, network: 'listed' } },
        { env, home: '/nowhere' },
        { codex: { command, args: [], env: [] } },
      ).codex,
    () => ({}),
    'group',
  );
  const done = await bench.run({ engineArgs, left: { tokens: null, costUsd } });
  return { done, asked: provider.heard.filter(({ method }) => method === 'POST').length };
};

it('E18: a model without a price fails by a class of its own and by its name, and nobody is asked', async () => {
  const { done, asked } = await roundOf({}, 5);
  expect(done.failure).toMatchObject({ class: 'price_unknown', model: 'gpt-6.1-sol' });
  expect(done.failure?.message).toContain('gateway.prices');
  expect(asked).toBe(0);
});

it('E18: a name that the box makes up is kept short, on one line', async () => {
  const { done } = await roundOf({}, 5, ['-m', `x${'y'.repeat(180)}`]);
  expect(done.failure?.class).toBe('price_unknown');
  expect(done.failure?.model).toMatch(/^xy{90,99}…?$/);
});

it.each([
  ['a price of the operator’s own', { 'gpt-6.1-sol': { input: 1, output: 2 } }, 5],
  ['no limit of cost', {}, null],
])('E18: with %s the provider is asked', async (_what, prices, costUsd) => {
  const { done, asked } = await roundOf(prices, costUsd);
  expect(asked).toBeGreaterThan(0);
  expect(done.failure?.class).not.toBe('price_unknown');
});

const settings = (
  env: Record<string, string>,
  more: Partial<CostSettings> & { home?: string } = {},
): CostSettings => ({
  operator: { env, home: more.home ?? '/nowhere' },
  engines: {},
  prices: {},
  ...more,
});
const KEYS = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' };
const of = (engine: ConfiguredEngineName, args: string[] = [], more: Partial<CostSettings> = {}, env = {}) =>
  findCostCaution(engine, args, settings({ ...KEYS, ...env }, more));

it('E18: the usual model of codex is known, and has no price', () => {
  const usual = { kind: 'no_price', engine: 'codex', model: 'gpt-6.1-sol', usualOf: '0.169.0' };
  expect(of('codex')).toEqual(usual);
  expect(of('codex', [], { prices: { 'gpt-6.1-sol': { input: 1, output: 1 } } })).toBeNull();
});

it.each<[ConfiguredEngineName, string[], object, string | null]>([
  ['codex', ['-m', 'gpt-6-sol'], {}, null],
  ['codex', ['-m', 'own'], {}, 'own'],
  ['codex', ['-mown'], {}, 'own'],
  ['codex', ['-c', 'model="own"'], {}, 'own'],
  ['codex', ['--config=model=own'], {}, 'own'],
  ['codex', ['-c', "model='own'"], {}, 'own'],
  ['codex', ['-c', 'model="own"', '-m', 'gpt-5'], {}, null],
  ['codex', ['-c', 'model_reasoning_effort="high"'], {}, 'gpt-6.1-sol'],
  ['codex', ['--profile', 'other'], {}, null],
  ['codex', ['-c', 'model_provider="other"'], {}, null],
  ['claude', [], {}, null],
  ['claude', ['--model', 'opus'], {}, null],
  ['claude', ['--model', 'sonnet[1m]'], {}, null],
  ['claude', ['--model', 'claude-new-9'], {}, 'claude-new-9'],
  ['claude', [], { ANTHROPIC_MODEL: 'claude-new-9' }, 'claude-new-9'],
  ['opencode', ['-m', 'openai/gpt-99'], {}, 'openai/gpt-99'],
  ['opencode', ['-m', 'openai/gpt-5'], {}, null],
  ['opencode', [], {}, null],
  ['qwen', ['-m', 'qwen9'], {}, 'qwen9'],
  ['qwen', [], { OPENAI_MODEL: 'qwen9' }, 'qwen9'],
  ['copilot', [], { OPENAI_MODEL: 'gpt-99' }, 'gpt-99'],
  ['builtin', ['-m', 'anthropic/claude-9'], {}, 'claude-9'],
  ['aider', ['--model', 'openai/gpt-99'], {}, 'openai/gpt-99'],
  ['aider', ['--model', 'deepseek'], {}, null],
  ['acp', ['-m', 'own'], {}, null],
  ['script', ['-m', 'own'], {}, null],
])('E18: %s with %j and %j is judged by %j', (engine, args, env, model) => {
  const found = of(engine, args, {}, env);
  expect(found && { ...found, usualOf: undefined }).toEqual(
    model === null ? null : { kind: 'no_price', engine, model },
  );
});

it('E18: an engine that signs in and tells no cost is told apart from one that tells it', () => {
  const home = directory();
  for (const name of ['codex', 'claude'] as const) {
    mkdirSync(join(home, AGENT_CLIS[name].directory), { recursive: true });
    writeFileSync(join(home, AGENT_CLIS[name].directory, AGENT_CLIS[name].signIn), '{}');
  }
  const signedIn = (engine: ConfiguredEngineName) =>
    findCostCaution(engine, [], settings({}, { operator: { env: {}, home } }));
  expect(signedIn('codex')).toEqual({ kind: 'no_cost', engine: 'codex' });
  expect(signedIn('claude')).toBeNull();
});

const doctor = (file: object, env: Record<string, string> = {}) =>
  checkPriceSettings(
    readConfig(
      {
        TELEGRAM_BOT_TOKEN: '1:x',
        TELEGRAM_ADMIN_IDS: '1',
        GITHUB_TOKEN: 'x',
        AGENTPR_ENGINE: 'codex',
        AGENTPR_DATA_DIR: directory(),
        HOME: directory(),
        OPENAI_API_KEY: 'sk-1',
        ...env,
      },
      JSON.stringify(file),
      directory(),
    ),
  ).map((check) => toProbeLine(LANGUAGE_TEXTS.en, check));

it('E18: doctor names the price list, and the model that a limit of cost would stop', () => {
  const [list, cost, ...more] = doctor({ bounds: { maxCostUsd: 5 } });
  expect(list).toMatchObject({ name: 'prices', ok: true, fix: '' });
  expect(list?.says).toContain(priceListVersion());
  expect(cost).toMatchObject({ name: 'codex cost', ok: true });
  expect(cost?.says).toContain(
    'the price of gpt-6.1-sol is not known (version 0.169.0 uses it where no model is named)',
  );
  expect(cost?.fix).toContain('"gateway": {"prices": {"gpt-6.1-sol"');
  expect(more).toEqual([]);
});

it.each([
  ['no limit', {}],
  ['a price', { bounds: { maxCostUsd: 5 }, gateway: { prices: { 'gpt-6.1-sol': { input: 1, output: 1 } } } }],
  ['another model', { bounds: { maxCostUsd: 5 }, engines: { codex: { args: ['-m', 'gpt-6-sol'] } } }],
])('E18: doctor has nothing to say of codex with %s', (_what, file) => {
  expect(doctor(file)).toHaveLength(1);
});
