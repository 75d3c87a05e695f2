/** Merges runtime settings from the chat with the host's configuration. */
import type { EngineParts } from '../bot/commands/command-context.ts';
import { ENGINE_NAMES } from '#engines';
import {
  trialIn,
  createRuntimeSettings,
  type SettingsHost,
  type SettingValues,
  type RuntimeSettings,
} from '#settings';
import type { OpeningCapSettings, OpeningSettings } from '#pacing';
import { type OpeningCaps } from '#model/opening';
import { RunBounds } from '#model/limits';
import type { FileSettings } from './settings-schema.ts';
import { MINUTE } from '#model/values';
import type { EffectContext } from '#kernel';
import type { Ledger } from '#ports/ledger';
import type { WorkConfig } from './config.ts';
import { skillVersions } from './skills.ts';

export const USUAL_PROMPTS = 'v3';

const capsIn = ({ caps: { strangers: _, ...caps } }: Pick<FileSettings, 'caps'>): OpeningCaps => caps;

/** G10: what admins set in the chat holds in place of the file’s. */
export const openingsInForce = (
  { openings: { hours: _, ...openings }, caps: { strangers } }: Pick<FileSettings, 'openings' | 'caps'>,
  { openingHours, caps = {} }: SettingValues,
): { windows: OpeningSettings; caps: OpeningCapSettings } => ({
  windows: { ...openings, ...(openingHours === undefined ? {} : { hours: openingHours }) },
  caps: { ...caps, strangers },
});

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
      caps: capsIn(file),
      ...(file.openings.hours === undefined ? {} : { openingHours: file.openings.hours }),
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
