/** Merges runtime settings from the chat with the host's configuration. */
import type { EngineParts } from '../bot/commands/command-context.ts';
import { ENGINE_NAMES } from '#engines';
import { trialIn, createRuntimeSettings, type SettingsHost, type RuntimeSettings } from '#settings';
import { RunBounds } from '#model/limits';
import { MINUTE } from '#model/values';
import type { EffectContext } from '#kernel';
import type { Ledger } from '#ports/ledger';
import type { WorkConfig } from './config.ts';
import { skillVersions } from './skills.ts';

export const USUAL_PROMPTS = 'v3';

export const hostOf = ({ engine, file }: Pick<WorkConfig, 'engine' | 'file'>): SettingsHost => {
  const { maxParallelRuns, maxRunsPerDay } = file;
  const bounds = RunBounds.parse(file.bounds);
  return {
    base: {
      engine,
      promptVersion: USUAL_PROMPTS,
      trialPercent: null,
      bounds,
      maxParallelRuns,
      maxRunsPerDay,
    },
    limits: { engines: ENGINE_NAMES, prompts: skillVersions(), parallel: maxParallelRuns },
  };
};
export const openRuntimeSettings = (config: WorkConfig, ledger: Ledger): Promise<RuntimeSettings> =>
  createRuntimeSettings({ ledger, ...hostOf(config) });

/** Getters, so that changes apply at once. */
export const effectSettings = (
  { file }: WorkConfig,
  runtimeSettings: RuntimeSettings,
): EffectContext['settings'] => ({
  get maxParallelRuns() {
    return runtimeSettings.now().maxParallelRuns;
  },
  get maxRunsPerDay() {
    return runtimeSettings.now().maxRunsPerDay;
  },
  policies: file.policies,
  forks: file.forks,
  pull: file.pull,
  author: file.author,
  checkTimeoutMs: file.checkTimeoutMinutes * MINUTE,
});

export const defaultsOf = (
  { file }: WorkConfig,
  runtimeSettings: RuntimeSettings,
): EngineParts['defaults'] => ({
  get engine() {
    return runtimeSettings.now().engine;
  },
  script: file.script ? [file.script] : [],
  get bounds() {
    return runtimeSettings.now().bounds;
  },
  get promptVersion() {
    return runtimeSettings.now().promptVersion;
  },
  get trial() {
    return trialIn(runtimeSettings.now(), runtimeSettings.limits);
  },
});
