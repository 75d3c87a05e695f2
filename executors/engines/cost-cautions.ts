/** Warns before a round if its cost cannot be limited (E18). */
import { existsSync } from 'node:fs';
import type { CostCaution } from '#model/targets';
import { type ModelPrices, findModelPrice } from '#gateway';
import { AGENT_CLIS, credentialsFor, type OperatorEnvironment } from './engines.ts';
import {
  isAgentEngine,
  NO_SETTINGS,
  type AgentsSettings,
  type ConfiguredEngineName,
} from './engine-settings.ts';
import { readNamedModel } from './builtin/named-model.ts';
import { resolveProposers } from './shared/resolve-proposers.ts';
import { hasOwnCredential, selectCredentials } from './shared/engine-credentials.ts';
import { findModelProvider } from './shared/model-access.ts';

export type CostSettings = { operator: OperatorEnvironment; engines: AgentsSettings; prices: ModelPrices };

/** Returns why a cost limit has no effect or stops the round at once, or null. */
export const findCostCaution = (
  engine: ConfiguredEngineName,
  engineArgs: readonly string[],
  { operator, engines, prices }: CostSettings,
  proposers: readonly string[] = [],
): CostCaution | null => {
  if (!isAgentEngine(engine)) return null;
  const dialect = AGENT_CLIS[engine];
  const own = engines[engine] ?? NO_SETTINGS;
  const args = [...own.args, ...engineArgs];
  const { env, usual } = credentialsFor(engine, own, operator);
  const lent = selectCredentials(dialect.lends, env, args, own.env);
  const signsIn = own.authFile !== undefined || (!hasOwnCredential(lent) && existsSync(usual));
  if (findModelProvider(dialect.lends, lent, { signsIn }) === null)
    return signsIn && dialect.hidesCost ? { kind: 'no_cost', engine } : null;
  const usualModel = dialect.modelIn?.(args, lent.env) ?? null;
  const named = resolveProposers(proposers, own.proposers ?? []).map(({ model }) =>
    model === null ? usualModel : (readNamedModel(['-m', model])?.model ?? usualModel),
  );
  const models = named.length === 0 ? [usualModel] : named;
  const model = models.find((one) => one !== null && findModelPrice(one, prices) === null) ?? null;
  if (model === null) return null;
  const isUsual = model === dialect.usualModel && !args.some((arg) => arg.includes(model));
  return { kind: 'no_price', engine, model, ...(isUsual && dialect.tried ? { usualOf: dialect.tried } : {}) };
};
