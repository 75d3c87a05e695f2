/** Rounds of the built-in engine behind a gateway, with a scripted model. */
import { onTestFinished } from 'vitest';
import { createEngines } from '../../executors/engines/engines.ts';
import { createGateway } from '../../executors/gateway/gateway.ts';
import { GatewaySettings } from '../../executors/gateway/gateway-settings.ts';
import { DEFAULT_POLICY_SETTINGS, type PolicySettings } from '#model/settings';
import type { ContainmentLevel } from '#model/evidence';
import { assessPermission, type PermissionVerdict } from '../../governor/assess-permission-request.ts';
import type { BoxKind } from '../../executors/sandbox/wrap-command.ts';
import type { PermissionAnswer, PermissionRequest, WeighedRequest } from '#ports/processes';
import { createBench, type Bench, type Round } from './agent-round.ts';
import { createFakeModel, type FakeModel } from './fake-model.ts';

export const KEY = 'sk-operator-9w2Kx7Lm4Pn8Qr5T';

const judgedAs = (
  level: ContainmentLevel,
  request: PermissionRequest,
  settings: PolicySettings = DEFAULT_POLICY_SETTINGS,
): PermissionVerdict =>
  assessPermission(request, {
    repo: 'acme/sum',
    requester: null,
    contract: null,
    defaultBranch: 'main',
    openPrs: null,
    containment: level,
    settings,
  });

export const weighed =
  (level: ContainmentLevel, settings?: PolicySettings) =>
  async (request: PermissionRequest): Promise<WeighedRequest> => {
    const verdict = judgedAs(level, request, settings);
    const { governed } = verdict;
    const reason = verdict.kind === 'deny' ? verdict.objections.map((one) => one.policy).join() : null;
    return { verdict: verdict.kind === 'unreadable' ? 'deny' : verdict.kind, reason, governed };
  };

/** Applies the product's policies; `person` answers what they escalate. */
export const governed =
  (level: ContainmentLevel, person: PermissionAnswer) =>
  async (request: PermissionRequest): Promise<PermissionAnswer> => {
    const verdict = judgedAs(level, request);
    if (verdict.kind === 'allow') return verdict;
    if (verdict.kind === 'deny')
      return {
        kind: 'deny',
        reason: verdict.objections.map((one) => one.policy).join(),
        governed: verdict.governed,
      };
    return { ...person, governed: verdict.governed };
  };

export const createBuiltin = async (
  args: readonly string[] = ['-m', 'scripted-model'],
  {
    level = 'group',
    protocol = 'openai',
    limits = {},
    at,
    proposers,
  }: {
    level?: BoxKind;
    protocol?: 'openai' | 'anthropic';
    limits?: Partial<GatewaySettings>;
    at?: string;
    proposers?: { name: string; model?: string; prompt?: string }[];
  } = {},
): Promise<Bench & { model: FakeModel; asked: PermissionRequest[] }> => {
  const model = await createFakeModel();
  const gateway = createGateway({});
  onTestFinished(async () => {
    await gateway.close();
    await model.close();
  });
  const env =
    protocol === 'openai'
      ? { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: at ?? `${model.url}/v1` }
      : { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: model.url };
  const bench = await createBench(
    ({ lent: _, ...deps }) => {
      const settings = { ...GatewaySettings.parse({}), ...limits };
      const ways = { gateway, settings, network: 'listed' as const };
      const own = { args: [...args], env: [], ...(proposers ? { proposers } : {}) };
      return createEngines(
        { ...deps, ways },
        { env: { PATH: process.env.PATH, ...env }, home: '/nowhere' },
        { builtin: own },
      ).builtin;
    },
    () => ({}),
    level,
  );
  const asked: PermissionRequest[] = [];
  const ask = governed(level, { kind: 'allow' });
  const run = (round: Round = {}) =>
    bench.run({
      weigh: weighed(level),
      ...round,
      ask: (request) => {
        asked.push(request);
        return (round.ask ?? ask)(request);
      },
    });
  return { ...bench, run, model, asked };
};

export const call = (name: string, input: unknown) => ({ calls: [{ name, input }] });
export const edit = (path: string, search: string, replace: string) =>
  call('patch', { patch: `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n` });
export const REPORT = { report: { status: 'done', summary: 'sum adds now', ran: [] } };
