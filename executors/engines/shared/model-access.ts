/** Gives a round access to its model, by the gateway or by an exposed key (E16). */
import type { EngineRound } from '#ports/processes';
import { NO_USAGE, type ModelUsage } from '#model/reports';
import type { ContainmentLevel, ExposedCredential } from '#model/evidence';
import {
  type BoxNetwork,
  type GatewaySettings,
  type LimitOverrun,
  type ModelGateway,
  openBoxNetwork,
  toBoxNetwork,
} from '#gateway';
import { toPlainLine } from '../../process/plain-text.ts';
import { createDetailedFailure, type EngineFailure } from './engine-failure.ts';
import type { ProviderEndpoint, CredentialNames, selectCredentials } from './engine-credentials.ts';

export type ModelAccessSettings = {
  gateway: ModelGateway;
  settings: GatewaySettings;
  costHolds?: () => boolean;
  network: 'listed' | 'shared';
};

/** The operator configured the address if `own`. */
export type BoxEndpoint = {
  provider: string;
  url: string;
  own: boolean;
  token: string;
  note: (text: string) => void;
};

export type ModelAccess = BoxNetwork & {
  env: Readonly<Record<string, string>>;
  lends: ExposedCredential | null;
  through: BoxEndpoint | null;
  used: () => ModelUsage | null;
  usedBy: (proposer: string) => ModelUsage;
  /** Aborts pending requests; afterwards `used` is final. */
  settle(): Promise<void>;
  /** The provider refuses requests until then (epoch ms); null if it accepts them. */
  closedUntil(): number | null;
  over(): LimitOverrun | null;
  transcript(): string | null;
};

type Lent = ReturnType<typeof selectCredentials>;

const lendsOf = (
  { hasSecret }: Lent,
  { signsIn, key }: { signsIn: boolean; key: string | null },
): ExposedCredential | null => (signsIn ? 'sign_in' : key !== null ? 'key' : hasSecret ? 'secret' : null);

/** Returns null if a key must be exposed. */
const endpointOf = (
  { endpoints = {} }: CredentialNames,
  lent: Lent,
): { provider: string; at: ProviderEndpoint } | null => {
  const provider =
    lent.provider ?? Object.entries(endpoints).find(([, at]) => hasEndpointVariable(at, lent.env))?.[0];
  if (provider === undefined) return null;
  const at = endpoints[provider];
  if (at === undefined) return null;
  // A custom model may need no key.
  const takes = lent.key === null ? hasEndpointVariable(at, lent.env) : at.keys.includes(lent.key);
  return takes ? { provider, at } : null;
};
const hasEndpointVariable = (
  { variable }: ProviderEndpoint,
  env: Readonly<Record<string, string>>,
): boolean => variable !== undefined && env[variable] !== undefined;

const baseOf = (
  { usual, variable, bare }: ProviderEndpoint,
  env: Readonly<Record<string, string>>,
): string => {
  const given = variable === undefined ? undefined : env[variable];
  if (given === undefined) return usual;
  return bare === undefined ? given : `${given.replace(/(?<!\/)\/+$/, '')}${bare}`;
};

export const findModelAddress = (lending: CredentialNames, lent: Lent): string | null => {
  const found = endpointOf(lending, lent);
  return found === null ? null : baseOf(found.at, lent.env);
};

const toGatewayEnv = (
  at: ProviderEndpoint,
  lent: Lent,
  token: string,
  url: string,
): Record<string, string> => ({
  ...lent.env,
  [lent.key ?? at.keys[0]]: token,
  ...(at.variable === undefined ? {} : { [at.variable]: at.bare === undefined ? `${url}/v1` : url }),
});

/** All processes share this host's rate limit; null if the program asks itself. */
export const findModelProvider = (
  lending: CredentialNames,
  lent: Lent,
  { signsIn }: { signsIn: boolean },
): string | null => {
  const found = signsIn ? null : endpointOf(lending, lent);
  return found === null ? null : new URL(baseOf(found.at, lent.env)).host;
};

const OVERRUN_KINDS = {
  tokens: 'run_tokens_used_up',
  cost: 'run_cost_used_up',
  requests: 'model_requests_exceeded',
  perMinute: 'model_requests_too_fast',
  identical: 'model_call_repeated',
} as const;

export const overrunFailure = (over: LimitOverrun): EngineFailure => {
  if (over.spent === 'spending')
    return createDetailedFailure('budget_exceeded', over.says, { kind: 'spending_used_up' });
  if (over.spent !== 'price')
    return createDetailedFailure('budget_exceeded', over.says, {
      kind: OVERRUN_KINDS[over.spent],
      limit: over.limit,
    });
  const model = over.model ? toPlainLine(over.model, 100) : null;
  return { ...createDetailedFailure('price_unknown', over.says, { kind: 'price_unnamed', model }), model };
};

const NO_MODELS = {
  used: () => null,
  usedBy: () => NO_USAGE,
  settle: async () => {},
  closedUntil: () => null,
  over: () => null,
  transcript: () => null,
};

type Box = {
  runId: string;
  level: ContainmentLevel;
  home: string;
  pass: Readonly<Record<string, string>>;
};

type ModelAccessRound = {
  signsIn: boolean;
  left: { tokens: number | null; costUsd: number | null };
  onUsed: () => void;
  onOver: () => void;
  onClosed: (ms: number) => void;
  reserve: EngineRound['reserve'] | undefined;
  settled: EngineRound['settled'] | undefined;
  leftNow: EngineRound['leftNow'] | undefined;
  needsPrice: EngineRound['needsPrice'] | undefined;
  proposers?: readonly string[];
};

const modelsOf = (
  ways: ModelAccessSettings,
  at: NonNullable<ReturnType<typeof endpointOf>>['at'],
  lent: Lent,
  round: ModelAccessRound,
): Parameters<ModelAccessSettings['gateway']['open']>[0]['models'] => {
  const { prices, hosted, ...breakers } = ways.settings;
  return {
    shapes: at.shapes,
    base: baseOf(at, lent.env),
    key: lent.key === null ? null : (lent.env[lent.key] ?? null),
    limits: { ...breakers, ...round.left },
    ...(round.leftNow ? { limitsNow: round.leftNow } : {}),
    proposers: round.proposers ?? [],
    prices,
    hosted,
    costHolds: () => round.needsPrice === true || ways.costHolds?.() === true,
  };
};

/** The gateway calls `onOver` once, after the final refusal. */
export const openModelAccess = async (
  ways: ModelAccessSettings | undefined,
  lending: CredentialNames,
  lent: Lent,
  box: Box,
  round: ModelAccessRound,
): Promise<ModelAccess> => {
  const found = ways === undefined || round.signsIn ? null : endpointOf(lending, lent);
  const network = box.level === 'group' ? 'shared' : (ways?.network ?? 'shared');
  const withoutModels = (open: BoxNetwork): ModelAccess => ({
    ...open,
    ...NO_MODELS,
    env: lent.env,
    through: null,
    lends: lendsOf(lent, { signsIn: round.signsIn, key: lent.key }),
  });
  if (ways === undefined || (found === null && network === 'shared'))
    return withoutModels(await openBoxNetwork(undefined, 'shared', box));
  const opened = await ways.gateway.open({
    runId: box.runId,
    network,
    models: found === null ? null : modelsOf(ways, found.at, lent, round),
    hosts: found === null ? (lending.hosts ?? []) : [],
    onUsed: round.onUsed,
    onOver: round.onOver,
    onClosed: round.onClosed,
    ...(round.reserve ? { reserve: round.reserve } : {}),
    ...(round.settled ? { settled: round.settled } : {}),
  });
  const opening = toBoxNetwork(opened, box);
  const { models, url } = opened;
  if (found === null || models === null) return withoutModels(opening);
  const { provider, at } = found;
  return {
    ...opening,
    env: toGatewayEnv(at, lent, models.token, url),
    through: {
      provider,
      url,
      own: hasEndpointVariable(at, lent.env),
      token: models.token,
      note: models.note,
    },
    // Processes without a box can read the key from our own process.
    lends: lendsOf(lent, { signsIn: false, key: box.level === 'group' ? lent.key : null }),
    used: models.used,
    usedBy: models.usedBy,
    settle: models.settle,
    closedUntil: models.closedUntil,
    over: models.over,
    transcript: models.transcript,
  };
};
