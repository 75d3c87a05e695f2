/**
 * E16: the real coding agents behind the model gateway, in a box without a network, against a
 * scripted model. Skipped where they are not installed.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { AGENT_CLIS as PROGRAMS, createEngines } from '../../executors/engines/engines.ts';
import { createGateway, type ModelGateway } from '../../executors/gateway/gateway.ts';
import { GatewaySettings } from '../../executors/gateway/gateway-settings.ts';
import type { EngineExecutor } from '#ports/processes';
import { BEST, createBench, TEST, type Bench, type Round } from '../support/agent-round.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { AGENTS_PATH, withAgent } from '../support/installed-agents.ts';
import { SCRIPTED_AGENTS } from '../support/scripted-agents.ts';

const REPORT = {
  report: {
    status: 'done',
    summary: 'sum adds now',
    ran: [],
    what: null,
    why: null,
    tested: null,
    type: null,
    breaking: null,
    issue: null,
    note: null,
    replies: [],
  },
};
const KEY = 'sk-operator-4q8Zr1Wm7Tn2Yc5Vb9Xd3Kf6';

const AGENTS = [
  ...(['codex', 'claude', 'claude-ask', 'opencode', 'opencode-acp'] as const),
  ...(['qwen', 'copilot', 'gemini'] as const),
];
/** Some let their model edit in place only what it has read. */
const REWRITE = "echo 'export const sum = (a, b) => a + b;' >sum.js";
/** Those that ask are allowed everything here: the box is what is looked at. */
const ask = () => Promise.resolve({ kind: 'allow' } as const);

let model: FakeModel;
let gateway: ModelGateway;
beforeAll(async () => {
  model = await createFakeModel();
  gateway = createGateway({});
});
afterAll(async () => {
  await gateway.close();
  await model.close();
});

/** Everything that a process of the box can read of itself and its neighbours. */
const SEARCH = String.raw`
{ env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; cat /box/door/* 2>/dev/null;
  grep -rsIl . "$HOME" /tmp /box /etc . 2>/dev/null | head -2000 | xargs -r -d '\n' cat 2>/dev/null;
  ip addr 2>/dev/null; cat /proc/net/dev /proc/net/tcp 2>/dev/null; } >found.bin 2>/dev/null; wc -c found.bin`;

describe.each(AGENTS)('the real %s behind the gateway', (name) => {
  const { env, args } = SCRIPTED_AGENTS[name];
  const called = path.basename(args[1] ?? '');
  const { program, test } = withAgent(PROGRAMS[name].program);
  const settings = GatewaySettings.parse({ prices: { [called]: { input: 1_000, output: 0 } } });
  const bench = (): Promise<Bench> =>
    createBench(
      ({ sandbox }): EngineExecutor =>
        createEngines(
          {
            sandbox,
            tools: [path.dirname(process.execPath)],
            ways: { gateway, settings, network: 'listed' },
          },
          { env: { ...env(model.url, KEY), PATH: AGENTS_PATH }, home: '/nonexistent' },
          { [name]: { command: program?.file, args, env: [] } },
        )[name],
      () => ({}),
    );

  test('E16: completes a turn in a box without a network, and no key is to be found there', async () => {
    const { run, read, at } = await bench();
    model.plays({ run: REWRITE }, { run: TEST }, { run: SEARCH }, REPORT);
    const before = model.requests.length;
    const done = await run({ timeoutMs: 100_000, ask });
    expect(done).toMatchObject({ outcome: 'completed', failure: null, containment: BEST });
    expect(read('sum.js')).toContain('a + b');
    const requests = model.requests.slice(before);
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.every(({ key }) => key === KEY)).toBe(true);
    const found = readFileSync(path.join(at.workspace, 'found.bin'));
    expect(found.length).toBeGreaterThan(1_000);
    expect(found.includes('17117')).toBe(true);
    expect(found.includes(KEY)).toBe(false);
    // By the wire: each answer tells 1200 tokens read and 80 written.
    expect(done.usage).toMatchObject({
      inputTokens: 1200 * requests.length,
      outputTokens: 80 * requests.length,
    });
  });

  test('E6, E16: a cost limit ends the turn with the request that crosses it, for good', async () => {
    const { run } = await bench();
    const limited = async (round: Round) => {
      const before = model.requests.length;
      const done = await run({ timeoutMs: 170_000, ask, ...round });
      return { done, asked: model.requests.length - before };
    };
    model.plays({ run: 'date +%N >>notes.txt' });
    const { done, asked } = await limited({ left: { tokens: null, costUsd: 4 } });
    expect(done.failure).toMatchObject({
      class: 'budget_exceeded',
      message: expect.stringContaining('maxCostUsd') as string,
    });
    // About 1.2 $ each: the fourth crosses the limit, and there is no fifth.
    expect(asked).toBe(4);
    expect(done.usage.costUsd).toBeGreaterThan(4);
    console.log(`${name}: ${asked} requests, ${done.usage.costUsd} $ of 4 $, ${done.end.ms} ms`);
  }, 3);
});
