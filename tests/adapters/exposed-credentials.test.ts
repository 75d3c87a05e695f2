/** E16: the card names what an agent could read: its key, its sign-in, or another secret of its settings. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { codexCli } from '../../executors/engines/codex/codex.ts';
import { selectCredentials } from '../../executors/engines/shared/engine-credentials.ts';
import { openModelAccess } from '../../executors/engines/shared/model-access.ts';
import { createGateway } from '../../executors/gateway/gateway.ts';
import { GatewaySettings } from '../../executors/gateway/gateway-settings.ts';

const ROUND = {
  signsIn: false,
  left: { tokens: null, costUsd: null },
  onUsed: () => {},
  onOver: () => {},
  onClosed: () => {},
  reserve: undefined,
  settled: undefined,
  leftNow: undefined,
  needsPrice: undefined,
};

const readExposed = async (
  env: Record<string, string>,
  how: { behindGateway: boolean; level?: 'bwrap' | 'group'; signsIn?: boolean },
) => {
  const gateway = createGateway({});
  onTestFinished(() => gateway.close());
  const ways = { gateway, settings: GatewaySettings.parse({}), network: 'listed' as const };
  const home = mkdtempSync(join(tmpdir(), 'agentpr-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const lent = selectCredentials(codexCli.lends, env, [], []);
  const box = {
    runId: '7c2p45',
    level: how.level ?? 'bwrap',
    home,
    pass: {},
  };
  const round = { ...ROUND, signsIn: how.signsIn === true };
  const access = await openModelAccess(
    how.behindGateway ? ways : undefined,
    codexCli.lends,
    lent,
    box,
    round,
  );
  return access.lends;
};

const KEY = { OPENAI_API_KEY: 'sk-x' };
const OTHER = { ISSUES_TOKEN: 'a-token-of-the-issues' };

it.each([
  ['a key behind the gateway', KEY, { behindGateway: true }, null],
  ['a key that is in the box', KEY, { behindGateway: false }, 'key'],
  ['a key behind the gateway, without a box', KEY, { behindGateway: true, level: 'group' }, 'key'],
  [
    'another secret, though the key is behind the gateway',
    { ...KEY, ...OTHER },
    { behindGateway: true },
    'secret',
  ],
  ['another secret without a key', OTHER, { behindGateway: false }, 'secret'],
  ['a setting that is no secret', { ...KEY, EDITOR_MODE: 'fast' }, { behindGateway: true }, null],
  ['a sign-in', {}, { behindGateway: true, signsIn: true }, 'sign_in'],
] as const)('E16: %s', async (_, env, how, exposed) => {
  expect(await readExposed(env, how)).toBe(exposed);
});
