/** E18: what is known of the cost of an engine's rounds before one begins. */
import { existsSync } from 'node:fs';
import type { CostCaution } from '../../orchestrator/core/cost-caution.ts';
import { priceOf, type Prices } from '../gateway/prices.ts';
import {
  AGENTS,
  isAgent,
  lentTo,
  NO_SETTINGS,
  type AgentsSettings,
  type EngineName,
  type Operator,
} from './engines.ts';
import { lendTo } from './shared/lending.ts';
import { providerOf } from './shared/way-out.ts';

export type CostSettings = { operator: Operator; engines: AgentsSettings; prices: Prices };

/** Why a limit of cost comes to nothing there, or stops it at once; null where neither is known. */
export const costCautionOf = (
  engine: EngineName,
  engineArgs: readonly string[],
  { operator, engines, prices }: CostSettings,
): CostCaution | null => {
  if (!isAgent(engine)) return null;
  const dialect = AGENTS[engine];
  const own = engines[engine] ?? NO_SETTINGS;
  const args = [...own.args, ...engineArgs];
  const { env, usual } = lentTo(engine, own, operator);
  const lent = lendTo(dialect.lends, env, args, own.env);
  const signsIn = own.authFile !== undefined || (!lent.hasKey && existsSync(usual));
  if (providerOf(dialect.lends, lent, signsIn) === null)
    return signsIn && dialect.hidesCost ? { kind: 'no_cost', engine } : null;
  const model = dialect.modelIn?.(args, lent.env) ?? null;
  return model === null || priceOf(model, prices) !== null ? null : { kind: 'no_price', engine, model };
};
