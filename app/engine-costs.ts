/** Says before a run starts what an engine costs, what to watch for, and whether it sees pictures. */
import type { EngineParts } from '../bot/commands/command-context.ts';
import { AGENT_CLIS, AGENT_NAMES, findCostCaution, ENGINE_NAMES } from '#engines';
import { priceListVersion, findModelPrice } from '#gateway';
import type { WorkConfig } from './config.ts';

type Settings = Pick<WorkConfig, 'file' | 'operator'>;

export const createEngineCosts = ({ file, operator }: Settings): NonNullable<EngineParts['costs']> => {
  const settings = { operator, engines: file.engines, prices: file.gateway.prices };
  return {
    listOfPrices: priceListVersion,
    cautionOf: (engine, engineArgs, proposers) => {
      const name = ENGINE_NAMES.find((one) => one === engine);
      return name === undefined ? null : findCostCaution(name, engineArgs, settings, proposers);
    },
  };
};

export const createPictureSupportCheck =
  ({ file }: Pick<Settings, 'file'>) =>
  (engine: string): boolean => {
    const name = AGENT_NAMES.find((one) => one === engine);
    return name !== undefined && Boolean(AGENT_CLIS[name].pictures?.(file.engines[name]?.args ?? []));
  };

export const createPriceCheck =
  ({ file }: Pick<Settings, 'file'>) =>
  (model: string): boolean =>
    findModelPrice(model, file.gateway.prices) !== null;
