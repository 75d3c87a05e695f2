/** Settings that admins may change from the chat, over those of the host. */
import type { BotParts } from '../bot/commands/context.ts';
import { ENGINE_NAMES } from '../executors/engines/engines.ts';
import { Bounds } from '../orchestrator/core/bounds.ts';
import { MINUTE } from '../orchestrator/core/units.ts';
import type { EffectParts } from '../orchestrator/effects/parts.ts';
import { createHouseSettings, type HouseSettings } from '../orchestrator/engine/house-settings.ts';
import type { Ledger } from '../orchestrator/ports.ts';
import type { Config } from './config.ts';

export const openHouse = ({ engine, file }: Config, ledger: Ledger): Promise<HouseSettings> => {
  const { maxParallelRuns, maxRunsPerDay } = file;
  return createHouseSettings({
    ledger,
    base: { engine, bounds: Bounds.parse(file.bounds), maxParallelRuns, maxRunsPerDay },
    limits: { engines: ENGINE_NAMES, parallel: maxParallelRuns },
  });
};

/** What work goes by, as it is when it is read. */
export const settingsOf = ({ file }: Config, house: HouseSettings): EffectParts['settings'] => ({
  get maxParallelRuns() {
    return house.now().maxParallelRuns;
  },
  get maxRunsPerDay() {
    return house.now().maxRunsPerDay;
  },
  policies: file.policies,
  forks: file.forks,
  author: file.author,
  checkTimeoutMs: file.checkTimeoutMinutes * MINUTE,
});

/** What an order gets that says nothing of it. */
export const defaultsOf = ({ file }: Config, house: HouseSettings): BotParts['defaults'] => ({
  get engine() {
    return house.now().engine;
  },
  script: file.script ? [file.script] : [],
  get bounds() {
    return house.now().bounds;
  },
  promptVersion: 'v1',
});
