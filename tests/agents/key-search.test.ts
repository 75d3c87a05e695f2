/**
 * E16: thirty ways of looking for the operator's key from inside the box of a real agent find it
 * nowhere; where the key is lent, the same search does find it. Skipped where no agent is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { createEngines } from '../../executors/engines/engines.ts';
import { createGateway, type ModelGateway } from '../../executors/gateway/gateway.ts';
import { registryNames } from '../../executors/gateway/registry-names.ts';
import { GatewaySettings } from '../../executors/gateway/gateway-settings.ts';
import type { EngineExecutor } from '#ports/processes';
import { createBench, MEND } from '../support/agent-round.ts';
import { createFakeModel, type FakeModel } from '../support/fake-model.ts';
import { AGENTS_PATH, withAgent } from '../support/installed-agents.ts';
import { SCRIPTED_AGENTS } from '../support/scripted-agents.ts';
import { WAYS_TO_LOOK } from './ways-to-look.ts';

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
const KEY = 'sk-operator-9hT3xQm7Wc2Zr8Lb5Vn4Yk6P';
const FORMS = [
  KEY,
  [...KEY].reverse().join(''),
  Buffer.from(KEY).toString('hex'),
  // Whatever stands before it, some 18 bytes of it fall on a border of three.
  ...[0, 1, 2].map((skip) => Buffer.from(KEY.slice(skip, skip + 18)).toString('base64')),
];
/** Half of a key is a find as well. */
const isIn = (bytes: Buffer): boolean =>
  [...FORMS, KEY.slice(4, 20), KEY.slice(-16)].some((form) => bytes.includes(form));

const AGENTS = ['codex', 'claude', 'opencode'] as const;

let model: FakeModel;
let gateway: ModelGateway;
beforeAll(async () => {
  model = await createFakeModel();
  gateway = createGateway({
    listed: { hosts: [], privateHosts: [], registries: registryNames(), pass: {} },
  });
});
afterAll(async () => {
  await gateway.close();
  await model.close();
});

const names = Object.keys(WAYS_TO_LOOK);
/** Its output lies in a file, because agents shorten what they tell their models. */
const looked = (name: string, text: string): string =>
  `( ${text}\n) >'look-${name}.bin' 2>&1 </dev/null; wc -c 'look-${name}.bin'`;

describe.each(AGENTS)('the operator’s key, searched for by the real %s', (name) => {
  const { env, args } = SCRIPTED_AGENTS[name];
  const { program, test } = withAgent(name);

  /** By which ways it was found, and which of them had no output at all. */
  const search = async (isBehind: boolean, ways: readonly string[]) => {
    const settings = GatewaySettings.parse({});
    const { run, at } = await createBench(
      ({ sandbox }): EngineExecutor =>
        createEngines(
          {
            sandbox,
            tools: [path.dirname(process.execPath)],
            ...(isBehind ? { ways: { gateway, settings, network: 'listed' } } : {}),
          },
          { env: { ...env(model.url, KEY), PATH: AGENTS_PATH }, home: '/nonexistent' },
          { [name]: { command: program?.file, args, env: [] } },
        )[name],
      () => ({}),
    );
    const before = model.requests.length;
    const looks = ways.map((way) => ({ run: looked(way, WAYS_TO_LOOK[way] ?? '') }));
    model.plays({ run: MEND }, ...looks, REPORT);
    const done = await run({ timeoutMs: 280_000 });
    expect(done).toMatchObject({ outcome: 'completed', failure: null });
    const file = (way: string): string => path.join(at.workspace, `look-${way}.bin`);
    const read = (way: string): Buffer => (existsSync(file(way)) ? readFileSync(file(way)) : Buffer.alloc(0));
    const said = Buffer.from(JSON.stringify(model.requests.slice(before).map(({ body }) => body)));
    return {
      found: [...ways.filter((way) => isIn(read(way))), ...(isIn(said) ? ['what its model was told'] : [])],
      empty: ways.filter((way) => read(way).length === 0),
      token: ways.filter((way) => read(way).includes('agentpr-')),
    };
  };

  test('E16: is found by none of thirty ways; the token of the attempt is, so that they do look', async () => {
    const { found, empty, token } = await search(true, names);
    console.log(`${name}: ${names.length} ways, key found by ${found.length}, token by ${token.length}`);
    console.log(`${name}: no output at all: ${empty.join(', ') || 'none'}`);
    expect(found).toEqual([]);
    expect(token.length).toBeGreaterThan(2);
    expect(names.length).toBeGreaterThanOrEqual(30);
  }, 5);

  test('is found where it is lent: the search is not blind', async () => {
    const { found } = await search(false, ['own-environment', 'environments', 'memory']);
    console.log(`${name}: lent, found by ${found.join(', ')}`);
    expect(found).toContain('environments');
  }, 5);
});
